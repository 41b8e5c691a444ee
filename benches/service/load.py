#!/usr/bin/env python3
"""More than the service can take: for some seconds, twice as many clients as it has places ask for searches. Counts answers, and
holds each against what is promised: 200 with a move, or 503 with Retry-After. Then the memory must come back.

    benches/service/load.py target/release/tesuji --seconds 60
    benches/service/load.py target/release/tesuji --total 10000     # for leaks: so many searches, in tenths
"""

import argparse
import json
import threading
import time

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--places", type=int, default=32)
parser.add_argument("--total", type=int, default=0)
arguments = parser.parse_args()

GAMES = ["connect-four", "reversi", "gomoku", "xiangqi", "dots-and-boxes"]


def order(number, time_ms):
    engine = "mcts" if number % 2 else "negamax"
    return {"game": GAMES[number % 5], "engine": engine, "reuse": False, "budget": {"time_ms": time_ms}}


def flood(host, port):
    until = time.perf_counter() + arguments.seconds
    lock, done, refused, broken = threading.Lock(), [], [], []

    def ask(number):
        client = common.Client(host, port)
        while time.perf_counter() < until:
            took, status, headers, data = client.ask("POST", "/v1/searches", order(number, 50))
            answer = json.loads(data)
            with lock:
                if status == 200 and answer["final"] and answer["move"]:
                    done.append(took)
                elif status == 503 and int(headers["Retry-After"]) >= 1 and answer["code"] == "overloaded":
                    refused.append(took)
                else:
                    broken.append((status, data[:200]))
            if status == 503:
                time.sleep(0.02)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2 * arguments.places)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    common.line("answered", done)
    common.line("refused", refused)
    print(f"anything else: {len(broken)} {broken[:3]}")


with common.server(arguments.binary, "--max-searches", str(arguments.places)) as (host, port, process):
    client = common.Client(host, port)
    for number in range(20):
        client.search(order(number, 100))
    time.sleep(1)
    before = common.resident_kb(process)
    if arguments.total:
        tenth = arguments.total // 10
        for part in range(10):
            for number in range(tenth):
                client.search(order(number, 1))
            print(f"{(part + 1) * tenth} searches: {common.resident_kb(process)} kB resident", flush=True)
    else:
        flood(host, port)
    time.sleep(2)
    print(f"resident before {before} kB, after {common.resident_kb(process)} kB")
