//! The state of the recursion, and the steps that its parts share.

use super::Evaluator;
use super::evaluator::Proof;
use super::ordering::{History, ScoredMove};
use super::table::{Entry, Table};
use crate::position::Position;
use crate::search::Bound;
use crate::search::searcher::{After, Counter};
use crate::search::techniques::{DEEPEST, Techniques};
use crate::search::value::{SearchValue, from_table, is_decided, to_table, win_at};

/// Maximum length of a path from the root; positions at its end are evaluated statically.
pub const LONGEST_PATH: u32 = 500;

/// A position on the current path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The slot of the move that led to it, where history is kept.
    pub slot: Option<usize>,
    /// Its static evaluation, for the first player.
    pub value: Option<i32>,
}

/// A worker's state that persists from one root move to the next.
#[derive(Debug)]
pub struct Memory {
    pub history: History,
    pub path: Vec<Step>,
}

impl Memory {
    /// Empty memory, for moves with this many slots.
    pub fn new(slots: usize) -> Self {
        Self { history: History::new(slots), path: vec![Step::default(); LONGEST_PATH as usize + 2] }
    }
}

/// A search of one position below the root.
pub struct Search<'a, 'c, P: Position, E> {
    pub evaluator: &'a mut E,
    pub table: &'a Table,
    pub memory: &'a mut Memory,
    pub counter: &'a mut Counter<'c, P::Move>,
    pub techniques: Techniques,
    /// Whether the search is for proofs: without reductions, and without results of searches that used them.
    pub proves: bool,
    pub stack: Vec<ScoredMove<P::Move>>,
}

impl<P: Position, E: Evaluator<P>> Search<'_, '_, P, E> {
    /// Plays a move; `ply` counts from the root to the position after it.
    #[inline]
    pub fn play(&mut self, parent: &P, mv: P::Move, ply: u32) -> After<P> {
        self.memory.path[ply as usize].slot = (E::SLOTS > 0).then(|| self.evaluator.slot(parent, mv));
        let after = After::new(parent, mv);
        self.table.prefetch(after.key);
        after
    }

    /// The value, for the side that moved, of the position after its move, searched `depth` plies deep within
    /// (`alpha`, `beta`).
    #[inline]
    pub fn search_after<const PV: bool>(
        &mut self,
        after: &After<P>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> SearchValue {
        if after.same {
            self.visit::<PV>(after, depth, alpha, beta, ply)
        } else {
            self.visit::<PV>(after, depth, -beta, -alpha, ply).turned()
        }
    }

    /// A position's static evaluation, for the side to move.
    #[inline]
    pub fn evaluate(&self, position: &P) -> i32 {
        self.evaluator.value(position) * i32::from(position.turn().sign())
    }

    /// The value of a table entry here, if its depth and bound suffice.
    #[inline]
    pub fn usable(&self, entry: Entry, depth: u32, alpha: i32, beta: i32, ply: u32) -> Option<SearchValue> {
        if self.proves && entry.selective && !entry.complete {
            return None;
        }
        let value = from_table::<P>(entry.value, ply);
        let is_lower = entry.bound != Bound::Upper && value >= beta;
        let is_upper = entry.bound != Bound::Lower && value <= alpha;
        // A win holds at any depth; only its distance may change.
        let proves = is_decided::<P>(value) && if value > 0 { is_lower } else { is_upper };
        if !entry.complete && u32::from(entry.depth) < depth && !proves {
            return None;
        }
        // A proof by a shallower search may miss a sooner end.
        let complete = entry.complete;
        let selective = entry.selective || (!complete && u32::from(entry.depth) < depth);
        let found = SearchValue { value, complete, past: false, selective };
        (entry.bound == Bound::Exact || is_lower || is_upper).then_some(found)
    }

    /// Stores a position's result in the table.
    #[inline]
    pub fn store(&self, key: u64, found: SearchValue, best: u16, depth: u32, (alpha, beta): (i32, i32), ply: u32) {
        // A win or loss by a rule about the past holds on no other path; a draw may serve there as a guess.
        if self.counter.stop.is_some() || found.past && is_decided::<P>(found.value) {
            return;
        }
        let bound = match found.value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = to_table::<P>(found.value, ply);
        let (complete, selective) = (found.complete && !found.past, found.selective);
        self.table.put(key, Entry { value, bound, depth: depth.min(DEEPEST) as u8, complete, selective, best });
    }

    /// The evaluator's proof, if it is conclusive here, and the code of its move.
    #[inline]
    pub fn proof(
        &mut self,
        position: &P,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<(SearchValue, u16)> {
        let Self { evaluator, counter, .. } = self;
        let (value, best) = match evaluator.proof(position, depth, &mut |nodes| counter.count(nodes))? {
            Proof::Win { plies, mv } => (win_at(ply + plies), self.evaluator.code(mv)),
            Proof::Loss { plies } => (-win_at(ply + plies), 0),
        };
        let is_conclusive = if value > 0 { value >= beta } else { value <= alpha };
        // The game may end sooner.
        (is_conclusive || !self.proves).then_some((SearchValue::selective(value), best))
    }
}
