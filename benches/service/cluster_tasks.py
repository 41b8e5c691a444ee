#!/usr/bin/env python3
"""What a cluster keeps when its nodes die: asynchronous searches, accepted by three nodes of which a random one is killed (-9) and
started again every three seconds. Counts those that are lost and those of which two nodes tell different results; measures how long
accepting one takes. Needs nats-server.

    benches/service/cluster_tasks.py target/release/tesuji [NATS_SERVER] [SEARCHES] [SECONDS_BETWEEN_KILLS]
"""

import contextlib
import http.client
import json
import queue
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import common

NODES = 3
CLIENTS = 8
# Addresses that the searches come from, and so lanes of the queue.
OWNERS = 16
# What a client sees of a node that has just died, or whose broker does not answer.
GONE = (OSError, http.client.HTTPException)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Node:
    """A server that can be killed."""

    def __init__(self, binary, url):
        self.port = free_port()
        self.command = [binary, "serve", "--log", "off", "--search-threads", "1", "--cluster", url, "--listen", f"127.0.0.1:{self.port}"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None, headers=None, owner=1):
        source = (f"127.0.0.{owner}", 0)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=source)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def insist(nodes, method, path, body=None, headers=None, owner=1):
    """Asks one node after the other until one answers; returns the answer and the milliseconds that the last question took."""
    while True:
        node = random.choice(nodes)
        begin = time.perf_counter()
        try:
            status, text = node.ask(method, path, body, headers, owner)
            if status in (200, 202):
                return json.loads(text), text, (time.perf_counter() - begin) * 1000
            if status != 503:
                raise SystemExit(f"{method} {path}: {status} {text[:300]}")
        except GONE:
            pass
        time.sleep(0.02)


def in_parallel(work, items):
    """Does work with all items, a few at a time."""
    left = queue.SimpleQueue()
    for item in items:
        left.put(item)

    def run():
        with contextlib.suppress(queue.Empty):
            while True:
                work(left.get_nowait())

    threads = [threading.Thread(target=run) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def kill_now_and_then(nodes, every, stop, kills):
    while not stop.wait(every):
        node = random.choice(nodes)
        node.kill()
        kills.append(node.port)
        node.start()


def main(binary, broker="nats-server", searches="10000", every="3"):
    searches = int(searches)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(tempfile.TemporaryDirectory())
        port = free_port()
        process = subprocess.Popen([broker, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", store], stderr=subprocess.DEVNULL)
        stack.callback(process.terminate)
        time.sleep(0.5)
        nodes = [Node(binary, f"nats://127.0.0.1:{port}") for _ in range(NODES)]
        for node in nodes:
            stack.callback(node.kill)
        stop, kills = threading.Event(), []
        killer = threading.Thread(target=kill_now_and_then, args=(nodes, float(every), stop, kills))
        insist(nodes, "GET", "/readyz")
        killer.start()
        stack.callback(killer.join)
        stack.callback(stop.set)
        ids, took, begin = {}, [], time.perf_counter()

        def accept(number):
            request = {"game": "connect-four", "engine": "mcts", "seed": number, "budget": {"simulations": 2000}}
            headers = {"Prefer": "respond-async", "Idempotency-Key": f"search {number}"}
            accepted, _, milliseconds = insist(nodes, "POST", "/v1/searches", json.dumps(request), headers, 1 + number % OWNERS)
            took.append(milliseconds)
            ids[number] = accepted["id"]

        in_parallel(accept, range(searches))
        accepted = time.perf_counter() - begin
        results, differ = {}, []

        def collect(number):
            path = f"/v1/searches/{ids[number]}"
            while True:
                found, text, _ = insist(nodes, "GET", path, headers={"Prefer": "wait=5"})
                if found["final"]:
                    break
            results[number] = found
            if insist(nodes, "GET", path)[1] != text:
                differ.append(number)

        in_parallel(collect, ids)
        ended = time.perf_counter() - begin
        done = sum(found["status"] == "done" and found["engine"]["seed"] == number for number, found in results.items())
        common.line("accepting one", took)
        print(f"{searches} searches accepted in {accepted:.0f} s and ended after {ended:.0f} s, while {len(kills)} nodes were killed")
        print(f"{len(set(ids.values()))} ids, {done} results, {searches - done} lost, {len(differ)} told differently by two nodes")
        if done < searches or differ or len(set(ids.values())) < searches:
            raise SystemExit("that is not what was promised")


if __name__ == "__main__":
    main(*sys.argv[1:])
