//! The evaluator of Reversi's alpha-beta search: the evaluation, moves ordered by what they leave the other side, and exact
//! margins near the end.

use std::sync::Arc;

use super::endgame::{Near, Solver};
use super::evaluation::{EVALUATION, POINT, value};
use super::midgame::{self, Search, Selectivity, Table};
use super::{MobilityEvaluator, Reversi, Square};
use crate::search::Outlook;
use crate::search::plain::{Evaluator, Known, Question};

/// An iteration so many plies less deep than a position has empty squares searches it to its end selectively, and the next one
/// exactly. (A second, less selective search between them cost more than it saved.)
const AHEAD: u32 = 12;
/// From so many empty squares on, an iteration finds out who wins before the next one asks by how much.
const OUTCOME_FIRST: u32 = 16;
/// With more empty squares than this, the end is left to the horizon.
const MOST: u32 = 36;

/// The evaluation, the midgame search and the endgame solver.
#[derive(Clone, Debug, Default)]
pub struct ReversiEvaluator {
    /// What the workers of a search share.
    table: Option<Arc<Table>>,
    /// What this one knows of positions near the end.
    near: Near,
}

impl Evaluator<Reversi> for ReversiEvaluator {
    const EVALUATES: bool = true;
    const WINDOW: i32 = 300;
    const MARGIN: i32 = 400;
    const PRUNES: bool = false;
    const PROBCUTS: bool = true;
    const SEARCHES: bool = true;
    const REDUCES: bool = false;

    fn begin(&mut self, root: &Reversi, memory: u64) -> u64 {
        let rest = memory.saturating_sub(Near::BYTES).max(memory / 2);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(rest / 8 * 7)));
        table.begin(64 - root.empty().count_ones());
        table.bytes() + Near::BYTES
    }

    fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn value(&self, position: &Reversi) -> i32 {
        value(position)
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
        let table = self.table.as_ref()?;
        let empty = position.empty().count_ones();
        let (depth, selectivity) = plan(question, empty);
        let mut search =
            Search { evaluation: &EVALUATION, table, solver: Solver::new(&mut self.near, tick), selectivity };
        let value = search.run(position.own, position.other, depth, question.window)?;
        let mv = self.expected(position);
        // The largest margin is no evaluation's: it stems from games that ended.
        let exact = depth >= empty && selectivity == Selectivity::Exact || value.abs() == midgame::MOST;
        Some(match exact {
            true => Known::Margin { margin: (value / POINT) as i16, mv },
            false => Known::Value { value, mv },
        })
    }

    fn outcome_window(&self, root: &Reversi, depth: u32) -> Option<(i32, i32)> {
        let empty = root.empty().count_ones();
        ((OUTCOME_FIRST..=MOST).contains(&empty) && depth + AHEAD == empty + 1).then_some((-POINT / 2, POINT / 2))
    }

    fn expected(&self, position: &Reversi) -> Option<Square> {
        if position.legal == 0 {
            return Some(Square::PASS).filter(|_| !position.over);
        }
        self.table.as_ref()?.expected(position.own, position.other).map(Square)
    }

    fn code(&self, mv: Square) -> u16 {
        u16::from(mv.0) + 1
    }
}

/// How deep, and how selectively, a question is answered about a position with so many empty squares.
fn plan(question: Question, empty: u32) -> (u32, Selectivity) {
    let usual = if question.techniques.probcut && !question.exact { Selectivity::Probable } else { Selectivity::Exact };
    if question.depth >= empty {
        return (empty, Selectivity::Exact);
    }
    if empty > MOST || question.depth + AHEAD < empty {
        return (question.depth, usual);
    }
    (empty, if question.depth + AHEAD == empty { usual } else { Selectivity::Exact })
}
