"""The connection of the environments, to services that close it, refuse, or send unexpected answers."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest
from conftest import Start, api_key

from tesuji import Client, Refused, SearchFailed, StreamInterrupted, Unauthorized, Unavailable, UnexpectedAnswer
from tesuji.envs import wire as module
from tesuji.envs.wire import FLIGHT, Wire, flights

#: Answers a request's body with a status, headers and a body.
Answer = Callable[[Any], tuple[int, dict[str, str], bytes]]
#: Where a body ends: after its length, after its last chunk, or with the connection.
Framing = Literal["length", "chunks", "end"]


@contextmanager
def answering(
    answer: Answer, requests_per_connection: int = 1000, framing: Framing = "length", announced: bool = False
) -> Iterator[str]:
    """A foreign server below `/tesuji`, which closes a connection after some requests without notice."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        served = 0

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = answer(request) if self.path.startswith("/tesuji/v1/") else (404, {}, b"")
            if announced:
                self.send_response_only(103)
                self.end_headers()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if framing == "chunks":
                self.send_header("Transfer-Encoding", "chunked")
            elif framing == "length":
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if framing == "chunks" else body)
            self.served += 1
            self.close_connection = self.served == requests_per_connection

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/tesuji/"
    finally:
        server.shutdown()
        server.server_close()


def echo(request: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps(request).encode()


@pytest.mark.parametrize(
    ("requests_per_connection", "framing"),
    [(1, "length"), (3, "length"), (1000, "length"), (1, "chunks"), (3, "chunks"), (1000, "chunks"), (1, "end")],
)
@pytest.mark.parametrize("announced", [False, True])
def test_answers_keep_their_order_over_closed_connections(
    requests_per_connection: int, framing: Framing, announced: bool
) -> None:
    sent = [{"number": number} for number in range(FLIGHT + 10)]
    with answering(echo, requests_per_connection, framing, announced) as url:
        wire = Wire(url)
        assert wire.positions(sent) == sent and wire.positions(sent[:1]) == sent[:1]
        wire.close()
        assert wire.positions(sent[:2]) == sent[:2]
        wire.close()


def test_refusals_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)

    def full_at_first(request: Any) -> tuple[int, dict[str, str], bytes]:
        seen.append(request)
        wait = str(request * 10)
        return (503, {"Retry-After": wait}, b"") if request and seen.count(request) < 3 else echo(request)

    with answering(full_at_first) as url:
        wire = Wire(url)
        assert wire.positions([1, 0, 2]) == [1, 0, 2]  # type: ignore[list-item]
        assert seen == [1, 0, 2, 1, 2, 1, 2] and waits == [20, 20]
        wire.close()


def test_refusals_and_answers_of_others(url: str) -> None:
    wire = Wire(url)
    with pytest.raises(Refused, match="unknown_game"):
        wire.positions([{"game": "hex"}, {"game": "breakthrough"}])
    assert wire.positions([{"game": "hex"}])[0]["game"] == "hex"
    with pytest.raises(Refused, match="illegal_move"):
        wire.searches([{}, {"moves": ["z9"]}], {"game": "hex", "budget": {"nodes": 10}})
    wire.close()
    for status in (200, 404):
        with answering(lambda _, status=status: (status, {}, b"<p>")) as other:  # type: ignore[misc]
            wire = Wire(other)
            with pytest.raises(UnexpectedAnswer, match="<p>"):
                wire.positions([{}])
            assert wire._open is None


def test_a_batch_may_take_longer_than_the_time_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 2.0)
    cores = os.cpu_count() or 1
    wire = Wire(url)
    slow = {"game": "xiangqi", "budget": {"time_ms": 700}}
    begin = time.monotonic()
    found = wire.searches([{}, {"moves": ["h2e2"]}] * (2 * cores), slow)
    assert time.monotonic() - begin > 2
    assert [search["position"]["ply"] for search in found] == [0, 1] * (2 * cores)
    wire.close()


@pytest.mark.parametrize(
    ("status", "reason", "error"), [("cancelled", "shutdown", Unavailable), ("failed", None, SearchFailed)]
)
def test_a_search_without_its_end_is_an_error(
    url: str, tesuji: Client, status: str, reason: str | None, error: type[Exception]
) -> None:
    found = tesuji.search(game="tic-tac-toe", budget={"simulations": 10}).model_dump(mode="json", by_alias=True)
    cut = {**found, "status": status, "stop_reason": reason, "move": None}

    def cutting(request: Any) -> tuple[int, dict[str, str], bytes]:
        if "searches" not in request:
            return 200, {}, json.dumps(cut).encode()
        events = [{"index": 1, "search": found, "problem": None}, {"index": 0, "search": cut, "problem": None}]
        return 200, {}, b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in [*events, {"final": True}])

    with answering(cutting) as other:
        wire = Wire(other)
        for many in (1, 2):
            with pytest.raises(error):
                wire.searches([{}] * many, {})
        wire.close()


def test_a_stream_without_its_final_message() -> None:
    with answering(lambda _: (200, {}, b'data: {"index": 0}\n\n')) as other, pytest.raises(StreamInterrupted):
        Wire(other).searches([{}, {}], {})


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8080", "ftp://host", "http://", "http://user:pw@host", "http://host/?key=1"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ValueError, match="expected http"):
        Wire(url)


def test_an_api_key_is_sent(start: Start) -> None:
    key, setting = api_key()
    url = start("--api-keys", setting)
    with pytest.raises(Unauthorized):
        Wire(url).positions([{"game": "hex"}])
    wire = Wire(url, key)
    assert wire.positions([{"game": "hex"}])[0]["game"] == "hex"
    wire.close()


def test_a_flight_fits_the_buffers() -> None:
    assert [len(flight) for flight in flights([b"x" * 10_000] * 7)] == [3, 3, 1]
    assert [len(flight) for flight in flights([b"x"] * 130)] == [64, 64, 2] and list(flights([])) == []
    assert [len(flight) for flight in flights([b"x" * 99_999] * 2)] == [1, 1]
