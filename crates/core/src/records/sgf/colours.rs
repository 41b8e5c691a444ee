//! The players' colours. Black moves first here; in files White may, and a swap may exchange the players' colours instead of
//! the stone.

use super::{Sgf, Word};
use crate::position::Side;
use crate::record::RecordedResult;
use crate::records::sgf::tree::Tree;

/// Which player has which colour. A colour is stored as a side: Black is [`Side::First`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The colour of the player who moves first.
    pub first: Side,
    /// The colour that stands for that player in names and results.
    pub named_first: Side,
    /// Whether points are mirrored across the long diagonal.
    pub is_mirrored: bool,
}

impl Default for Colours {
    fn default() -> Self {
        Self { first: Side::First, named_first: Side::First, is_mirrored: false }
    }
}

/// A record in which White moves first, on an empty board.
#[derive(Clone, Copy, Debug)]
pub struct WhiteFirst<'a> {
    /// Its source, `SO`.
    pub source: &'a str,
    /// Whether it names its game.
    pub names_game: bool,
    /// Whether Black answers with a swap.
    pub swaps: bool,
}

impl Colours {
    /// The colours at the start of a record, and the assumption that they rest on, if any.
    pub fn of<V>(tree: &Tree<'_>, game: &Sgf<V>) -> (Self, Option<&'static str>) {
        let named = |names: &'static [&'static str]| {
            let properties = tree.nodes.iter().flatten();
            properties.filter(move |property| names.contains(&property.name.as_str()))
        };
        let mut moves = named(&["B", "W"]);
        let begins_as_usual = moves.next().is_none_or(|property| property.name == "B");
        if begins_as_usual || named(&["AB", "AW", "AE", "PL"]).next().is_some() {
            return (Self::default(), None);
        }
        let value = |name: &'static [&'static str]| named(name).find_map(|property| property.values.first());
        let second = moves.next().and_then(|property| property.values.first());
        let record = WhiteFirst {
            source: value(&["SO"]).map_or("", |(_, source)| source),
            names_game: value(&["GM"]).is_some(),
            swaps: second.is_some_and(|(_, value)| matches!(game.word(value), Some(Word::Swap { .. }))),
        };
        (game.white_first)(&record)
    }

    /// The player of a colour.
    pub fn player(&self, colour: Side) -> Side {
        if colour == self.first { Side::First } else { Side::Second }
    }

    /// The colours once the players have exchanged them: each now has the other's edges.
    pub fn exchanged(self) -> Self {
        let Self { first, named_first, is_mirrored } = self;
        Self { first: first.other(), named_first: named_first.other(), is_mirrored: !is_mirrored }
    }

    /// A result by players, from one by colours.
    pub fn result(&self, result: RecordedResult) -> RecordedResult {
        match self.named_first {
            Side::First => result,
            Side::Second => {
                let (winner, margin) = (result.winner.map(Side::other), result.margin.map(|margin| -margin));
                RecordedResult { winner, margin, ..result }
            }
        }
    }
}
