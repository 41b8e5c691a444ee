//! Principal variation search (Marsland and Campbell 1982) with a transposition table, late move reductions and history: below
//! the root of games without a dedicated search, and where proofs need all moves at full width.
//!
//! - `evaluator`: a game's knowledge beyond its rules.
//! - `visit`: the recursion; `search`: its state and shared steps.
//! - `ordering`: move ordering, and the history that it learns from; `table`: the table's entries.

mod evaluator;
mod ordering;
mod search;
mod table;
mod visit;

use std::sync::Arc;

use self::search::{Memory, Search};
use super::searcher::{After, Counter, Scope, Searcher, value_after};
use super::techniques::Techniques;
use super::value::{SearchValue, distance};
use super::{Bound, Outlook};
use crate::position::Position;

pub use evaluator::{Evaluator, Proof, RulesOnly};

pub(crate) use table::{Entry, Table};

/// Principal variation search with an evaluator.
#[derive(Debug, Default)]
pub struct Plain<E> {
    /// Evaluates positions and orders moves.
    pub(crate) evaluator: E,
    /// The table that the workers of a search share; `None` before the first search.
    table: Option<Arc<Table>>,
    /// This worker's history and path; `None` before its first position.
    memory: Option<Memory>,
}

impl<E: Clone> Clone for Plain<E> {
    fn clone(&self) -> Self {
        Self { evaluator: self.evaluator.clone(), table: self.table.clone(), memory: None }
    }
}

impl<E> Plain<E> {
    /// The table, created with `bytes` if there is none yet.
    fn table(table: &mut Option<Arc<Table>>, bytes: u64) -> &Table {
        table.get_or_insert_with(|| Arc::new(Table::new(bytes)))
    }

    /// The table entry of a position.
    fn known<P: Position>(&self, position: &P) -> Option<Entry> {
        self.table.as_ref()?.get(position.key())
    }
}

impl<P: Position, E: Evaluator<P>> Searcher<P> for Plain<E> {
    const SUPPORTED: Techniques = Techniques {
        aspiration: E::WINDOW > 0,
        reductions: E::EVALUATES,
        internal_reduction: E::EVALUATES,
        history: E::SLOTS > 0,
        ..Techniques::NONE
    };
    const EVALUATES: bool = E::EVALUATES;
    const WINDOW: i32 = E::WINDOW;

    fn begin(&mut self, _: &P, memory: u64) -> u64 {
        Self::table(&mut self.table, memory).bytes()
    }

    fn begin_iteration(&self) {
        self.table.iter().for_each(|table| table.next_age());
    }

    fn used_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn outlook(&self, root: &P, value: i32) -> Outlook {
        self.evaluator.outlook(root, value)
    }

    fn priority(&self, root: &P, mv: P::Move) -> i32 {
        self.evaluator.priority(root, mv)
    }

    fn static_move_value(&self, root: &P, mv: P::Move) -> i32 {
        if E::EVALUATES { value_after(root, mv, |position| self.evaluator.value(position)) } else { 0 }
    }

    fn play(&mut self, parent: &P, mv: P::Move, ply: u32) -> After<P> {
        if E::SLOTS > 0 {
            let memory = self.memory.get_or_insert_with(|| Memory::new(E::SLOTS));
            memory.path[ply as usize].slot = Some(self.evaluator.slot(parent, mv));
        }
        After::new(parent, mv)
    }

    fn value(&mut self, after: &After<P>, scope: &Scope, counter: &mut Counter<'_, P::Move>) -> SearchValue {
        let Scope { depth, window: (alpha, beta), ply, techniques, proves } = *scope;
        let table = Self::table(&mut self.table, 0);
        let memory = self.memory.get_or_insert_with(|| Memory::new(E::SLOTS));
        memory.history.slots = if techniques.history { E::SLOTS } else { 0 };
        let evaluator = &mut self.evaluator;
        let mut search = Search { evaluator, table, memory, counter, techniques, proves, stack: Vec::new() };
        match beta - alpha {
            ..=1 => search.visit::<false>(after, depth, alpha, beta, ply),
            _ => search.visit::<true>(after, depth, alpha, beta, ply),
        }
    }

    fn expected(&self, position: &P) -> Option<P::Move> {
        let known = self.known(position).filter(|entry| entry.bound != Bound::Upper && entry.best != 0);
        known.and_then(|entry| self.evaluator.recall(position, entry.best))
    }

    fn exact_move(&self, position: &P, wins: bool, plies: u32) -> Option<P::Move> {
        let entry = self.known(position).filter(|entry| entry.best != 0)?;
        let ends = entry.bound == Bound::Exact && distance::<P>(entry.value) == Some(plies);
        let seen = !entry.selective && (entry.complete || u32::from(entry.depth) >= plies);
        let is_known = ends && seen && (entry.value > 0) == wins;
        is_known.then(|| self.evaluator.recall(position, entry.best)).flatten()
    }

    fn ends_within(&self, position: &P, wins: bool) -> Option<u32> {
        let other = if wins { Bound::Upper } else { Bound::Lower };
        let known = self.known(position).filter(|entry| entry.bound != other && (entry.value > 0) == wins);
        known.and_then(|entry| distance::<P>(entry.value))
    }
}
