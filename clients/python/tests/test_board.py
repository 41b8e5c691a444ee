"""Boards as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tesuji import Board, Client
from tesuji.board import svg
from tesuji.board.games import GAMES
from tesuji.requests import GameName

SVG = "{http://www.w3.org/2000/svg}"

#: For each game some moves, and how many elements of which kind its pieces are.
GAMES_PLAYED: dict[GameName, list[str]] = {
    "tic-tac-toe": ["a1", "b2", "c3"],
    "connect-four": ["445"],
    "reversi": ["f5", "d6"],
    "dots-and-boxes": ["h0,0", "v0,0", "h1,0", "v0,1", "h2,2"],
    "gomoku": ["h8", "o15", "a1"],
    "xiangqi": ["h2e2", "h9g7"],
    "hex": ["a2", "c3", "d4"],
}


def shapes(drawing: str, kind: str, **attributes: str) -> list[ElementTree.Element]:
    found = ElementTree.fromstring(drawing).iter(SVG + kind)
    return [one for one in found if all(one.get(name.replace("_", "-")) == value for name, value in attributes.items())]


def test_every_game_has_a_board(tesuji: Client) -> None:
    assert {game.name for game in tesuji.games().games} == set(GAMES) == set(GAMES_PLAYED)


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_positions_draw_themselves(tesuji: Client, game: GameName) -> None:
    start, position = tesuji.position(game=game), tesuji.position(game=game, moves=GAMES_PLAYED[game])
    assert start._repr_svg_() != position._repr_svg_()
    drawing = ElementTree.fromstring(position._repr_svg_())
    title = drawing.find(SVG + "title")
    assert title is not None and title.text == f"{game}: {position.position}, {position.to_move} to move"
    _, _, width, height = map(float, (drawing.get("viewBox") or "").split())
    for shape in drawing.iter(SVG + "circle"):
        assert 0 <= float(shape.get("cx", "nan")) <= width and 0 <= float(shape.get("cy", "nan")) <= height

    found = tesuji.search(game=game, moves=GAMES_PLAYED[game], budget={"nodes": 2000})
    marked = Board(position, found)._repr_svg_()
    best = [text for text in shapes(marked, "text", fill="#fff", font_weight="600")]
    assert len(best) == min(5, len(found.children))


def test_pieces(tesuji: Client) -> None:
    four = tesuji.position(game="connect-four", moves=["4455"])._repr_svg_()
    assert [len(shapes(four, "circle", fill=colour)) for colour in ("#d43a2f", "#f6c935", "#f3efe7")] == [2, 2, 42]
    reversi = tesuji.position(game="reversi", moves=["f5"])._repr_svg_()
    assert [len(shapes(reversi, "circle", fill=colour)) for colour in ("#1d1d1f", "#fbfaf6")] == [4, 1]
    xiangqi = tesuji.position(game="xiangqi")._repr_svg_()
    assert sum((text.text or "-") in "帥仕相傌俥炮兵將士象馬車砲卒" for text in shapes(xiangqi, "text")) == 32
    blocked = tesuji.position(game="connect-four", variant={"blocked": "c1"})._repr_svg_()
    assert len(shapes(blocked, "rect", fill="#12305f")) == 1


def test_facts(tesuji: Client) -> None:
    five = tesuji.position(game="gomoku", moves="e5 a1 e6 a2 e7 a9 e8 a8 e9".split())._repr_svg_()
    assert len(shapes(five, "circle", stroke="#3aa757")) == 5 and "first won (five)" in five
    moves = "e5 a1 e6 a2 f7 a9 g7 a8".split()
    renju = tesuji.position(game="gomoku", variant={"name": "renju", "size": 9}, moves=moves)._repr_svg_()
    assert len(shapes(renju, "path", stroke="#c62828")) == 1
    hex = tesuji.position(game="hex", variant={"size": 3, "swap": False}, moves="a1 b1 a2 b2 a3".split())._repr_svg_()
    assert len(shapes(hex, "circle", stroke="#fff", fill="none")) == 3
    boxes = tesuji.position(game="dots-and-boxes", moves=GAMES_PLAYED["dots-and-boxes"])._repr_svg_()
    assert len(shapes(boxes, "rect", fill="#fde5d0")) == 1


def test_a_search_of_another_position(tesuji: Client) -> None:
    found = tesuji.search(game="hex", budget={"nodes": 100})
    with pytest.raises(ValueError, match="another position"):
        svg(tesuji.position(game="hex", moves=["a1"]), found)
