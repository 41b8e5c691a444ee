//! Move ordering for alpha-beta in Connect Four.

use super::{Board, Column, ConnectFour};
use crate::search::plain::Evaluator;

/// Orders central columns first, since most lines pass through them; it has no static evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct CentreEvaluator;

impl<G: Board> Evaluator<ConnectFour<G>> for CentreEvaluator {
    fn priority(&self, position: &ConnectFour<G>, mv: Column) -> i32 {
        -(2 * i32::from(mv.0) - position.board.columns() as i32 + 1).abs()
    }
}
