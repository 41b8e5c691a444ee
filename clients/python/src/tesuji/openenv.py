"""An environment for OpenEnv (`pip install tesuji[openenv]`): moves as text, one agent against the service.

python -m tesuji.openenv --game connect-four --opponent '{"level": 3}'     # serves it on port 8000
"""

from __future__ import annotations

import argparse
import json
import os
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
import uvicorn
from fastapi import FastAPI
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

from tesuji.envs.rules import Rules
from tesuji.envs.table import GRADE, WEAKEST, Episode, Opponent, Reward, Seat, Table
from tesuji.envs.wire import Wire
from tesuji.requests import RequestedVariant, SearchOptions

#: The maximum number of simultaneous sessions.
SESSIONS = 64


class MoveAction(Action):  # type: ignore[misc]  # OpenEnv has no types
    """A move, as in `legal_moves`."""

    move: str


class BoardObservation(Observation):  # type: ignore[misc]
    """The position that the agent faces."""

    #: The board, a row each, from the top.
    board: list[str]
    #: `first` or `second`.
    side: str
    legal_moves: list[str]
    #: All moves so far.
    moves: list[str]
    #: `win`, `draw`, `loss` or `illegal`, for the agent, at the end.
    outcome: str | None = None


class BoardEnvironment(Environment[MoveAction, BoardObservation, State]):  # type: ignore[misc]
    """An agent against an opponent, with the options of `tesuji.gym.BoardEnv`. An illegal move ends the game."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        game: str,
        variant: RequestedVariant = None,
        side: Seat = "first",
        opponent: Opponent = WEAKEST,
        reward: Reward = "outcome",
        grade: SearchOptions = GRADE,
        api_key: str | None = None,
    ) -> None:
        super().__init__()
        rules = Rules(Wire(url, api_key), game, variant)
        self._table = Table(rules, side=side, opponent=opponent, reward=reward, grade=grade)
        self._episode: Episode | None = None
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> BoardObservation:
        """Begins a game; `position` and `moves` set another start position."""
        [self._episode] = self._table.begin([np.random.default_rng(seed)], options)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return self._observation(None)

    def step(self, action: MoveAction, timeout_s: float | None = None, **_: Any) -> BoardObservation:
        """Plays a move, and the opponent's reply."""
        if self._episode is None or self._episode.outcome is not None:
            raise ValueError("reset the environment first: no game is in progress")
        [reward] = self._table.step([self._episode], [self._table.rules.space.index.get(action.move)])
        self._state = self._state.model_copy(update={"step_count": self._state.step_count + 1})
        return self._observation(reward)

    @property
    def state(self) -> State:
        """The episode, and the number of its steps."""
        return self._state

    def close(self) -> None:
        """Closes the connection."""
        self._table.rules.wire.close()

    def _observation(self, reward: float | None) -> BoardObservation:
        assert self._episode is not None
        episode, moves = self._episode, self._table.rules.space.moves
        return BoardObservation(
            board=list(episode.state.cells),
            side=episode.side,
            legal_moves=[] if episode.outcome else [moves[index] for index in episode.state.legal],
            moves=episode.moves,
            outcome=episode.outcome,
            reward=reward,
            done=episode.outcome is not None,
        )


def app(url: str = "http://127.0.0.1:8080", **options: Any) -> FastAPI:
    """A web application that serves environments with the options of `BoardEnvironment`, one for each session."""
    environment = partial(BoardEnvironment, url, **options)
    served: FastAPI = create_fastapi_app(environment, MoveAction, BoardObservation, max_concurrent_envs=SESSIONS)
    return served


def opponent(text: str) -> Any:
    """An opponent on the command line."""
    return text if text == "random" else json.loads(text)


def main() -> None:
    """The command line. The API key is in the environment, where other users do not see it."""
    parser = argparse.ArgumentParser(
        prog="python -m tesuji.openenv",
        description="Serve a board game as an OpenEnv environment. TESUJI_API_KEY is the key of the Tesuji service.",
    )
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="address of the Tesuji service (%(default)s)")
    parser.add_argument("--game", required=True, help="name of the game, such as connect-four")
    parser.add_argument("--variant", type=json.loads, help="variant as JSON, such as '{\"size\": 9}' or '\"renju\"'")
    parser.add_argument(
        "--opponent",
        type=opponent,
        default=WEAKEST,
        help='"random" or the options of a search as JSON, such as \'{"budget": {"nodes": 1000}}\' (\'{"level": 1}\')',
    )
    parser.add_argument(
        "--side", choices=["first", "second", "random"], default="first", help="side of the agent (%(default)s)"
    )
    parser.add_argument(
        "--reward", choices=["outcome", "loss"], default="outcome", help="what is rewarded (%(default)s)"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (%(default)s)")
    options = vars(parser.parse_args())
    host, port = options.pop("host"), options.pop("port")
    uvicorn.run(app(**options, api_key=os.environ.get("TESUJI_API_KEY")), host=host, port=port)


if __name__ == "__main__":
    main()
