"""Positions and transitions of one game, from the service, with those of late kept."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tesuji.envs.spaces import Mask, Planes, Position, Space
from tesuji.envs.wire import Wire

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, eq=False)
class State:
    """A position as an environment needs it."""

    #: A position and the moves since, from which the rules are asked for the next one. Only Xiangqi, where positions of the
    #: past count, has moves here: those since the last capture.
    root: str | None
    since: tuple[str, ...]
    #: Equal for positions that go on alike.
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


class Kept(dict[K, V], Generic[K, V]):
    """The newest entries, of which the oldest go first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: K, value: V) -> None:
        """Adds an entry."""
        self[key] = value
        if len(self) > self._most:
            del self[next(iter(self))]


class Rules:
    """The rules of one game and variant, as the service applies them."""

    def __init__(self, wire: Wire, game: str, variant: Any = None, cache: int = 16_384) -> None:
        self.wire = wire
        #: The fields of every request.
        self.game: dict[str, Any] = {"game": game, "variant": variant}
        self.space = Space(wire.positions([self.game])[0])
        self._starts: Kept[str, State] = Kept(cache)
        self._next: Kept[tuple[Hashable, int], State] = Kept(cache)
        self._losses: Kept[Hashable, dict[str, float]] = Kept(cache)

    def start(self, begin: Mapping[str, Any]) -> State:
        """The position after the `position` and `moves` of a request."""
        key = repr(sorted(begin.items()))
        if key not in self._starts:
            self._starts.keep(key, self._state(self.wire.positions([{**self.game, **begin}])[0]))
        return self._starts[key]

    def advance(self, states: Sequence[State], actions: Sequence[int]) -> list[State]:
        """The positions after one legal move each."""
        keys = [(state.identity, action) for state, action in zip(states, actions, strict=True)]
        new = {key: state for key, state in zip(keys, states, strict=True) if key not in self._next}
        requests = [self._after(state, action) for (_, action), state in new.items()]
        made = {key: self._state(one) for key, one in zip(new, self.wire.positions(requests), strict=True)}
        after = [made[key] if key in made else self._next[key] for key in keys]
        for key, state in made.items():
            self._next.keep(key, state)
        return after

    def losses(self, lines: Sequence[Mapping[str, Any]], moves: Sequence[str], options: Any) -> list[float]:
        """What each move gives up against the best one, by a search of the position before it."""
        keys = [repr((line, options)) for line in lines]
        new = {key: line for key, line in zip(keys, lines, strict=True) if key not in self._losses}
        # Always the same seed: a grade depends on the position only, and can be kept.
        defaults = {**self.game, **options, "seed": 0, "report": {"children": "all", "pv_length": 1}}
        searches = self.wire.searches(list(new.values()), defaults) if new else []
        made = {key: losses(search) for key, search in zip(new, searches, strict=True)}
        found = [(made.get(key) or self._losses[key])[move] for key, move in zip(keys, moves, strict=True)]
        for key, table in made.items():
            self._losses.keep(key, table)
        return found

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
                root, since = position["start"], tuple(move["move"] for move in position["line"])
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


def losses(search: Any) -> dict[str, float]:
    """The loss of each move of a search, in value: 0 for the best, at most 2. Where the service has only a bound, the loss by
    that bound; 0 where it knows nothing of the move."""
    best = search["children"][0]["value"]

    def loss(child: Any) -> float:
        if child["loss_vs_best"] is not None:
            return float(child["loss_vs_best"])
        return 0.0 if None in (best, child["value"]) else max(0.0, best - child["value"])

    return {child["move"]: loss(child) for child in search["children"]}
