//! The search as a searcher of the alpha-beta root.

use std::marker::PhantomData;
use std::sync::Arc;

use super::board::{Board, Eight};
use super::endgame::{Near, Solver};
use super::evaluation::POINT;
use super::midgame::{self, Claims, Search, Selectivity, Table};
use super::{Reversi, Square, mobility, static_value};
use crate::bits::Bits;
use crate::search::Outlook;
use crate::search::searcher::{After, Counter, Scope, Searcher, value_after};
use crate::search::techniques::Techniques;
use crate::search::value::{SearchValue, ended};

/// An iteration searches a position selectively to its end when its depth plus this number equals the empty squares; the next
/// iteration is exact. (A second, less selective search between them cost more than it saved.)
const AHEAD: u32 = 12;
/// Least empty squares at which one iteration determines the winner before the next one determines the margin.
const OUTCOME_FIRST: u32 = 16;
/// Most empty squares at which searches go to the end ahead of their depth.
const MAX_EMPTY_AHEAD: u32 = 36;

/// The midgame search and the endgame solver, with a table that all workers share.
#[derive(Clone, Debug, Default)]
pub struct ReversiSearcher<B: Board = Eight> {
    /// `None` before the first search.
    table: Option<Arc<Table>>,
    claims: Arc<Claims>,
    /// This worker's table of positions near the end.
    near: Near,
    board: PhantomData<B>,
}

impl<B: Board> Searcher<Reversi<B>> for ReversiSearcher<B> {
    const SUPPORTED: Techniques = Techniques { aspiration: true, probcut: B::LEARNED, ..Techniques::NONE };
    const EVALUATES: bool = true;
    const WINDOW: i32 = 300;
    const MARGIN: i32 = 400;

    fn outcome_window(&self, root: &Reversi<B>, depth: u32) -> Option<(i32, i32)> {
        let empty = root.empty().count();
        ((OUTCOME_FIRST..=MAX_EMPTY_AHEAD).contains(&empty) && depth + AHEAD == empty + 1)
            .then_some((-POINT / 2, POINT / 2))
    }

    fn begin(&mut self, root: &Reversi<B>, memory: u64) -> u64 {
        let rest = memory.saturating_sub(Near::BYTES).max(memory / 2);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(rest)));
        table.set_age(B::SQUARES as u8 - root.empty().count() as u8);
        table.bytes() + Near::BYTES
    }

    fn used_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn outlook(&self, root: &Reversi<B>, value: i32) -> Outlook {
        // Fitted to values and results of self-play games (docs/measurements/reversi.md): more certain with fewer moves to
        // come.
        Outlook::logistic(value, 60, 600.0 + 10.0 * f64::from(root.empty().count()))
    }

    fn priority(&self, root: &Reversi<B>, mv: Square<B>) -> i32 {
        mobility::priority(root, mv)
    }

    fn static_move_value(&self, root: &Reversi<B>, mv: Square<B>) -> i32 {
        value_after(root, mv, static_value)
    }

    fn value(&mut self, after: &After<Reversi<B>>, scope: &Scope, counter: &mut Counter<'_, Square<B>>) -> SearchValue {
        let position = &after.position;
        counter.count(1);
        if let Some(found) = ended(position, scope.window.0, scope.ply) {
            return found;
        }
        let empty = position.empty().count();
        let (depth, selectivity) = plan(scope, empty);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(0)));
        let mut tick = |nodes| counter.count(nodes);
        let solver = Solver::new(&mut self.near, &mut tick);
        let evaluator = B::evaluator();
        let mut search = Search::<B, _> { evaluator, table, claims: &self.claims, solver, selectivity };
        let Some(value) = search.run(position.own, position.other, depth, scope.window) else {
            return SearchValue::guess(0);
        };
        // Static evaluations never reach the largest margin: it comes from finished games.
        let exact = depth >= empty && selectivity == Selectivity::Exact || value.abs() == midgame::most::<B>();
        // An exact value is a whole number of discs.
        if exact { SearchValue::complete(value / POINT * POINT) } else { SearchValue::selective(value) }
    }

    fn expected(&self, position: &Reversi<B>) -> Option<Square<B>> {
        self.best_known(position, false)
    }

    fn proven_best(&self, position: &Reversi<B>) -> Option<Square<B>> {
        self.best_known(position, true)
    }

    fn exact_move(&self, _: &Reversi<B>, _: bool, _: u32) -> Option<Square<B>> {
        None
    }

    fn ends_within(&self, _: &Reversi<B>, _: bool) -> Option<u32> {
        None
    }
}

impl<B: Board> ReversiSearcher<B> {
    /// The best known move of a position; see [`midgame::best_known`].
    fn best_known(&self, position: &Reversi<B>, proven: bool) -> Option<Square<B>> {
        if position.legal.is_empty() {
            return Some(Square::PASS).filter(|_| !position.over);
        }
        midgame::best_known::<B>(self.table.as_ref()?, position.own, position.other, proven).map(Square::new)
    }
}

/// The depth and the selectivity of a search with this many empty squares.
fn plan(scope: &Scope, empty: u32) -> (u32, Selectivity) {
    let usual = if scope.techniques.probcut { Selectivity::Probable } else { Selectivity::Exact };
    if scope.depth >= empty {
        return (empty, Selectivity::Exact);
    }
    // Without ProbCut there is no selective search to the end, and the exact one begins an iteration later.
    if empty > MAX_EMPTY_AHEAD || scope.depth + AHEAD < empty + u32::from(usual == Selectivity::Exact) {
        return (scope.depth, usual);
    }
    (empty, if scope.depth + AHEAD == empty { usual } else { Selectivity::Exact })
}
