"""Streams that end badly."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tesuji import Client, SearchFailed, StreamInterrupted


class Broken(httpx.SyncByteStream):
    """The beginning of an answer, on a connection that then breaks."""

    def __init__(self, text: bytes, rest: Iterator[bytes]) -> None:
        self.text, self.rest = text, rest

    def __iter__(self) -> Iterator[bytes]:
        yield from self.rest
        raise httpx.ReadError(self.text.decode())


def events(*messages: str) -> bytes:
    return "".join(f"id: {number}\ndata: {message}\n\n" for number, message in enumerate(messages)).encode()


def recorded(url: str, **fields: object) -> str:
    """A real message, with some fields replaced."""
    with Client(url) as client:
        found = client.search(game="tic-tac-toe", budget={"simulations": 100})
    return found.model_copy(update=fields).model_dump_json(by_alias=True)


def client(answer: httpx.MockTransport, longest_wait: float = 30) -> Client:
    return Client("http://service", transport=answer, longest_wait=longest_wait)


def test_a_stream_without_its_final_message(url: str) -> None:
    body = events(recorded(url, status="running", final=False))
    answer = httpx.MockTransport(
        lambda _: httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=body)
    )
    messages = iter(client(answer).stream_search(game="tic-tac-toe"))
    assert next(messages).status == "running"
    with pytest.raises(StreamInterrupted):
        next(messages)


def test_a_search_that_failed(url: str) -> None:
    body = events(recorded(url, status="failed", move=None))
    answer = httpx.MockTransport(
        lambda _: httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=body)
    )
    with pytest.raises(SearchFailed) as failed:
        list(client(answer).stream_search(game="tic-tac-toe"))
    assert failed.value.message.status == "failed"


def test_following_goes_on_where_the_connection_broke(url: str) -> None:
    running, done = recorded(url, status="running", final=False), recorded(url)
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("Last-Event-ID"))
        headers = {"Content-Type": "text/event-stream"}
        if len(asked) == 1:
            return httpx.Response(200, headers=headers, stream=Broken(b"reset", iter([events(running, running)])))
        if len(asked) == 2:
            raise httpx.ConnectError("refused")
        return httpx.Response(200, headers=headers, content=events(done))

    job = client(httpx.MockTransport(answer)).search_job("x")
    assert [message.status for message in job.follow()] == ["running", "running", "done"]
    assert asked == [None, "1", "1"]


def test_following_gives_up() -> None:
    asked = 0

    def answer(_: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += 1
        raise httpx.ConnectError("refused")

    with pytest.raises(httpx.ConnectError):
        list(client(httpx.MockTransport(answer), longest_wait=2).search_job("x").follow())
    assert asked == 3  # at once, after one second, after two more


def test_everything_has_been_sent() -> None:
    answer = httpx.MockTransport(lambda _: httpx.Response(204))
    assert list(client(answer).search_job("x").follow()) == []
