//! Moves.

use std::fmt;
use std::marker::PhantomData;

use super::board::{Board, Eight, NO_SQUARE};
use crate::notation::column_letter;

/// A square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square<B = Eight> {
    /// Its index in a set.
    pub(super) index: u8,
    board: PhantomData<B>,
}

impl<B: Board> Square<B> {
    /// A pass.
    pub const PASS: Self = Self::new(NO_SQUARE);

    pub(super) const fn new(index: u8) -> Self {
        Self { index, board: PhantomData }
    }
}

impl<B: Board> fmt::Display for Square<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::PASS {
            return f.write_str("pass");
        }
        let (column, row) = B::column_and_row(self.index.into());
        write!(f, "{}{}", column_letter(column), row + 1)
    }
}
