"""The package goes with the contract."""

from __future__ import annotations

from importlib.metadata import metadata, version
from pathlib import Path
from typing import get_overloads

import yaml

import tesuji
from tesuji import AsyncClient, Client, Job
from tesuji._calls import MOST_SEARCHES
from tesuji.envs.spaces import PIECES

PACKAGE = Path(__file__).parent.parent


def test_its_version_is_the_contracts() -> None:
    contract = yaml.safe_load((PACKAGE.parent.parent / "openapi.yaml").read_text())
    assert version("tesuji") == tesuji.__version__ == contract["info"]["version"]
    assert metadata("tesuji")["License-Expression"] == "MIT OR Apache-2.0"


#: The operations of the contract, and the methods for them.
OPERATIONS = {
    "listGames": Client.games,
    "describeGame": Client.game,
    "uploadGame": Client.upload_game,
    "removeGame": Client.remove_game,
    "describePosition": Client.position,
    "drawPositionAsSvg": Client.picture,
    "drawPositionAsPng": Client.picture,
    "readRecord": Client.record,
    "search": Client.search,
    "getSearch": Job.status,
    "cancelSearch": Job.cancel,
    "followSearch": Job.follow,
    "batch": Client.batch,
    "getBatch": Job.status,
    "cancelBatch": Job.cancel,
    "followBatch": Job.follow,
    "review": Client.start_review,
    "getReview": Job.status,
    "cancelReview": Job.cancel,
    "followReview": Job.follow,
    "listJobs": Client.jobs,
    "cancelJobs": Client.cancel_jobs,
    "listPuzzles": Client.puzzles,
    "getCluster": Client.cluster,
    "ready": Client.ready,
    "version": Client.version,
}
#: For operators, browsers and generators rather than for callers.
LEFT_OUT = {"live", "metrics", "contract", "describeProblem"}


def test_it_has_every_operation() -> None:
    paths = yaml.safe_load((PACKAGE.parent.parent / "openapi.yaml").read_text())["paths"]
    named = {operation["operationId"] for path in paths.values() for operation in path.values()}
    assert named == OPERATIONS.keys() | LEFT_OUT


def test_a_batch_is_as_long_as_the_contract_allows() -> None:
    schemas = yaml.safe_load((PACKAGE.parent.parent / "openapi.yaml").read_text())["components"]["schemas"]
    assert schemas["BatchRequest"]["properties"]["searches"]["maxItems"] == MOST_SEARCHES


def test_every_game_has_its_types_and_planes() -> None:
    schemas = yaml.safe_load((PACKAGE.parent.parent / "openapi.yaml").read_text())["components"]["schemas"]
    games = schemas["BuiltInGame"]["enum"]
    assert PIECES.keys() == set(games)
    requests = {f"Unpack[{game.title().replace('-', '')}PositionRequest]" for game in [*games, ""]}
    for method in (Client.position, Client.play, AsyncClient.position, AsyncClient.play):
        assert {one.__annotations__["request"] for one in get_overloads(method)} == requests
