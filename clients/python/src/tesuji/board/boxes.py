"""Dots and Boxes: each side's edges and boxes in its colour."""

from __future__ import annotations

from typing import Any

from tesuji.board.layout import EDGE, MARGIN, Layout, edges
from tesuji.board.marks import stroke
from tesuji.board.shapes import Markup, circle, path, rectangle

COLOURS = {"first": ("#1f5fbf", "#dbe8fb"), "second": ("#c25400", "#fde5d0"), None: ("#8d8574", "#e7e0d2")}


def layout(position: Any) -> Layout:
    """Its edges."""
    return edges(position.variant.columns, position.variant.rows)


def owners(position: Any) -> dict[str, str]:
    """Who drew each edge and claimed each box in the line. What was there before is nobody's: a position does not tell."""
    owned = {}
    for move in position.line:
        for name in [move.to, *move.claimed]:
            if name is not None:
                owned[name] = move.side
    return owned


def pieces(layout: Layout, position: Any) -> list[Markup]:
    """Claimed boxes, marked by more than their colour; drawn edges; dots."""
    owned, cells = owners(position), position.cells
    columns, rows = position.variant.columns, position.variant.rows
    parts: list[Markup] = []
    for row, column in ((row, column) for row in range(rows) for column in range(columns)):
        if cells[2 * row + 1][4 * column + 2] == "#":
            parts += box(row, column, owned.get(f"{row},{column}"))
    for name, place, sign in layout.signs(cells):
        if sign != " ":
            parts.append(stroke(place, COLOURS[owned.get(name)][0], 13))
    dots = ((x, y) for x in range(columns + 1) for y in range(rows + 1))
    return parts + [circle(MARGIN + x * EDGE, MARGIN + y * EDGE, 11, "#2b2b2b") for x, y in dots]


def box(row: int, column: int, side: str | None) -> list[Markup]:
    """A completed box: a cross is the first player's, a ring the second's."""
    x, y = MARGIN + (column + 0.5) * EDGE, MARGIN + (row + 0.5) * EDGE
    ink, fill = COLOURS[side]
    parts = [rectangle(x - EDGE / 2 + 8, y - EDGE / 2 + 8, EDGE - 16, EDGE - 16, fill, rx=8)]
    if side == "first":
        parts.append(path(f"M{x - 18:g} {y - 18:g}l36 36m0 -36l-36 36", stroke=ink, width=9, stroke_linecap="round"))
    elif side == "second":
        parts.append(circle(x, y, 20, "none", stroke=ink, stroke_width=9))
    return parts
