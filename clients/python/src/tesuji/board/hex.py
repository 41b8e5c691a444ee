"""Hex: stones on a rhombus of hexagons, whose edges have the colours of those who connect them."""

from __future__ import annotations

from typing import Any

from tesuji.board.layout import RADIUS, Layout, Place, hexagons
from tesuji.board.shapes import Markup, circle, path, text

RED, BLUE = "#d04a38", "#3b7bd0"
#: A hexagon's corners from its middle, clockwise from the top.
CORNERS = [(0, -1), (50, -0.5), (50, 0.5), (0, 1), (-50, 0.5), (-50, -0.5)]


def layout(position: Any) -> Layout:
    """Its cells."""
    return hexagons(position.variant.size)


def corner(place: Place, index: int) -> str:
    """A corner of a cell, as a path writes it."""
    dx, dy = CORNERS[index]
    return f"{place.x + dx:g} {place.y + dy * RADIUS:g}"


def ground(layout: Layout) -> list[Markup]:
    """Cells, the colours of the edges, and coordinates."""
    last = max(place.row for place in layout.places.values())
    cells, borders, labels = [], [], []
    for name, place in layout.places.items():
        outline = "L".join(corner(place, index) for index in range(6))
        cells.append(path(f"M{outline}Z", fill="#faf7f0", stroke="#b9b2a4"))
        sides = [
            (place.row == 0, [5, 0] if place.column == last else [5, 0, 1], RED),
            (place.row == last, [3, 2] if place.column == 0 else [4, 3, 2], RED),
            (place.column == 0, [5, 4, 3], BLUE),
            (place.column == last, [0, 1, 2], BLUE),
        ]
        for applies, corners, colour in sides:
            if applies:
                border = "L".join(corner(place, index) for index in corners)
                borders.append(
                    path(f"M{border}", stroke=colour, width=12, stroke_linecap="round", stroke_linejoin="round")
                )
        if place.row == 0:
            labels.append(text(place.x - 28, place.y - RADIUS - 22, name[0], 26, "#7a7263"))
        if place.column == 0:
            labels.append(text(place.x - 82, place.y - 14, name[1:], 26, "#7a7263"))
    return [*cells, *borders, *labels]


def pieces(layout: Layout, position: Any) -> list[Markup]:
    """Stones, with a ring round those that connect the winner's edges."""
    colours = {"r": (RED, "#8f2a1c"), "b": (BLUE, "#1d4d8d")}
    parts = []
    for name, place, sign in layout.signs(position.cells):
        if sign in colours:
            fill, stroke = colours[sign]
            parts.append(circle(place.x, place.y, 38, fill, stroke=stroke, stroke_width=2))
        if name in position.connection:
            parts.append(circle(place.x, place.y, 26, "none", stroke="#fff", stroke_width=6))
    return parts
