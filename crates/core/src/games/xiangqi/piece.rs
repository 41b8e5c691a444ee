//! Men, squares and moves of Xiangqi.

use std::fmt;

use crate::bits::shifted_up;
use crate::notation::column_letter;
use crate::position::Side;

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 帅 or 将.
    General,
    /// 仕 or 士.
    Advisor,
    /// 相 or 象.
    Elephant,
    /// 马.
    Horse,
    /// 车.
    Rook,
    /// 炮.
    Cannon,
    /// 兵 or 卒.
    Pawn,
}

impl Kind {
    /// All kinds, in the order of their indices.
    pub const ALL: [Self; 7] =
        [Self::General, Self::Advisor, Self::Elephant, Self::Horse, Self::Rook, Self::Cannon, Self::Pawn];

    /// How many of this kind a side has at the start, which is the most it can have.
    pub const fn most(self) -> u32 {
        match self {
            Self::General => 1,
            Self::Pawn => 5,
            _ => 2,
        }
    }

    /// Its English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Advisor => "advisor",
            Self::Elephant => "elephant",
            Self::Horse => "horse",
            Self::Rook => "rook",
            Self::Cannon => "cannon",
            Self::Pawn => "pawn",
        }
    }
}

/// A piece of a side, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man(u8);

impl Man {
    /// A piece.
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(kind as u8 * 2 + side as u8)
    }

    /// Its side.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.0 as usize / 2]
    }

    /// From 0 to 13.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter in position texts: upper case for Red, the first player.
    pub const fn letter(self) -> char {
        let letter = b"kabnrcp"[self.kind() as usize];
        (match self.side() {
            Side::First => letter.to_ascii_uppercase(),
            Side::Second => letter,
        }) as char
    }

    /// Reads a letter; `e` and `h` stand for elephant and horse too.
    pub fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_lowercase() {
            'k' => Kind::General,
            'a' => Kind::Advisor,
            'b' | 'e' => Kind::Elephant,
            'n' | 'h' => Kind::Horse,
            'r' => Kind::Rook,
            'c' => Kind::Cannon,
            'p' => Kind::Pawn,
            _ => return None,
        };
        Some(Self::new(if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, kind))
    }
}

/// Files, from a to i.
pub const FILES: u8 = 9;
/// Ranks, from Red's side.
pub const RANKS: u8 = 10;
/// Crossings.
pub const SQUARES: usize = 90;

/// A crossing of the board: rank by rank from Red's left, a0 first, i9 last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The crossing of a file and a rank, both from 0.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self(rank * FILES + file)
    }

    /// The crossing with this index, below 90.
    #[inline]
    pub const fn from_index(index: u32) -> Self {
        Self(index as u8)
    }

    /// From 0 to 89.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// From 0 (a) to 8 (i).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// From 0 (Red's first rank) to 9.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> u128 {
        shifted_up(1, self.0 as u32)
    }

    /// Whether it lies beyond the river for `side`.
    #[inline]
    pub const fn is_across(self, side: Side) -> bool {
        match side {
            Side::First => self.0 >= 45,
            Side::Second => self.0 < 45,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.file().into()), self.rank())
    }
}

/// A move: origin and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}
