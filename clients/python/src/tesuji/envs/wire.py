"""Many small calls over one connection.

An environment step is one position, which the service answers in some 15 microseconds: most of the time goes into HTTP.
`httpx` takes 350 microseconds of a core for such a call. Here a C parser reads the responses, and independent requests are
all sent before the first response is read (pipelining, RFC 9112).
"""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import httptools
import httpx

from tesuji._calls import EVENTS, MOST_SEARCHES, error, problem_error, succeeded, wait_before
from tesuji._version import __version__
from tesuji.errors import StreamInterrupted, Unavailable, UnexpectedAnswer
from tesuji.models import Problem, SearchResponse

Json = Mapping[str, Any]
#: Status, headers and body.
Answer: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]

#: Requests sent together: few enough bytes for the connection's buffers while the service waits for its responses to be read.
FLIGHT, FLIGHT_BYTES = 64, 32_768
RETRIES = 2
LONGEST_WAIT = 30.0
#: Seconds without a byte before a timeout. A batch can take longer: it is a stream, with a sign of life every 15 s.
TIMEOUT = 120.0
LENGTHS = {b"content-length", b"transfer-encoding"}
#: The errors of an idle connection that the peer has closed.
CLOSED = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)


class Answers:
    """Parses responses one at a time."""

    def __init__(self) -> None:
        self.complete: list[Answer] = []
        self._headers: list[tuple[bytes, bytes]] = []
        self._parser = httptools.HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        """Parses more data. No data is the end of the connection, and of a response without a length."""
        if data:
            self._parser.feed_data(data)
        elif self._headers and {name.lower() for name, _ in self._headers}.isdisjoint(LENGTHS):
            self.on_message_complete()
        else:
            raise ConnectionResetError("the service closed the connection")

    def on_message_begin(self) -> None:
        """The parser's call before a response."""
        self._headers = []
        self._body: list[bytes] = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """The parser's call for each header."""
        self._headers.append((name, value))

    def on_body(self, data: bytes) -> None:
        """The parser's call for each part of the body."""
        self._body.append(data)

    def on_message_complete(self) -> None:
        """The parser's call after a response, or after the announcement of one (1xx)."""
        status = self._parser.get_status_code()
        if status >= httpx.codes.OK:
            self.complete.append((status, self._headers, b"".join(self._body)))
        self._headers = []


class Wire:
    """A connection to one service. Not thread-safe."""

    def __init__(self, url: str, api_key: str | None = None) -> None:
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname or "@" in address.netloc or address.query:
            raise ValueError("url: expected http:// or https://, a host, and at most a port and a path")
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._host = address.hostname
        self._port = address.port or (443 if self._tls else 80)
        self._path = address.path.rstrip("/")
        self._head = f"Host: {address.netloc}\r\nUser-Agent: tesuji/{__version__}\r\n"
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
            return [finished(search) for search in self._post("/v1/searches", [{**defaults, **requests[0]}])]
        parts = [requests[begin : begin + MOST_SEARCHES] for begin in range(0, len(requests), MOST_SEARCHES)]
        bodies = [{"defaults": defaults, "searches": part} for part in parts]
        batches = self._post("/v1/batches", bodies, accept=EVENTS, decode=items)
        return [search_of(item) for batch in batches for item in batch]

    def _post(
        self,
        path: str,
        requests: Sequence[Json],
        accept: str = "application/json",
        decode: Callable[[bytes], Any] = json.loads,
    ) -> list[Any]:
        head = f"POST {self._path}{path} HTTP/1.1\r\n{self._head}Accept: {accept}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: "
        bodies = [json.dumps(request).encode() for request in requests]
        texts = [f"{head}{len(body)}\r\n\r\n".encode() + body for body in bodies]
        return [decoded for flight in flights(texts) for decoded in self._send_with_retries(flight, decode)]

    def _send_with_retries(self, requests: Sequence[bytes], decode: Callable[[bytes], Any]) -> list[Any]:
        """Decoded responses. Refused requests are retried together, after the longest `Retry-After`."""
        results: list[Any] = [None] * len(requests)
        left = list(range(len(requests)))
        tries = RETRIES
        while left:
            refused: list[int] = []
            waits: list[float] = []
            for number, answer in zip(left, self._exchange([requests[number] for number in left]), strict=True):
                status, headers, body = answer
                if status == httpx.codes.OK:
                    results[number] = self._decode(body, decode)
                    continue
                response = httpx.Response(status, headers=headers, content=body)
                wait = wait_before(response, LONGEST_WAIT)
                if tries == 0 or wait is None:
                    raise self._close_after_unexpected(error(response))
                refused.append(number)
                waits.append(wait)
            if refused:
                time.sleep(max(waits))
            left = refused
            tries -= 1
        return results

    def _decode(self, body: bytes, decode: Callable[[bytes], Any]) -> Any:
        try:
            return decode(body)
        except ValueError as wrong:
            answer = UnexpectedAnswer(httpx.codes.OK, body.decode(errors="replace"))
            raise self._close_after_unexpected(answer) from wrong

    def _close_after_unexpected(self, error: Exception) -> Exception:
        """Returns the error. After a response that is not the service's, the connection is not used again."""
        if isinstance(error, UnexpectedAnswer):
            self.close()
        return error

    def _exchange(self, requests: Sequence[bytes]) -> list[Answer]:
        """The responses to requests. Requests that a closed connection leaves unanswered are sent again on a new one: the
        service may close an idle connection, and any connection after a complete response."""
        done: list[Answer] = []
        while len(done) < len(requests):
            reused = self._open is not None
            connection, answers = self._connected()
            try:
                connection.sendall(b"".join(requests[len(done) :]))
                while len(done) + len(answers.complete) < len(requests):
                    answers.feed(connection.recv(1 << 16))
            except CLOSED:
                self.close()
                if not reused and not answers.complete:
                    raise
            except httptools.HttpParserError as wrong:
                self.close()
                raise UnexpectedAnswer(0, str(wrong)) from wrong
            except BaseException:  # a response may be left unread
                self.close()
                raise
            done += answers.complete
            answers.complete = []
        if len(done) > len(requests):
            raise self._close_after_unexpected(UnexpectedAnswer(done[-1][0], "more answers than requests"))
        return done

    def _connected(self) -> tuple[socket.socket, Answers]:
        if self._open is None:
            connection = socket.create_connection((self._host, self._port), TIMEOUT)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_hostname=self._host)
            self._open = connection, Answers()
        return self._open


def flights(texts: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Requests to send together."""
    flight: list[bytes] = []
    for text in texts:
        if flight and (len(flight) == FLIGHT or sum(map(len, flight)) + len(text) > FLIGHT_BYTES):
            yield flight
            flight = []
        flight.append(text)
    if flight:
        yield flight


def items(stream: bytes) -> list[Any]:
    """The items of a batch, in the order of its request, from all its events."""
    messages = [json.loads(line[5:]) for line in stream.splitlines() if line.startswith(b"data:")]
    if not messages or not messages[-1].get("final"):
        raise StreamInterrupted("the stream ended before its final message")
    return sorted(messages[:-1], key=itemgetter("index"))


def search_of(item: Any) -> Any:
    """The search of a batch's item."""
    if item["problem"] is not None:
        raise problem_error(Problem.model_validate(item["problem"]))
    return finished(item["search"])


def finished(search: Any) -> Any:
    """Returns the search; raises if it failed or a shutdown cut it off."""
    if search["status"] == "done":
        return search
    succeeded(SearchResponse.model_validate(search))
    raise Unavailable(
        Problem(
            type="/problems/shutting_down",
            title="Shutting down",
            status=httpx.codes.SERVICE_UNAVAILABLE,
            detail=f"search {search['id']} was cut off ({search['stop_reason']})",
            code="shutting_down",
            errors=[],
            request_id=None,
        )
    )
