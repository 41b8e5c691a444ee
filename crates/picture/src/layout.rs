//! The geometry of boards: cells, crossings or edges, by their names in moves, in units of 100 per cell.

use std::collections::HashMap;

use serde_json::Value;
use tesuji_core::custom::{Board, CellShape, Extent};

/// The distance from one cell or crossing to the next.
pub const STEP: f32 = 100.0;
/// The length of an edge of Dots and Boxes.
pub const EDGE: f32 = 150.0;
/// Half the height of a hexagon that is as wide as a step: 1 / √3 of it.
pub const RADIUS: f32 = STEP * 0.577_350_3;
/// Maximum columns and rows of a board that a game describes.
const LONGEST: usize = 40;
/// Maximum number of free cells, and their maximum distance from the origin along each axis, in cells.
const MOST_FREE: usize = 400;
const FARTHEST: f32 = 40.0;
/// Maximum number of characters in a cell's name.
const LONGEST_NAME: usize = 40;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Squares,
    Points,
    Hexagons,
    Free,
    Edges,
}

/// The direction in which rows are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// From the bottom, beginning with this number.
    Up(usize),
    /// From the top, beginning with 1.
    Down,
}

/// A cell, crossing or edge.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    /// Its middle.
    pub x: f32,
    pub y: f32,
    /// Column and row, from the top left.
    pub column: usize,
    pub row: usize,
    /// Whether it is a vertical edge.
    pub upright: bool,
}

impl Place {
    pub fn at(&self) -> [f32; 2] {
        [self.x, self.y]
    }

    /// The letters and the digits of a name such as `h8`.
    pub fn coordinates(&self) -> Option<(&str, &str)> {
        let digits = self.name.find(|letter: char| letter.is_ascii_digit())?;
        let (letters, number) = self.name.split_at(digits);
        let plain = |text: &str, kind: fn(&char) -> bool| {
            (1..3).contains(&text.len()) && text.chars().all(|letter| kind(&letter))
        };
        (plain(letters, char::is_ascii_alphabetic) && plain(number, char::is_ascii_digit)).then_some((letters, number))
    }
}

/// A board.
#[derive(Clone, Debug)]
pub struct Layout {
    pub shape: Shape,
    pub columns: usize,
    pub rows: usize,
    pub width: f32,
    pub height: f32,
    /// The width of the rim in which coordinates stand; 0 without coordinates.
    pub rim: f32,
    /// The distance from the picture's edges to the outermost lines or cells.
    pub margin: f32,
    /// In the order of the game's cells: row by row from the top.
    pub places: Vec<Place>,
    by_name: HashMap<String, usize>,
}

impl Layout {
    /// The place that a move names.
    pub fn find(&self, name: Option<&String>) -> Option<&Place> {
        self.by_name.get(name?).map(|&index| &self.places[index])
    }

    /// A board in rows and columns.
    pub fn regular(shape: Shape, columns: usize, rows: usize, numbered: Rows, coordinates: bool) -> Self {
        let number = |row| match numbered {
            Rows::Up(lowest) => rows - 1 - row + lowest,
            Rows::Down => row + 1,
        };
        let name = |row, column| format!("{}{}", letters(column), number(row));
        let frame = Frame::new(shape, columns, rows, coordinates);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let place = |(row, column)| {
            let [x, y] = frame.middle(row as f32, column as f32);
            Place { name: name(row, column), x, y, column, row, upright: false }
        };
        let places = places.map(place).collect();
        frame.layout(places)
    }

    /// The edges of this many columns and rows of boxes.
    pub fn edges(columns: usize, rows: usize, coordinates: bool) -> Self {
        let frame = Frame::new(Shape::Edges, columns, rows, coordinates);
        let at = |index: f32| frame.margin + index * EDGE;
        let lying = |row: usize, column: usize| {
            let (name, x, y) = (format!("h{row},{column}"), at(column as f32 + 0.5), at(row as f32));
            Place { name, x, y, column, row: 2 * row, upright: false }
        };
        let upright = |row: usize, column: usize| {
            let (name, x, y) = (format!("v{row},{column}"), at(column as f32), at(row as f32 + 0.5));
            Place { name, x, y, column, row: 2 * row + 1, upright: true }
        };
        let mut places = Vec::new();
        for row in 0..=rows {
            places.extend((0..columns).map(|column| lying(row, column)));
            places.extend((0..=columns).filter(|_| row < rows).map(|column| upright(row, column)));
        }
        frame.layout(places)
    }

    /// The board that a game describes. Sizes outside the limits are clamped.
    pub fn described(board: &Board, variant: &Value, coordinates: bool) -> Self {
        let extent = |extent: &Extent| {
            let asked = match extent {
                Extent::Number(number) => Some(u64::from(*number)),
                Extent::Parameter(name) => variant[name.as_str()].as_u64(),
            };
            asked.map_or(8, |asked| usize::try_from(asked).unwrap_or(LONGEST)).clamp(1, LONGEST)
        };
        let (columns, rows) = (extent(&board.columns), extent(&board.rows));
        let regular = |shape| Self::regular(shape, columns, rows, Rows::Up(1), coordinates);
        let mut layout = match board.cells {
            CellShape::Squares => regular(Shape::Squares),
            CellShape::Hexagons => regular(Shape::Hexagons),
            CellShape::Points => regular(Shape::Points),
            CellShape::Free => Self::free(&board.at),
        };
        let given = |name: &&String| !name.is_empty() && name.chars().count() <= LONGEST_NAME;
        for (place, name) in layout.places.iter_mut().zip(&board.names) {
            if given(&name) {
                place.name.clone_from(name);
            }
        }
        layout.index();
        layout
    }

    fn free(at: &[[f32; 2]]) -> Self {
        let bounded = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(-FARTHEST, FARTHEST) * STEP };
        let middles: Vec<[f32; 2]> = at.iter().take(MOST_FREE).map(|place| place.map(bounded)).collect();
        let least = |axis: usize| middles.iter().map(|at| at[axis]).fold(f32::INFINITY, f32::min);
        let most = |axis: usize| middles.iter().map(|at| at[axis]).fold(f32::NEG_INFINITY, f32::max);
        let frame = Frame { rim: 0.0, margin: 30.0, shape: Shape::Free, columns: middles.len(), rows: 1 };
        let place = |(index, &[x, y]): (usize, &[f32; 2])| {
            let (x, y) = (x - least(0) + frame.margin + STEP / 2.0, y - least(1) + frame.margin + STEP / 2.0);
            Place { name: (index + 1).to_string(), x, y, column: index, row: 0, upright: false }
        };
        let size = |axis| (most(axis) - least(axis)).max(0.0) + STEP + 2.0 * frame.margin;
        let places = middles.iter().enumerate().map(place).collect();
        Self { width: size(0), height: size(1), ..frame.layout(places) }
    }

    fn index(&mut self) {
        self.by_name = self.places.iter().enumerate().map(|(index, place)| (place.name.clone(), index)).collect();
    }

    /// The height of coordinates.
    pub fn label(&self) -> f32 {
        self.rim * 0.56
    }
}

/// A board without its places.
struct Frame {
    shape: Shape,
    columns: usize,
    rows: usize,
    rim: f32,
    margin: f32,
}

impl Frame {
    fn new(shape: Shape, columns: usize, rows: usize, coordinates: bool) -> Self {
        // Larger boards are shown smaller, and their coordinates must still be legible.
        let across = columns as f32 + if shape == Shape::Hexagons { rows as f32 / 2.0 } else { 0.0 };
        let rim = if coordinates { (across.max(rows as f32) * 3.9).clamp(46.0, 76.0) } else { 0.0 };
        let (least, room) = match shape {
            Shape::Squares | Shape::Free => (24.0, 0.0),
            // Half a stone, and a gap.
            Shape::Points => (12.0, 50.0),
            Shape::Hexagons => (12.0, 16.0),
            Shape::Edges => (12.0, 46.0),
        };
        Self { shape, columns, rows, rim, margin: room + rim.max(least) }
    }

    /// The middle of a cell or crossing.
    fn middle(&self, row: f32, column: f32) -> [f32; 2] {
        let inset = self.margin;
        match self.shape {
            Shape::Points => [inset + column * STEP, inset + row * STEP],
            Shape::Hexagons => [inset + (column + 0.5 + row / 2.0) * STEP, inset + RADIUS + row * 1.5 * RADIUS],
            _ => [inset + (column + 0.5) * STEP, inset + (row + 0.5) * STEP],
        }
    }

    fn layout(self, places: Vec<Place>) -> Layout {
        let Self { shape, columns, rows, rim, margin } = self;
        let (across, down) = (columns as f32, rows as f32);
        let [width, height] = match shape {
            Shape::Squares | Shape::Free => [across * STEP, down * STEP],
            Shape::Points => [(across - 1.0) * STEP, (down - 1.0) * STEP],
            Shape::Hexagons => [(across + (down - 1.0) / 2.0) * STEP, (1.5 * down + 0.5) * RADIUS],
            Shape::Edges => [across * EDGE, down * EDGE],
        };
        let (width, height) = (width + 2.0 * margin, height + 2.0 * margin);
        let mut layout = Layout { shape, columns, rows, width, height, rim, margin, places, by_name: HashMap::new() };
        layout.index();
        layout
    }
}

/// A column's letters: a to z, then aa, ab and on.
pub fn letters(column: usize) -> String {
    let letter = |index: usize| char::from(b'a' + (index % 26) as u8);
    let first = (column >= 26).then(|| letter(column / 26 - 1));
    first.into_iter().chain([letter(column)]).collect()
}
