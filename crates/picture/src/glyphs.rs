//! The outlines of characters, so that pictures need no fonts. Each line of `glyphs/outlines.txt`, which `glyphs/make` writes,
//! has a character, its width and its outline, in thousandths of an em, with the baseline at 0 and y downwards.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The height of an em in the table.
pub const EM: f32 = 1000.0;
/// Half the height of capitals and digits, used to centre a line of text.
const HALF_CAPITAL: f32 = 364.0;
/// The replacement for characters without an outline.
const UNKNOWN: char = '□';

struct Glyph {
    width: f32,
    outline: &'static str,
}

static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| {
    let lines = include_str!("../glyphs/outlines.txt").lines();
    let glyph = |line: &'static str| {
        let mut letters = line.chars();
        let letter = letters.next().expect("a line begins with its character");
        let (width, outline) =
            letters.as_str().trim_start().split_once(' ').expect("a line has a width and an outline");
        (letter, Glyph { width: width.parse().expect("the width is a number"), outline })
    };
    lines.map(glyph).collect()
});

/// A character, or its replacement if it has no outline.
pub fn known(letter: char) -> char {
    if GLYPHS.contains_key(&letter) { letter } else { UNKNOWN }
}

/// Whether all characters of a text have an outline.
pub fn has_outlines(words: &str) -> bool {
    words.chars().all(|letter| GLYPHS.contains_key(&letter))
}

/// The outline of a known character, as the `d` of an SVG path.
pub fn outline(letter: char) -> &'static str {
    GLYPHS[&known(letter)].outline
}

/// The width of a text in ems.
pub fn width(words: &str) -> f32 {
    words.chars().map(|letter| GLYPHS[&known(letter)].width).sum::<f32>() / EM
}

/// The visible characters of a text around its middle, each with its left end and its baseline.
pub fn placed(words: &str) -> impl Iterator<Item = (char, f32, f32)> {
    let mut left = -width(words) * EM / 2.0;
    words.chars().map(known).filter_map(move |letter| {
        let glyph = &GLYPHS[&letter];
        let at = left;
        left += glyph.width;
        // Chinese characters fill their em from 120 below the baseline to 880 above.
        let baseline = if letter >= '\u{2e80}' { 380.0 } else { HALF_CAPITAL };
        (!glyph.outline.is_empty()).then_some((letter, at, baseline))
    })
}
