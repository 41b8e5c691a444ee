//! Hex's format of records: SGF as red-bean.com/sgf/hex.html has it. Black is Red: moves first, and connects top and bottom.

#![cfg(not(target_family = "wasm"))]

use super::{HexVariant, LARGEST};
use crate::records::Format;
use crate::records::sgf::{self, Sgf};

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
    // Both ways to swap come to the same; where the pieces are swapped, the stone is mirrored, as it is here.
    read_move: |value, size| match value.to_ascii_lowercase().as_str() {
        "swap" | "swap-pieces" => Some("swap".to_owned()),
        value => {
            let (column, row) = sgf::read_letter_and_number(value).or_else(|| sgf::read_letters(value))?;
            (column < size && row < size).then(|| format!("{}{}", char::from(b'a' + column as u8), row + 1))
        }
    },
    write_move: |mv, _| Some(if mv == "swap" { "swap-pieces".to_owned() } else { mv.to_owned() }),
};
