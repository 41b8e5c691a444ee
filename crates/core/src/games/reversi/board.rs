//! Boards of 6x6, 8x8 and 10x10 squares: their layouts in sets of squares, and computations that differ between them.
//!
//! 6x6 is the middle of an 8x8 board whose border stays empty. A line of discs never passes an empty square, so the 8x8 code
//! for turned discs serves both; the masks, the stable discs and the counts of empty squares differ.

use std::fmt::Debug;
use std::hash::Hash;

use super::endgame::{BESIDE, EDGES, flips, stable, stable_in_middle, turned_by_last};
use super::evaluation::{EVALUATION, Evaluation};
use super::evaluator::{Evaluator, Positional};
use super::fills::flipped;
use super::mobility::grown;
use crate::bits::Bits;
use crate::rng::mix;

/// No square: a pass, or no known move.
pub const NO_SQUARE: u8 = 127;

/// A board.
pub trait Board: Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// A set of squares.
    type Set: Bits;
    /// The static evaluation of the searches.
    type Evaluator: Evaluator<Self>;

    /// Squares in a row.
    const SIZE: u32;
    /// The distance between two rows in a set.
    const STRIDE: u32;
    /// The bit of a1.
    const FIRST: u32;
    /// The number of squares; also the largest margin.
    const SQUARES: u32 = Self::SIZE * Self::SIZE;
    /// All squares.
    const ALL: Self::Set;
    /// All but the first and the last file: a step sideways from here does not leave the row.
    const INNER_FILES: Self::Set;
    /// The corners.
    const CORNERS: Self::Set;
    /// The squares diagonally beside a corner.
    const X_SQUARES: Self::Set;
    /// The edge squares beside a corner.
    const C_SQUARES: Self::Set;
    /// The quarters.
    const QUARTERS: [Self::Set; 4];
    /// Whether the evaluation is learned. Multi-ProbCut's errors were measured with a learned one.
    const LEARNED: bool;

    /// The current evaluation.
    fn evaluator() -> &'static Self::Evaluator;

    /// The index in a set of the square in a column and a row.
    #[inline]
    #[must_use]
    fn index(column: u32, row: u32) -> u32 {
        Self::FIRST + Self::STRIDE * row + column
    }

    /// Column and row of an index in a set.
    #[inline]
    #[must_use]
    fn column_and_row(index: u32) -> (u32, u32) {
        ((index - Self::FIRST) % Self::STRIDE, (index - Self::FIRST) / Self::STRIDE)
    }

    /// The squares without a disc.
    #[inline]
    #[must_use]
    fn empty(own: Self::Set, other: Self::Set) -> Self::Set {
        Self::ALL & !(own | other)
    }

    /// The set itself if it is one word, otherwise a hash of it.
    fn word(set: Self::Set) -> u64;

    /// The discs of `other` that turn when `own` plays on an empty square.
    fn flips(own: Self::Set, other: Self::Set, square: u32) -> Self::Set;

    /// The number of discs that turn when `own` plays on the last empty square.
    fn turned_by_last(own: Self::Set, square: u32) -> u32;

    /// The neighbours of a square.
    fn beside(square: u32) -> Self::Set;

    /// Discs of `own` that can never be turned; only those that are cheap to find.
    fn stable(own: Self::Set, other: Self::Set) -> Self::Set;

    /// Makes the tables that searches read.
    fn prepare() {}
}

/// A board's masks.
struct Masks {
    all: u128,
    inner_files: u128,
    corners: u128,
    x_squares: u128,
    c_squares: u128,
    quarters: [u128; 4],
}

impl Masks {
    const fn of<B: Board>() -> Self {
        /// The squares in ranges of columns and rows, ends excluded.
        const fn block<B: Board>(columns: [u32; 2], rows: [u32; 2]) -> u128 {
            let (mut set, mut row) = (0, rows[0]);
            while row < rows[1] {
                set |= ((1 << columns[1]) - (1 << columns[0])) << (B::FIRST + B::STRIDE * row);
                row += 1;
            }
            set
        }
        let size = B::SIZE;
        let (first, last, whole, inner) = ([0, 1], [size - 1, size], [0, size], [1, size - 1]);
        let files = block::<B>(first, whole) | block::<B>(last, whole);
        let rows = block::<B>(whole, first) | block::<B>(whole, last);
        let (second, before_last) = ([1, 2], [size - 2, size - 1]);
        let next_files = block::<B>(second, whole) | block::<B>(before_last, whole);
        let next_rows = block::<B>(whole, second) | block::<B>(whole, before_last);
        let (low, high) = ([0, size / 2], [size / 2, size]);
        Self {
            all: block::<B>(whole, whole),
            inner_files: block::<B>(inner, whole),
            corners: files & rows,
            x_squares: next_files & next_rows,
            c_squares: files & next_rows | next_files & rows,
            quarters: [block::<B>(low, low), block::<B>(high, low), block::<B>(low, high), block::<B>(high, high)],
        }
    }
}

/// The sets of a board whose sets have this type.
macro_rules! squares {
    ($Set:ty) => {
        type Set = $Set;
        const ALL: $Set = Masks::of::<Self>().all as $Set;
        const INNER_FILES: $Set = Masks::of::<Self>().inner_files as $Set;
        const CORNERS: $Set = Masks::of::<Self>().corners as $Set;
        const X_SQUARES: $Set = Masks::of::<Self>().x_squares as $Set;
        const C_SQUARES: $Set = Masks::of::<Self>().c_squares as $Set;
        const QUARTERS: [$Set; 4] = {
            let [a, b, c, d] = Masks::of::<Self>().quarters;
            [a as $Set, b as $Set, c as $Set, d as $Set]
        };
    };
}

/// Items that 8x8 and 6x6 have in common.
macro_rules! in_a_word {
    () => {
        squares!(u64);
        const STRIDE: u32 = 8;

        #[inline(always)]
        fn word(set: u64) -> u64 {
            set
        }

        #[inline(always)]
        fn flips(own: u64, other: u64, square: u32) -> u64 {
            flips(own, other, square)
        }

        #[inline(always)]
        fn turned_by_last(own: u64, square: u32) -> u32 {
            turned_by_last(own, square)
        }

        #[inline(always)]
        fn beside(square: u32) -> u64 {
            BESIDE[square as usize & 63]
        }
    };
}

/// 8x8: bit 0 is a1 and bit 63 is h8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Eight;

impl Board for Eight {
    in_a_word!();
    type Evaluator = Evaluation;
    const SIZE: u32 = 8;
    const FIRST: u32 = 0;
    const LEARNED: bool = true;

    fn evaluator() -> &'static Evaluation {
        &EVALUATION
    }

    #[inline]
    fn stable(own: u64, other: u64) -> u64 {
        stable(own, other)
    }

    fn prepare() {
        std::sync::LazyLock::force(&EVALUATION);
        std::sync::LazyLock::force(&EDGES);
    }
}

/// 6x6, in the middle of 8x8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Six;

impl Board for Six {
    in_a_word!();
    type Evaluator = Positional;
    const SIZE: u32 = 6;
    const FIRST: u32 = 9;
    const LEARNED: bool = false;

    fn evaluator() -> &'static Positional {
        &Positional
    }

    #[inline]
    fn stable(own: u64, other: u64) -> u64 {
        stable_in_middle(own, other, !Self::ALL)
    }
}

/// 10x10: bit 0 is a1 and bit 99 is j10. Stable discs are not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ten;

impl Board for Ten {
    squares!(u128);
    type Evaluator = Positional;
    const SIZE: u32 = 10;
    const STRIDE: u32 = 10;
    const FIRST: u32 = 0;
    const LEARNED: bool = false;

    fn evaluator() -> &'static Positional {
        &Positional
    }

    #[inline]
    fn word(set: u128) -> u64 {
        set as u64 ^ mix((set >> 64) as u64)
    }

    #[inline]
    fn flips(own: u128, other: u128, square: u32) -> u128 {
        flipped::<Self>(own, other, square)
    }

    #[inline]
    fn turned_by_last(own: u128, square: u32) -> u32 {
        flipped::<Self>(own, Self::ALL & !own & !u128::single(square), square).count()
    }

    #[inline]
    fn beside(square: u32) -> u128 {
        grown::<Self>(u128::single(square))
    }

    #[inline]
    fn stable(_: u128, _: u128) -> u128 {
        0
    }
}
