"""Boards as SVG, drawn from what the service tells of a position."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.board.games import GAMES
from tesuji.board.layout import Layout
from tesuji.board.marks import candidates, last_move
from tesuji.board.shapes import Markup, element
from tesuji.models import PositionFacts, SearchResponse

__all__ = ["Board", "svg"]


def svg(position: PositionFacts, search: SearchResponse | None = None, *, most: int = 5) -> str:
    """A position as an SVG document, with the last move of its line. Of a search of the same position, the best moves are
    drawn with their values, at most `most`."""
    game = getattr(position, "game", None)
    drawing = GAMES.get(game or "")
    if drawing is None:
        raise ValueError(f"no board is known for the game {game!r}; there are {', '.join(GAMES)}")
    if search is not None and (search.game, search.position.key) != (game, position.key):
        raise ValueError(f"the search is of another position: {search.game} {search.position.text!r}")
    layout = drawing.layout(position)
    parts = [*drawing.ground(layout, position), *drawing.pieces(layout, position), *last_move(layout, position)]
    if search is not None:
        parts += candidates(layout, position, search, most)
    return document(layout, title(position), parts)


def title(position: PositionFacts) -> str:
    """A position in words, for those who cannot see it."""
    game = getattr(position, "game", "")
    if position.outcome is None:
        return f"{game}: {position.position}, {position.to_move} to move"
    winner = position.outcome.winner
    return f"{game}: {f'{winner} won' if winner else 'a draw'} ({position.outcome.reason})"


def document(layout: Layout, title: str, parts: list[Markup]) -> str:
    """The drawing as a whole; as wide as its place, up to a size that suits the board."""
    return element(
        "svg",
        element("title", title),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {layout.width:g} {layout.height:g}",
        width=f"{min(480, layout.width / 2):g}",
        role="img",
        font_family="system-ui, sans-serif",
        text_anchor="middle",
        dominant_baseline="central",
    )


@dataclass(frozen=True)
class Board:
    """A board for notebooks: a position, and the best moves of a search where there is one."""

    position: PositionFacts
    search: SearchResponse | None = None

    def _repr_svg_(self) -> str:
        return svg(self.position, self.search)
