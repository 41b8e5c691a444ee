"""Many small calls over one connection.

An environment step is one position, which the service answers in some 15 microseconds: the time goes into HTTP. `httpx` takes
350 microseconds of a core for such a call. Here a C parser reads the answers, and requests that do not depend on each other are
all sent before the first answer is read (pipelining, RFC 9112).
"""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import httptools
import httpx

from tesuji._calls import MOST_SEARCHES, error, problem_error, succeeded, wait_before
from tesuji._version import __version__
from tesuji.errors import UnexpectedAnswer
from tesuji.models import Problem, SearchResponse

Json = Mapping[str, Any]
#: Status, headers and body.
Answer: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]

#: Requests sent together: few enough bytes for the connection's buffers, while the service waits for its answers to be read.
FLIGHT, FLIGHT_BYTES = 64, 32_768
RETRIES = 2
LONGEST_WAIT = 30.0
TIMEOUT = 120.0


class Answers:
    """Reads answers, one after the other."""

    def __init__(self) -> None:
        self.complete: list[Answer] = []
        self._parser = httptools.HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        """Reads on. No data is the end of the connection."""
        if not data:
            raise ConnectionResetError("the service closed the connection")
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        """The parser's call before an answer."""
        self._headers: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """The parser's call for each header."""
        self._headers.append((name, value))

    def on_body(self, data: bytes) -> None:
        """The parser's call for each part of the body."""
        self._body.append(data)

    def on_message_complete(self) -> None:
        """The parser's call after an answer."""
        self.complete.append((self._parser.get_status_code(), self._headers, b"".join(self._body)))


class Wire:
    """A connection to one service. Not for several threads at once."""

    def __init__(self, url: str, api_key: str | None = None) -> None:
        address = urlsplit(url)
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._host = address.hostname or ""
        self._port = address.port or (443 if self._tls else 80)
        self._path = address.path.rstrip("/")
        self._head = f"Host: {address.netloc.rpartition('@')[2]}\r\nUser-Agent: tesuji/{__version__}\r\n"
        if api_key:
            self._head += f"Authorization: Bearer {api_key}\r\n"
        self._open: tuple[socket.socket, Answers] | None = None

    def close(self) -> None:
        """Closes the connection. A later call opens it again."""
        if self._open is not None:
            self._open[0].close()
        self._open = None

    def positions(self, requests: Sequence[Json]) -> list[Any]:
        """Positions as JSON, one for each request."""
        return self._post("/v1/positions", requests)

    def searches(self, requests: Sequence[Json], defaults: Json) -> list[Any]:
        """Searches as JSON, one for each request: a single one, or batches."""
        if len(requests) == 1:
            return self._post("/v1/searches", [{**defaults, **requests[0]}])
        parts = [requests[begin : begin + MOST_SEARCHES] for begin in range(0, len(requests), MOST_SEARCHES)]
        batches = self._post("/v1/batches", [{"defaults": defaults, "searches": part} for part in parts])
        return [found(item) for batch in batches for item in batch["items"]]

    def _post(self, path: str, requests: Sequence[Json]) -> list[Any]:
        head = f"POST {self._path}{path} HTTP/1.1\r\n{self._head}Content-Type: application/json\r\nContent-Length: "
        bodies = [json.dumps(request).encode() for request in requests]
        texts = [f"{head}{len(body)}\r\n\r\n".encode() + body for body in bodies]
        return [self._read(text, answer) for flight in flights(texts) for text, answer in self._exchanged(flight)]

    def _read(self, request: bytes, answer: Answer) -> Any:
        """An answer's JSON. A refusal that names a time to wait is met by another try."""
        for left in reversed(range(RETRIES + 1)):
            status, headers, body = answer
            if status == httpx.codes.OK:
                try:
                    return json.loads(body)
                except ValueError as wrong:
                    raise UnexpectedAnswer(status, body.decode(errors="replace")) from wrong
            refused = httpx.Response(status, headers=headers, content=body)
            wait = wait_before(refused, LONGEST_WAIT)
            if left == 0 or wait is None:
                break
            time.sleep(wait)
            [(_, answer)] = self._exchanged([request])
        raise error(refused)

    def _exchanged(self, requests: Sequence[bytes]) -> list[tuple[bytes, Answer]]:
        """Requests with their answers. What a closed connection leaves unanswered is sent again, on a new one: the service may
        close one that was idle, and at any time after a whole answer."""
        done: list[Answer] = []
        while len(done) < len(requests):
            reused = self._open is not None
            connection, answers = self._opened()
            try:
                connection.sendall(b"".join(requests[len(done) :]))
                while len(done) + len(answers.complete) < len(requests):
                    answers.feed(connection.recv(1 << 16))
            except ConnectionError:
                self.close()
                if not reused and not answers.complete:
                    raise
            except httptools.HttpParserError as wrong:
                self.close()
                raise UnexpectedAnswer(0, str(wrong)) from wrong
            except BaseException:  # an answer may be left unread
                self.close()
                raise
            done += answers.complete
            answers.complete = []
        return list(zip(requests, done, strict=True))

    def _opened(self) -> tuple[socket.socket, Answers]:
        if self._open is None:
            connection = socket.create_connection((self._host, self._port), TIMEOUT)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_hostname=self._host)
            self._open = connection, Answers()
        return self._open


def flights(texts: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Requests to be sent together."""
    flight: list[bytes] = []
    for text in texts:
        if flight and (len(flight) == FLIGHT or sum(map(len, flight)) + len(text) > FLIGHT_BYTES):
            yield flight
            flight = []
        flight.append(text)
    if flight:
        yield flight


def found(item: Any) -> Any:
    """The search of a batch's item."""
    if item["problem"] is not None:
        raise problem_error(Problem.model_validate(item["problem"]))
    if item["search"]["status"] != "done":
        succeeded(SearchResponse.model_validate(item["search"]))
    return item["search"]
