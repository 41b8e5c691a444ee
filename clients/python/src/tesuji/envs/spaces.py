"""Action and observation spaces: the move of each index, and a position as planes of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.float32]
Mask = NDArray[np.int8]
#: A position as the service describes it (`POST /v1/positions`).
Position = Mapping[str, Any]

#: The characters of `cells` that have a plane each, in this order.
PIECES = {
    "tic-tac-toe": "xo",
    "connect-four": "xo#",
    "reversi": "XO",
    "dots-and-boxes": "-|#",
    "gomoku": "xo",
    "xiangqi": "KABNRCPkabnrcp",
    "hex": "rb",
}

FILES = "abcdefghijklmnopqrstuvwxyz"
COLUMNS = "123456789abc"


def moves(position: Position) -> list[str]:
    """All moves possible in this variant, each at its index."""
    game, variant = position["game"], position["variant"]
    match game:
        case "connect-four":
            return list(COLUMNS[: variant["columns"]])
        case "dots-and-boxes":
            columns, rows = variant["columns"], variant["rows"]
            horizontal = [f"h{row},{column}" for row in range(rows + 1) for column in range(columns)]
            return horizontal + [f"v{row},{column}" for row in range(rows) for column in range(columns + 1)]
        case "xiangqi":
            return xiangqi_moves(lowest_rank=0 if variant["ranks"] == "from_zero" else 1)
    rows, columns = len(position["cells"]), len(position["cells"][0])
    cells = [f"{FILES[column]}{row + 1}" for row in range(rows) for column in range(columns)]
    match game:
        case "reversi":
            return [*cells, "pass"]
        case "hex" if variant["swap"]:
            return [*cells, "swap"]
        case "gomoku" if variant["opening"] == "swap2":
            return [*cells, "black", "white", "place"]
    return cells


def xiangqi_moves(lowest_rank: int) -> list[str]:
    """All pairs of squares between which some piece can move: 2086, by the first square, then the second."""
    squares = [(file, rank) for rank in range(10) for file in range(9)]
    elephants = {(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)}
    elephants |= {(file, 9 - rank) for file, rank in elephants}

    def some_piece_moves(a: tuple[int, int], b: tuple[int, int]) -> bool:
        across, along = abs(a[0] - b[0]), abs(a[1] - b[1])
        if 0 in (across, along):
            return a != b
        if (across, along) == (1, 1):  # an advisor, whose moves begin or end in the middle of its palace
            return not {a, b}.isdisjoint({(4, 1), (4, 8)})
        if (across, along) == (2, 2):
            return {a, b} <= elephants and (a[1] < 5) == (b[1] < 5)
        return across + along == 3  # a horse

    def name(square: tuple[int, int]) -> str:
        return f"{FILES[square[0]]}{square[1] + lowest_rank}"

    return [name(a) + name(b) for a in squares for b in squares if some_piece_moves(a, b)]


def constants(position: Position) -> list[float]:
    """Numbers that fill a plane each: facts that the cells do not show, then the side to move."""
    facts: list[float] = []
    match position["game"]:
        case "dots-and-boxes":
            boxes, variant = position["boxes"], position["variant"]
            facts = [boxes[side] / (variant["columns"] * variant["rows"]) for side in ("first", "second")]
        case "xiangqi":
            no_capture = position["no_capture"]
            facts = [no_capture["plies"] / no_capture["limit"], position["repetition"]["times"] / 3]
        case "gomoku" if position["variant"]["opening"] == "swap2":
            facts = [{"first": 1.0, "second": 0.0, None: 0.5}[position["opening"]["black"]]]
    return [*(min(fact, 1.0) for fact in facts), float(position["to_move"] == "first")]


class Space:
    """The moves and the planes of one game and variant."""

    def __init__(self, start: Position) -> None:
        if start["game"] not in PIECES:
            raise ValueError(f"{start['game']} is not built in: its moves cannot be listed beforehand")
        #: The move of each index.
        self.moves = moves(start)
        #: The index of each move.
        self.index = {move: index for index, move in enumerate(self.moves)}
        self._codes = np.frombuffer(PIECES[start["game"]].encode(), np.uint8)[:, None, None]
        # In Dots and Boxes a box is four characters wide; every second character suffices.
        self._stride = 2 if start["game"] == "dots-and-boxes" else 1
        #: Planes, rows, columns.
        self.shape = self.planes(start).shape

    def require(self, actions: Iterable[int]) -> None:
        """Refuses a number that is not the index of a move."""
        for action in actions:
            if not 0 <= action < len(self.moves):
                raise ValueError(f"action {action}: expected 0 to {len(self.moves) - 1}")

    def planes(self, position: Position) -> Planes:
        """Planes of 0 and 1 for the pieces, rows from the top, then the planes of `constants`."""
        cells = position["cells"]
        board = np.frombuffer("".join(cells).encode(), np.uint8).reshape(len(cells), -1)[:, :: self._stride]
        numbers = constants(position)
        planes = np.empty((len(self._codes) + len(numbers), *board.shape), np.float32)
        planes[: len(self._codes)] = board == self._codes
        planes[len(self._codes) :] = np.array(numbers)[:, None, None]
        return planes

    def mask(self, legal: Iterable[int]) -> Mask:
        """1 at each legal index."""
        mask = np.zeros(len(self.moves), np.int8)
        mask[list(legal)] = 1
        return mask
