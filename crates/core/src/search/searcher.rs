//! The search below the root of alpha-beta: [`super::plain::Plain`], or a game's dedicated search.
//!
//! The root ([`super::deepening`]) requests values of the positions after its moves, iteration by iteration; the searcher
//! decides how to find them. All workers of a search start with clones of one searcher, which share its table; the root owns
//! the node counter.

use super::techniques::Techniques;
use super::value::{INFINITY, SearchValue};
use super::{Control, Outlook, Pace, StopReason, Tick};
use crate::position::Position;

/// How a position is searched.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Plies to search below the position.
    pub depth: u32,
    /// The window (alpha, beta) for the side to move: a result inside it is exact, one outside is a bound.
    pub window: (i32, i32),
    /// Plies between the root and the position.
    pub ply: u32,
    /// The active techniques.
    pub techniques: Techniques,
    /// Whether only proofs are requested: wins and losses within the depth, with all moves searched at full width.
    pub proves: bool,
}

/// A position after a move.
#[derive(Clone, Debug)]
pub struct After<P> {
    /// The position.
    pub position: P,
    /// Its key.
    pub key: u64,
    /// Whether the same side moves again.
    pub same: bool,
}

impl<P: Position> After<P> {
    /// Plays a move.
    #[inline]
    pub fn new(parent: &P, mv: P::Move) -> Self {
        let mut position = parent.clone();
        position.play(mv);
        let (key, same) = (position.key(), position.turn() == parent.turn());
        Self { position, key, same }
    }
}

/// Searches positions below the root. A type parameter of the root, never a trait object.
pub trait Searcher<P: Position>: Default + Clone + Send + Sync + 'static {
    /// The techniques that it supports.
    const SUPPORTED: Techniques;
    /// Whether it evaluates unfinished positions; otherwise only proofs are reported as values.
    const EVALUATES: bool;
    /// Half of the first aspiration window: the usual change of the value from one iteration to the next. 0: no window.
    const WINDOW: i32 = 0;
    /// The value of one ply in surveys of the other root moves: a move is surveyed one ply less deep for every 2 * `MARGIN`
    /// that it is worth less than the best, at most four. 0: all are surveyed equally deep.
    const MARGIN: i32 = 0;
    /// Whether the search for a shorter win, or a longer loss, continues to the end of the budget; otherwise for as many nodes
    /// again as the proof took.
    const REFINES_DISTANCES: bool = true;

    /// The number of root moves that an iteration of this depth searches, from the second one on, if only the best move is
    /// requested (late move pruning); `None`: all of them.
    #[must_use]
    fn root_moves(_depth: u32) -> Option<u32> {
        None
    }

    /// The window of an iteration of this depth that determines who wins at `root`, before the next one determines by how much;
    /// `None`: a window around the value of the previous iteration.
    fn outcome_window(&self, _root: &P, _depth: u32) -> Option<(i32, i32)> {
        None
    }

    /// Called before each search of a position of the same game, with its budget in bytes. Returns the bytes that the searcher
    /// can grow to; tables of an earlier search keep their sizes.
    fn begin(&mut self, root: &P, memory: u64) -> u64;

    /// Called before each iteration.
    fn begin_iteration(&self) {}

    /// Bytes in use.
    fn used_bytes(&self) -> u64;

    /// Stored positions that a later search can use.
    fn entries(&self) -> u64;

    /// The chances of the results when a search from `root` finds `value`, for the first player, without proving it.
    fn outlook(&self, root: &P, value: i32) -> Outlook;

    /// The priority of a root move: larger ones are tried first, equal ones in the order of the rules.
    fn priority(&self, root: &P, mv: P::Move) -> i32;

    /// The static value of a root move, for the side to move.
    fn static_move_value(&self, _root: &P, _mv: P::Move) -> i32 {
        0
    }

    /// The penalty of a root move by the principles of the opening, which a shallow search does not see; never negative. It is
    /// subtracted from values that are not proven.
    fn handicap(&self, _root: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether a root move may be searched less deep at first: it neither answers a threat nor captures nor threatens anything.
    fn may_reduce(&self, _root: &P, _mv: P::Move) -> bool {
        true
    }

    /// Plays a move; `ply` counts from the root to the position after it.
    fn play(&mut self, parent: &P, mv: P::Move, _ply: u32) -> After<P> {
        After::new(parent, mv)
    }

    /// The value of a position for the side to move; meaningless once the counter has stopped the search.
    fn value(&mut self, after: &After<P>, scope: &Scope, counter: &mut Counter<'_, P::Move>) -> SearchValue;

    /// The stored best move of a position, if any.
    fn expected(&self, position: &P) -> Option<P::Move>;

    /// The best move of a position, if it is proven; by default the expected one.
    fn proven_best(&self, position: &P) -> Option<P::Move> {
        self.expected(position)
    }

    /// The best move of a position in which the side to move is known to win, or to lose, in exactly this many plies.
    fn exact_move(&self, position: &P, wins: bool, plies: u32) -> Option<P::Move>;

    /// The plies within which the side to move is known to win, or to lose, an unfinished position.
    fn ends_within(&self, position: &P, wins: bool) -> Option<u32>;

    /// Calls `found` once for each legal move worth searching. Returns whether the other moves are certain to be no better for
    /// the side to move than the best of these.
    fn candidates(&self, position: &P, found: &mut impl FnMut(P::Move)) -> bool {
        position.moves().for_each(found);
        true
    }
}

/// The static value of the position after a root move, for the side that moves; `value` evaluates for the first player.
pub fn value_after<P: Position>(root: &P, mv: P::Move, value: impl Fn(&P) -> i32) -> i32 {
    let sign = i32::from(root.turn().sign());
    let mut after = root.clone();
    after.play(mv);
    match after.outcome() {
        None => value(&after) * sign,
        Some(end) => (i32::from(end.score()) * sign).signum() * INFINITY,
    }
}

/// Counts a worker's nodes, and stops its search.
pub struct Counter<'a, M> {
    /// Nodes so far.
    pub nodes: u64,
    /// Why the search must stop, once it must.
    pub stop: Option<StopReason>,
    /// Whether a progress report is due.
    pub progress_due: bool,
    /// The depth of the iteration.
    pub iteration: u32,
    most: u64,
    pace: Pace,
    control: &'a Control<'a, M>,
}

/// Nodes that the first iteration gets regardless of the time limit, a few milliseconds of work: until it is complete, nothing
/// is known about the moves.
const FIRST_ITERATION: u64 = 4096;

impl<'a, M> Counter<'a, M> {
    /// A counter that stops the search at `most` nodes.
    pub fn new(most: u64, control: &'a Control<'a, M>) -> Self {
        let pace = Pace::default();
        Self { nodes: 0, stop: None, progress_due: false, iteration: 0, most, pace, control }
    }

    /// Lowers the node limit to `most`, if it is higher. Returns the previous limit, for [`Counter::lift`].
    pub fn limit(&mut self, most: u64) -> u64 {
        let before = self.most;
        self.most = before.min(most);
        before
    }

    /// Restores a node limit.
    pub const fn lift(&mut self, most: u64) {
        self.most = most;
    }

    /// Counts nodes, and periodically checks whether the search must stop. Returns whether it continues.
    #[inline]
    pub fn count(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.most {
            self.stop.get_or_insert(StopReason::Nodes);
        }
        match self.pace.tick(self.control) {
            Tick::Continue => {}
            Tick::Report => self.progress_due = true,
            Tick::Stop(StopReason::Time | StopReason::Cpu) if self.is_too_early() => {}
            Tick::Stop(reason) => {
                self.stop.get_or_insert(reason);
            }
        }
        self.stop.is_none()
    }

    /// Whether a time limit has to wait for the first iteration.
    const fn is_too_early(&self) -> bool {
        self.iteration <= 1 && self.nodes < FIRST_ITERATION
    }
}
