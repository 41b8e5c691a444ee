//! What alpha-beta knows of Connect Four: an order of moves.

use super::{Board, Column, ConnectFour};
use crate::search::plain::Evaluator;

/// Tries the central columns first; most lines pass there. It knows no values.
#[derive(Clone, Copy, Debug, Default)]
pub struct CentreEvaluator;

impl<G: Board> Evaluator<ConnectFour<G>> for CentreEvaluator {
    fn priority(&self, position: &ConnectFour<G>, mv: Column) -> i32 {
        -(2 * i32::from(mv.0) - position.board.columns() as i32 + 1).abs()
    }
}
