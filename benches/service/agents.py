#!/usr/bin/env python3
"""What agents and chats wait for: calls of the tool `best_move` with 50 ms over MCP, and pictures of 480 pixels by address.

    benches/service/agents.py target/release/tesuji
"""

import argparse

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--requests", type=int, default=60)
arguments = parser.parse_args()

ACCEPT = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def call(game):
    tool = {"name": "best_move", "arguments": {"game": game, "time_ms": 50}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}


with common.server(arguments.binary) as (host, port, _):
    client = common.Client(host, port)
    # Games in which a search takes all of its time.
    for game in ["gomoku", "hex", "reversi", "xiangqi"]:
        took = []
        for _ in range(arguments.requests):
            milliseconds, status, _, data = client.ask("POST", "/mcp", call(game), ACCEPT)
            assert status == 200 and b'"isError":false' in data, data
            took.append(milliseconds)
        common.line(f"best_move of {game}", took)
    for game in ["tic-tac-toe", "connect-four", "reversi", "dots-and-boxes", "gomoku", "hex", "xiangqi"]:
        for form in ["svg", "png"]:
            took = []
            for number in range(arguments.requests):
                theme = "light" if number % 2 else "dark"
                path = f"/v1/positions/picture.{form}?game={game}&theme={theme}"
                milliseconds, status, _, data = client.ask("GET", path)
                assert status == 200, data
                took.append(milliseconds)
            common.line(f"{form} of {game}, {len(data) / 1000:.0f} kB", took)
