//! The opening: who plays Black, and how swap2 decides that.

use super::Move;
use super::lines::Colour;
use crate::notation::Malformed;
use crate::position::{Side, shorten};

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The first player places three stones.
    Opening,
    /// The second player chooses a colour or places two more stones; after five stones the first player chooses a colour.
    Choose,
    /// The second player places two more stones.
    Place,
    /// The colours are settled.
    Play {
        /// Who plays Black.
        black: Side,
        /// Known choices so far: a position text does not record whether the second player placed two stones.
        choices: u8,
    },
}

/// Stones that the first player places.
const FIRST_STONES: u32 = 3;
/// Stones on the board when the second player has placed two more.
const ALL_STONES: u32 = 5;

impl Phase {
    /// Whose move it is with this many stones on the board.
    #[inline]
    pub fn turn(self, stones: u32) -> Side {
        match self {
            Self::Play { black, .. } if stones.is_multiple_of(2) => black,
            Self::Play { black, .. } => black.other(),
            Self::Opening => Side::First,
            Self::Choose if stones == ALL_STONES => Side::First,
            Self::Choose | Self::Place => Side::Second,
        }
    }

    /// The phase after one more stone, which makes `stones` in all.
    #[inline]
    pub fn after_stone(self, stones: u32) -> Self {
        match self {
            Self::Opening if stones == FIRST_STONES => Self::Choose,
            Self::Place if stones == ALL_STONES => Self::Choose,
            _ => self,
        }
    }

    /// The phase after a player took a colour, with this many stones on the board.
    pub fn after_choice(self, stones: u32, colour: Colour) -> Self {
        let player = self.turn(stones);
        let black = if colour == Colour::Black { player } else { player.other() };
        Self::Play { black, choices: self.choices_made(stones) as u8 + 1 }
    }

    /// The choices with this many stones on the board; empty if a stone is to be placed.
    #[inline]
    pub fn choices(self, stones: u32) -> &'static [Move] {
        match self {
            Self::Choose if stones == ALL_STONES => &[Move::Take(Colour::Black), Move::Take(Colour::White)],
            Self::Choose => &[Move::Take(Colour::Black), Move::Take(Colour::White), Move::Place],
            _ => &[],
        }
    }

    /// Known moves so far that placed no stone.
    pub fn choices_made(self, stones: u32) -> u32 {
        match self {
            Self::Opening => 0,
            Self::Choose if stones < ALL_STONES => 0,
            Self::Choose | Self::Place => 1,
            Self::Play { choices, .. } => choices.into(),
        }
    }

    /// The last word of a swap2 position.
    pub fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Choose => "choose",
            Self::Place => "place",
            Self::Play { black: Side::First, .. } => "first",
            Self::Play { black: Side::Second, .. } => "second",
        }
    }

    /// Reads the last word of a swap2 position with this many stones.
    pub fn read(word: Option<&str>, stones: u32) -> Result<Self, Malformed> {
        let expected = "expected `opening` (0 to 2 stones), `choose` (3 or 5), `place` (3 or 4), or `first` or `second` (at least 3): who plays Black";
        let (phase, fits) = match word {
            None => return Err(Malformed::new(format!("the stage of swap2 is missing: {expected}"))),
            Some("opening") => (Self::Opening, stones < FIRST_STONES),
            Some("choose") => (Self::Choose, stones == FIRST_STONES || stones == ALL_STONES),
            Some("place") => (Self::Place, (FIRST_STONES..ALL_STONES).contains(&stones)),
            Some("first") => (Self::Play { black: Side::First, choices: 1 }, stones >= FIRST_STONES),
            Some("second") => (Self::Play { black: Side::Second, choices: 1 }, stones >= FIRST_STONES),
            Some(other) => {
                return Err(Malformed::new(format!("`{}` is not a stage of swap2: {expected}", shorten(other))));
            }
        };
        if fits {
            Ok(phase)
        } else {
            Err(Malformed::new(format!("`{}` with {stones} stones: {expected}", phase.word())))
        }
    }
}
