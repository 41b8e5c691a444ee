//! The evaluator of Reversi's alpha-beta search: the evaluation, moves ordered by what they leave the other side, and exact
//! margins near the end.

use super::endgame::Endgame;
use super::{MobilityEvaluator, Reversi, Square, evaluation};
use crate::position::Position;
use crate::search::Outlook;
use crate::search::alpha_beta::{Evaluator, Known, Question};

/// With so many more empty squares than plies left to search, a position is solved.
const AHEAD: u32 = 11;
/// With more empty squares than this, nothing is ever solved.
const MOST: u32 = 32;

/// The evaluation and the endgame solver.
#[derive(Clone, Debug, Default)]
pub struct ReversiEvaluator {
    endgame: Option<Endgame>,
}

impl Evaluator<Reversi> for ReversiEvaluator {
    const EVALUATES: bool = true;
    const WINDOW: i32 = 300;
    const MARGIN: i32 = 400;
    const SLOTS: usize = 65;
    const PRIORITY: i32 = 1024;

    fn begin(&mut self, root: &Reversi, memory: u64) -> u64 {
        let solves = root.empty().count_ones() <= MOST;
        self.endgame = solves.then(|| Endgame::new(memory / 2));
        self.endgame.as_ref().map_or(0, Endgame::bytes)
    }

    fn bytes(&self) -> u64 {
        self.endgame.as_ref().map_or(0, Endgame::used_bytes)
    }

    fn value(&self, position: &Reversi) -> i32 {
        evaluation::value(position.own, position.other) * i32::from(position.turn().sign())
    }

    fn outlook(&self, position: &Reversi, value: i32) -> Outlook {
        // Fitted to what searches found in self-played games (docs/strength.md): the fewer moves are to come, the surer.
        Outlook::logistic(value, 60, 600.0 + 10.0 * f64::from(position.empty().count_ones()))
    }

    fn priority(&self, position: &Reversi, mv: Square) -> i32 {
        MobilityEvaluator.priority(position, mv)
    }

    fn solve(
        &mut self,
        position: &Reversi,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<Square>> {
        let empty = position.empty().count_ones();
        if empty > question.depth + AHEAD || empty > MOST {
            return None;
        }
        let (alpha, beta) = question.window;
        let window = (alpha.into(), beta.into());
        let (margin, square) = self.endgame.as_ref()?.solve((position.own, position.other), window, tick)?;
        Some(Known::Margin { margin: margin as i16, mv: Some(Square(square)) })
    }

    fn expected(&self, position: &Reversi) -> Option<Square> {
        if position.legal == 0 {
            return Some(Square::PASS).filter(|_| !position.over);
        }
        self.endgame.as_ref()?.expected(position.own, position.other).map(Square)
    }

    fn code(&self, mv: Square) -> u16 {
        u16::from(mv.0) + 1
    }

    fn slot(&self, _: &Reversi, mv: Square) -> usize {
        mv.0.into()
    }
}
