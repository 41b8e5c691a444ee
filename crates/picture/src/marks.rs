//! Marks on the pieces: the last move, winning stones, forbidden points, candidates, and a line of play.

use std::collections::HashMap;

use tesuji_core::games::MoveFacts;
use tesuji_core::position::Side;

use crate::glyphs;
use crate::ground::square;
use crate::layout::{Layout, Place, STEP, Shape as BoardShape};
use crate::looks::{Kind, Look};
use crate::pieces::{Pieces, edge, shorten};
use crate::scene::Shape;
use crate::{Options, Subject};

/// Fill and text colour of the best candidate.
const BEST: (u32, u32) = (0x0067a5, 0xffffff);
/// Fill and text colour of the other candidates.
const OTHER: (u32, u32) = (0xe4f1fa, 0x0a3555);

/// Marks under the pieces: the squares of the last move, on boards of squares.
pub fn under(subject: &Subject<'_>, look: &Look, layout: &Layout) -> Vec<Shape> {
    let last = subject.line.last().filter(|_| washes(look, layout));
    let names = last.into_iter().flat_map(|last| [last.facts.from.as_ref(), last.facts.to.as_ref()]);
    let places = names.filter_map(|name| layout.find(name));
    places.map(|place| square(place).fill(look.palette.wash).opacity(0.45)).collect()
}

/// Whether the last move is marked by colouring its squares.
fn washes(look: &Look, layout: &Layout) -> bool {
    layout.shape == BoardShape::Squares && matches!(look.kind, Kind::TicTacToe | Kind::Described | Kind::Plain)
}

/// The last move, over the pieces.
pub fn last(subject: &Subject<'_>, look: &Look, layout: &Layout) -> Vec<Shape> {
    let Some(last) = subject.line.last().filter(|_| !washes(look, layout)) else { return Vec::new() };
    let Some(place) = layout.find(last.facts.to.as_ref()) else { return Vec::new() };
    let colour = look.palette.last;
    match look.kind {
        Kind::DotsAndBoxes => vec![edge(place).stroke(look.side(last.side).fill, 20.0)],
        Kind::Xiangqi | Kind::Described => {
            let from = layout.find(last.facts.from.as_ref());
            let start = from.map(|from| Shape::circle(from.x, from.y, 22.0).stroke(colour, 5.0));
            start.into_iter().chain([Shape::circle(place.x, place.y, 48.0).stroke(colour, 6.0)]).collect()
        }
        _ => {
            let ink = look.side(last.facts.colour.unwrap_or(last.side)).ink;
            vec![Shape::circle(place.x, place.y, 13.0).fill(ink)]
        }
    }
}

/// Rings around winning stones, and crosses on points that are forbidden to Black.
pub fn facts(subject: &Subject<'_>, pieces: &Pieces<'_>) -> Vec<Shape> {
    let Pieces { look, layout, .. } = pieces;
    let names = |field: &str| subject.view.facts[field].as_array().into_iter().flatten();
    let named = names("five").chain(names("connection")).filter_map(|name| name.as_str().map(str::to_owned));
    let won = named.filter_map(|name| layout.find(Some(&name))).chain(winning_line(subject, pieces));
    let rings = won.flat_map(|place| {
        let ring = |colour, width| Shape::circle(place.x, place.y, look.radius()).stroke(colour, width);
        [ring(0xffffff, 14.0), ring(look.palette.winning, 8.0)]
    });
    let points = names("forbidden").filter_map(|forbidden| forbidden["point"].as_str().map(str::to_owned));
    let barred = points.filter_map(|point| layout.find(Some(&point)));
    rings.chain(barred.map(|place| Shape::cross(place.at(), 15.0).stroke(look.palette.foul, 7.0))).collect()
}

/// The stones of a winning line on a grid, if the position does not name them: the longest line through the last move.
fn winning_line<'a>(subject: &Subject<'_>, pieces: &Pieces<'a>) -> Vec<&'a Place> {
    let layout = pieces.layout;
    let is_grid = matches!(layout.shape, BoardShape::Squares | BoardShape::Points);
    let won = is_grid && subject.view.outcome.as_ref().is_some_and(|ended| ended.result.reason == "line");
    let last = subject.line.last().filter(|_| won).and_then(|last| layout.find(last.facts.to.as_ref()));
    let Some(last) = last else { return Vec::new() };
    let index = |row: usize, column: usize| {
        (row < layout.rows && column < layout.columns).then(|| row * layout.columns + column)
    };
    let Some(own) = index(last.row, last.column).and_then(|index| pieces.text(index)) else { return Vec::new() };
    let walk = |down: isize, right: isize| {
        let step = move |at: &(usize, usize)| Some((at.0.checked_add_signed(down)?, at.1.checked_add_signed(right)?));
        let cells = std::iter::successors(Some((last.row, last.column)), step);
        let indices = cells.map_while(move |(row, column)| index(row, column));
        indices.take_while(move |&index| pieces.text(index) == Some(own))
    };
    let lines = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| {
        walk(down, right).chain(walk(-down, -right).skip(1)).map(|index| &layout.places[index]).collect::<Vec<_>>()
    });
    lines.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

/// The candidates, the best on top.
pub fn candidates(subject: &Subject<'_>, options: &Options, pieces: &Pieces<'_>) -> Vec<Shape> {
    let by_text: HashMap<&str, &MoveFacts> = subject.legal.iter().map(|legal| (&*legal.mv, &legal.facts)).collect();
    let shown = options.candidates.iter().enumerate().filter_map(|(rank, candidate)| {
        let facts = by_text.get(&*candidate.mv)?;
        let place = pieces.layout.find(facts.to.as_ref().or(facts.from.as_ref()))?;
        let from = pieces.layout.find(facts.from.as_ref()).filter(|from| from.name != place.name);
        Some((rank, place, from, shorten(candidate.label.trim())))
    });
    let shown: Vec<_> = shown.collect();
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (rank, place, from, label) in shown.iter().rev() {
        let (fill, ink) = if *rank == 0 { BEST } else { OTHER };
        if let Some(from) = from {
            below.push(arrow(from, place, 30.0).fill(fill).stroke(BEST.0, 2.5).opacity(0.9));
        } else if pieces.look.kind == Kind::DotsAndBoxes {
            below.push(edge(place).stroke(BEST.0, if *rank == 0 { 15.0 } else { 9.0 }).opacity(0.8));
        }
        above.extend(chip(options, pieces.layout, place, label, (fill, ink)));
    }
    below.into_iter().chain(above).collect()
}

/// A label on its place. On large boards, which are shown smaller, it can extend beyond its cell.
fn chip(options: &Options, layout: &Layout, place: &Place, label: &str, (fill, ink): (u32, u32)) -> Vec<Shape> {
    let pixels = options.size as f32 / layout.width.max(layout.height);
    let room = (26.0 / pixels).clamp(78.0, 118.0);
    let words = glyphs::width(label);
    let size = (room / words.max(0.1)).min(36.0);
    let height = (size * 1.3).max(52.0);
    let width = (words * size + 0.5 * height).max(height);
    let plate = Shape::rectangle(place.x - width / 2.0, place.y - height / 2.0, width, height, height / 2.0);
    let outline = if fill == BEST.0 { 0xffffff } else { BEST.0 };
    let text = (!label.is_empty()).then(|| Shape::text(place.at(), size, label).fill(ink));
    [plate.fill(fill).stroke(outline, 3.0)].into_iter().chain(text).collect()
}

/// An arrow that widens towards its end, which lies `gap` before the middle of its target.
fn arrow(from: &Place, to: &Place, gap: f32) -> Shape {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let at = |along: f32, across: f32| [from.x + ux * along - uy * across, from.y + uy * along + ux * across];
    let end = (length - gap).max(length / 3.0);
    Shape::lines(&[at(0.0, 4.0), at(end, 11.0), at(end, -11.0), at(0.0, -4.0)], true)
}

/// The moves after the position, numbered: on the stone itself, or on a plate for other pieces.
pub fn ahead(subject: &Subject<'_>, pieces: &Pieces<'_>) -> Vec<Shape> {
    let Pieces { look, layout, .. } = pieces;
    let bears = matches!(look.kind, Kind::Gomoku | Kind::Reversi | Kind::Hex | Kind::ConnectFour | Kind::Plain);
    let mut repeated: HashMap<&str, u8> = HashMap::new();
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (index, played) in subject.ahead.iter().enumerate() {
        let Some(place) = layout.find(played.facts.to.as_ref()) else { continue };
        let side: Side = played.facts.colour.unwrap_or(played.side);
        let times = repeated.entry(place.name.as_str()).or_default();
        let at = [place.x + 30.0 * f32::from(*times), place.y];
        *times = times.saturating_add(1);
        match layout.find(played.facts.from.as_ref()) {
            Some(from) => {
                below.push(arrow(from, place, 26.0).fill(look.side(side).fill).stroke(0xffffff, 2.0).opacity(0.8))
            }
            None => below.extend(pieces.piece(place, side, "").into_iter().map(|shape| {
                let opacity = if bears { shape.opacity } else { 0.55 };
                shape.opacity(opacity)
            })),
        }
        let number = (index + 1).to_string();
        if bears && *times == 1 {
            above.push(Shape::fitting(at, 44.0, STEP * 0.6, &number).fill(look.side(side).ink));
        } else {
            let plate = Shape::circle(at[0], at[1], 24.0).fill(0xfffdf5).stroke(0x333333, 2.0);
            above.extend([plate, Shape::fitting(at, 30.0, 36.0, &number).fill(0x111111)]);
        }
    }
    below.into_iter().chain(above).collect()
}
