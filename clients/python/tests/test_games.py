"""Games move by move, batches of any length, tables; and their types, which `packages` checks with mypy and pyright."""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import cast

import httpx
import pytest
from conftest import Start, running_service

from tesuji import AsyncClient, Client, Job, Refused
from tesuji.models import Batch, BatchMessage, SearchResponse
from tesuji.requests import BatchSearch, BuiltInGame, SearchOptions

GAMES: list[BuiltInGame] = ["tic-tac-toe", "connect-four", "reversi", "dots-and-boxes", "gomoku", "xiangqi", "hex"]


class Cutting(httpx.HTTPTransport):
    """Real connections, but only two events of the first batch arrive. Then it breaks or, with `lost`, the batch is unknown."""

    def __init__(self, lost: bool) -> None:
        super().__init__()
        self.lost = lost
        self.sent: list[int] = []
        self.resumed: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.sent.append(len(json.loads(request.content)["searches"]))
        if not request.url.path.endswith("/events"):
            return super().handle_request(request)
        self.resumed.append(request.headers.get("Last-Event-ID", ""))
        if len(self.resumed) == 2 and self.lost:
            request.url = request.url.copy_with(path="/v1/batches/01ARZ3NDEKTSV4RRFFQ69G5FAV/events")
        response = super().handle_request(request)
        if len(self.resumed) > 1:
            return response
        text = b"".join(cast("httpx.SyncByteStream", response.stream))
        first = b"\n\n".join(text.split(b"\n\n")[:2]) + b"\n\n"
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=first)


class Losing(httpx.HTTPTransport):
    """Real connections, of which the first answer to a POST is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.locations: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if request.method == "POST":
            self.locations.append(response.headers["Location"])
            if len(self.locations) == 1:
                raise httpx.ReadError("lost")
        return response


def searches(many: int) -> list[BatchSearch]:
    return [{"moves": [str(number % 7 + 1)]} for number in range(many)]


FEW_NODES: BatchSearch = {"game": "connect-four", "budget": {"nodes": 50}}


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_pushed_and_popped(tesuji: Client, name: BuiltInGame) -> None:
    game = tesuji.play(game=name)
    chance, texts = random.Random(1), [game.position.position]
    for _ in range(6):
        after = game.push(chance.choice(game.legal_moves))
        assert after is game.position and after.ply == len(game.moves)
        texts.append(after.position)
    assert game.outcome is None and game.to_move in ("first", "second")
    options: SearchOptions = {"budget": {"nodes": 200}}
    assert game.search(**options).move in game.legal_moves
    played = game.moves
    for move in reversed(played):
        texts.pop()
        assert game.pop() == move and game.position.position == texts[-1]
    assert game.moves == []


def test_what_was_not_pushed_is_popped_too(tesuji: Client) -> None:
    game = tesuji.play(game="connect-four", variant={"blocked": "c1"}, moves="4455")
    game.push(3)
    with pytest.raises(Refused):
        game.push("9")
    assert game.moves == ["4", "4", "5", "5", "3"]
    assert [game.pop() for _ in range(5)] == ["3", "5", "5", "4", "4"]
    assert game.position.variant.blocked == "c1" and game.position.position == ""
    with pytest.raises(IndexError):
        game.pop()


def test_a_game_that_ends(tesuji: Client) -> None:
    game = tesuji.play(game="tic-tac-toe", moves="b2 a1 b1 a2")
    game.push("b3")
    assert game.outcome is not None and game.outcome.winner == "first" and game.legal_moves == []


def test_positions_have_the_types_of_their_games(tesuji: Client) -> None:
    assert tesuji.position(game="reversi", moves="f5").discs.first == 4
    assert tesuji.position(game="xiangqi", variant={"ranks": "from_one"}).in_check is False
    assert tesuji.play(game="dots-and-boxes").push("h0,0").boxes.first == 0
    assert tesuji.play(game="gomoku", variant="renju").position.forbidden == []
    with pytest.raises(AttributeError):
        print(tesuji.position(game="hex").discs)  # type: ignore[attr-defined]


def test_asynchronously(url: str) -> None:
    async def played() -> None:
        async with AsyncClient(url) as client:
            game = await client.play(game="hex", variant={"size": 5, "swap": False})
            await game.push("c3")
            assert (await game.search(level=1)).move in game.legal_moves
            assert await game.pop() == "c3" and game.position.connection == []
            found = [item.index async for item in client.search_all(searches(3), defaults=FEW_NODES)]
            assert sorted(found) == [0, 1, 2]

    asyncio.run(played())


def test_batches_of_any_length(tesuji: Client) -> None:
    items = list(tesuji.search_all((one for one in searches(600)), defaults=FEW_NODES))
    assert sorted(item.index for item in items) == list(range(600))
    for item in items:
        assert item.search is not None and item.search.position.text == str(item.index % 7 + 1)


def test_a_batch_that_the_service_has_lost_is_sent_again(url: str) -> None:
    cutting = Cutting(lost=True)
    with Client(url, transport=cutting) as client:
        items = list(client.search_all(searches(5), defaults=FEW_NODES))
    assert sorted(item.index for item in items) == [0, 1, 2, 3, 4]
    assert cutting.sent == [5, 3] and cutting.resumed == ["", "2", ""]


def test_a_connection_that_breaks_is_made_again(url: str) -> None:
    cutting = Cutting(lost=False)
    with Client(url, transport=cutting) as client:
        items = list(client.search_all(searches(5), defaults=FEW_NODES))
    assert sorted(item.index for item in items) == [0, 1, 2, 3, 4]
    assert cutting.sent == [5] and cutting.resumed == ["", "2"]


def test_a_batch_whose_start_is_not_confirmed_is_one(url: str) -> None:
    losing = Losing()
    with Client(url, transport=losing) as client:
        items = list(client.search_all(searches(5), defaults=FEW_NODES))
    assert sorted(item.index for item in items) == [0, 1, 2, 3, 4]
    assert len(losing.locations) == 2 and len(set(losing.locations)) == 1


def test_an_item_that_arrives_again_is_no_second_one(tesuji: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    follow = Job[Batch, BatchMessage].follow

    def twice(job: Job[Batch, BatchMessage]) -> Generator[BatchMessage, None, None]:
        for message in follow(job):
            yield message
            yield message

    monkeypatch.setattr(Job, "follow", twice)
    items = list(tesuji.search_all(searches(5), defaults=FEW_NODES))
    assert sorted(item.index for item in items) == [0, 1, 2, 3, 4]


def test_a_restart_loses_no_search(start: Start) -> None:
    slow: BatchSearch = {"game": "xiangqi", "budget": {"time_ms": 300}}
    many = 4 * (os.cpu_count() or 1)
    with running_service("--drain-ms", "0") as (url, process), Client(url) as client, ThreadPoolExecutor(1) as later:
        items = client.search_all([{} for _ in range(many)], defaults=slow)
        found = [next(items)]
        process.terminate()

        def again() -> None:
            process.wait()
            start(port=int(url.rpartition(":")[2]))

        restarted = later.submit(again)
        found += items
        restarted.result()
    assert sorted(item.index for item in found) == list(range(many))
    assert all(item.search and item.search.status == "done" for item in found)


def test_leaving_early_cancels_the_batch(tesuji: Client) -> None:
    slow: BatchSearch = {"game": "xiangqi", "budget": {"time_ms": 300}}
    items = tesuji.search_all(searches(0) + [{} for _ in range(300)], defaults=slow)
    assert next(items).search is not None
    items.close()
    assert tesuji.cluster().nodes[0].searches == 0


def test_leaving_an_asynchronous_batch_early_cancels_it(url: str) -> None:
    async def left() -> None:
        async with AsyncClient(url) as client:
            slow: BatchSearch = {"game": "xiangqi", "budget": {"time_ms": 300}}
            async with aclosing(client.search_all([{} for _ in range(300)], defaults=slow)) as items:
                async for _ in items:
                    break
            assert (await client.cluster()).nodes[0].searches == 0

    asyncio.run(left())


def test_tables(tesuji: Client) -> None:
    found: SearchResponse = tesuji.search(game="reversi", moves="f5", budget={"depth": 4})
    table = found.to_frame()
    assert list(table["move"]) == [child.move for child in found.children]
    assert table["score"].iloc[0] == found.root.score.value if found.root.score else False
    assert table["pv"].iloc[0].split() == found.children[0].pv

    batch: Batch = tesuji.batch(defaults={"game": "reversi", "budget": {"depth": 2}}, searches=[{}, {"moves": "a1"}])
    table = batch.to_frame()
    assert list(table["index"]) == [0, 1] and table["problem"].iloc[1] == "illegal_move"
    assert table["move"].iloc[0] in ("d3", "c4", "f5", "e6") and table["nodes"].iloc[0] > 0

    review = tesuji.review(game="tic-tac-toe", moves=["b2", "b1", "a1"], budget={"simulations": 20_000}, seed=1)
    table = review.to_frame()
    assert list(table["class"]) == ["best", "blunder", "best"] and table["loss"].iloc[1] > 0.9


def test_tables_without_a_result(tesuji: Client) -> None:
    found = tesuji.search(game="tic-tac-toe", moves="b2 a1 b1 a2 b3", budget={"simulations": 10})
    assert len(found.to_frame()["move"]) == 0
    batch: Batch = tesuji.batch(defaults={"game": "reversi", "budget": {"depth": 2}}, searches=[{"moves": "a1"}, {}])
    some = batch.to_frame()
    batch.items = batch.items[:1]
    none = batch.to_frame()
    assert list(none["problem"]) == ["illegal_move"] and none["move"].isna().all() and set(none) == set(some)
