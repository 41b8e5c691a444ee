//! The source of both formats: flat shapes in layers, in units of 100 per cell.

use zeno::{Command, PathData as _, Vector};

use crate::glyphs;

/// Red, green and blue, as `0xRRGGBB`.
pub type Colour = u32;

/// A picture before it is written.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub width: f32,
    pub height: f32,
    /// The position in words, for screen readers.
    pub title: String,
    /// The layers from bottom to top, with their names.
    pub layers: Vec<(&'static str, Vec<Shape>)>,
}

/// A painted shape.
#[derive(Clone, Debug)]
pub struct Shape {
    pub outline: Outline,
    pub fill: Option<Colour>,
    /// Colour and width.
    pub stroke: Option<(Colour, f32)>,
    pub opacity: f32,
}

/// The geometry of a shape.
#[derive(Clone, Debug)]
pub enum Outline {
    Circle {
        x: f32,
        y: f32,
        radius: f32,
    },
    Rectangle {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        round: f32,
    },
    Path(Vec<Command>),
    /// A line of text around its middle; `size` is the height of an em.
    Text {
        x: f32,
        y: f32,
        size: f32,
        words: String,
    },
}

impl Shape {
    fn new(outline: Outline) -> Self {
        Self { outline, fill: None, stroke: None, opacity: 1.0 }
    }

    pub fn circle(x: f32, y: f32, radius: f32) -> Self {
        Self::new(Outline::Circle { x, y, radius })
    }

    pub fn rectangle(x: f32, y: f32, width: f32, height: f32, round: f32) -> Self {
        Self::new(Outline::Rectangle { x, y, width, height, round })
    }

    /// Lines from point to point.
    pub fn lines(points: &[[f32; 2]], closed: bool) -> Self {
        let point = |&[x, y]: &[f32; 2]| Vector::new(x, y);
        let first = points.iter().take(1).map(|at| Command::MoveTo(point(at)));
        let others = points.iter().skip(1).map(|at| Command::LineTo(point(at)));
        Self::new(Outline::Path(first.chain(others).chain(closed.then_some(Command::Close)).collect()))
    }

    /// Separate lines, each from one point to another, painted as one.
    pub fn segments(ends: impl IntoIterator<Item = [[f32; 2]; 2]>) -> Self {
        let segment = |[[x1, y1], [x2, y2]]: [[f32; 2]; 2]| {
            [Command::MoveTo(Vector::new(x1, y1)), Command::LineTo(Vector::new(x2, y2))]
        };
        Self::new(Outline::Path(ends.into_iter().flat_map(segment).collect()))
    }

    /// A cross of two diagonals, each reaching `reach` up, down, left and right.
    pub fn cross([x, y]: [f32; 2], reach: f32) -> Self {
        let (left, right, top, bottom) = (x - reach, x + reach, y - reach, y + reach);
        Self::segments([[[left, top], [right, bottom]], [[right, top], [left, bottom]]])
    }

    /// The `d` of an SVG path in a box of 100 by 100 around a point. Points outside are moved to the edge of the box.
    pub fn figure(d: &str, [x, y]: [f32; 2]) -> Self {
        let within = |at: Vector| {
            let kept = |value: f32| if value.is_nan() { 50.0 } else { value.clamp(0.0, 100.0) } - 50.0;
            Vector::new(x + kept(at.x), y + kept(at.y))
        };
        let moved = |command| match command {
            Command::MoveTo(to) => Command::MoveTo(within(to)),
            Command::LineTo(to) => Command::LineTo(within(to)),
            Command::QuadTo(control, to) => Command::QuadTo(within(control), within(to)),
            Command::CurveTo(first, second, to) => Command::CurveTo(within(first), within(second), within(to)),
            Command::Close => Command::Close,
        };
        // A path begins with a move.
        let commands = d.commands().skip_while(|command| !matches!(command, Command::MoveTo(_)));
        Self::new(Outline::Path(commands.map(moved).collect()))
    }

    pub fn text([x, y]: [f32; 2], size: f32, words: impl Into<String>) -> Self {
        Self::new(Outline::Text { x, y, size, words: words.into() })
    }

    /// A text at most `room` wide, and at most `size` high.
    pub fn fitting(at: [f32; 2], size: f32, room: f32, words: &str) -> Self {
        Self::text(at, size.min(room / glyphs::width(words).max(0.1)), words)
    }

    pub fn fill(self, colour: Colour) -> Self {
        Self { fill: Some(colour), ..self }
    }

    pub fn stroke(self, colour: Colour, width: f32) -> Self {
        Self { stroke: Some((colour, width)), ..self }
    }

    pub fn opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}
