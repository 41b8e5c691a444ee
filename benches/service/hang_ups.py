#!/usr/bin/env python3
"""Clients that hang up: a thousand ask for a search of a minute, one after the other, and disconnect a little later. Each time
the next search, sent at once, tells how long the abandoned one kept its place (there is only one). Then nothing may burn.

    benches/service/hang_ups.py target/release/tesuji
"""

import argparse
import json
import random
import socket
import time

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--clients", type=int, default=1000)
arguments = parser.parse_args()

with common.server(arguments.binary, "--max-searches", "1") as (host, port, process):
    numbers = random.Random(1)
    gone = []
    for number in range(arguments.clients):
        engine = "mcts" if number % 2 else "negamax"
        body = json.dumps({"game": "reversi", "engine": engine, "reuse": False, "budget": {"time_ms": 60000}})
        head = f"POST /v1/searches HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        abandoned = socket.create_connection((host, port))
        abandoned.sendall((head + body).encode())
        time.sleep(numbers.uniform(0.002, 0.02))
        abandoned.close()
        begin = time.perf_counter()
        client = common.Client(host, port)
        while client.ask("GET", "/readyz")[1] != 200:
            pass
        gone.append((time.perf_counter() - begin) * 1000)
        client.connection.close()
    common.line("gone after", gone)
    before = common.cpu_seconds(process)
    time.sleep(2)
    print(f"CPU burnt in the 2 s after: {common.cpu_seconds(process) - before:.2f} s")
