"""Plays random Xiangqi games on a server of its own, and asks pyffish about every position on the way.

Each position is set up afresh from its text, so that no game ends by repetition, which pyffish judges elsewhere. A game is left
where the rules end it otherwise than by the lack of a legal move.
"""

import http.client
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
LONGEST_GAME = 30


@dataclass
class Counts:
    positions: int = 0
    checks: int = 0
    ends: int = 0
    texts: int = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Server:
    """Asks where a game stands, over one connection."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=60)

    def position(self, text, moves=()):
        """The described position; None where the text is refused, as random ones may be."""
        body = json.dumps({"game": "xiangqi", "position": text, "moves": list(moves)})
        self.connection.request("POST", "/v1/positions", body, {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status == 422 and answer["type"].endswith("/invalid_position") and not moves:
            return None
        assert response.status == 200, (text, moves, answer)
        return answer


def random_text(rng):
    """Both generals and a few pieces anywhere; the server may refuse it, as the side that has moved may be in check."""
    cells = [[""] * 9 for _ in range(10)]
    for side in (str.upper, str.lower):
        squares = {
            "k": [(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)],
            "a": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
            "b": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
            "p": [(file, rank) for file in range(9) for rank in range(5, 10)]
            + [(file, rank) for file in (0, 2, 4, 6, 8) for rank in (3, 4)],
        }
        anywhere = [(file, rank) for file in range(9) for rank in range(10)]
        pieces = "k" + "".join(rng.sample("aabbnnrrccppppp", rng.randrange(1, 13)))
        for piece in pieces:
            file, rank = rng.choice(squares.get(piece, anywhere))
            row = 9 - rank if side == str.upper else rank
            if not cells[row][file]:
                cells[row][file] = side(piece)
            elif piece == "k":
                return None
    rows = ["".join(cell or " " for cell in row) for row in cells]
    board = "/".join(re.sub(" +", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {rng.choice('wb')} - - 0 1"


def from_one(move):
    """h2e2 as h3e3: pyffish numbers the ranks from 1."""
    return re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), move)


def same_wxf(ours, theirs):
    """pyffish writes `=` for `.`; the sign of a tandem first (+C=5), and only where two could move so (else C8=5); and it has
    texts of its own for several pawns on a file."""
    theirs = theirs.replace("=", ".")
    if theirs[0] in "+-":
        theirs = theirs[1] + theirs[0] + theirs[2:]
    if ours[1] in "+-" and theirs[1].isdigit():
        theirs = theirs[0] + ours[1] + theirs[2:]
    return theirs[0].isdigit() or ours == theirs


def play(server, rng, counts, limit):
    """One game. Raises AssertionError where the two disagree."""
    text = random_text(rng) if rng.random() < 0.9 else START
    described = text and server.position(text)
    if not described:
        return
    start, line, checks, texts = described["position"], [], [], []
    while described["outcome"] is None or described["outcome"]["reason"] in ("checkmate", "stalemate"):
        text, moves = described["position"], described["legal_moves"]
        theirs = pyffish.legal_moves("xiangqi", text, [])
        differing = set(map(from_one, moves)) ^ set(theirs)
        assert not differing and len(moves) == len(theirs), f"{text}: only one side plays {differing}"
        counts.positions += 1
        counts.checks += described["in_check"]
        checks.append(described["in_check"])
        if not moves:
            counts.ends += 1
            reason = "checkmate" if described["in_check"] else "stalemate"
            assert described["outcome"]["reason"] == reason, text
        if not moves or len(line) == LONGEST_GAME or counts.positions == limit:
            break
        chosen = rng.choice(described["notations"])
        texts.append(chosen["wxf"])
        line.append(from_one(chosen["move"]))
        described = server.position(text, [chosen["move"]])
    # A whole line costs pyffish hardly more than a single move does.
    long_forms = pyffish.get_san_moves("xiangqi", start, line, False, pyffish.NOTATION_LAN)
    wxf = pyffish.get_san_moves("xiangqi", start, line, False, pyffish.NOTATION_XIANGQI_WXF)
    for index, (long_form, in_check) in enumerate(zip(long_forms, checks[1:])):
        assert (long_form[-1] in "+#") == in_check, f"{start} {line[: index + 1]}: check or not?"
    for index, (ours, theirs) in enumerate(zip(texts, wxf)):
        assert same_wxf(ours, theirs), f"{start} {line[: index + 1]}: {ours} or {theirs}?"
        counts.texts += 1


def compare(address, seed, positions):
    """Random games until that many positions have been compared; what was counted, and what was found."""
    server, rng, counts = Server(address), random.Random(seed), Counts()
    try:
        while counts.positions < positions:
            play(server, rng, counts, positions)
    except AssertionError as found:
        return counts, str(found)
    return counts, None


def main(binary, seed, positions):
    workers = min(os.cpu_count() or 1, 8)
    environment = {**os.environ, "TESUJI_LOG": "error"}
    command = [binary, "serve", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            address = re.search(r"http://([0-9.:]+)", server.stdout.readline())[1]
            shares = [positions * (index + 1) // workers - positions * index // workers for index in range(workers)]
            seeds = [seed * 1000 + index for index in range(workers)]
            with ProcessPoolExecutor(workers) as pool:
                results = list(pool.map(compare, [address] * workers, seeds, shares))
        finally:
            server.terminate()
    total = Counts()
    for counts, _ in results:
        total.add(counts)
    found = [text for _, text in results if text]
    print(
        f"pyffish agrees on {total.positions} positions: their legal moves, {total.checks} checks, "
        f"{total.ends} ends of games, {total.texts} WXF texts"
        if not found
        else "\n".join(found)
    )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
