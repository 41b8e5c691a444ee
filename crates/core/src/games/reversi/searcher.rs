//! Reversi's search as the root of alpha-beta sees it.

use std::sync::Arc;

use super::endgame::{Near, Solver};
use super::evaluation::{EVALUATION, POINT, value};
use super::midgame::{self, Claims, Search, Selectivity, Table};
use super::{Reversi, Square, mobility};
use crate::search::Outlook;
use crate::search::searcher::{After, Counter, Scope, Searcher, value_after};
use crate::search::techniques::Techniques;
use crate::search::value::{Found, ended};

/// An iteration so many plies less deep than a position has empty squares searches it to its end selectively, and the next one
/// exactly. (A second, less selective search between them cost more than it saved.)
const AHEAD: u32 = 12;
/// From so many empty squares on, an iteration finds out who wins before the next one asks by how much.
const OUTCOME_FIRST: u32 = 16;
/// With more empty squares than this, the end is left to the horizon.
const MOST: u32 = 36;

/// The midgame search and the endgame solver, with a table that all workers share.
#[derive(Clone, Debug, Default)]
pub struct ReversiSearcher {
    /// None before the first search.
    table: Option<Arc<Table>>,
    claims: Arc<Claims>,
    /// What this worker knows of positions near the end.
    near: Near,
}

impl Searcher<Reversi> for ReversiSearcher {
    const HEEDS: Techniques = Techniques { aspiration: true, probcut: true, ..Techniques::NONE };
    const EVALUATES: bool = true;
    const WINDOW: i32 = 300;
    const MARGIN: i32 = 400;

    fn outcome_window(&self, root: &Reversi, depth: u32) -> Option<(i32, i32)> {
        let empty = root.empty().count_ones();
        ((OUTCOME_FIRST..=MOST).contains(&empty) && depth + AHEAD == empty + 1).then_some((-POINT / 2, POINT / 2))
    }

    fn begin(&mut self, root: &Reversi, memory: u64) -> u64 {
        let rest = memory.saturating_sub(Near::BYTES).max(memory / 2);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(rest)));
        table.set_age(64 - root.empty().count_ones() as u8);
        table.bytes() + Near::BYTES
    }

    fn used_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn outlook(&self, root: &Reversi, value: i32) -> Outlook {
        // Fitted to values and results of self-played games (docs/measurements/reversi.md): surer with fewer moves to come.
        Outlook::logistic(value, 60, 600.0 + 10.0 * f64::from(root.empty().count_ones()))
    }

    fn priority(&self, root: &Reversi, mv: Square) -> i32 {
        mobility::priority(root, mv)
    }

    fn first_look(&self, root: &Reversi, mv: Square) -> i32 {
        value_after(root, mv, value)
    }

    fn value(&mut self, after: &After<Reversi>, scope: &Scope, counter: &mut Counter<'_, Square>) -> Found {
        let position = &after.position;
        counter.count(1);
        if let Some(found) = ended(position, scope.window.0, scope.ply) {
            return found;
        }
        let empty = position.empty().count_ones();
        let (depth, selectivity) = plan(scope, empty);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(0)));
        let mut tick = |nodes| counter.count(nodes);
        let solver = Solver::new(&mut self.near, &mut tick);
        let mut search = Search { evaluation: &EVALUATION, table, claims: &self.claims, solver, selectivity };
        let Some(value) = search.run(position.own, position.other, depth, scope.window) else { return Found::guess(0) };
        // No evaluation reaches the largest margin: it comes from finished games.
        let exact = depth >= empty && selectivity == Selectivity::Exact || value.abs() == midgame::MOST;
        // An exact value is a whole number of discs.
        if exact { Found::complete(value / POINT * POINT) } else { Found::selective(value) }
    }

    fn expected(&self, position: &Reversi) -> Option<Square> {
        if position.legal == 0 {
            return Some(Square::PASS).filter(|_| !position.over);
        }
        midgame::expected(self.table.as_ref()?, position.own, position.other).map(Square)
    }

    fn exact_move(&self, _: &Reversi, _: bool, _: u32) -> Option<Square> {
        None
    }

    fn ends_within(&self, _: &Reversi, _: bool) -> Option<u32> {
        None
    }
}

/// How deep, and how selectively, a position with so many empty squares is searched.
fn plan(scope: &Scope, empty: u32) -> (u32, Selectivity) {
    let usual = if scope.techniques.probcut { Selectivity::Probable } else { Selectivity::Exact };
    if scope.depth >= empty {
        return (empty, Selectivity::Exact);
    }
    if empty > MOST || scope.depth + AHEAD < empty {
        return (scope.depth, usual);
    }
    (empty, if scope.depth + AHEAD == empty { usual } else { Selectivity::Exact })
}
