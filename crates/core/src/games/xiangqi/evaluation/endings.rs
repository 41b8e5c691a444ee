//! Endings that are nearer to a draw than their pieces say.

use super::super::board::Board;

/// A factor of one.
pub const WHOLE: i32 = 16;

/// What a value is to be taken times, in parts of [`WHOLE`], by what the side that is better has left to win with.
#[inline]
pub fn factor(_board: &Board, _value: i32) -> i32 {
    WHOLE
}
