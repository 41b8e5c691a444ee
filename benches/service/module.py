#!/usr/bin/env python3
"""What a search of a module's game costs over HTTP beside the built-in one: Connect Four from both, by turns on one server, one thread,
equal simulations, uniform playouts. Prints the time of a request beside its search, and the difference at p50.

    benches/service/module.py target/release/tesuji target/games
"""

import argparse

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("folder", help="has the module connect-four.wasm")
parser.add_argument("--simulations", type=int, default=100)
parser.add_argument("--requests", type=int, default=2000)
arguments = parser.parse_args()

GAMES = ["connect-four", "connect-four-module"]


def body(game):
    engine = {"name": "mcts", "playout": "uniform"}
    return {"game": game, "engine": engine, "reuse": False, "budget": {"simulations": arguments.simulations}}


with common.server(arguments.binary, "--games", arguments.folder) as (host, port, _):
    client = common.Client(host, port)
    whole, beside = {game: [] for game in GAMES}, {game: [] for game in GAMES}
    for number in range(arguments.requests):
        for game in GAMES if number % 2 else reversed(GAMES):
            took, answer = client.search(body(game))
            if number >= arguments.requests // 10:
                whole[game].append(took)
                beside[game].append(took - answer["timing"]["search_ms"])
for game in GAMES:
    common.line(game, whole[game])
    common.line("  of that beside the search", beside[game])
built_in, module = (common.percentile(beside[game], 0.5) for game in GAMES)
print(f"a module's game costs {module - built_in:.3f} ms more at p50")
