"""Xiangqi: discs with characters on nine by ten lines, with a river between the sides."""

from __future__ import annotations

from typing import Any

from tesuji.board.layout import MARGIN, STEP, Layout, grid
from tesuji.board.shapes import Markup, circle, line, rectangle, text

CHARACTERS = dict(zip("KABNRCPkabnrcp", "帥仕相傌俥炮兵將士象馬車砲卒", strict=True))
INK = "#5b3d14"
FONT = "'Kaiti SC', STKaiti, KaiTi, 'Noto Serif CJK SC', 'Noto Serif CJK TC', 'Songti SC', serif"


def layout(position: Any) -> Layout:
    """Its crossings; the variant says how ranks are numbered."""
    return grid(9, 10, lowest=1 if position.variant.ranks == "from_one" else 0)


def at(index: float) -> float:
    """Where a line is."""
    return MARGIN + index * STEP


def ground() -> list[Markup]:
    """The lines in their frame, the palaces, the river."""
    parts: list[Markup] = [
        rectangle(at(0) - 12, at(0) - 12, 8 * STEP + 24, 9 * STEP + 24, "none", stroke=INK, stroke_width=4)
    ]
    parts += [line(at(0), at(row), at(8), at(row), INK) for row in range(10)]
    for column in range(9):
        halves = [(0, 9)] if column in (0, 8) else [(0, 4), (5, 9)]
        parts += [line(at(column), at(top), at(column), at(bottom), INK) for top, bottom in halves]
    for top in (0, 7):
        parts += [
            line(at(3), at(top), at(5), at(top + 2), INK),
            line(at(5), at(top), at(3), at(top + 2), INK),
        ]
    names = [(2, "楚 河"), (6, "漢 界")]
    return parts + [text(at(x), at(4.5), name, 46, INK, font_family=FONT, opacity=0.75) for x, name in names]


def pieces(layout: Layout, position: Any) -> list[Markup]:
    """Discs with characters, Red's and Black's."""
    parts = []
    for _, place, sign in layout.signs(position.cells):
        if sign in CHARACTERS:
            ink = "#b3261e" if sign.isupper() else "#1a1a1a"
            parts += [
                circle(place.x, place.y, 44, "#f7e6c1", stroke="#7a5a26", stroke_width=2),
                circle(place.x, place.y, 37, "none", stroke=ink, stroke_width=3),
                text(place.x, place.y + 2, CHARACTERS[sign], 50, ink, font_family=FONT, font_weight="700"),
            ]
    return parts
