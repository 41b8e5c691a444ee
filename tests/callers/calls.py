"""Calls with what openapi-python-client makes. No casts: what is read is what the types say."""

import os
from typing import TypeVar

from httpx import Timeout
from tesuji_client import Client
from tesuji_client.api.batch import batch
from tesuji_client.api.operations import describe_problem, version
from tesuji_client.api.review import get_review, review
from tesuji_client.api.rules import describe_game, describe_position, list_games
from tesuji_client.api.search import cancel_search, get_search, search
from tesuji_client.models.batch_item import BatchItem
from tesuji_client.models.batch_request import BatchRequest
from tesuji_client.models.batch_search import BatchSearch
from tesuji_client.models.built_in_game import BuiltInGame
from tesuji_client.models.effective_mcts import EffectiveMcts
from tesuji_client.models.effective_tic_tac_toe_variant import EffectiveTicTacToeVariant
from tesuji_client.models.gomoku_position import GomokuPosition
from tesuji_client.models.gomoku_variant import GomokuVariant
from tesuji_client.models.gomoku_variant_name import GomokuVariantName
from tesuji_client.models.integer_parameter import IntegerParameter
from tesuji_client.models.mcts_with_options import MctsWithOptions
from tesuji_client.models.move_class import MoveClass
from tesuji_client.models.outcome import Outcome
from tesuji_client.models.position_request import PositionRequest
from tesuji_client.models.problem import Problem
from tesuji_client.models.problem_code import ProblemCode
from tesuji_client.models.requested_budget import RequestedBudget
from tesuji_client.models.reversi_position import ReversiPosition
from tesuji_client.models.review_request import ReviewRequest
from tesuji_client.models.search_request import SearchRequest
from tesuji_client.models.search_response import SearchResponse
from tesuji_client.models.side import Side
from tesuji_client.models.status import Status
from tesuji_client.models.tic_tac_toe_position import TicTacToePosition
from tesuji_client.models.tic_tac_toe_variant import TicTacToeVariant

T = TypeVar("T")

client = Client(base_url=os.environ["TESUJI_URL"], timeout=Timeout(60))


def unwrap(answer: T | Problem | None) -> T:
    """The answer, or a test that fails."""
    assert answer is not None and not isinstance(answer, Problem), answer
    return answer


def operations() -> None:
    assert unwrap(version.sync(client=client)).name == "tesuji"


def games() -> None:
    listed = unwrap(list_games.sync(client=client))
    assert len(listed.games) >= 6 and listed.budget.most.time_ms > 0


def one_game() -> None:
    game = unwrap(describe_game.sync(BuiltInGame.TIC_TAC_TOE, client=client))
    columns = next(one for one in game.variants[0].parameters if one.name == "columns")
    assert isinstance(columns, IntegerParameter) and columns.minimum == 1 and columns.default == 3


def position() -> None:
    described = unwrap(describe_position.sync(client=client, body=PositionRequest(game=BuiltInGame.REVERSI, moves=["f5d6"])))
    assert isinstance(described, ReversiPosition) and described.discs.first + described.discs.second == 6


def variant() -> None:
    renju = GomokuVariant(name=GomokuVariantName.RENJU, size=9)
    request = PositionRequest(game=BuiltInGame.GOMOKU, variant=renju, moves=["e5", "a1"])
    described = unwrap(describe_position.sync(client=client, body=request))
    assert isinstance(described, GomokuPosition) and described.variant.size == 9 and described.forbidden == []


def finished() -> None:
    request = PositionRequest(game=BuiltInGame.TIC_TAC_TOE, position="xxx/oo1/3 o")
    described = unwrap(describe_position.sync(client=client, body=request))
    assert isinstance(described, TicTacToePosition) and isinstance(described.outcome, Outcome)
    assert described.outcome.winner == Side.FIRST and described.outcome.offence is None


def searched() -> None:
    request = SearchRequest(game=BuiltInGame.CONNECT_FOUR, moves=["44"], budget=RequestedBudget(nodes=1000))
    found = unwrap(search.sync(client=client, body=request))
    assert found.move == found.children[0].move and found.root.value is not None and found.status == Status.DONE


def with_options() -> None:
    request = SearchRequest(
        game=BuiltInGame.TIC_TAC_TOE,
        variant=TicTacToeVariant(columns=4, rows=4, k=4),
        engine=MctsWithOptions(name="mcts", exploration=0.7),
        budget=RequestedBudget(simulations=200),
    )
    found = unwrap(search.sync(client=client, body=request))
    assert isinstance(found.engine, EffectiveMcts) and found.engine.options.exploration == 0.7
    assert isinstance(found.variant, EffectiveTicTacToeVariant) and found.variant.k == 4


def start_search(request: SearchRequest) -> str:
    return unwrap(search.sync(client=client, body=request, prefer="respond-async")).id


def asynchronous() -> None:
    name = start_search(SearchRequest(game=BuiltInGame.REVERSI, budget=RequestedBudget(depth=4)))
    found = get_search.sync(name, client=client, prefer="wait=30")
    assert isinstance(found, SearchResponse) and found.final and found.status == Status.DONE


def cancelled() -> None:
    name = start_search(SearchRequest(game=BuiltInGame.XIANGQI, budget=RequestedBudget(time_ms=60_000)))
    assert unwrap(cancel_search.sync(name, client=client)).id == name
    end = get_search.sync(name, client=client, prefer="wait=30")
    assert isinstance(end, SearchResponse) and end.status == Status.CANCELLED


def batched() -> None:
    request = BatchRequest(
        defaults=BatchSearch(game=BuiltInGame.REVERSI, budget=RequestedBudget(nodes=1000)),
        searches=[BatchSearch(moves=["f5"]), BatchSearch(moves=["a1"])],
    )
    good, bad = unwrap(batch.sync(client=client, body=request)).items
    assert isinstance(good, BatchItem) and isinstance(good.search, SearchResponse) and good.search.status == Status.DONE
    assert isinstance(bad, BatchItem) and isinstance(bad.problem, Problem) and bad.problem.errors[0].pointer == "/moves/0"


def reviewed() -> None:
    request = ReviewRequest(
        game=BuiltInGame.TIC_TAC_TOE, moves=["b2", "b1", "a1"], budget=RequestedBudget(simulations=20_000), seed=1
    )
    name = unwrap(review.sync(client=client, body=request)).id
    judged = unwrap(get_review.sync(name, client=client, prefer="wait=30"))
    assert [move.class_ for move in judged.moves] == [MoveClass.BEST, MoveClass.BLUNDER, MoveClass.BEST]


def refused() -> None:
    request = SearchRequest(game=BuiltInGame.REVERSI, budget=RequestedBudget(time_ms=100_000_000))
    answer = search.sync_detailed(client=client, body=request)
    assert answer.status_code == 422 and isinstance(answer.parsed, Problem)
    assert answer.parsed.code == ProblemCode.INVALID_BUDGET
    assert answer.parsed.errors[0].pointer == "/budget/time_ms"
    assert unwrap(describe_problem.sync(answer.parsed.code, client=client)).status == 422


def another_game() -> None:
    """A game that is not built in: this server refuses it, another one searches it."""
    refusal = search.sync(client=client, body=SearchRequest(game="breakthrough"))
    assert isinstance(refusal, Problem) and refusal.code == ProblemCode.UNKNOWN_GAME
    request = SearchRequest(game=BuiltInGame.TIC_TAC_TOE, position="xxx/oo1/3 o")
    answer = unwrap(search.sync(client=client, body=request)).to_dict()
    answer["game"] = answer["position"]["outcome"]["reason"] = "breakthrough"
    found = SearchResponse.from_dict(answer)
    assert found.game == "breakthrough" and isinstance(found.position.outcome, Outcome)
    assert found.position.outcome.reason == "breakthrough"


CALLS = [
    operations, games, one_game, position, variant, finished, searched, with_options, asynchronous, cancelled, batched, reviewed,
    refused, another_game,
]  # fmt: skip
for call in CALLS:
    call()
print(f"openapi-python-client: {len(CALLS)} calls")
