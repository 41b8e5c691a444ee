#!/usr/bin/env python3
"""Malicious games beside honest searches: eight clients search the eight games of tests/games/malicious.c all the time, while sixty
searches of 10 ms are sent, one every 100 ms. Prints how long their answers took.

    benches/service/malicious.py target/release/tesuji target/games/malicious
    benches/service/malicious.py target/release/tesuji target/games/malicious --requests 1000   # for leaks: fails where anything grows
"""

import argparse
import multiprocessing
import sys
import threading
import time

import common

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("folder", help="the modules malicious-1 to malicious-8")
parser.add_argument("--requests", type=int, help="send so many requests to the malicious games, and compare memory, threads and files")
parser.add_argument("--only", type=int, help="the number of one malicious game")
parser.add_argument("--idle", action="store_true", help="without malicious searches, for comparison")
arguments = parser.parse_args()

GAMES = [arguments.only] if arguments.only else range(1, 9)
# Failures count; a game that goes out of service would harm no longer.
OPTIONS = ["--games", arguments.folder, "--max-game-failures", "1000000"]
# Half of what a thousand instances take; the allocator's share settles below that.
GROWTH_KB = 64 << 10
# The runtime ends threads that have been idle for ten seconds.
IDLE = 12
HONEST = {"game": "connect-four", "engine": "mcts", "reuse": False, "budget": {"time_ms": 10}}


def malicious(number, time_ms):
    return {"game": f"malicious-{number}", "variant": {"heap": 666}, "engine": "mcts", "budget": {"time_ms": time_ms}}


def attack(host, port, number, over):
    """Searches a malicious game until the end; in a process, since a thread would delay the honest client's clock."""
    client = common.Client(host, port)
    while not over.is_set():
        client.ask("POST", "/v1/searches", malicious(number, 2000))


def latency(host, port):
    over = multiprocessing.Event()
    attackers = [multiprocessing.Process(target=attack, args=(host, port, number, over)) for number in GAMES]
    for attacker in [] if arguments.idle else attackers:
        attacker.start()
    time.sleep(1)
    client = common.Client(host, port)
    took, queued, searched = [], [], []
    begin = time.perf_counter()
    for number in range(60):
        time.sleep(max(0.0, begin + number * 0.1 - time.perf_counter()))
        milliseconds, answer = client.search(HONEST)
        took.append(milliseconds)
        queued.append(answer["timing"]["queued_ms"])
        searched.append(answer["timing"]["search_ms"])
    over.set()
    for attacker in [] if arguments.idle else attackers:
        attacker.join()
    common.line("10 ms searches", took)
    common.line("  of that queued", queued)
    common.line("  of that searched", searched)


def flood(host, port, requests):
    """Eight clients, each with its share of the requests; returns how many failed in the game."""
    failed = []

    def send(number):
        client = common.Client(host, port)
        for _ in range(requests // len(GAMES)):
            _, status, _, data = client.ask("POST", "/v1/searches", malicious(number, 100))
            failed.append(status == 422 and b'"game_failed"' in data)

    threads = [threading.Thread(target=send, args=(number,)) for number in GAMES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(failed)


def leaks(host, port, process):
    # Threads and caches that any load makes.
    flood(host, port, 10 * len(GAMES))
    common.Client(host, port).search(HONEST)
    time.sleep(IDLE)
    before = common.usage(process)
    failed = flood(host, port, arguments.requests)
    common.Client(host, port).search(HONEST)
    time.sleep(IDLE)
    after = common.usage(process)
    print(f"{arguments.requests} requests, {failed} failed; before {before}, after {after}")
    # Slow calls within the limit succeed.
    if failed < arguments.requests * 6 // 8:
        sys.exit("the games did no harm")
    if after.threads > before.threads or after.files > before.files or after.resident_kb > before.resident_kb + GROWTH_KB:
        sys.exit("the server has grown")


with common.server(arguments.binary, *OPTIONS) as (host, port, process):
    if arguments.requests:
        leaks(host, port, process)
    else:
        latency(host, port)
