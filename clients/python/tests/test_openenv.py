"""The environment for OpenEnv, by OpenEnv's own validation and client."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from conftest import Start, api_key
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient

from tesuji import openenv
from tesuji.openenv import app


@pytest.fixture(scope="module")
def served(url: str) -> Iterator[str]:
    """An environment on a free port."""
    listening = socket.create_server(("127.0.0.1", 0))
    opponent = {"level": 1}
    server = uvicorn.Server(uvicorn.Config(app(url, game="tic-tac-toe", opponent=opponent), log_level="error"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_openenvs_validation(served: str) -> None:
    report = validate_running_environment(served)
    assert report["passed"], [one for one in report["criteria"] if not one["passed"]]
    assert len(report["criteria"]) >= 5


def test_a_game(served: str) -> None:
    with GenericEnvClient(base_url=served).sync() as env:
        lines = []
        for _ in range(2):
            result = env.reset(seed=5)
            assert result.observation["board"] == ["..."] * 3 and result.observation["side"] == "first"
            while not result.done:
                result = env.step({"move": result.observation["legal_moves"][0]})
            assert result.reward == {"win": 1, "draw": 0, "loss": -1}[result.observation["outcome"]]
            assert (
                env.state()["step_count"]
                == len(result.observation["moves"]) // 2 + len(result.observation["moves"]) % 2
            )
            lines.append(result.observation["moves"])
        assert lines[0] == lines[1]


def test_an_illegal_move(served: str) -> None:
    with GenericEnvClient(base_url=served).sync() as env:
        env.reset()
        result = env.step({"move": "z9"})
        assert result.done and result.reward == -1 and result.observation["outcome"] == "illegal"


def test_the_command_line(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    key, setting = api_key()
    command = ["openenv", "--url", start("--api-keys", setting), "--game", "hex", "--port", "0"]
    monkeypatch.setenv("TESUJI_API_KEY", key)
    monkeypatch.setattr("sys.argv", [*command, "--variant", '{"size": 5}', "--opponent", "random"])
    made: list[Any] = []
    monkeypatch.setattr(openenv, "create_fastapi_app", lambda make, *_, **__: made.append(make))
    monkeypatch.setattr(uvicorn, "run", lambda *_, **__: None)
    openenv.main()
    assert len(made[0]().reset(seed=1).board) == 5
