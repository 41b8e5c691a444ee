//! The pieces on a board.

use std::collections::HashMap;

use tesuji_core::custom::{Board, Piece};
use tesuji_core::position::Side;

use crate::Subject;
use crate::glyphs;
use crate::layout::{EDGE, Layout, Place};
use crate::looks::{Kind, Look};
use crate::scene::Shape;

/// Maximum length of a piece's path, the same as on the page.
const LONGEST_PATH: usize = 4000;
/// Maximum bytes of the paths of all pieces, if one stood on every cell: each path is in the picture twice.
const PATHS: usize = 400_000;
/// Maximum number of characters drawn on a cell.
const SHOWN: usize = 8;
/// The width of drawn edges.
const PENCIL: f32 = 13.0;
/// Red's and Black's characters, by the letters of positions.
const MEN: [(char, &str); 14] = [
    ('K', "帥"),
    ('A', "仕"),
    ('B', "相"),
    ('N', "傌"),
    ('R', "俥"),
    ('C', "炮"),
    ('P', "兵"),
    ('k', "將"),
    ('a', "士"),
    ('b', "象"),
    ('n', "馬"),
    ('r', "車"),
    ('c', "砲"),
    ('p', "卒"),
];

/// The pieces of a position, and how they are drawn.
pub struct Pieces<'a> {
    pub look: &'a Look,
    pub layout: &'a Layout,
    cells: Vec<&'a str>,
    board: Option<&'a Board>,
    /// The owner of each edge and box of Dots and Boxes.
    owners: HashMap<&'a str, Side>,
}

impl<'a> Pieces<'a> {
    pub fn new(subject: &Subject<'a>, look: &'a Look, layout: &'a Layout) -> Self {
        let moves = subject.line.iter().filter(|_| look.kind == Kind::DotsAndBoxes);
        let owned = moves.flat_map(|played| {
            let names = played.facts.to.iter().chain(&played.facts.claimed);
            names.map(move |name| (name.as_str(), played.side))
        });
        Self { look, layout, cells: cells(subject), board: subject.about.board.as_ref(), owners: owned.collect() }
    }

    /// The text at a place in the position's cells; none if the place is empty.
    pub fn text(&self, index: usize) -> Option<&'a str> {
        let place = &self.layout.places[index];
        let (row, column) = match self.look.kind {
            Kind::Described => return self.cells.get(index).copied().filter(|text| !text.trim().is_empty()),
            // A box is four characters wide.
            Kind::DotsAndBoxes => (place.row, 4 * place.column + if place.upright { 0 } else { 2 }),
            _ => (place.row, place.column),
        };
        let letter = self.cells.get(row)?.get(column..=column)?;
        (!matches!(letter, "." | " " | "-") || self.look.kind == Kind::DotsAndBoxes && letter == "-").then_some(letter)
    }

    /// All pieces.
    pub fn all(&self) -> Vec<Shape> {
        if self.look.kind == Kind::DotsAndBoxes {
            return self.pencilled();
        }
        let occupied =
            self.layout.places.iter().enumerate().filter_map(|(index, place)| Some((place, self.text(index)?)));
        occupied.flat_map(|(place, text)| self.piece_at(place, text)).collect()
    }

    fn piece_at(&self, place: &Place, text: &str) -> Vec<Shape> {
        if let Some(board) = self.board {
            return match board.pieces.get(text) {
                Some(piece) => self.described(place, piece, text),
                None => vec![self.lettering(place, text, 78.0).fill(self.look.palette.board_ink)],
            };
        }
        match self.look.stands_for(text) {
            Some(side) => self.piece(place, side, text),
            // Connect Four's blocked cell.
            None => vec![Shape::cross(place.at(), 20.0).stroke(self.look.palette.neutral, 8.0)],
        }
    }

    /// A piece of a side; `text` is empty if its kind is unknown.
    pub fn piece(&self, place: &Place, side: Side, text: &str) -> Vec<Shape> {
        let Place { x, y, .. } = *place;
        let (paint, radius) = (self.look.side(side), self.look.radius());
        match self.look.kind {
            Kind::TicTacToe if side == Side::First => vec![Shape::cross([x, y], 26.0).stroke(paint.fill, PENCIL)],
            Kind::TicTacToe => vec![Shape::circle(x, y, 28.0).stroke(paint.fill, PENCIL)],
            Kind::DotsAndBoxes => vec![edge(place).stroke(paint.fill, PENCIL)],
            Kind::ConnectFour => {
                let rim = Shape::circle(x, y, 29.0).stroke(paint.ink, 4.0).opacity(0.4);
                vec![Shape::circle(x, y, radius).fill(paint.fill), rim]
            }
            Kind::Xiangqi => {
                let character = MEN.iter().find(|(letter, _)| text.starts_with(*letter)).map_or("", |(_, name)| name);
                vec![
                    shadow(place, radius),
                    Shape::circle(x, y, radius).fill(self.look.palette.disc).stroke(self.look.palette.disc_edge, 2.0),
                    Shape::circle(x, y, 37.0).stroke(paint.fill, 3.0),
                    Shape::text([x, y], 54.0, character).fill(paint.fill),
                ]
            }
            Kind::Described => {
                let board = self.board.map(|board| &board.pieces);
                let mut own =
                    board.into_iter().flat_map(|pieces| pieces.values()).filter(|piece| piece.side == Some(side));
                // The kind of a new piece is known if the side has only one.
                let only = own.next().filter(|_| own.next().is_none());
                self.described(place, only.unwrap_or(&Piece { side: Some(side), ..Piece::default() }), "")
            }
            Kind::Reversi | Kind::Gomoku | Kind::Hex | Kind::Plain => self.stone(place, Some(side)),
        }
    }

    fn stone(&self, place: &Place, side: Option<Side>) -> Vec<Shape> {
        let radius = self.look.radius();
        // A dark edge separates light stones from light boards.
        let body = Shape::circle(place.x, place.y, radius).fill(self.look.owner(side).fill).stroke(0x000000, 1.5);
        vec![shadow(place, radius), body]
    }

    /// A piece as its game describes it.
    fn described(&self, place: &Place, piece: &Piece, text: &str) -> Vec<Shape> {
        let paint = self.look.owner(piece.side);
        let longest = LONGEST_PATH.min(PATHS / self.layout.places.len().max(1));
        let path = piece.path.as_deref().filter(|path| path.len() <= longest);
        let mut shapes = match path {
            Some(path) => {
                let figure = Shape::figure(path, place.at());
                vec![figure.clone().stroke(paint.ink, 4.0), figure.fill(paint.fill)]
            }
            None => self.stone(place, piece.side),
        };
        if let Some(words) = piece.text.as_deref().map(str::trim).filter(|words| !words.is_empty()) {
            // The letter of the position replaces a character without an outline.
            let words = if glyphs::has_outlines(words) || !glyphs::has_outlines(text) || text.is_empty() {
                words
            } else {
                text
            };
            shapes.push(self.lettering(place, words, 62.0).fill(paint.ink));
        }
        shapes
    }

    fn lettering(&self, place: &Place, text: &str, room: f32) -> Shape {
        Shape::fitting(place.at(), 50.0, room, &shorten(text.trim()))
    }

    /// Edges and boxes in the colours of their owners, each box with a sign besides its colour, and the dots.
    fn pencilled(&self) -> Vec<Shape> {
        let Self { layout, look, owners, .. } = self;
        let mut shapes = Vec::new();
        let at = |index: f32| layout.margin + index * EDGE;
        for (row, column) in (0..layout.rows).flat_map(|row| (0..layout.columns).map(move |column| (row, column))) {
            let line = self.cells.get(2 * row + 1).and_then(|line| line.get(4 * column + 2..=4 * column + 2));
            if line.is_some_and(|sign| sign != " ") {
                let owner = owners.get(&*format!("{row},{column}")).copied();
                shapes.extend(self.completed([at(column as f32 + 0.5), at(row as f32 + 0.5)], owner));
            }
        }
        let drawn = layout.places.iter().enumerate().filter(|(index, _)| self.text(*index).is_some());
        shapes.extend(drawn.map(|(_, place)| {
            let paint = look.owner(owners.get(&*place.name).copied());
            edge(place).stroke(paint.fill, PENCIL)
        }));
        let dots =
            (0..=layout.rows).flat_map(|row| (0..=layout.columns).map(move |column| (row as f32, column as f32)));
        shapes.extend(dots.map(|(row, column)| Shape::circle(at(column), at(row), 11.0).fill(look.palette.sheet_ink)));
        shapes
    }

    /// A complete box: a cross is the first player's, a ring the second's.
    fn completed(&self, [x, y]: [f32; 2], owner: Option<Side>) -> Vec<Shape> {
        let colour = self.look.owner(owner).fill;
        let reach = EDGE / 2.0 - 8.0;
        let tint = Shape::rectangle(x - reach, y - reach, 2.0 * reach, 2.0 * reach, 8.0).fill(colour).opacity(0.24);
        let sign = owner.map(|side| match side {
            Side::First => Shape::cross([x, y], 18.0).stroke(colour, 9.0),
            Side::Second => Shape::circle(x, y, 20.0).stroke(colour, 9.0),
        });
        [tint].into_iter().chain(sign).collect()
    }
}

/// The `cells` of a position; empty if its game has none.
pub fn cells<'a>(subject: &Subject<'a>) -> Vec<&'a str> {
    let cells = subject.view.facts["cells"].as_array();
    cells.into_iter().flatten().map(|cell| cell.as_str().unwrap_or_default()).collect()
}

/// An edge of Dots and Boxes.
pub fn edge(place: &Place) -> Shape {
    let (dx, dy) = if place.upright { (0.0, EDGE / 2.0) } else { (EDGE / 2.0, 0.0) };
    Shape::segments([[[place.x - dx, place.y - dy], [place.x + dx, place.y + dy]]])
}

/// The first characters of a text.
pub fn shorten(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// The shadow of a piece on the board.
fn shadow(place: &Place, radius: f32) -> Shape {
    Shape::circle(place.x + 2.0, place.y + 4.0, radius + 1.0).fill(0x000000).opacity(0.22)
}
