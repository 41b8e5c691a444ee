//! Hex's record format: SGF as defined at red-bean.com/sgf/hex.html. Black is Red: it moves first and connects top and bottom.

#![cfg(not(target_family = "wasm"))]

use super::{HexVariant, LARGEST};
use crate::position::Side;
use crate::record::EarlyEnd;
use crate::records::Format;
use crate::records::sgf::{self, Colours, Sgf, WhiteFirst, Word};

/// The record formats.
pub(super) const FORMATS: &[Format<HexVariant>] = &[Format {
    name: "sgf",
    notation: "coordinates",
    recognises: sgf::recognises,
    read: |source| sgf::read(source, &SGF),
    write: |written| sgf::write(written, &SGF),
}];

const SGF: Sgf<HexVariant> = Sgf {
    game: "11",
    stones: ['r', 'b'],
    is_flat: false,
    start: |_| Vec::new(),
    second_begins: true,
    white_first,
    variant: |asked, size, _| {
        let is_asked = asked.is_some();
        let variant = asked.unwrap_or_default();
        match size {
            Some(size) if is_asked && size != variant.size => {
                Err(format!("expected the requested variant's size, {}", variant.size))
            }
            Some(size) if !(3..=LARGEST).contains(&size) => Err(format!("expected a size from 3 to {LARGEST}")),
            Some(size) => Ok(HexVariant { size, ..variant }),
            None => Ok(variant),
        }
    },
    knows_rules: |rules| rules.to_ascii_lowercase().contains("swap"),
    properties: |variant| Ok((variant.size, None)),
    words: &[
        ("swap-pieces", Word::Swap("swap")),
        ("swap", Word::Swap("swap")),
        ("swap-sides", Word::Swap("swap")),
        ("resign", Word::Lost(EarlyEnd::Resigned)),
        ("forfeit", Word::Lost(EarlyEnd::Forfeited)),
    ],
    read_point: |value| sgf::read_letter_and_number(value).or_else(|| sgf::read_letters(value)),
    write_point: sgf::write_letter_and_number,
    mv: |column, row, _| sgf::write_letter_and_number(column, row),
    cell: |mv, _| sgf::read_letter_and_number(mv),
};

/// How to read a game that White begins. White's edges are left and right, except in files of Little Golem, which lack `GM`:
/// there White is the first player and connects top and bottom, while names and results use `B` for that player. In other files
/// the second player begins here, unless Black answers with a swap: then White is the first player, on a mirrored board.
fn white_first(record: &WhiteFirst<'_>) -> (Colours, Option<&'static str>) {
    let is_known = record.source.to_ascii_lowercase().contains("littlegolem");
    if is_known || !record.names_game {
        let assumed = "White moves first, and GM is missing: read as a file of Little Golem, where the moves of `W` are the \
                       first player's, and PB and RE[B] mean that player";
        let colours = Colours { first: Side::Second, ..Colours::default() };
        (colours, (!is_known).then_some(assumed))
    } else if record.swaps {
        let assumed = "White moves first, and Black swaps: read as the same game with colours exchanged and points mirrored at \
                       the long diagonal";
        (Colours::default().exchanged(), Some(assumed))
    } else {
        (Colours::default(), None)
    }
}
