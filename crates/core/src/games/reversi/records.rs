//! Reversi's formats of records: GGF, and SGF with points in two letters (`fd` is f4).

use super::{ReversiVariant, ggf};
use crate::records::Format;
#[cfg(not(target_family = "wasm"))]
use crate::{
    position::Side,
    records::sgf::{self, Colours, Sgf, Word},
};

/// The formats.
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
    start: &[(27, Side::Second), (28, Side::First), (35, Side::First), (36, Side::Second)],
    second_begins: false,
    white_first: |_| (Colours::default(), None),
    variant: |_, size, _| match size {
        None | Some(8) => Ok(ReversiVariant::default()),
        Some(_) => Err("expected a board of size 8".to_owned()),
    },
    knows_rules: |_| true,
    properties: |_| Ok((8, None)),
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
