#!/usr/bin/env python3
"""What a cluster costs and gains: latency that `--cluster` adds to a search on one node, latency of a search that is spread, and
simulations a second of two nodes against one. Needs two cores, taskset and nats-server.

    benches/service/cluster.py target/release/tesuji [NATS_SERVER]
"""

import contextlib
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import common


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Node:
    """A server with one search thread, on a core of its own."""

    def __init__(self, stack, binary, core, *options):
        host, port, process = stack.enter_context(common.server(binary, "--search-threads", "1", *options))
        # All threads of the process, and those to come.
        subprocess.run(["taskset", "-a", "-p", "-c", str(core), str(process.pid)], check=True, stdout=subprocess.DEVNULL)
        self.client = common.Client(host, port)

    def search(self, threads, time_ms):
        request = {"game": "connect-four", "engine": "mcts", "threads": threads, "budget": {"time_ms": time_ms}, "reuse": False}
        return self.client.search(request)

    def await_idle(self, cores):
        while sum(node["idle"] for node in json.loads(self.client.ask("GET", "/v1/cluster")[3])["nodes"]) < cores:
            time.sleep(0.02)


def main(binary, broker="nats-server"):
    port = free_port()
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(tempfile.TemporaryDirectory())
        process = subprocess.Popen([broker, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", store], stderr=subprocess.DEVNULL)
        stack.callback(process.terminate)
        time.sleep(0.5)
        url = f"nats://127.0.0.1:{port}"
        alone = Node(stack, binary, 0)
        one, other = Node(stack, binary, 0, "--cluster", url), Node(stack, binary, 1, "--cluster", url)
        one.await_idle(2)
        plain, local, spread = [], [], []
        for _ in range(200):
            plain.append(alone.search(1, 10)[0] - 10)
            local.append(one.search(1, 10)[0] - 10)
            one.await_idle(2)
            took, found = one.search(2, 10)
            assert len(found["threads"]["nodes"]) == 2, found["threads"]
            spread.append(took - 10)
            one.await_idle(2)
        common.line("beyond 10 ms on one node, without --cluster", plain)
        common.line("beyond 10 ms on one node, with --cluster", local)
        common.line("beyond 10 ms on two nodes", spread)
        ratios = []
        for _ in range(7):
            single = alone.search(1, 2000)[1]["root"]["visits"]
            one.await_idle(2)
            both = one.search(2, 2000)[1]["root"]["visits"]
            ratios.append(both / single)
            print(f"2 s: {single / 2000:.0f} k simulations/s on one node, {both / 2000:.0f} k on two: {ratios[-1]:.2f}")
        print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
