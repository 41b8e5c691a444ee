"""Positions and transitions of one game, from the service; recent ones are cached."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tesuji.envs.spaces import Mask, Planes, Position, Space
from tesuji.envs.wire import Wire

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: Approximate bytes of an environment's cached states: enough for all 16,167 transitions of Tic-tac-toe.
MEMORY = 24 << 20
#: Cached losses, of at most a kilobyte each.
LOSSES = 4096


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """A position as an environment needs it."""

    #: A position and the moves since: the base of the next request. Only Xiangqi needs the history, and has moves here: those
    #: since the last capture.
    root: str | None
    since: tuple[str, ...]
    #: Equal for equivalent positions.
    identity: Hashable
    to_move: str
    over: bool
    #: `first`, `second`, or None.
    winner: str | None
    #: Indices of the legal moves, in the service's order.
    legal: tuple[int, ...]
    mask: Mask
    planes: Planes
    #: The board as text, a row each.
    cells: tuple[str, ...]

    def memory(self) -> int:
        """Its size in bytes, without the parts that states share."""
        parts = (self.root, self.since, self.identity, self.legal, self.mask, self.planes, self.cells, *self.cells)
        return sys.getsizeof(self) + sum(map(sys.getsizeof, parts))


class Fifo(dict[K, V], Generic[K, V]):
    """A dictionary of limited size, which drops the oldest entries first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add(self, key: K, value: V) -> None:
        """Adds an entry."""
        self[key] = value
        if len(self) > self._most:
            del self[next(iter(self))]


class Rules:
    """The rules of one game and variant, as the service applies them."""

    def __init__(self, wire: Wire, game: str, variant: Any = None, memory: int = MEMORY) -> None:
        self.wire = wire
        #: The fields of every request.
        self.game: dict[str, Any] = {"game": game, "variant": variant}
        start = wire.positions([self.game])[0]
        self.space = Space(start)
        # All states of a game are about the same size. The key and the dictionary entry take 300 bytes more.
        most = memory // (self._state(start).memory() + 300)
        #: Keyed by the beginning of a game, or by a state and an action.
        self._states: Fifo[Hashable, State] = Fifo(most)
        self._losses: Fifo[Hashable, float] = Fifo(LOSSES)

    def start(self, begin: Mapping[str, Any]) -> State:
        """The position after the `position` and `moves` of a request."""
        key = repr(sorted(begin.items()))
        state = self._states.get(key)
        if state is None:
            state = self._state(self.wire.positions([{**self.game, **begin}])[0])
            self._states.add(key, state)
        return state

    def advance(self, states: Sequence[State], actions: Sequence[int]) -> list[State]:
        """The positions after one legal move each."""
        keys = [(state.identity, action) for state, action in zip(states, actions, strict=True)]
        new = {key: state for key, state in zip(keys, states, strict=True) if key not in self._states}
        requests = [self._after(state, action) for (_, action), state in new.items()]
        made = {key: self._state(one) for key, one in zip(new, self.wire.positions(requests), strict=True)}
        after = [made[key] if key in made else self._states[key] for key in keys]
        for key, state in made.items():
            self._states.add(key, state)
        return after

    def losses(self, lines: Sequence[Mapping[str, Any]], moves: Sequence[str], options: Any) -> list[float]:
        """The loss in value of each move against the best one, 0 to 2, by a search of the position before it."""
        keys = [repr((line, move, options)) for line, move in zip(lines, moves, strict=True)]
        graded = [{**line, "grade": [move]} for line, move in zip(lines, moves, strict=True)]
        new = {key: request for key, request in zip(keys, graded, strict=True) if key not in self._losses}
        # Always the same seed: a grade depends only on the position and the move, and can be cached.
        defaults = {**self.game, **options, "seed": 0, "report": {"children": "all", "pv_length": 1}}
        searches = self.wire.searches(list(new.values()), defaults) if new else []
        made = {key: loss(search) for key, search in zip(new, searches, strict=True)}
        after = [made[key] if key in made else self._losses[key] for key in keys]
        for key, value in made.items():
            self._losses.add(key, value)
        return after

    def _after(self, state: State, action: int) -> dict[str, Any]:
        return {**self.game, "position": state.root, "moves": [*state.since, self.space.moves[action]]}

    def _state(self, position: Position) -> State:
        legal = tuple(self.space.index[move] for move in position["legal_moves"])
        mask, planes = self.space.mask(legal), self.space.planes(position)
        root: str | None = position["position"]
        since: tuple[str, ...] = ()
        identity: Hashable = planes.tobytes() + mask.tobytes()
        if position["game"] == "xiangqi":
            if position["no_capture"]["plies"] > 0:
                root, since = position["start"], tuple(sys.intern(move["move"]) for move in position["line"])
            identity = (root, since)
        outcome = position["outcome"]
        for array in (mask, planes):
            array.setflags(write=False)
        return State(
            root=root,
            since=since,
            identity=identity,
            to_move=position["to_move"],
            over=outcome is not None,
            winner=outcome and outcome["winner"],
            legal=legal,
            mask=mask,
            planes=planes,
            cells=tuple(position["cells"]),
        )


def loss(search: Any) -> float:
    """The loss of the graded move. If the service has only a bound for that move, at the depth of the best one, the loss by
    that bound."""
    [grade] = search["grades"]
    if grade["loss"] is not None:
        return float(grade["loss"])
    values = {child["move"]: child["value"] for child in search["children"]}
    best, value = search["children"][0]["value"], values[grade["move"]]
    if best is None or value is None:
        raise ValueError(f"grade: the search was too short for a value of {grade['move']}")
    return max(0.0, float(best - value))
