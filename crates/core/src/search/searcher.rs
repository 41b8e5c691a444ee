//! What searches below the root of alpha-beta: [`super::plain::Plain`], or a game's dedicated search.
//!
//! The root ([`super::deepening`]) asks for values of the positions after its moves, iteration by iteration; how they are found
//! is the searcher's business. All workers of a search begin with clones of one searcher, which share its table; the root
//! owns the node counter.

use super::techniques::Techniques;
use super::value::{Found, INFINITY};
use super::{Control, Outlook, Pace, StopReason, Tick};
use crate::position::Position;

/// How a position is searched.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Plies to be searched below the position.
    pub depth: u32,
    /// Values of interest to the side to move: within it the result is exact, outside it is a bound.
    pub window: (i32, i32),
    /// Plies between the root and the position.
    pub ply: u32,
    /// The active techniques.
    pub techniques: Techniques,
    /// Whether nothing but proofs is asked for: wins and losses within the depth, all moves searched at full width.
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
    const HEEDS: Techniques;
    /// Whether it evaluates unfinished positions; otherwise only proofs are reported as values.
    const EVALUATES: bool;
    /// Half of the first aspiration window: by how much the value mostly differs from one iteration to the next. 0: none.
    const WINDOW: i32 = 0;
    /// What one ply may be worth: the measure of how much less deep moves are surveyed that are worth less than the best. 0:
    /// all are surveyed equally deep.
    const MARGIN: i32 = 0;
    /// Whether a proven win or loss is searched on for a shorter or longer one to the end of the budget; otherwise for as many
    /// nodes again as it took to find.
    const PERFECTS: bool = true;

    /// How many root moves an iteration of so many plies searches, from the second one on, where nothing but the best move is
    /// asked for (late move pruning); none: all of them.
    #[must_use]
    fn root_moves(_depth: u32) -> Option<u32> {
        None
    }

    /// The window in which an iteration of this depth searches the moves of `root`, where it finds who wins before the next one
    /// finds by how much; none: around the value of the iteration before.
    fn outcome_window(&self, _root: &P, _depth: u32) -> Option<(i32, i32)> {
        None
    }

    /// Called before each search of a position of the same game, with the bytes of its budget. Returns the bytes that the
    /// searcher may come to use; tables of an earlier search keep their sizes.
    fn begin(&mut self, root: &P, memory: u64) -> u64;

    /// Called before each iteration.
    fn begin_iteration(&self) {}

    /// Bytes in use.
    fn used_bytes(&self) -> u64;

    /// Positions remembered that a later search may ask for.
    fn entries(&self) -> u64;

    /// The chances of the results when a search from `root` finds `value`, for the first player, without proving it.
    fn outlook(&self, root: &P, value: i32) -> Outlook;

    /// How early to try a root move: the largest first, equals in the order of the rules.
    fn priority(&self, root: &P, mv: P::Move) -> i32;

    /// The static value of a root move, for the side to move.
    fn first_look(&self, _root: &P, _mv: P::Move) -> i32 {
        0
    }

    /// What a root move gives away by the principles of the opening, which a search of few plies does not see; never negative.
    /// The values of moves are less by it, where they are not proven.
    fn handicap(&self, _root: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether a root move may be searched less deep at first: it answers no threat, takes nothing and threatens nothing.
    fn may_reduce(&self, _root: &P, _mv: P::Move) -> bool {
        true
    }

    /// Plays a move; `ply` counts from the root to the position after it.
    fn play(&mut self, parent: &P, mv: P::Move, _ply: u32) -> After<P> {
        After::new(parent, mv)
    }

    /// The value of a position for the side to move. It means nothing once the counter has stopped the search.
    fn value(&mut self, after: &After<P>, scope: &Scope, counter: &mut Counter<'_, P::Move>) -> Found;

    /// The move expected in a position, if one is remembered.
    fn expected(&self, position: &P) -> Option<P::Move>;

    /// The best move of a position in which the side to move is known to win, or to lose, in exactly so many plies.
    fn exact_move(&self, position: &P, wins: bool, plies: u32) -> Option<P::Move>;

    /// Within how many plies the side to move is known to win, or to lose, an unfinished position.
    fn ends_within(&self, position: &P, wins: bool) -> Option<u32>;

    /// Calls `found` with every legal move that deserves to be searched, once each. Returns whether all others can be left out
    /// for certain: none of them is better for the side to move than the best of these.
    fn candidates(&self, position: &P, found: &mut impl FnMut(P::Move)) -> bool {
        position.moves().for_each(found);
        true
    }
}

/// What the position after a root move is worth to the side that moves by an evaluation for the first player.
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

/// However little time there is, the first iteration gets so many nodes, a few milliseconds of work: before it is complete,
/// nothing is known of the moves.
const FIRST_ITERATION: u64 = 4096;

impl<'a, M> Counter<'a, M> {
    /// Counts up to so many nodes.
    pub fn new(most: u64, control: &'a Control<'a, M>) -> Self {
        let pace = Pace::default();
        Self { nodes: 0, stop: None, progress_due: false, iteration: 0, most, pace, control }
    }

    /// Stops the search at so many nodes, if nothing stops it sooner. Returns what [`Counter::lift`] takes back.
    pub fn limit(&mut self, most: u64) -> u64 {
        let before = self.most;
        self.most = before.min(most);
        before
    }

    /// Takes a limit back.
    pub const fn lift(&mut self, most: u64) {
        self.most = most;
    }

    /// Counts nodes, and looks now and then whether the search must stop. Whether it goes on.
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

    /// Whether the end of the time has to wait for the first iteration.
    const fn is_too_early(&self) -> bool {
        self.iteration <= 1 && self.nodes < FIRST_ITERATION
    }
}
