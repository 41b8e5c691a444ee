//! Hex's format of records: SGF as red-bean.com/sgf/hex.html has it. Black is Red: moves first, and connects top and bottom.

#![cfg(not(target_family = "wasm"))]

use super::{HexVariant, LARGEST};
use crate::record::EarlyEnd;
use crate::records::Format;
use crate::records::sgf::{self, Sgf, Word};

/// The formats.
pub(super) const FORMATS: &[Format<HexVariant>] = &[Format {
    name: "sgf",
    notation: "coordinates",
    recognises: |text| sgf::recognises(text, SGF.game),
    read: |source| sgf::read(source, &SGF),
    write: |written| sgf::write(written, &SGF),
}];

const SGF: Sgf<HexVariant> = Sgf {
    game: "11",
    stones: ['r', 'b'],
    is_flat: false,
    start: &[],
    variant: |asked, size, _| {
        let is_asked = asked.is_some();
        let variant = asked.unwrap_or_default();
        match size {
            Some(size) if is_asked && size != variant.size => {
                Err(format!("expected the size of the variant that was asked for, {}", variant.size))
            }
            Some(size) if !(3..=LARGEST).contains(&size) => Err(format!("expected a size from 3 to {LARGEST}")),
            Some(size) => Ok(HexVariant { size, ..variant }),
            None => Ok(variant),
        }
    },
    knows_rules: |rules| rules.to_ascii_lowercase().contains("swap"),
    properties: |variant| Ok((variant.size, None)),
    words: &[
        ("swap-pieces", Word::Move("swap")),
        ("swap", Word::Move("swap")),
        (
            "swap-sides",
            Word::Refused("a swap of colours: expected `swap-pieces`, which mirrors the stone, as a swap does here"),
        ),
        ("resign", Word::Lost(EarlyEnd::Resigned)),
        ("forfeit", Word::Lost(EarlyEnd::Forfeited)),
    ],
    read_point: |value| sgf::read_letter_and_number(value).or_else(|| sgf::read_letters(value)),
    write_point: sgf::write_letter_and_number,
    mv: |column, row, _| sgf::write_letter_and_number(column, row),
    cell: |mv, _| sgf::read_letter_and_number(mv),
};
