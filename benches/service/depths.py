#!/usr/bin/env python3
"""Connect Four's exact answers over HTTP: random positions with 0 to 41 stones, every move solved, one client, one core. Prints
milliseconds from request to answer, p50 and p99 for each number of stones, and the nodes of the slowest.

    benches/service/depths.py target/release/tesuji --count 1000
    benches/service/depths.py target/release/tesuji --count 200 --stones 12 13
"""

import argparse
import random
import sys

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--count", type=int, default=1000)
parser.add_argument("--stones", type=int, nargs="*", default=range(42))
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()

COLUMNS, ROWS = 7, 6


def wins(stones, column, row):
    for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
        run = 1
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while (x, y) in stones:
                run, x, y = run + 1, x + sign * right, y + sign * up
        if run >= 4:
            return True
    return False


def random_game(length, chance):
    """Random legal moves to a position that is not over, as the digits of their columns."""
    while True:
        heights, sides, moves = [0] * COLUMNS, (set(), set()), ""
        while len(moves) < length:
            column = chance.choice([column for column in range(COLUMNS) if heights[column] < ROWS])
            mine = sides[len(moves) % 2]
            if wins(mine, column, heights[column]):
                break
            mine.add((column, heights[column]))
            heights[column] += 1
            moves += str(column + 1)
        if len(moves) == length:
            return moves


with common.server(arguments.binary) as (host, port, process):
    client = common.Client(host, port)
    client.search({"game": "connect-four", "engine": "solver"})
    print("stones  positions    p50 ms    p99 ms    max ms    most nodes")
    for stones in arguments.stones:
        chance = random.Random(f"{arguments.seed} {stones}")
        times, nodes = [], []
        for _ in range(arguments.count):
            moves = random_game(stones, chance)
            body = {"game": "connect-four", "moves": list(moves), "engine": "solver", "budget": {"time_ms": 60000}}
            took, answer = client.search(body)
            if answer["stop_reason"] != "proven":
                sys.exit(f"{moves}: {answer['stop_reason']}")
            times.append(took)
            nodes.append(answer["budget"]["used"]["nodes"])
        p50, p99 = common.percentile(times, 0.5), common.percentile(times, 0.99)
        print(f"{stones:>6} {len(times):>10} {p50:>9.2f} {p99:>9.2f} {max(times):>9.2f} {max(nodes):>13}", flush=True)
