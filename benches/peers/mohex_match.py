#!/usr/bin/env python3
"""Hex matches between a Tesuji server (HTTP) and MoHex 2.0 (GTP), one search at a time.

Both programs name cells alike: the first player (Red, Black) connects top and bottom, a1 is the top left. The script has
its own referee and compares its verdict with those of both programs at the end of each game.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# One stone of the first player, about balanced on 11x11, no two equal by the board's half turn.
OPENINGS = "a2 a10 b4 a3 a4 a5 a6 a7 a8 a9 c2 d2 e2 f2 g2 h2 i2 b2 b3 d3 c10 b1".split()
# MoHex exceeds its `max_time` by about this: for the first searches, before any is measured.
BEYOND_S = 0.6


class Board:
    def __init__(self, size):
        self.size, self.stones = size, {}

    def cell(self, text):
        m = re.fullmatch(r"([a-s])([1-9][0-9]?)", text)
        cell = (ord(m[1]) - 97, int(m[2]) - 1) if m else None
        if cell is None or max(cell) >= self.size:
            raise ValueError("not a cell: %r" % text)
        return cell

    def play(self, side, text):
        cell = self.cell(text)
        if cell in self.stones:
            raise ValueError("%s is occupied" % text)
        self.stones[cell] = side

    def connected(self, side):
        along = 1 if side == 0 else 0
        todo = [c for c, s in self.stones.items() if s == side and c[along] == 0]
        seen = set(todo)
        while todo:
            x, y = todo.pop()
            if (x, y)[along] == self.size - 1:
                return True
            for c in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1)):
                if c not in seen and self.stones.get(c) == side:
                    seen.add(c)
                    todo.append(c)
        return False


class Tesuji:
    name = "tesuji"

    def __init__(self, args):
        self.url, self.args = args.url.rstrip("/"), args
        self.limit = "cpu_ms" if args.by_cpu else "time_ms"
        self.body = {"game": "hex", "variant": {"size": args.size, "swap": False}}

    def post(self, path, body):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=600) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise RuntimeError("%s: %s %s" % (path, error.code, error.read().decode(errors="replace")[:1000]))

    def new_game(self):
        self.moves = []

    def play(self, side, move):
        self.moves.append(move)

    def time_ms(self):
        if self.args.tesuji_ms:
            return self.args.tesuji_ms
        searched = self.opponent.searched[-40:]
        return max(1, round(1000 * (mean(searched) if len(searched) >= 4 else self.args.mohex_s + BEYOND_S)))

    def genmove(self, side):
        body = dict(
            self.body,
            moves=self.moves,
            budget={self.limit: self.time_ms()},
            threads=1,
            report={"children": "best", "pv_length": 1},
        )
        if self.args.engine or self.args.options:
            # The API has no field `options`: the engine is an object with its name and options.
            options = json.loads(self.args.options or "{}")
            body["engine"] = (
                dict(options, name=self.args.engine or options.get("name", "mcts"))
                if options
                else self.args.engine
            )
        if self.args.request:
            body.update(json.loads(self.args.request))
        began = time.perf_counter()
        found = self.post("/v1/searches", body)
        seconds = time.perf_counter() - began
        used, root = found["budget"]["used"], found["root"]
        info = {
            "budget": body["budget"],
            "simulations": used["simulations"],
            "nodes": used["nodes"],
            "cpu_ms": used["cpu_ms"],
            "search_ms": found["timing"]["search_ms"],
            "value": root["value"],
            "proven": root["proven"],
            "stop": found["stop_reason"],
            "reused": found["reuse"] and found["reuse"]["visits"],
        }
        if found["warnings"]:
            info["warnings"] = found["warnings"]
        return found["move"], seconds, info

    def judge(self, side):
        """Who wins with `side` to move, by a search of up to a minute; none if it proves nothing."""
        root = self.post("/v1/searches", dict(self.body, moves=self.moves, budget={"time_ms": 60000}))["root"]
        return {"win": side, "loss": 1 - side}.get(root["proven"])

    def winner(self):
        outcome = self.post("/v1/positions", dict(self.body, moves=self.moves))["outcome"]
        return outcome and ["first", "second"].index(outcome["winner"])

    def close(self):
        pass


class MoHex:
    def judge(self, side):
        """It cannot say who has won a position that it failed in."""
        return None

    def __init__(self, args, name="mohex"):
        self.name, self.size, self.args, self.searched = name, args.size, args, []
        self.log = tempfile.TemporaryFile()
        self.start()

    def start(self):
        args = self.args
        self.process = subprocess.Popen(
            [os.path.abspath(args.mohex), "--use-logfile=0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            cwd=tempfile.gettempdir(),
        )
        for name_value in [
            "max_time %g" % args.mohex_s,
            "num_threads 1",
            "ponder 0",
            "use_parallel_solver 0",
            "use_time_management 0",
            # The default of 2 GB costs a second at the first move; this is enough for 250,000 simulations.
            "max_memory 400000000",
            *args.mohex_param,
        ]:
            self.send("param_mohex " + name_value)
        self.send("param_game allow_swap 0")

    def send(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("MoHex ended at %r" % command)
            line = line.decode().rstrip()
            if not line and lines:
                break
            if line or lines:
                lines.append(line)
        if not lines[0].startswith("="):
            raise RuntimeError("MoHex: %s: %s" % (command, lines))
        return "\n".join(lines)[1:].strip()

    def new_game(self):
        self.send("boardsize %d %d" % (self.size, self.size))
        self.send("clear_board")
        self.generated = None

    def play(self, side, move):
        if self.generated != (side, move):
            self.send("play %s %s" % ("bw"[side], move))
        self.generated = None

    def cpu(self):
        with open("/proc/%d/stat" % self.process.pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def genmove(self, side):
        read_at = os.fstat(self.log.fileno()).st_size
        cpu, began = self.cpu(), time.perf_counter()
        try:
            move = self.send("genmove " + "bw"[side])
        except (RuntimeError, OSError):
            # In some positions that it has found decided, it has no move: it ends, or plays an illegal one.
            self.process.kill()
            self.process.wait(10)
            seconds = time.perf_counter() - began
            self.start()
            return None, seconds, {"simulations": None, "cpu_ms": None, "score": None, "crashed": True}
        seconds = time.perf_counter() - began
        text = os.pread(self.log.fileno(), 1 << 20, read_at).decode(errors="replace")
        games = re.findall(r"^GamesPlayed\s+(\d+)", text, re.M)
        score = re.findall(r"^Score\s+([\d.]+)", text, re.M)
        # Without a search MoHex has found the move by virtual connections (a win or a loss), or from its book.
        info = {
            "simulations": int(games[-1]) if games else None,
            "cpu_ms": round(1000 * (self.cpu() - cpu)),
            "score": float(score[-1]) if score else None,
        }
        if info["simulations"]:
            self.searched.append(info["cpu_ms"] / 1000 if self.args.by_cpu else seconds)
        if "Opponent has won" in text:
            info["lost"] = True  # it has found a winning chain of the opponent
        self.generated = (side, move)  # genmove has played it
        return move, seconds, info

    def winner(self):
        score = self.send("final_score")
        return {"B": 0, "W": 1}.get(score[:1])

    def close(self):
        try:
            self.send("quit")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait(10)


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def play_game(size, opening, players, verbose):
    """Returns the winner (0: the first player), how the game ended, and the record of the moves."""
    board, record = Board(size), []
    for player in set(players):
        player.new_game()
    board.play(0, opening)
    for player in players:
        player.play(0, opening)
    side = 1
    while True:
        player = players[side]
        move, seconds, info = player.genmove(side)
        record.append(dict({"by": player.name, "move": move, "s": round(seconds, 4)}, **info))
        if verbose:
            print("   ", json.dumps(record[-1]), flush=True)
        if move is None:
            winner = players[1 - side].judge(side)
            if winner is None:
                raise RuntimeError("%s has no move, and neither program has proven a winner: %s" % (player.name, record))
            return winner, "adjudicated", record
        if move == "resign":
            return 1 - side, "resign", record
        board.play(side, move)
        for other in players:
            other.play(side, move)
        if board.connected(side):
            for other in players:
                if other.winner() != side:
                    raise RuntimeError(
                        "%s disagrees: %s is not connected after %s" % (other.name, side, record)
                    )
            return side, "connected", record
        side = 1 - side


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--url", required=True, help="Tesuji's server, or `mohex`: a second MoHex in its place, as a test"
    )
    parser.add_argument("--mohex", required=True, help="the program")
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument(
        "--tesuji-ms",
        type=int,
        default=1000,
        help="Tesuji's time_ms; 0: the mean wall time of MoHex's last 40 moves with a search",
    )
    parser.add_argument(
        "--by-cpu",
        action="store_true",
        help="for busy machines: limit Tesuji by cpu_ms; with --tesuji-ms 0 by MoHex's mean CPU time",
    )
    parser.add_argument("--mohex-s", type=float, default=1.0, help="param_mohex max_time")
    parser.add_argument("--engine", help="Tesuji's engine")
    parser.add_argument("--options", help="options of that engine, in JSON")
    parser.add_argument("--request", help='further fields of Tesuji\'s request, in JSON, as {"reuse":false}')
    parser.add_argument(
        "--mohex-param", action="append", default=[], metavar="'NAME VALUE'", help="a further param_mohex"
    )
    parser.add_argument("--openings", default=",".join(OPENINGS), help="cells with a comma between")
    parser.add_argument("--first-game", type=int, default=0, help="to go on with an interrupted match")
    parser.add_argument("--out", help="a file to which each game is appended, one JSON object a line")
    parser.add_argument("--verbose", action="store_true", help="print each move")
    args = parser.parse_args()

    openings = args.openings.split(",")
    mohex = MoHex(args)
    tesuji = MoHex(args, "tesuji") if args.url == "mohex" else Tesuji(args)
    tesuji.opponent = mohex
    wins, played = 0, 0
    everything = {"tesuji": [], "mohex": []}
    try:
        for game in range(args.first_game, args.first_game + args.games):
            opening = openings[game // 2 % len(openings)]
            players = (tesuji, mohex) if game % 2 == 0 else (mohex, tesuji)
            began = time.time()
            side, end, record = play_game(args.size, opening, players, args.verbose)
            winner = players[side].name
            played += 1
            wins += winner == "tesuji"
            result = {
                "game": game,
                "opening": opening,
                "size": args.size,
                "first": players[0].name,
                "second": players[1].name,
                "winner": winner,
                "end": end,
                "moves": 1 + sum(r["move"] not in ("resign", None) for r in record),
                "seconds": round(time.time() - began, 1),
            }
            for name in ("tesuji", "mohex"):
                own = [r for r in record if r["by"] == name]
                everything[name] += own
                result[name] = {
                    "mean_s": own and round(mean([r["s"] for r in own]), 4),
                    "max_s": own and max(r["s"] for r in own),
                    "mean_cpu_ms": mean([r["cpu_ms"] for r in own]),
                    "mean_simulations": mean([r["simulations"] for r in own]),
                }
            result["record"] = record
            result["settings"] = {
                "tesuji_ms": args.tesuji_ms,
                "by_cpu": args.by_cpu,
                "mohex_s": args.mohex_s,
                "engine": args.engine,
                "options": args.options,
                "request": args.request,
                "mohex_param": args.mohex_param,
                "url": args.url,
            }
            if args.out:
                with open(args.out, "a") as out:
                    out.write(json.dumps(result) + "\n")
            times = "  ".join(
                "%s %.3f/%.3f s" % (n, result[n]["mean_s"] or 0, result[n]["max_s"] or 0)
                for n in ("tesuji", "mohex")
            )
            print(
                "game %3d  %-4s first %-6s  winner %-6s (%s) in %d moves  mean/max %s   tesuji %d of %d"
                % (game, opening, players[0].name, winner, end, result["moves"], times, wins, played),
                flush=True,
            )
    except KeyboardInterrupt:
        pass
    finally:
        for player in (mohex, tesuji):
            player.close()
    if played:
        p = wins / played
        print(
            "tesuji %d of %d = %.1f%% (standard error %.1f%%)"
            % (wins, played, 100 * p, 100 * (max(p * (1 - p), 1e-9) / played) ** 0.5)
        )
        for name, own in everything.items():
            if own:
                # The moves with a search: the others (won, lost or forced positions) cost almost nothing.
                searched = [
                    r["s"] for r in own if r["simulations"] and r.get("stop") not in ("proven", "single_move")
                ]
                print(
                    "%-6s all moves %.3f s mean, %.3f max; %d of %d searched (not at once won, lost or forced), %s s mean; "
                    "all %s CPU ms, searched %s simulations a move"
                    % (
                        name,
                        mean([r["s"] for r in own]),
                        max(r["s"] for r in own),
                        len(searched),
                        len(own),
                        searched and "%.3f" % mean(searched),
                        round(mean([r["cpu_ms"] for r in own])),
                        round(mean([r["simulations"] for r in own]) or 0),
                    )
                )


if __name__ == "__main__":
    main()
