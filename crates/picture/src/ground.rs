//! Boards without pieces.

use crate::layout::{EDGE, Layout, Place, RADIUS, STEP, Shape as BoardShape};
use crate::looks::{Kind, Look};
use crate::scene::{Colour, Shape};

/// The width of lines.
const RULE: f32 = 2.5;
/// The radius of a field's corners.
const ROUND: f32 = 4.0;
/// Maximum number of characters drawn of a cell's name.
const SHOWN: usize = 8;

/// The board of a game. `chequered`: whether pieces move across it; its squares are then chequered.
pub fn draw(look: &Look, layout: &Layout, chequered: bool) -> Vec<Shape> {
    let palette = look.palette;
    let slab = if look.kind == Kind::ConnectFour { palette.plastic } else { palette.wood };
    let mut shapes = vec![Shape::rectangle(0.0, 0.0, layout.width, layout.height, 0.0).fill(slab)];
    match layout.shape {
        BoardShape::Squares if look.kind == Kind::ConnectFour => shapes.extend(sockets(look, layout)),
        BoardShape::Squares => shapes.extend(squares(look, layout, chequered)),
        BoardShape::Points if look.kind == Kind::Xiangqi => shapes.extend(xiangqi(look, layout)),
        BoardShape::Points => shapes.extend(points(look, layout)),
        BoardShape::Hexagons => shapes.extend(hexagons(look, layout)),
        BoardShape::Free => shapes.extend(
            layout.places.iter().map(|place| Shape::circle(place.x, place.y, 46.0).fill(palette.sheet).opacity(0.35)),
        ),
        BoardShape::Edges => shapes.push(field(layout, 46.0).fill(palette.sheet)),
    }
    let ink = if look.kind == Kind::ConnectFour { palette.plastic_ink } else { palette.board_ink };
    shapes.extend(
        coordinates(look, layout).into_iter().map(|(at, words)| Shape::text(at, layout.label(), words).fill(ink)),
    );
    shapes.extend(nameplates(look, layout));
    shapes
}

/// The rectangle of the cells, with a border of width `around`.
fn field(layout: &Layout, around: f32) -> Shape {
    let inset = layout.margin - around;
    Shape::rectangle(inset, inset, layout.width - 2.0 * inset, layout.height - 2.0 * inset, ROUND)
}

/// Lines across and down, `STEP` apart, from margin to margin.
fn lattice(layout: &Layout, columns: usize, rows: usize) -> Shape {
    let (near, right, bottom) = (layout.margin, layout.width - layout.margin, layout.height - layout.margin);
    let at = |index: usize| near + index as f32 * STEP;
    let across = (0..rows).map(|row| [[near, at(row)], [right, at(row)]]);
    let down = (0..columns).map(|column| [[at(column), near], [at(column), bottom]]);
    Shape::segments(across.chain(down))
}

fn squares(look: &Look, layout: &Layout, chequered: bool) -> Vec<Shape> {
    let palette = look.palette;
    let (fill, rule) = match look.kind {
        Kind::Reversi => (Some(palette.felt), palette.felt_rule),
        Kind::Described => (None, palette.rule),
        _ => (Some(palette.sheet), palette.sheet_rule),
    };
    let mut shapes: Vec<Shape> = fill.map(|fill| field(layout, 0.0).fill(fill)).into_iter().collect();
    // The lower left square is dark.
    let dark = |place: &&Place| chequered && (layout.rows - 1 - place.row + place.column).is_multiple_of(2);
    shapes.extend(layout.places.iter().filter(dark).map(|place| square(place).fill(palette.rule).opacity(0.22)));
    shapes.push(lattice(layout, layout.columns + 1, layout.rows + 1).stroke(rule, RULE));
    if look.kind == Kind::Reversi {
        let lines = [2.0, layout.columns as f32 - 2.0];
        let stars = lines.into_iter().flat_map(|x| lines.map(|y| [x, y]));
        let at = |index: f32| layout.margin + index * STEP;
        shapes.extend(stars.map(|[x, y]| Shape::circle(at(x), at(y), 7.0).fill(rule)));
    }
    shapes
}

/// The square around a place.
pub fn square(place: &Place) -> Shape {
    Shape::rectangle(place.x - STEP / 2.0, place.y - STEP / 2.0, STEP, STEP, 0.0)
}

/// Connect Four's holes.
fn sockets(look: &Look, layout: &Layout) -> Vec<Shape> {
    layout.places.iter().map(|place| Shape::circle(place.x, place.y, look.radius()).fill(look.palette.socket)).collect()
}

fn points(look: &Look, layout: &Layout) -> Vec<Shape> {
    let rule = look.palette.rule;
    let mut shapes = vec![lattice(layout, layout.columns, layout.rows).stroke(rule, RULE)];
    if look.kind == Kind::Gomoku && layout.columns >= 9 {
        let last = layout.columns - 1;
        let near = if layout.columns < 13 { 2 } else { 3 };
        let corners = [near, last - near].into_iter().flat_map(|x| [near, last - near].map(|y| [x, y]));
        let middle = last.is_multiple_of(2).then_some([last / 2; 2]);
        let at = |index: usize| layout.margin + index as f32 * STEP;
        shapes.extend(corners.chain(middle).map(|[x, y]| Shape::circle(at(x), at(y), 9.0).fill(rule)));
    }
    shapes
}

/// Frame, lines, palaces, river, and the marks of cannons and soldiers.
fn xiangqi(look: &Look, layout: &Layout) -> Vec<Shape> {
    let rule = look.palette.rule;
    let at = |index: usize| layout.margin + index as f32 * STEP;
    let segment = |[x1, y1]: [usize; 2], [x2, y2]: [usize; 2]| [[at(x1), at(y1)], [at(x2), at(y2)]];
    let across = (0..10).map(|row| segment([0, row], [8, row]));
    let banks = (1..8).flat_map(|column| [segment([column, 0], [column, 4]), segment([column, 5], [column, 9])]);
    let sides = [0, 8].map(|column| segment([column, 0], [column, 9]));
    let palaces = [0, 7].into_iter().flat_map(|top| [segment([3, top], [5, top + 2]), segment([5, top], [3, top + 2])]);
    let mut shapes = vec![
        field(layout, 12.0).stroke(rule, 5.0),
        Shape::segments(across.chain(banks).chain(sides).chain(palaces)).stroke(rule, RULE),
    ];
    let soldiers = (0..9).step_by(2).flat_map(|column| [[column, 3], [column, 6]]);
    let starts = [[1, 2], [7, 2], [1, 7], [7, 7]].into_iter().chain(soldiers);
    shapes.extend(starts.flat_map(|[column, row]| {
        let corner = move |[x, y]: [f32; 2]| {
            let (near, far) = (9.0, 27.0);
            let (left, top) = (at(column), at(row));
            let points = [[near, far], [near, near], [far, near]].map(|[dx, dy]| [left + x * dx, top + y * dy]);
            Shape::lines(&points, false).stroke(rule, RULE)
        };
        let sides = [(column > 0).then_some(-1.0), (column < 8).then_some(1.0)];
        sides.into_iter().flatten().flat_map(move |x| [[x, -1.0], [x, 1.0]]).map(corner)
    }));
    let river = [(2, "楚 河"), (6, "漢 界")];
    let middle = layout.margin + 4.5 * STEP;
    shapes.extend(river.map(|(column, name)| Shape::text([at(column), middle], 52.0, name).fill(rule).opacity(0.75)));
    shapes
}

/// The corners of a cell, clockwise from its top.
fn corners(place: &Place) -> [[f32; 2]; 6] {
    let half = STEP / 2.0;
    [[0.0, -1.0], [half, -0.5], [half, 0.5], [0.0, 1.0], [-half, 0.5], [-half, -0.5]]
        .map(|[dx, dy]| [place.x + dx, place.y + dy * RADIUS])
}

fn hexagons(look: &Look, layout: &Layout) -> Vec<Shape> {
    let palette = look.palette;
    let described = look.kind == Kind::Described;
    let cell = |place| {
        let outline = Shape::lines(&corners(place), true);
        if described {
            outline.stroke(palette.rule, RULE)
        } else {
            outline.fill(palette.sheet).stroke(palette.sheet_rule, RULE)
        }
    };
    let mut shapes: Vec<Shape> = layout.places.iter().map(cell).collect();
    if look.kind == Kind::Hex {
        shapes.extend(layout.places.iter().flat_map(|place| borders(look, layout, place)));
    }
    shapes
}

/// The outer sides of a cell of Hex, in the colour of the player who connects them.
fn borders(look: &Look, layout: &Layout, place: &Place) -> Vec<Shape> {
    use tesuji_core::position::Side::{First, Second};
    let last = layout.columns - 1;
    let (is_left, is_right) = (place.column == 0, place.column == last);
    let sides: [(bool, &[usize], _); 4] = [
        (place.row == 0, if is_right { &[5, 0] } else { &[5, 0, 1] }, First),
        (place.row == last, if is_left { &[3, 2] } else { &[4, 3, 2] }, First),
        (is_left, &[5, 4, 3], Second),
        (is_right, &[0, 1, 2], Second),
    ];
    let border = |path: &[usize], side| {
        let points: Vec<[f32; 2]> = path.iter().map(|&corner| corners(place)[corner]).collect();
        Shape::lines(&points, false).stroke(look.side(side).fill, 13.0)
    };
    sides.into_iter().filter(|(applies, ..)| *applies).map(|(_, path, side)| border(path, side)).collect()
}

/// Letters above and below the columns and numbers on both sides of the rows, as in the names of the places. In Connect Four
/// only columns are labelled, since they are its moves; in Dots and Boxes the dots are.
fn coordinates(look: &Look, layout: &Layout) -> Vec<([f32; 2], String)> {
    if layout.rim == 0.0 {
        return Vec::new();
    }
    if layout.shape == BoardShape::Edges {
        let near = layout.rim / 2.0;
        let (right, bottom) = (layout.width - near, layout.height - near);
        let at = |index: usize| layout.margin + index as f32 * EDGE;
        let named = |index: usize, places: [[f32; 2]; 2]| places.map(|place| (place, index.to_string()));
        let columns = (0..=layout.columns).flat_map(|column| named(column, [near, bottom].map(|y| [at(column), y])));
        let rows = (0..=layout.rows).flat_map(|row| named(row, [near, right].map(|x| [x, at(row)])));
        return columns.chain(rows).collect();
    }
    let beside = |place: &Place| match place.coordinates() {
        Some(_) if look.kind == Kind::ConnectFour => beside(layout, place, &format!("{:x}", place.column + 1), ""),
        Some((letter, number)) => beside(layout, place, letter, number),
        None => Vec::new(),
    };
    layout.places.iter().flat_map(beside).collect()
}

/// The coordinates next to a place on the edge.
fn beside(layout: &Layout, place: &Place, letter: &str, number: &str) -> Vec<([f32; 2], String)> {
    let near = layout.rim / 2.0;
    let (is_top, is_bottom) = (place.row == 0, place.row + 1 == layout.rows);
    let (is_left, is_right) = (place.column == 0, place.column + 1 == layout.columns);
    let Place { x, y, .. } = *place;
    let at = match layout.shape {
        // Along the rows and the slanted columns.
        BoardShape::Hexagons => {
            let (across, up) = (near * 0.58 + 14.0, near + RADIUS + 4.0);
            let beside = STEP / 2.0 + near + 8.0;
            [[x - across, y - up], [x + across, y + up], [x - beside, y - 14.0], [x + beside, y + 14.0]]
        }
        _ => [[x, near], [x, layout.height - near], [near, y], [layout.width - near, y]],
    };
    let texts = [(is_top, letter), (is_bottom, letter), (is_left, number), (is_right, number)];
    let shown = at.into_iter().zip(texts).filter(|(_, (applies, text))| *applies && !text.is_empty());
    shown.map(|(at, (_, text))| (at, text.to_owned())).collect()
}

/// The names of cells that coordinates do not show.
fn nameplates(look: &Look, layout: &Layout) -> Vec<Shape> {
    let hidden = |place: &&Place| layout.shape == BoardShape::Free || place.coordinates().is_none();
    let ink: Colour = look.palette.board_ink;
    let plate = |place: &Place| {
        let name: String = place.name.chars().take(SHOWN).collect();
        Shape::fitting([place.x, place.y + 36.0], 18.0, 80.0, &name).fill(ink)
    };
    let named = look.kind == Kind::Described;
    layout.places.iter().filter(|_| named).filter(hidden).map(plate).collect()
}
