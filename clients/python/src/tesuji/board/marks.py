"""Marks over the pieces: the last move, and what a search found best."""

from __future__ import annotations

from math import hypot

from tesuji.board.layout import EDGE, STEP, Layout, Place
from tesuji.board.shapes import Markup, circle, line, path, rectangle, text
from tesuji.models import Child, PositionFacts, SearchResponse

ACCENT = "#0b57d0"
LAST = "#e5484d"


def last_move(layout: Layout, position: PositionFacts) -> list[Markup]:
    """Where the last move of the line started and ended; moves without a place have no mark."""
    if not position.line:
        return []
    move = position.line[-1]
    parts: list[Markup] = []
    start, end = layout.places.get(move.from_ or ""), layout.places.get(move.to or "")
    if start is not None:
        parts.append(circle(start.x, start.y, 16, "none", stroke=LAST, stroke_width=5))
    if end is not None and is_edge(move.to):
        parts.append(stroke(end, LAST, 19))
    elif end is not None and start is not None:
        parts.append(circle(end.x, end.y, 47, "none", stroke=LAST, stroke_width=5))
    elif end is not None:
        parts.append(circle(end.x, end.y, 13, LAST, stroke="#fff", stroke_width=3))
    return parts


def candidates(layout: Layout, position: PositionFacts, search: SearchResponse, most: int) -> list[Markup]:
    """The best moves with their values, the best one drawn last and strongest."""
    legal = {move.move: move for move in position.legal}
    below: list[Markup] = []
    labels: list[Markup] = []
    for rank, child in reversed(list(enumerate(search.children[:most]))):
        move = legal.get(child.move)
        place = layout.places.get(move.to or "") if move else None
        if move is None or place is None:
            continue
        strength = 0.95 if rank == 0 else 0.6
        start = layout.places.get(move.from_ or "")
        if start is not None:
            below += arrow(start, place, strength)
        elif is_edge(move.to):
            below.append(stroke(place, ACCENT, 13, strength))
        labels += label(place, worth(child), strength)
    return below + labels


def worth(child: Child) -> str:
    """A child's value as people read it: proven wins (`W`) and losses (`L`) with their distance in plies, draws (`D`),
    else the margin or the value."""
    if child.proven == "draw":
        return "D"
    if child.proven is not None and child.distance is not None:
        return f"{child.proven[0].upper()}{child.distance}"
    if child.score is not None:
        return f"{child.score.value:+.1f}"
    return "?" if child.value is None else f"{child.value:+.2f}"


def is_edge(name: str | None) -> bool:
    """Whether a place is an edge of Dots and Boxes, like `h0,1`."""
    return name is not None and "," in name


def stroke(place: Place, colour: str, width: float, opacity: float = 1) -> Markup:
    """A drawn edge."""
    dx, dy = (0, EDGE / 2) if place.upright else (EDGE / 2, 0)
    ends = (place.x - dx, place.y - dy, place.x + dx, place.y + dy)
    return line(*ends, colour, width, stroke_linecap="round", opacity=opacity)


def label(place: Place, words: str, strength: float) -> list[Markup]:
    """A value on its place."""
    width = 24 + 15 * len(words)
    box = rectangle(place.x - width / 2, place.y - 23, width, 46, ACCENT, rx=23, opacity=strength)
    return [box, text(place.x, place.y + 1, words, 28, "#fff", font_weight="600")]


def arrow(start: Place, end: Place, strength: float) -> list[Markup]:
    """An arrow from where a piece stands to where it goes."""
    length = hypot(end.x - start.x, end.y - start.y)
    ux, uy = (end.x - start.x) / length, (end.y - start.y) / length
    x, y = end.x - ux * 0.42 * STEP, end.y - uy * 0.42 * STEP
    head = f"M{x + ux * 28:g} {y + uy * 28:g}L{x - uy * 20:g} {y + ux * 20:g}L{x + uy * 20:g} {y - ux * 20:g}Z"
    shaft = line(start.x + ux * 30, start.y + uy * 30, x, y, ACCENT, 14, opacity=strength)
    return [shaft, path(head, fill=ACCENT, opacity=strength)]
