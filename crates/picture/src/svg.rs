//! A scene as an SVG document.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use zeno::{Command, Vector};

use crate::glyphs;
use crate::scene::{Outline, Scene, Shape};

/// Writes a scene, to be shown at a size in pixels.
pub fn write(scene: &Scene, (width, height): (u32, u32)) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{width}\" height=\"{height}\" role=\"img\">\
         <title>{}</title>",
        Short(scene.width),
        Short(scene.height),
        Escaped(&scene.title),
    );
    define_glyphs(&mut out, scene);
    for (name, shapes) in &scene.layers {
        let _ = write!(out, "<g class=\"{name}\">");
        shapes.iter().for_each(|shape| element(&mut out, shape));
        out.push_str("</g>");
    }
    out.push_str("</svg>");
    out
}

/// Defines the outline of each character once; texts refer to it. A character has the same id in every picture, so that several
/// pictures in one page do not conflict.
fn define_glyphs(out: &mut String, scene: &Scene) {
    let shapes = scene.layers.iter().flat_map(|(_, shapes)| shapes);
    let words = shapes.filter_map(|shape| match &shape.outline {
        Outline::Text { words, .. } => Some(words),
        _ => None,
    });
    let used: BTreeSet<char> = words.flat_map(|words| words.chars()).map(glyphs::known).collect();
    let outlines = used.into_iter().map(|letter| (letter, glyphs::outline(letter))).filter(|(_, d)| !d.is_empty());
    out.push_str("<defs>");
    for (letter, d) in outlines {
        let _ = write!(out, "<path id=\"glyph-{:x}\" d=\"{d}\"/>", u32::from(letter));
    }
    out.push_str("</defs>");
}

fn element(out: &mut String, shape: &Shape) {
    let Shape { outline, .. } = shape;
    let _ = match outline {
        Outline::Circle { x, y, radius } => {
            write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Short(*x), Short(*y), Short(*radius))
        }
        Outline::Rectangle { x, y, width, height, round } => write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
            Short(*x),
            Short(*y),
            Short(*width),
            Short(*height),
            Short(*round)
        ),
        Outline::Path(commands) => {
            out.push_str("<path d=\"");
            commands.iter().for_each(|command| path(out, command));
            out.write_str("\" stroke-linecap=\"round\" stroke-linejoin=\"round\"")
        }
        Outline::Text { x, y, size, words } => return text(out, shape, (*x, *y), *size, words),
    };
    paint(out, shape);
    out.push_str("/>");
}

/// The outlines of a text's characters, whose em is 1000 high.
fn text(out: &mut String, shape: &Shape, (x, y): (f32, f32), size: f32, words: &str) {
    let scale = size / glyphs::EM;
    let _ = write!(out, "<g transform=\"translate({} {}) scale({scale:.4})\"", Short(x), Short(y));
    paint(out, shape);
    let _ = write!(out, "><title>{}</title>", Escaped(words));
    for (letter, left, baseline) in glyphs::placed(words) {
        let id = u32::from(letter);
        let _ = write!(out, "<use href=\"#glyph-{id:x}\" x=\"{}\" y=\"{}\"/>", Short(left), Short(baseline));
    }
    out.push_str("</g>");
}

fn paint(out: &mut String, shape: &Shape) {
    let _ = match shape.fill {
        Some(colour) => write!(out, " fill=\"#{colour:06x}\""),
        None => out.write_str(" fill=\"none\""),
    };
    if let Some((colour, width)) = shape.stroke {
        let _ = write!(out, " stroke=\"#{colour:06x}\" stroke-width=\"{}\"", Short(width));
    }
    if shape.opacity < 1.0 {
        let _ = write!(out, " opacity=\"{}\"", shape.opacity);
    }
}

fn path(out: &mut String, command: &Command) {
    let mut write = |letter: char, points: &[Vector]| {
        out.push(letter);
        for (index, at) in points.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            let _ = write!(out, "{gap}{} {}", Short(at.x), Short(at.y));
        }
    };
    match *command {
        Command::MoveTo(to) => write('M', &[to]),
        Command::LineTo(to) => write('L', &[to]),
        Command::QuadTo(control, to) => write('Q', &[control, to]),
        Command::CurveTo(first, second, to) => write('C', &[first, second, to]),
        Command::Close => write('Z', &[]),
    }
}

/// A number rounded to a tenth of a unit, a difference that is invisible at every picture size.
struct Short(f32);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0)
    }
}

/// A text escaped for XML. Characters that XML 1.0 does not allow are omitted.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => f.write_char(letter),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => Ok(()),
            _ => f.write_char(letter),
        })
    }
}
