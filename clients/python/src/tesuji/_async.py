"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeVar, overload
from uuid import uuid4

import httpx
from httpx_sse import EventSource
from typing_extensions import Unpack

from tesuji import _calls
from tesuji._async_game import AsyncGame
from tesuji._calls import Call
from tesuji.errors import NotFound, StreamInterrupted, Unavailable
from tesuji.models import (
    Batch,
    BatchItem,
    BatchMessage,
    Cluster,
    ConnectFourPosition,
    DotsAndBoxesPosition,
    GameList,
    GomokuPosition,
    HexPosition,
    JobEntry,
    JobKind,
    JobList,
    PositionResponse,
    ProgramVersion,
    Puzzle,
    PuzzleKind,
    PuzzleList,
    Readiness,
    Record,
    ReversiPosition,
    Review,
    SearchResponse,
    Status,
    TicTacToePosition,
    XiangqiPosition,
)
from tesuji.models import Game as OfferedGame
from tesuji.pictures import Png, Svg
from tesuji.requests import (
    BatchRequest,
    BatchSearch,
    ConnectFourPositionRequest,
    DotsAndBoxesPositionRequest,
    GameName,
    GomokuPositionRequest,
    HexPositionRequest,
    PositionRequest,
    RecordRequest,
    ReversiPositionRequest,
    ReviewRequest,
    SearchRequest,
    TicTacToePositionRequest,
    XiangqiPositionRequest,
)

#: A complete response, and a message of its stream.
T = TypeVar("T")
M = TypeVar("M")


class AsyncClient:
    """Calls a Tesuji service. Use it in `async with`, or close it.

    A request refused with 429 or 503 is retried up to `retries` times, each time after the service's `Retry-After`, if that
    is not longer than `longest_wait` seconds. `transport` replaces the connections, for proxies and tests.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        api_key: str | None = None,
        retries: int = 2,
        longest_wait: float = 30,
        timeout: httpx.Timeout | float | None = _calls.TIMEOUT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(transport=transport, **_calls.settings(base_url, api_key, timeout))
        self._retries = retries
        self._longest_wait = longest_wait

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def games(self) -> GameList:
        """The games, and the limits of a search."""
        return await self._send(Call("GET", "/v1/games", GameList))

    async def game(self, name: GameName) -> OfferedGame:
        """One game, with its variants, notation, engines and start position."""
        return await self._send(Call("GET", f"/v1/games/{name}", OfferedGame))

    async def upload_game(self, name: GameName, file: bytes, *, dry_run: bool = False) -> OfferedGame:
        """Uploads a game that is not built in: a WebAssembly module or JavaScript. With `dry_run` it is only checked."""
        query = "?dry_run=true" if dry_run else ""
        return await self._send(Call("PUT", f"/v1/games/{name}{query}", OfferedGame, file))

    async def remove_game(self, name: GameName) -> None:
        """Removes an uploaded game."""
        await self._fetch(Call("DELETE", f"/v1/games/{name}", None))

    @overload
    async def position(self, **request: Unpack[TicTacToePositionRequest]) -> TicTacToePosition: ...
    @overload
    async def position(self, **request: Unpack[ConnectFourPositionRequest]) -> ConnectFourPosition: ...
    @overload
    async def position(self, **request: Unpack[ReversiPositionRequest]) -> ReversiPosition: ...
    @overload
    async def position(self, **request: Unpack[DotsAndBoxesPositionRequest]) -> DotsAndBoxesPosition: ...
    @overload
    async def position(self, **request: Unpack[GomokuPositionRequest]) -> GomokuPosition: ...
    @overload
    async def position(self, **request: Unpack[XiangqiPositionRequest]) -> XiangqiPosition: ...
    @overload
    async def position(self, **request: Unpack[HexPositionRequest]) -> HexPosition: ...
    @overload
    async def position(self, **request: Unpack[PositionRequest]) -> PositionResponse: ...
    async def position(self, **request: Any) -> Any:
        """The rules alone: the position after some moves, and its legal moves."""
        return await self._send(Call("POST", "/v1/positions", PositionResponse, request))

    @overload
    async def picture(self, *, format: Literal["svg"] = "svg", **request: Unpack[PositionRequest]) -> Svg: ...
    @overload
    async def picture(self, *, format: Literal["png"], **request: Unpack[PositionRequest]) -> Png: ...
    async def picture(self, *, format: Literal["svg", "png"] = "svg", **request: Any) -> Svg | Png:
        """A picture of a position, which notebooks display; `picture` sets its size, theme and marks."""
        media_type = "image/png" if format == "png" else "image/svg+xml"
        response = await self._fetch(Call("POST", "/v1/positions", None, request).with_headers(Accept=media_type))
        return Png(response.content) if format == "png" else Svg(response.text)

    @overload
    async def play(self, **request: Unpack[TicTacToePositionRequest]) -> AsyncGame[TicTacToePosition]: ...
    @overload
    async def play(self, **request: Unpack[ConnectFourPositionRequest]) -> AsyncGame[ConnectFourPosition]: ...
    @overload
    async def play(self, **request: Unpack[ReversiPositionRequest]) -> AsyncGame[ReversiPosition]: ...
    @overload
    async def play(self, **request: Unpack[DotsAndBoxesPositionRequest]) -> AsyncGame[DotsAndBoxesPosition]: ...
    @overload
    async def play(self, **request: Unpack[GomokuPositionRequest]) -> AsyncGame[GomokuPosition]: ...
    @overload
    async def play(self, **request: Unpack[XiangqiPositionRequest]) -> AsyncGame[XiangqiPosition]: ...
    @overload
    async def play(self, **request: Unpack[HexPositionRequest]) -> AsyncGame[HexPosition]: ...
    @overload
    async def play(self, **request: Unpack[PositionRequest]) -> AsyncGame[PositionResponse]: ...
    async def play(self, **request: Any) -> Any:
        """A game to play on, move by move, from the position of a request."""
        return AsyncGame(self, request["game"], await self.position(**request))

    async def record(self, **request: Unpack[RecordRequest]) -> Record:
        """A record of a game, read from a `text` in any format or given move by move; with `write`, also as text in that
        format."""
        return await self._send(Call("POST", "/v1/records", Record, request))

    async def search(self, **request: Unpack[SearchRequest]) -> SearchResponse:
        """Searches a position. Interrupting or cancelling this call stops the search."""
        return _calls.succeeded(await self._send(Call("POST", "/v1/searches", SearchResponse, request)))

    def stream_search(self, **request: Unpack[SearchRequest]) -> AsyncStream[SearchResponse]:
        """Searches a position, and reports progress until the result. Closing the stream stops the search."""
        return AsyncStream(self, Call("POST", "/v1/searches", SearchResponse, request))

    async def start_search(
        self, *, idempotency_key: str | None = None, **request: Unpack[SearchRequest]
    ) -> AsyncJob[SearchResponse, SearchResponse]:
        """Starts a search that continues without this client, until it ends or is cancelled. Repeating the request with the
        same `idempotency_key` returns the same search."""
        call: Call[SearchResponse] = Call("POST", "/v1/searches", SearchResponse, request)
        call = call.with_headers(Prefer="respond-async", Idempotency_Key=idempotency_key)
        return self.search_job((await self._send(call)).id)

    def search_job(self, id: str) -> AsyncJob[SearchResponse, SearchResponse]:
        """An earlier search, by its id."""
        return AsyncJob(self, f"/v1/searches/{id}", SearchResponse, SearchResponse)

    async def batch(self, **request: Unpack[BatchRequest]) -> Batch:
        """Searches many positions. `timeout` of the client must allow for all of them: stream long batches."""
        return await self._send(Call("POST", "/v1/batches", Batch, request))

    def stream_batch(self, **request: Unpack[BatchRequest]) -> AsyncStream[BatchMessage]:
        """Searches many positions: a `BatchItem` for each as it ends, `BatchTotals` last. Closing the stream cancels the
        batch."""
        return AsyncStream(self, Call("POST", "/v1/batches", BatchMessage, request))

    async def search_all(
        self, searches: Iterable[BatchSearch], *, defaults: BatchSearch | None = None
    ) -> AsyncGenerator[BatchItem, None]:
        """Searches any number of positions: yields an item for each as it ends, its `index` counted over all of them.

        They are sent in batches of the service's maximum size, one at a time. A batch continues while the connection is down.
        Searches that a shutdown of the service has cut off or lost are sent again: the service can be unreachable until the
        pauses between attempts, 1, 2, 4… seconds, exceed `longest_wait`. Closing the iterator cancels the batch.
        """
        for part in _calls.parts(searches):
            lost = 0
            while part:
                numbers = list(part)
                job = await self._start_batch_of(list(part.values()), defaults)
                try:
                    async with aclosing(job.follow()) as messages:
                        async for message in messages:
                            if not isinstance(message, BatchItem) or _calls.cut_off(message):
                                continue
                            number = numbers[message.index]
                            if part.pop(number, None) is not None:  # otherwise it has arrived before
                                yield message.model_copy(update={"index": number})
                except NotFound:
                    pass  # a restarted service does not know it
                except BaseException:
                    with suppress(Exception):
                        await job.cancel()
                    raise
                lost = lost + 1 if len(part) == len(numbers) else 0
                if lost > self._retries:
                    raise StreamInterrupted("the service has lost a batch several times")

    async def _start_batch_of(
        self, searches: list[BatchSearch], defaults: BatchSearch | None
    ) -> AsyncJob[Batch, BatchMessage]:
        """Starts one batch, even if it has to be sent several times, as soon as the service is reachable."""
        key = str(uuid4())
        pauses = _calls.pauses(self._longest_wait)
        while True:
            try:
                return await self.start_batch(idempotency_key=key, searches=searches, defaults=defaults)
            except (httpx.TransportError, Unavailable):
                if (pause := next(pauses, None)) is None:
                    raise
                await asyncio.sleep(pause)

    async def start_batch(
        self, *, idempotency_key: str | None = None, **request: Unpack[BatchRequest]
    ) -> AsyncJob[Batch, BatchMessage]:
        """Starts a batch that continues without this client, until it ends or is cancelled."""
        call: Call[Batch] = Call("POST", "/v1/batches", Batch, request)
        call = call.with_headers(Prefer="respond-async", Idempotency_Key=idempotency_key)
        return self.batch_job((await self._send(call)).id)

    def batch_job(self, id: str) -> AsyncJob[Batch, BatchMessage]:
        """An earlier batch, by its id."""
        return AsyncJob(self, f"/v1/batches/{id}", Batch, BatchMessage)

    async def review(self, **request: Unpack[ReviewRequest]) -> Review:
        """Reviews a game move by move, and waits for the end. Interrupting or cancelling this call cancels the review."""
        # If cancelled during the request, wait for the response: only it has the id to cancel.
        starting = asyncio.create_task(self.start_review(**request))
        try:
            job = await asyncio.shield(starting)
            return await job.result()
        except BaseException:
            with suppress(Exception):
                await (await starting).cancel()
            raise

    async def start_review(self, **request: Unpack[ReviewRequest]) -> AsyncJob[Review, Review]:
        """Starts a review; follow it for the moves reviewed so far."""
        call: Call[Review] = Call("POST", "/v1/reviews", Review, request)
        return self.review_job((await self._send(call)).id)

    def review_job(self, id: str) -> AsyncJob[Review, Review]:
        """An earlier review, by its id."""
        return AsyncJob(self, f"/v1/reviews/{id}", Review, Review)

    async def jobs(
        self, *, kind: JobKind | None = None, status: Iterable[Status] = ()
    ) -> AsyncGenerator[JobEntry, None]:
        """This client's searches, batches and reviews that can be polled, newest first; all, or those in some states."""
        statuses = ",".join(status)
        before: str | None = ""
        while before is not None:
            query = _calls.query(kind=kind, status=statuses, before=before, limit="1000")
            part: JobList = await self._send(Call("GET", f"/v1/jobs{query}", JobList))
            for job in part.jobs:
                yield job
            before = part.next

    async def cancel_jobs(self, *, kind: JobKind | None = None) -> list[JobEntry]:
        """Cancels this client's unfinished searches, batches and reviews. Their results so far are kept."""
        cancelled: list[JobEntry] = []
        before: str | None = ""
        while before is not None:
            part: JobList = await self._send(
                Call("DELETE", f"/v1/jobs{_calls.query(kind=kind, before=before)}", JobList)
            )
            cancelled += part.jobs
            before = part.next
        return cancelled

    async def puzzles(
        self, *, game: GameName | None = None, kind: PuzzleKind | None = None, difficulty: int | None = None
    ) -> AsyncGenerator[Puzzle, None]:
        """Positions with one solution, by game, easiest first; all, or those of a game, result or difficulty (1 to 5)."""
        level = None if difficulty is None else str(difficulty)
        after: str | None = ""
        while after is not None:
            query = _calls.query(game=game, kind=kind, difficulty=level, after=after, limit="1000")
            part: PuzzleList = await self._send(Call("GET", f"/v1/puzzles{query}", PuzzleList))
            for puzzle in part.puzzles:
                yield puzzle
            after = part.next

    async def version(self) -> ProgramVersion:
        """The program and version of the service."""
        return await self._send(Call("GET", "/version", ProgramVersion))

    async def ready(self) -> Readiness:
        """Whether the service would admit another search now; raises `Unavailable` if not, without a retry."""
        return await self._send(Call("GET", "/readyz", Readiness), retries=0)

    async def cluster(self) -> Cluster:
        """The nodes of the cluster."""
        return await self._send(Call("GET", "/v1/cluster", Cluster))

    async def _send(self, call: Call[T], retries: int | None = None) -> T:
        response = await self._fetch(call, retries=retries)
        return call.read(response.content, response.status_code)

    async def _fetch(self, call: Call[T], *, stream: bool = False, retries: int | None = None) -> httpx.Response:
        """A successful response; of a stream, its head."""
        left = self._retries if retries is None else retries
        while True:
            response = await self._http.send(call.request(self._http), stream=stream)
            if response.is_success:
                return response
            await response.aread()
            await response.aclose()
            wait = _calls.wait_before(response, self._longest_wait)
            if left == 0 or wait is None:
                raise _calls.error(response)
            left -= 1
            await asyncio.sleep(wait)


class AsyncStream(Generic[M]):
    """Messages until the final one, each with everything known by then. Leaving `async with`, or `aclose`, closes the
    connection, which stops the work that the request started."""

    def __init__(self, client: AsyncClient, call: Call[M]) -> None:
        self._client = client
        self._call = call.with_headers(Accept=_calls.EVENTS)
        self._response: httpx.Response | None = None
        #: The id of the last event, for `Last-Event-ID`.
        self.last_event_id = ""

    async def __aenter__(self) -> Self:
        self._response = self._response or await self._client._fetch(self._call, stream=True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connection."""
        if self._response is not None:
            await self._response.aclose()

    async def __aiter__(self) -> AsyncIterator[M]:
        async with self:
            assert self._response is not None
            if self._response.status_code == httpx.codes.NO_CONTENT:
                return
            async for event in EventSource(self._response).aiter_sse():
                message, final = self._call.message(event.data)
                self.last_event_id = event.id
                yield _calls.succeeded(message)
                if final:
                    return
            raise StreamInterrupted("the stream ended before its final message")

    async def result(self) -> M:
        """Reads to the end, and returns the final message."""
        last: M | None = None
        async for message in self:
            last = message
        if last is None:
            raise StreamInterrupted("the stream had no message")
        return last


class AsyncJob(Generic[T, M]):
    """A search, batch or review that continues without its client."""

    def __init__(self, client: AsyncClient, path: str, answer: type[T], message: object) -> None:
        self._client = client
        self._path = path
        self._answer = answer
        self._message = message

    @property
    def id(self) -> str:
        """Its id, with which its client can retrieve it later."""
        return self._path.rsplit("/", 1)[1]

    async def status(self, *, wait: int = 0) -> T:
        """Its progress or result, after up to `wait` seconds of waiting for the result, at most 300."""
        call: Call[T] = Call("GET", self._path, self._answer, wait=wait)
        return await self._client._send(call.with_headers(Prefer=f"wait={wait}" if wait else None))

    async def follow(self) -> AsyncGenerator[M, None]:
        """Yields the newest message (of a batch: all results so far), then later ones until the final one. A broken
        connection is reopened after 1, 2, 4… seconds, up to `longest_wait`, and resumes where it broke; leaving early does
        not affect the job."""
        last, pauses = None, _calls.pauses(self._client._longest_wait)
        while True:
            call: Call[M] = Call("GET", f"{self._path}/events", self._message)
            stream = AsyncStream(self._client, call.with_headers(Last_Event_ID=last))
            try:
                async with stream:
                    async for message in stream:
                        pauses = _calls.pauses(self._client._longest_wait)
                        yield message
                return
            except (httpx.TransportError, StreamInterrupted):
                if (pause := next(pauses, None)) is None:
                    raise
                last = stream.last_event_id or last
                await asyncio.sleep(pause)

    async def result(self) -> T:
        """Waits for the end, and returns the result."""
        async for _ in self.follow():
            pass
        return _calls.succeeded(await self.status())

    async def cancel(self) -> T:
        """Cancels it; its final message has the best result so far."""
        call: Call[T] = Call("DELETE", self._path, self._answer)
        return await self._client._send(call)
