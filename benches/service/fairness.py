#!/usr/bin/env python3
"""Short searches beside long ones: eight searches of 2 s run all the time; sixty of 10 ms are sent, one every 100 ms, and
GET /livez every 20 ms. Prints how long the answers took.

    benches/service/fairness.py target/release/tesuji --engine mcts
"""

import argparse
import multiprocessing
import threading
import time

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--engine", choices=["mcts", "negamax"], default="mcts")
parser.add_argument("--game", default="connect-four")
parser.add_argument("--idle", action="store_true", help="without the long searches, for comparison")
arguments = parser.parse_args()


def order(time_ms):
    return {"game": arguments.game, "engine": arguments.engine, "reuse": False, "budget": {"time_ms": time_ms}}


def look(host, port, over, answer):
    """Asks for GET /livez; a process of its own, since a thread would wait for the other clients' interpreter lock."""
    client = common.Client(host, port)
    took = []
    while not over.is_set():
        took.append(client.ask("GET", "/livez")[0])
        time.sleep(0.02)
    answer.put(took)


with common.server(arguments.binary) as (host, port, _):
    over = multiprocessing.Event()
    alive = multiprocessing.Queue()
    looker = multiprocessing.Process(target=look, args=(host, port, over, alive))
    looker.start()
    long_ones = []

    def search_long():
        client = common.Client(host, port)
        while not over.is_set():
            long_ones.append(client.search(order(2000))[0])

    threads = [threading.Thread(target=search_long) for _ in range(0 if arguments.idle else 8)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    client = common.Client(host, port)
    took, queued, searched = [], [], []
    begin = time.perf_counter()
    for number in range(60):
        time.sleep(max(0.0, begin + number * 0.1 - time.perf_counter()))
        milliseconds, answer = client.search(order(10))
        took.append(milliseconds)
        queued.append(answer["timing"]["queued_ms"])
        searched.append(answer["timing"]["search_ms"])
    over.set()
    lively = alive.get()
    looker.join()
    for thread in threads:
        thread.join()
    common.line(f"{arguments.engine}, 10 ms searches", took)
    common.line("  of that queued", queued)
    common.line("  of that searched", searched)
    if long_ones:
        common.line("2 s searches", long_ones)
    common.line("/livez", lively)
