"""What the benches of the service share: a server of their own, requests, percentiles. Standard library only."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import time
import typing


@contextlib.contextmanager
def server(binary, *options):
    """Starts a server on a free port, and yields (host, port, process)."""
    environment = {**os.environ, "TESUJI_LOG": "error"}
    command = [binary, "serve", "--listen", "127.0.0.1:0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    try:
        host, port = re.search(r"http://([0-9.]+):(\d+)", process.stdout.readline()).groups()
        yield host, int(port), process
    finally:
        process.terminate()
        process.wait(timeout=30)


class Client:
    """One connection, kept."""

    def __init__(self, host, port):
        self.connection = http.client.HTTPConnection(host, port, timeout=120)

    def ask(self, method, path, body=None, headers=None):
        """Returns (milliseconds, status, headers, body)."""
        text = None if body is None else json.dumps(body)
        begin = time.perf_counter()
        self.connection.request(method, path, text, headers or {})
        response = self.connection.getresponse()
        data = response.read()
        return (time.perf_counter() - begin) * 1000, response.status, response.headers, data

    def search(self, body):
        took, status, _, data = self.ask("POST", "/v1/searches", body)
        if status != 200:
            sys.exit(f"{status}: {data.decode()}")
        return took, json.loads(data)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def line(name, values):
    shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]
    told = ", ".join(f"{word} {percentile(values, share):.2f}" for word, share in shares)
    print(f"{name}: n {len(values)}, {told}, max {max(values):.2f} ms", flush=True)


def resident_kb(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


class Usage(typing.NamedTuple):
    """What a process holds."""

    resident_kb: int
    threads: int
    files: int


def usage(process):
    count = lambda folder: len(os.listdir(f"/proc/{process.pid}/{folder}"))
    return Usage(resident_kb(process), count("task"), count("fd"))


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
