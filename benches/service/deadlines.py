#!/usr/bin/env python3
"""How late answers are: 200 searches, one after the other, with budgets from 20 to 500 ms. Prints by how much each answer came
after its budget, at the client and by the server's own clock.

    benches/service/deadlines.py target/release/tesuji --engine negamax
"""

import argparse
import random

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--engine", choices=["mcts", "negamax"], default="mcts")
parser.add_argument("--searches", type=int, default=200)
arguments = parser.parse_args()

# None of these is proven within half a second.
GAMES = ["connect-four", "reversi", "gomoku", "xiangqi"]

with common.server(arguments.binary) as (host, port, _):
    client = common.Client(host, port)
    numbers = random.Random(1)
    late, inside = [], []
    for number in range(arguments.searches):
        budget = numbers.randint(20, 500)
        body = {"game": GAMES[number % 4], "engine": arguments.engine, "reuse": False, "budget": {"time_ms": budget}}
        took, answer = client.search(body)
        if answer["stop_reason"] == "time":
            late.append(took - budget)
            inside.append(answer["timing"]["search_ms"] - budget)
    common.line(f"{arguments.engine}, late at the client", late)
    common.line("  of that in the search", inside)
