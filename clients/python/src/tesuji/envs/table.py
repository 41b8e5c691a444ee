"""Games of an agent against the service: moves, replies, rewards. A step of any number of games takes a few calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from tesuji.envs.rules import Rules, State
from tesuji.envs.spaces import Mask
from tesuji.requests import SearchOptions

#: The agent's opponent: the options of a search (a level, or a budget), or random moves.
Opponent: TypeAlias = SearchOptions | Literal["random"]
#: `outcome`: 1, 0 or -1 at the end. `loss`: after each move, its negative loss against the best one.
Reward: TypeAlias = Literal["outcome", "loss"]
#: The side of the agent; `random` draws it for each episode.
Seat: TypeAlias = Literal["first", "second", "random"]

WEAKEST: Opponent = {"level": 1}
#: The search that grades moves: enough for the small games, a fraction of a second in the others.
GRADE: SearchOptions = {"budget": {"nodes": 20_000}}
#: Rewards of an illegal move, which ends the game: the worst that a legal one can have.
ILLEGAL = {"outcome": -1.0, "loss": -2.0}

OUTCOMES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
SEEDS = 2**53
#: How many openings are tried if games end before the agent's first move.
OPENINGS = 8


@dataclass
class Episode:
    """A game in progress, with the side of its agent."""

    side: str
    rng: np.random.Generator
    #: The `position` and `moves` at its beginning.
    begin: Mapping[str, Any]
    state: State
    moves: list[str] = field(default_factory=list)
    #: From the agent's view, once it has ended: `win`, `draw`, `loss` or `illegal`.
    outcome: str | None = None

    @property
    def mask(self) -> Mask:
        """1 at each action that is legal now; none after the end."""
        return self.state.mask if self.outcome is None else np.zeros_like(self.state.mask)

    def line(self) -> dict[str, Any]:
        """The fields of a request for its position."""
        return line(self.begin, self.moves)


def beginning(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The `position` and `moves` in the options of `reset`."""
    begin = {key: value for key, value in (options or {}).items() if key in ("position", "moves")}
    if isinstance(begin.get("moves"), str):
        begin["moves"] = [begin["moves"]]
    return begin


def line(begin: Mapping[str, Any], moves: Sequence[str]) -> dict[str, Any]:
    """The fields of a request for the position after some moves."""
    return {"position": begin.get("position"), "moves": [*(begin.get("moves") or []), *moves]}


@contextmanager
def unchanged_by_failure(games: Sequence[Episode]) -> Iterator[None]:
    """Restores games if a call fails, so that their step can be repeated."""
    before = [(game, game.state, game.outcome, len(game.moves)) for game in games]
    try:
        yield
    except BaseException:
        for game, state, outcome, plies in before:
            game.state, game.outcome = state, outcome
            del game.moves[plies:]
        raise


class Table:
    """Agents and their opponents, in one game and variant."""

    def __init__(
        self,
        rules: Rules,
        *,
        side: Seat = "first",
        opponent: Opponent = WEAKEST,
        reward: Reward = "outcome",
        grade: SearchOptions = GRADE,
    ) -> None:
        self.rules = rules
        self._side = side
        self._opponent = opponent
        self._reward = reward
        self._grade = grade

    def begin(self, generators: Iterable[np.random.Generator], options: Mapping[str, Any] | None) -> list[Episode]:
        """New games, up to the agent's first move."""
        begin = beginning(options)
        state = self.rules.start(begin)
        games = [Episode(self._draw_side(rng), rng, begin, state) for rng in generators]
        for _ in range(OPENINGS):
            self._reply(games)
            over = [number for number, game in enumerate(games) if game.state.over]
            if not over:
                return games
            for number in over:
                rng = games[number].rng
                games[number] = Episode(self._draw_side(rng), rng, begin, state)
        raise ValueError(f"game {over[0]} is over before the agent's first move, in each of {OPENINGS} openings")

    def step(self, games: Sequence[Episode], actions: Sequence[int | None]) -> list[float]:
        """Plays a move for each agent, then the opponents' replies, and returns the agents' rewards. None is an illegal
        move."""
        self.rules.space.require(action for action in actions if action is not None)
        with unchanged_by_failure(games):
            return self._step_games(games, actions)

    def _step_games(self, games: Sequence[Episode], actions: Sequence[int | None]) -> list[float]:
        legal: list[int] = []
        played: list[int] = []
        for number, (game, action) in enumerate(zip(games, actions, strict=True)):
            if action is None or not game.state.mask[action]:
                game.outcome = "illegal"
            else:
                legal.append(number)
                played.append(action)
        moved = [games[number] for number in legal]
        losses = [0.0] * len(games)
        if self._reward == "loss":
            moves = [self.rules.space.moves[action] for action in played]
            found = self.rules.losses([game.line() for game in moved], moves, self._grade)
            for number, loss in zip(legal, found, strict=True):
                losses[number] = loss
        self._play(moved, played)
        self._reply(moved)
        return [self._reward_of(game, loss) for game, loss in zip(games, losses, strict=True)]

    def _draw_side(self, rng: np.random.Generator) -> str:
        return ("first", "second")[rng.integers(2)] if self._side == "random" else self._side

    def _play(self, games: Sequence[Episode], actions: Sequence[int]) -> None:
        after = self.rules.advance([game.state for game in games], actions)
        for game, action, state in zip(games, actions, after, strict=True):
            game.moves.append(self.rules.space.moves[action])
            game.state = state
            if state.over:
                game.outcome = "draw" if state.winner is None else "win" if state.winner == game.side else "loss"

    def _reply(self, games: Sequence[Episode]) -> None:
        while waiting := [game for game in games if not game.state.over and game.state.to_move != game.side]:
            self._play(waiting, self._replies(waiting))

    def _replies(self, games: Sequence[Episode]) -> list[int]:
        if self._opponent == "random":
            return [game.state.legal[game.rng.integers(len(game.state.legal))] for game in games]
        requests = [{**game.line(), "seed": int(game.rng.integers(SEEDS))} for game in games]
        defaults = {**self.rules.game, "report": {"children": "best", "pv_length": 1}, **self._opponent}
        return [self.rules.space.index[found["move"]] for found in self.rules.wire.searches(requests, defaults)]

    def _reward_of(self, game: Episode, loss: float) -> float:
        if game.outcome == "illegal":
            return ILLEGAL[self._reward]
        if self._reward == "loss":
            return 0.0 - loss  # never -0.0
        return OUTCOMES[game.outcome] if game.outcome else 0.0
