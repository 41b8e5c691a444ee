"""The connection of the environments, to services that close it, refuse, or send what is not theirs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tesuji import Refused, UnexpectedAnswer
from tesuji.envs.wire import FLIGHT, Wire, flights

#: Answers a request's body with a status, headers and a body.
Answer = Callable[[Any], tuple[int, dict[str, str], bytes]]


@contextmanager
def answering(answer: Answer, requests_per_connection: int = 1000, chunked: bool = False) -> Iterator[str]:
    """A server of another make, which closes a connection after some requests without notice."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        served = 0

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = answer(request)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(len(body)))))
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if chunked else body)
            self.served += 1
            self.close_connection = self.served == requests_per_connection

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def echo(request: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps(request).encode()


@pytest.mark.parametrize("requests_per_connection", [1, 3, 1000])
@pytest.mark.parametrize("chunked", [False, True])
def test_answers_keep_their_order_over_closed_connections(requests_per_connection: int, chunked: bool) -> None:
    sent = [{"number": number} for number in range(FLIGHT + 10)]
    with answering(echo, requests_per_connection, chunked) as url:
        wire = Wire(url)
        assert wire.positions(sent) == sent and wire.positions(sent[:1]) == sent[:1]
        wire.close()
        assert wire.positions(sent[:2]) == sent[:2]
        wire.close()


def test_a_refusal_is_waited_for() -> None:
    seen: list[Any] = []

    def full_at_first(request: Any) -> tuple[int, dict[str, str], bytes]:
        seen.append(request)
        return (503, {"Retry-After": "0"}, b"") if len(seen) < 3 else echo(request)

    with answering(full_at_first) as url:
        wire = Wire(url)
        assert wire.positions([{"number": 1}]) == [{"number": 1}] and len(seen) == 3
        wire.close()


def test_refusals_and_answers_of_others(url: str) -> None:
    wire = Wire(url)
    with pytest.raises(Refused, match="unknown_game"):
        wire.positions([{"game": "hex"}, {"game": "breakthrough"}])
    assert wire.positions([{"game": "hex"}])[0]["game"] == "hex"
    with pytest.raises(Refused, match="illegal_move"):
        wire.searches([{}, {"moves": ["z9"]}], {"game": "hex", "budget": {"nodes": 10}})
    wire.close()
    with answering(lambda _: (200, {}, b"<p>")) as other, pytest.raises(UnexpectedAnswer, match="<p>"):
        Wire(other).positions([{}])


def test_an_api_key_is_sent() -> None:
    wire = Wire("https://host.example/below/", api_key="tesuji_key")
    assert "Authorization: Bearer tesuji_key\r\n" in wire._head and "Host: host.example\r\n" in wire._head
    assert (wire._path, wire._port) == ("/below", 443)


def test_a_flight_fits_the_buffers() -> None:
    assert [len(flight) for flight in flights([b"x" * 10_000] * 7)] == [3, 3, 1]
    assert [len(flight) for flight in flights([b"x"] * 130)] == [64, 64, 2] and list(flights([])) == []
    assert [len(flight) for flight in flights([b"x" * 99_999] * 2)] == [1, 1]
