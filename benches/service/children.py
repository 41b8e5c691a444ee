#!/usr/bin/env python3
"""How good the values of all children are, in the games whose default engine is alpha-beta: positions from self-play, each
searched for a second on one thread, beside a reference that searches every child to the same depth (MultiPV over all moves) with
thirty times the nodes. Prints a row per game: Spearman's correlation of the children's values, how many of the reference's five
best are among the answer's best seven, the share of children whose value is also another's whose reference differs by more than
0.02, and the share of children without a value of their own (none, or a bound).

    benches/service/children.py target/release/tesuji --reference references.jsonl

References take a minute for every two positions, so they are kept in a file, with the positions. It is made where it is missing.
"""

import argparse
import json
import os
import random
import statistics
import threading

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--reference", required=True, help="file of positions and references")
parser.add_argument("--games", nargs="*", default=["reversi", "xiangqi", "gomoku"])
parser.add_argument("--count", type=int, default=60)
parser.add_argument("--time-ms", type=int, default=1000)
parser.add_argument("--times", type=int, default=30, help="nodes of the reference for each of the answer's")
parser.add_argument("--clients", type=int, default=1)
arguments = parser.parse_args()

# Plies at which positions are taken, first to last.
PLIES = {"reversi": (6, 44), "xiangqi": (6, 70), "gomoku": (4, 34)}


def self_play(client, game, rng):
    """Moves to an open position: a few of the better ones at random, then the engine's own."""
    while True:
        moves, length = [], rng.randint(*PLIES[game])
        while len(moves) < length:
            answer = client.search({"game": game, "moves": moves, "budget": {"nodes": 2000}})[1]
            if answer["move"] is None:
                break
            better = [child["move"] for child in answer["children"][:4]]
            moves.append(rng.choice(better) if len(moves) < 5 else answer["move"])
        value = answer["root"]["value"]
        if answer["move"] is not None and len(answer["children"]) >= 5 and value is not None and abs(value) < 0.9:
            return moves


def answer_to(client, game, moves):
    budget = {"time_ms": arguments.time_ms}
    return client.search({"game": game, "moves": moves, "budget": budget, "reuse": False})[1]


def values(answer):
    return {child["move"]: child["value"] for child in answer["children"]}


def reference(client, game, seed):
    moves = self_play(client, game, random.Random(f"{game} {seed}"))
    nodes = answer_to(client, game, moves)["root"]["nodes"] * arguments.times
    answer = client.search({"game": game, "moves": moves, "budget": {"nodes": nodes}, "report": {"multipv": 1000}})[1]
    return {"game": game, "moves": moves, "nodes": nodes, "values": values(answer), "depth": answer["root"]["depth"]}


def ranks(numbers):
    """Ranks, equals sharing the mean of theirs."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    ranked, begin = [0.0] * len(numbers), 0
    while begin < len(order):
        end = begin
        while end < len(order) and numbers[order[end]] == numbers[order[begin]]:
            end += 1
        for index in order[begin:end]:
            ranked[index] = (begin + end - 1) / 2
        begin = end
    return ranked


def spearman(one, other):
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return statistics.correlation(ranks(one), ranks(other))


def measure(client, known):
    answer = answer_to(client, known["game"], known["moves"])
    right = known["values"]
    children = [child for child in answer["children"] if right.get(child["move"]) is not None]
    own = [child for child in children if child["value"] is not None]
    first = [child["move"] for child in answer["children"][:7]]
    best = sorted(right, key=lambda move: -9 if right[move] is None else right[move], reverse=True)[:5]
    shared = [
        child for child in own
        if any(other["value"] == child["value"] and abs(right[other["move"]] - right[child["move"]]) > 0.02 for other in own)
    ]
    return {
        "game": known["game"],
        "correlation": spearman([child["value"] for child in own], [right[child["move"]] for child in own]),
        "best": sum(move in first for move in best),
        "shared": len(shared) / max(1, len(own)),
        "without": sum(child["value"] is None or (child["bound"] != "exact" and child["proven"] is None) for child in children) / len(children),
        "depths": (answer["root"]["depth"], statistics.mean(child["depth"] for child in children), known["depth"]),
    }


def spread(jobs, work):
    """Does all jobs with so many clients, and returns what they gave, in order."""
    found, lock = [None] * len(jobs), threading.Lock()
    queue = list(enumerate(jobs))[::-1]

    def run():
        client = common.Client(host, port)
        while True:
            with lock:
                if not queue:
                    return
                index, job = queue.pop()
            found[index] = work(client, job)

    threads = [threading.Thread(target=run) for _ in range(arguments.clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


with common.server(arguments.binary) as (host, port, _):
    known = []
    if os.path.exists(arguments.reference):
        with open(arguments.reference, encoding="utf-8") as file:
            known = [json.loads(line) for line in file]
    for game in arguments.games:
        have = sum(one["game"] == game for one in known)
        more = spread(list(range(have, arguments.count)), lambda client, seed: reference(client, game, seed))
        known += more
        with open(arguments.reference, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in more)
    print(f"{'game':<10} {'n':>3} {'Spearman':>9} {'best 5 in 7':>12} {'4 or more':>10} {'shared':>7} {'bounds':>7}  depths: best, children, reference")
    for game in arguments.games:
        rows = spread([one for one in known if one["game"] == game][: arguments.count], measure)
        correlations = [row["correlation"] for row in rows if row["correlation"] is not None]
        mean = lambda name: statistics.mean(row[name] for row in rows)
        depths = [statistics.mean(row["depths"][index] for row in rows) for index in range(3)]
        print(
            f"{game:<10} {len(rows):>3} {statistics.mean(correlations):>9.3f} {mean('best'):>12.2f}"
            f" {statistics.mean(row['best'] >= 4 for row in rows):>10.0%} {mean('shared'):>7.1%} {mean('without'):>7.1%}"
            f"  {depths[0]:.1f}, {depths[1]:.1f}, {depths[2]:.1f}",
            flush=True,
        )
