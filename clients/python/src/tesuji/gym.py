"""Environments for Gymnasium (`pip install tesuji[gym]`): one agent against the service, alone or many at once.

Importing it registers `tesuji/Board-v0`, for `gymnasium.make` and `gymnasium.make_vec`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tesuji.envs.rules import Rules
from tesuji.envs.spaces import Planes
from tesuji.envs.table import GRADE, WEAKEST, Episode, Opponent, Reward, Seat, Table, unchanged_by_failure
from tesuji.envs.wire import Wire
from tesuji.requests import RequestedVariant, SearchOptions

Info: TypeAlias = dict[str, Any]
Numbers: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


class BoardEnv(gymnasium.Env[Planes, np.int64]):
    """An agent plays `side` against an `opponent`: search options, as in `{"level": 3}` or `{"budget": {"nodes": 1000}}`, or
    `"random"`.

    An action is the index of a move (`moves`), an observation planes of the board (`tesuji.envs.spaces`); `info` has the
    `action_mask` and, at the end, the `outcome`. An illegal move ends the game. `reset(options={"position": …, "moves": …})`
    sets another start position.
    """

    metadata = {"render_modes": ["ansi"]}

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
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self._table = make_table(url, api_key, game, variant, side, opponent, reward, grade)
        self._game: Episode | None = None
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces(self._table)

    @property
    def moves(self) -> list[str]:
        """The move of each action."""
        return self._table.rules.space.moves

    def action_masks(self) -> Flags:
        """The mask as flags, under the name that `sb3_contrib.MaskablePPO` expects."""
        return self._current_episode().mask.astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Planes, Info]:
        """Begins a game. Equal seeds give equal episodes, if the opponent's searches are repeatable."""
        super().reset(seed=seed)
        [self._game] = self._table.begin([self.np_random], options)
        return self._game.state.planes.copy(), info(self._game)

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, Info]:
        """Plays a move, and the opponent's reply."""
        game = self._current_episode()
        if game.outcome is not None:
            raise gymnasium.error.ResetNeeded("the game has ended: reset the environment")
        [reward] = self._table.step([game], [int(action)])
        return game.state.planes.copy(), reward, game.outcome is not None, False, info(game)

    def render(self) -> str | None:
        """The board as text."""
        return "\n".join(self._current_episode().state.cells) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Closes the connections."""
        self._table.rules.wire.close()

    def _current_episode(self) -> Episode:
        if self._game is None:
            raise gymnasium.error.ResetNeeded("reset the environment before its first step")
        return self._game


class BoardVectorEnv(VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, each like `BoardEnv`: a step of all of them is one batch of searches, and pipelined positions.

    Seeds of `reset`: one for each game, or one for the first game, with its successors for the next ones. A game that has
    ended begins again, with the same options, in the next step (`AutoresetMode.NEXT_STEP`) or at once (`SAME_STEP`; the last
    observation is then in `info["final_obs"]`).
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        game: str,
        num_envs: int = 1,
        variant: RequestedVariant = None,
        side: Seat = "first",
        opponent: Opponent = WEAKEST,
        reward: Reward = "outcome",
        grade: SearchOptions = GRADE,
        api_key: str | None = None,
        render_mode: Literal["ansi"] | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError("autoreset_mode: expected NEXT_STEP or SAME_STEP")
        self._table = make_table(url, api_key, game, variant, side, opponent, reward, grade)
        self._games: list[Episode] = []
        self._generators = [np_random()[0] for _ in range(num_envs)]
        self._options: Info | None = None
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self.single_observation_space, self.single_action_space = spaces(self._table)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def moves(self) -> list[str]:
        """The move of each action."""
        return self._table.rules.space.moves

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Planes, Info]:
        """Begins all games. A seed of None continues the game's random numbers."""
        if options and "reset_mask" in options:
            raise ValueError("options: reset_mask is not supported")
        if isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [int(seed) + number for number in range(self.num_envs)]
        else:
            seeds = [None] * self.num_envs if seed is None else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected one for each of {self.num_envs} games, got {len(seeds)}")
        self._generators = [
            generator if one is None else np_random(int(one))[0]
            for generator, one in zip(self._generators, seeds, strict=True)
        ]
        self._options = options
        self._games = self._table.begin(self._generators, self._options)
        return self._planes(), self._infos()

    def step(self, actions: NDArray[np.int64]) -> tuple[Planes, Numbers, Flags, Flags, Info]:
        """Plays a move in each game, and the opponents' replies."""
        if not self._games:
            raise gymnasium.error.ResetNeeded("reset the environment before its first step")
        with unchanged_by_failure(self._games):
            return self._step_games(actions)

    def _step_games(self, actions: NDArray[np.int64]) -> tuple[Planes, Numbers, Flags, Flags, Info]:
        next_step = self.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
        over = [number for number, game in enumerate(self._games) if game.outcome is not None]
        running = [number for number, game in enumerate(self._games) if game.outcome is None]
        rewards = np.zeros(self.num_envs)
        played = [int(actions[number]) for number in running]
        rewards[running] = self._table.step([self._games[number] for number in running], played)
        if next_step:
            self._begin_again(over)
        ended = np.array([game.outcome is not None for game in self._games])
        last: Info = {}
        if not next_step and ended.any():
            finals = [int(number) for number in np.flatnonzero(ended)]
            for number in finals:
                game = self._games[number]
                final = {"final_obs": game.state.planes.copy(), "final_info": info(game)}
                last = self._add_info(last, final, number)
            self._begin_again(finals)
        return self._planes(), rewards, ended, np.zeros_like(ended), {**self._infos(), **last}

    def render(self) -> tuple[str, ...] | None:
        """The boards as text."""
        return tuple("\n".join(game.state.cells) for game in self._games) if self.render_mode == "ansi" else None

    def close_extras(self, **_: Any) -> None:
        """Closes the connections."""
        self._table.rules.wire.close()

    def _begin_again(self, numbers: Sequence[int]) -> None:
        new = self._table.begin([self._generators[number] for number in numbers], self._options)
        for number, game in zip(numbers, new, strict=True):
            self._games[number] = game

    def _planes(self) -> Planes:
        return np.stack([game.state.planes for game in self._games])

    def _infos(self) -> Info:
        everywhere = np.ones(self.num_envs, np.bool_)
        infos: Info = {
            "action_mask": np.stack([game.mask for game in self._games]),
            "_action_mask": everywhere,
        }
        for number, game in enumerate(self._games):
            if game.outcome is not None:
                infos = self._add_info(infos, {"outcome": game.outcome}, number)
        return infos


def make_table(
    url: str,
    api_key: str | None,
    game: str,
    variant: RequestedVariant,
    side: Seat,
    opponent: Opponent,
    reward: Reward,
    grade: SearchOptions,
) -> Table:
    """A table with its own connections."""
    rules = Rules(Wire(url, api_key), game, variant)
    return Table(rules, side=side, opponent=opponent, reward=reward, grade=grade)


def spaces(table: Table) -> tuple[Space[Planes], Discrete]:
    """The observation and the action space."""
    space = table.rules.space
    return cast(Space[Planes], Box(0.0, 1.0, space.shape, np.float32)), Discrete(len(space.moves))


def info(game: Episode) -> Info:
    """The info of an observation."""
    found: Info = {"action_mask": game.mask.copy()}
    return found if game.outcome is None else {**found, "outcome": game.outcome}


gymnasium.register(
    id="tesuji/Board-v0", entry_point="tesuji.gym:BoardEnv", vector_entry_point="tesuji.gym:BoardVectorEnv"
)
