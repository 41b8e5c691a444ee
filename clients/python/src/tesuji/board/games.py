"""How each game's board and pieces are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tesuji.board import boxes, hex, xiangqi
from tesuji.board.layout import MARGIN, STEP, Layout, grid, squares
from tesuji.board.shapes import Markup, circle, line, path, rectangle, text


@dataclass(frozen=True)
class Drawing:
    """A game's board. Each part takes the position with the fields of its own game."""

    layout: Callable[[Any], Layout]
    ground: Callable[[Layout, Any], list[Markup]]
    pieces: Callable[[Layout, Any], list[Markup]]


def slab(layout: Layout, fill: str) -> Markup:
    """The board itself."""
    return rectangle(0, 0, layout.width, layout.height, fill, rx=14)


def coordinates(layout: Layout, fill: str) -> list[Markup]:
    """Letters under the columns, numbers beside the rows."""
    bottom = max(place.row for place in layout.places.values())
    parts: list[Markup] = []
    for name, place in layout.places.items():
        if place.row == bottom:
            parts.append(text(place.x, layout.height - 24, name[0], 26, fill))
        if place.column == 0:
            parts.append(text(24, place.y, name[1:], 26, fill))
    return parts


def lattice(layout: Layout, colour: str) -> list[Markup]:
    """The lines of a board, through its crossings or around its cells."""
    start = MARGIN
    right, bottom = layout.width - MARGIN, layout.height - MARGIN
    columns, rows = round((right - start) / STEP), round((bottom - start) / STEP)
    return [
        *(line(start + x * STEP, start, start + x * STEP, bottom, colour) for x in range(columns + 1)),
        *(line(start, start + y * STEP, right, start + y * STEP, colour) for y in range(rows + 1)),
    ]


def stones(layout: Layout, cells: list[str], colours: dict[str, tuple[str, str]], radius: float) -> list[Markup]:
    """Round pieces: for each sign, a fill and an outline."""
    return [
        circle(place.x, place.y, radius, colours[sign][0], stroke=colours[sign][1], stroke_width=2)
        for _, place, sign in layout.signs(cells)
        if sign in colours
    ]


BLACK, WHITE = ("#1d1d1f", "#000"), ("#fbfaf6", "#8f8a80")


def tic_tac_toe_pieces(layout: Layout, position: Any) -> list[Markup]:
    """Crosses and rings."""
    parts = []
    for _, place, sign in layout.signs(position.cells):
        x, y = place.x, place.y
        if sign == "x":
            cross = f"M{x - 26:g} {y - 26:g}l52 52m0 -52l-52 52"
            parts.append(path(cross, stroke="#0b645f", width=13, stroke_linecap="round"))
        elif sign == "o":
            parts.append(circle(x, y, 28, "none", stroke="#b3541e", stroke_width=13))
    return parts


def connect_four_ground(layout: Layout, position: Any) -> list[Markup]:
    """A slab with sockets; only columns have names, since a move is a column."""
    parts = [slab(layout, "#2159b3")]
    for _, place, sign in layout.signs(position.cells):
        blocked = rectangle(place.x - 40, place.y - 40, 80, 80, "#12305f", rx=14)
        parts.append(blocked if sign == "#" else circle(place.x, place.y, 41, "#f3efe7"))
    columns = position.variant.columns
    return parts + [
        text(MARGIN + (x + 0.5) * STEP, layout.height - 26, str(x + 1), 26, "#dfeaff") for x in range(columns)
    ]


def gomoku_pieces(layout: Layout, position: Any) -> list[Markup]:
    """Stones, a ring round those of a five that won, and crosses on forbidden points."""
    parts = stones(layout, position.cells, {"x": BLACK, "o": WHITE}, 46)
    for name in position.five or []:
        place = layout.places[name]
        parts.append(circle(place.x, place.y, 34, "none", stroke="#3aa757", stroke_width=7))
    for forbidden in position.forbidden or []:
        place = layout.places[forbidden.point]
        cross = f"M{place.x - 16:g} {place.y - 16:g}l32 32m0 -32l-32 32"
        parts.append(path(cross, stroke="#c62828", width=7, stroke_linecap="round"))
    return parts


def star_points(layout: Layout, size: int) -> list[Markup]:
    """The fourth lines (the third on small boards), and the middle."""
    if size < 9:
        return []
    near = 2 if size < 13 else 3
    points = [(x, y) for x in (near, size - 1 - near) for y in (near, size - 1 - near)]
    points += [(size // 2, size // 2)] if size % 2 else []
    return [circle(MARGIN + x * STEP, MARGIN + y * STEP, 9, "#5b3d14") for x, y in points]


GAMES: dict[str, Drawing] = {
    "tic-tac-toe": Drawing(
        lambda position: squares(position.variant.columns, position.variant.rows),
        lambda layout, _: [slab(layout, "#faf7f0"), *lattice(layout, "#8d8574"), *coordinates(layout, "#7a7263")],
        tic_tac_toe_pieces,
    ),
    "connect-four": Drawing(
        lambda position: squares(position.variant.columns, position.variant.rows),
        connect_four_ground,
        lambda layout, position: stones(
            layout, position.cells, {"x": ("#d43a2f", "#8e1c15"), "o": ("#f6c935", "#b98a06")}, 41
        ),
    ),
    "reversi": Drawing(
        lambda _: squares(8, 8, from_top=True),
        lambda layout, _: [slab(layout, "#2f8058"), *lattice(layout, "#123c28"), *coordinates(layout, "#e7ddcf")],
        lambda layout, position: stones(layout, position.cells, {"X": BLACK, "O": WHITE}, 42),
    ),
    "gomoku": Drawing(
        lambda position: grid(position.variant.size, position.variant.size),
        lambda layout, position: [
            slab(layout, "#e2b56b"),
            *lattice(layout, "#5b3d14"),
            *star_points(layout, position.variant.size),
            *coordinates(layout, "#5b3d14"),
        ],
        gomoku_pieces,
    ),
    "dots-and-boxes": Drawing(boxes.layout, lambda layout, _: [slab(layout, "#faf7f0")], boxes.pieces),
    "hex": Drawing(hex.layout, lambda layout, _: [slab(layout, "#efe9dc"), *hex.ground(layout)], hex.pieces),
    "xiangqi": Drawing(
        xiangqi.layout,
        lambda layout, _: [slab(layout, "#e8c07d"), *xiangqi.ground(), *coordinates(layout, "#5b3d14")],
        xiangqi.pieces,
    ),
}
