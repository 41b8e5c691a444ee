"""Where the cells, crossings and edges of a board are, under the names that the games' notations give them."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase as LETTERS

#: Around the outermost lines: room for half a piece, and for coordinates.
MARGIN = 88
#: From one cell or crossing to the next.
STEP = 100
#: The length of an edge of Dots and Boxes.
EDGE = 150
#: Half the height of a hexagon that is as wide as a step.
RADIUS = STEP / 3**0.5


@dataclass(frozen=True)
class Place:
    """A cell, crossing or edge: its middle, and the row and column of its sign in `cells`."""

    x: float
    y: float
    row: int
    column: int
    #: Of edges, whether it stands upright.
    upright: bool = False


@dataclass(frozen=True)
class Layout:
    """A board: its size, and its places by name."""

    width: float
    height: float
    places: dict[str, Place]

    def signs(self, cells: list[str]) -> list[tuple[str, Place, str]]:
        """Each place with its name and its sign in `cells`."""
        return [(name, place, cells[place.row][place.column]) for name, place in self.places.items()]


def grid(columns: int, rows: int, *, lowest: int = 1, from_top: bool = False, spread: float = 0) -> Layout:
    """Cells or crossings in rows and columns. Rows are numbered from the bottom, the lowest with `lowest`, or from the top."""
    places = {}
    for row in range(rows):
        number = row + 1 if from_top else rows - 1 - row + lowest
        for column in range(columns):
            x, y = MARGIN + spread + column * STEP, MARGIN + spread + row * STEP
            places[f"{LETTERS[column]}{number}"] = Place(x, y, row, column)
    edge = 2 * (MARGIN + spread)
    return Layout((columns - 1) * STEP + edge, (rows - 1) * STEP + edge, places)


def squares(columns: int, rows: int, *, from_top: bool = False) -> Layout:
    """A board whose pieces stand in cells."""
    return grid(columns, rows, from_top=from_top, spread=STEP / 2)


def hexagons(size: int) -> Layout:
    """A rhombus of hexagons; each row lies half a cell to the right of the one above."""
    places = {}
    for row in range(size):
        for column in range(size):
            x, y = MARGIN + STEP * (column + 0.5 + row / 2), MARGIN + RADIUS * (1 + 1.5 * row)
            places[f"{LETTERS[column]}{row + 1}"] = Place(x, y, row, column)
    return Layout(2 * MARGIN + STEP * (1.5 * size - 0.5), 2 * MARGIN + RADIUS * (1.5 * size + 0.5), places)


def edges(columns: int, rows: int) -> Layout:
    """The edges between the dots of Dots and Boxes; in `cells`, a box is four signs wide and two high."""
    places = {}
    for row in range(rows + 1):
        for column in range(columns):
            places[f"h{row},{column}"] = Place(
                MARGIN + (column + 0.5) * EDGE, MARGIN + row * EDGE, 2 * row, 4 * column + 2
            )
    for row in range(rows):
        for column in range(columns + 1):
            x, y = MARGIN + column * EDGE, MARGIN + (row + 0.5) * EDGE
            places[f"v{row},{column}"] = Place(x, y, 2 * row + 1, 4 * column, upright=True)
    return Layout(columns * EDGE + 2 * MARGIN, rows * EDGE + 2 * MARGIN, places)
