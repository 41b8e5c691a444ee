//! Reversi's record formats: GGF, and SGF with points in two letters (`fd` is f4).

#[cfg(not(target_family = "wasm"))]
use super::BoardSize;
use super::{ReversiVariant, ggf};
use crate::records::Format;
#[cfg(not(target_family = "wasm"))]
use crate::{
    games::reversi::position_text,
    position::Side,
    records::sgf::{self, Colours, Sgf, Word},
};

/// The record formats.
pub(super) const FORMATS: &[Format<ReversiVariant>] = &[
    Format {
        name: "ggf",
        notation: "coordinates",
        recognises: ggf::recognises,
        read: ggf::read,
        write: |written| Ok(ggf::write(written)),
    },
    #[cfg(not(target_family = "wasm"))]
    Format {
        name: "sgf",
        notation: "coordinates",
        recognises: sgf::recognises,
        read: |source| sgf::read(source, &SGF),
        write: |written| sgf::write(written, &SGF),
    },
];

#[cfg(not(target_family = "wasm"))]
const SGF: Sgf<ReversiVariant> = Sgf {
    game: "2",
    stones: ['X', 'O'],
    is_flat: true,
    start: |size| {
        let side = |letter| match letter {
            'X' => Some(Side::First),
            'O' => Some(Side::Second),
            _ => None,
        };
        let text = position_text::start(size as u32);
        let cells = text.chars().take(size * size).enumerate();
        cells.filter_map(|(cell, letter)| Some((cell, side(letter)?))).collect()
    },
    second_begins: false,
    white_first: |_| (Colours::default(), None),
    variant: |asked, size, _| match (asked, size) {
        (asked, None) => Ok(asked.unwrap_or_default()),
        (Some(asked), Some(size)) if size != asked.size.get() => {
            Err(format!("expected the requested variant's size, {}", asked.size.get()))
        }
        (_, Some(size)) => match BoardSize::new(size) {
            Some(size) => Ok(ReversiVariant { size, ..Default::default() }),
            None => Err("expected a board of size 6, 8 or 10".to_owned()),
        },
    },
    knows_rules: |_| true,
    properties: |variant| Ok((variant.size.get(), None)),
    words: &[
        ("", Word::Move("pass")),
        ("tt", Word::Move("pass")),
        ("pass", Word::Move("pass")),
        ("pa", Word::Move("pass")),
    ],
    read_point: |value| sgf::read_letter_and_number(value).or_else(|| sgf::read_letters(value)),
    write_point: sgf::write_letters,
    mv: |column, row, _| sgf::write_letter_and_number(column, row),
    cell: |mv, _| sgf::read_letter_and_number(mv),
};
