"""The synchronous client against the real program."""

from __future__ import annotations

import time
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from conftest import Start, api_key
from pydantic import TypeAdapter, ValidationError

from tesuji import Client, NotFound, Png, QuotaExceeded, Refused, Svg, Unauthorized, Unavailable, UnexpectedAnswer
from tesuji.models import BatchItem, BatchTotals, PositionResponse, ReversiPosition, SearchResponse
from tesuji.requests import Picture, SearchRequest


def idle(client: Client) -> None:
    """Waits until the service runs no search."""
    begin = time.monotonic()
    while client.cluster().nodes[0].searches > 0:
        assert time.monotonic() - begin < 20, "the search goes on"


class Noting(httpx.HTTPTransport):
    """Real connections, with a note of each status."""

    def __init__(self) -> None:
        super().__init__()
        self.statuses: list[int] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.statuses.append(response.status_code)
        return response


def test_games_and_positions(tesuji: Client) -> None:
    offered = tesuji.games()
    assert len(offered.games) >= 7 and offered.budget.most.time_ms > 0
    for game in offered.games:
        assert tesuji.game(game.name).name == game.name
        position = tesuji.position(game=game.name)
        assert position.outcome is None and position.legal_moves
        # Which variant it is can be told from its fields.
        assert tesuji.search(game=game.name, budget={"nodes": 100}).variant == position.variant
    reversi = tesuji.position(game="reversi", moves=["f5", "d6"])
    assert isinstance(reversi, ReversiPosition) and reversi.discs.first + reversi.discs.second == 6


def test_pictures(tesuji: Client) -> None:
    for game in tesuji.games().games:
        svg = tesuji.picture(game=game.name)
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg" and svg._repr_svg_() == svg
    options: Picture = {"size": 100, "theme": "dark", "candidates": [{"move": "g9", "label": "1"}], "ahead": "g9 g8"}
    png = tesuji.picture(game="gomoku", moves=["h8"], format="png", picture=options)
    assert isinstance(png, Png) and png._repr_png_().startswith(b"\x89PNG")
    played = tesuji.play(game="gomoku", moves=["h8"])
    assert played.picture(format="png", **options) == png
    assert isinstance(played.picture(), Svg) and played.picture() != played.picture(last_move=False)
    with pytest.raises(Refused, match="/picture/size"):
        tesuji.picture(game="gomoku", picture={"size": 1})


def test_a_game_is_uploaded_searched_and_removed(start: Start) -> None:
    name = "number-scrabble"
    file = (Path(__file__).parents[3] / f"examples/games/{name}.js").read_bytes()
    with Client(start("--uploads", "1", "--upload-scripts")) as client:
        assert client.upload_game(name, file, dry_run=True).source == "script"
        with pytest.raises(NotFound):
            client.game(name)
        assert len(client.upload_game(name, file).hash or "") == 64
        assert client.search(game=name, budget={"simulations": 50}).status == "done"
        client.remove_game(name)
        with pytest.raises(NotFound):
            client.remove_game(name)


def test_operations(tesuji: Client) -> None:
    assert tesuji.version().name == "tesuji"
    assert tesuji.ready().status == "ok"
    assert tesuji.cluster().connection == "none"


def test_search(tesuji: Client) -> None:
    found = tesuji.search(game="connect-four", moves=["4", "4", "3"], budget={"time_ms": 200})
    assert found.status == "done" and found.root.proven == "win"
    assert found.move == found.children[0].move
    options = tesuji.search(
        game="tic-tac-toe",
        variant={"columns": 4, "rows": 4, "k": 4},
        engine={"name": "mcts", "exploration": 0.7},
        budget={"simulations": 200},
    )
    assert options.engine.name == "mcts" and options.engine.options.exploration == 0.7


def test_stream(tesuji: Client) -> None:
    with tesuji.stream_search(game="gomoku", budget={"time_ms": 3000}, report={"interval_ms": 50}) as messages:
        told = list(messages)
    assert told[0].status == "queued" and told[-1].status == "done"
    assert any(message.status == "running" for message in told)
    assert [message.final for message in told] == [False] * (len(told) - 1) + [True]
    assert tesuji.stream_search(game="reversi", budget={"depth": 2}).result().status == "done"


def test_a_game_that_is_not_built_in(tesuji: Client) -> None:
    with pytest.raises(Refused) as refused:
        tesuji.search(game="breakthrough")
    assert refused.value.problem.code == "unknown_game"
    answer = tesuji.search(game="tic-tac-toe", position="xxx/oo1/3 o").model_dump(by_alias=True)
    answer["game"] = answer["position"]["outcome"]["reason"] = "breakthrough"
    found = SearchResponse.model_validate(answer)
    assert found.game == "breakthrough" and found.position.outcome is not None
    assert found.position.outcome.reason == "breakthrough"
    described = tesuji.position(game="tic-tac-toe", moves=["b2"]).model_dump(by_alias=True)
    position = TypeAdapter(PositionResponse).validate_python({**described, "game": "breakthrough"})
    assert position.model_dump()["game"] == "breakthrough" and position.to_move == "second"
    with pytest.raises(ValidationError):
        TypeAdapter(PositionResponse).validate_python({**described, "ply": "many"})


def test_leaving_a_stream_stops_the_search(tesuji: Client) -> None:
    with tesuji.stream_search(game="xiangqi", budget={"time_ms": 60_000}) as messages:
        for message in messages:
            if message.status == "running":
                break
    idle(tesuji)


def test_job(tesuji: Client, url: str) -> None:
    job = tesuji.start_search(game="xiangqi", budget={"time_ms": 60_000})
    for message in job.follow():
        if message.status == "running":
            break
    assert job.status().status == "running"
    with Client(url) as other:
        assert other.search_job(job.id).cancel().id == job.id
    end = job.result()
    assert end.status == "cancelled" and end.move is not None


def test_jobs_are_listed_and_cancelled_together(start: Start) -> None:
    with Client(start()) as client:
        first = client.start_search(game="tic-tac-toe", budget={"simulations": 50})
        first.result()
        time.sleep(0.01)
        searches = [client.start_search(game="xiangqi", budget={"time_ms": 60_000}) for _ in range(2)]
        review = client.start_review(game="hex", moves=["a1"], budget={"time_ms": 60_000})
        ids = {job.id for job in searches}
        assert [job.id for job in client.jobs()][-1] == first.id and len(list(client.jobs())) == 4
        assert {job.id for job in client.jobs(kind="search", status=["queued", "running"])} == ids
        assert [(job.id, job.game, job.kind) for job in client.jobs(kind="review")] == [(review.id, "hex", "review")]
        assert [job.status for job in client.cancel_jobs(kind="review")] == ["cancelled"]
        assert {job.id for job in client.cancel_jobs()} == ids and client.cancel_jobs() == []
        assert searches[0].status().status == "cancelled"
        for _ in range(120):
            client.start_search(game="tic-tac-toe", moves=["a1", "a2", "b1", "b2", "c1"])
        assert len({job.id for job in client.jobs()}) == 124, "lists are read part by part"


def test_puzzles(tesuji: Client) -> None:
    some = list(tesuji.puzzles(game="reversi", difficulty=2))
    assert some and {(puzzle.game, puzzle.difficulty, puzzle.kind) for puzzle in some} == {("reversi", 2, "points")}
    assert len({puzzle.id for puzzle in tesuji.puzzles()}) > 100


def test_waiting_for_a_job_outlasts_the_time_limit_of_a_read(url: str) -> None:
    with Client(url, timeout=0.5) as hurried:
        job = hurried.start_search(game="xiangqi", budget={"time_ms": 1500})
        assert job.status(wait=30).status == "done"
        with pytest.raises(httpx.ReadTimeout):
            hurried.search(game="xiangqi", budget={"time_ms": 1500})


def test_idempotency_key(tesuji: Client) -> None:
    jobs = [
        tesuji.start_search(idempotency_key="python", game="reversi", budget={"depth": 4}),
        tesuji.start_search(idempotency_key="python", game="reversi", budget={"depth": 4}),
    ]
    assert jobs[0].id == jobs[1].id
    assert jobs[1].status(wait=30).status == "done"


def test_batch(tesuji: Client) -> None:
    good, bad = tesuji.batch(
        defaults={"game": "reversi", "budget": {"depth": 4}}, searches=[{"moves": ["f5"]}, {"moves": ["a1"]}]
    ).items
    assert good is not None and isinstance(good.search, SearchResponse) and good.search.status == "done"
    assert bad is not None and bad.problem is not None and bad.problem.errors[0].pointer == "/moves/0"

    request = tesuji.stream_batch(defaults={"game": "reversi", "budget": {"depth": 4}}, searches=[{}, {}, {}])
    with request as messages:
        *items, totals = messages
    assert sorted(item.index for item in items if isinstance(item, BatchItem)) == [0, 1, 2]
    assert isinstance(totals, BatchTotals) and totals.done == 3

    job = tesuji.start_batch(searches=[{"game": "reversi", "budget": {"depth": 4}}])
    assert len(job.result().items) == 1


def test_review(tesuji: Client) -> None:
    review = tesuji.review(game="tic-tac-toe", moves=["b2", "b1", "a1"], budget={"simulations": 20_000}, seed=1)
    assert [move.class_ for move in review.moves] == ["best", "blunder", "best"]


def test_refusals(tesuji: Client) -> None:
    with pytest.raises(Refused, match="^422 invalid_budget: .*time_ms") as refused:
        tesuji.search(game="reversi", budget={"time_ms": 100_000_000})
    error = refused.value
    assert (error.status, error.code, error.retry_after) == (422, "invalid_budget", None)
    assert error.problem.errors[0].pointer == "/budget/time_ms"
    with pytest.raises(Refused), tesuji.stream_search(game="reversi", moves=["a1"]):
        pass
    with pytest.raises(NotFound):
        tesuji.search_job("01ARZ3NDEKTSV4RRFFQ69G5FAV").status()


def test_api_key(start: Start) -> None:
    key, setting = api_key()
    url = start("--api-keys", setting)
    with Client(url) as stranger, pytest.raises(Unauthorized):
        stranger.games()
    with Client(url, api_key=key) as known:
        assert known.games().games


def test_a_full_service_is_asked_again(start: Start) -> None:
    url = start("--max-searches", "1")
    noting = Noting()
    with Client(url, retries=0) as hurried, Client(url, retries=20, transport=noting) as patient:
        job = hurried.start_search(game="gomoku", budget={"time_ms": 2500})
        with pytest.raises(Unavailable) as full:
            hurried.search(game="hex")
        assert full.value.code == "overloaded" and full.value.retry_after == 1
        with pytest.raises(Unavailable):
            hurried.ready()
        assert patient.search(game="reversi", budget={"depth": 2}).status == "done"
        assert noting.statuses[0] == 503 and noting.statuses[-1] == 200
        assert job.status(wait=30).status == "done"


def test_a_quota_is_waited_for(start: Start) -> None:
    # One search spends what there is. On a busy machine it takes longer, and the quota must not have grown back by then.
    url = start("--quota-ms-per-s", "25", "--quota-burst-ms", "110")
    with Client(url) as patient, Client(url, longest_wait=0) as hurried:
        search: SearchRequest = {"game": "hex", "budget": {"cpu_ms": 100}}
        for _ in range(2):
            assert patient.search(**search).status == "done"
        with pytest.raises(QuotaExceeded) as refused:
            hurried.search(**search)
        assert refused.value.retry_after is not None and refused.value.retry_after >= 1


def test_what_is_no_answer_of_the_service() -> None:
    proxy = httpx.MockTransport(lambda _: httpx.Response(502, html="<p>Bad gateway"))
    bad_gateway = pytest.raises(UnexpectedAnswer, match="^HTTP status 502: <p>Bad gateway")
    with Client("http://proxy", transport=proxy) as client, bad_gateway:
        client.games()
    other = httpx.MockTransport(lambda _: httpx.Response(200, json={"name": "another program"}))
    with Client("http://other", transport=other) as client, pytest.raises(UnexpectedAnswer):
        client.version()
