//! One worker: what the recursion needs besides the position, and the steps that all its parts share.

use super::evaluator::{Known, Question};
use super::ordering::{Choice, History};
use super::table::{Entry, Table};
use super::value::{Found, INFINITY, POINT, from_table, is_decided, to_table, win_at};
use super::{Evaluator, Techniques};
use crate::position::Position;
use crate::search::{Bound, Control, LONGEST_LINE, Look, Pace, StopReason, Task};

/// Deepest iteration: what fits in a table entry.
pub const DEEPEST: u32 = 250;

/// No line is followed further: beyond, positions are evaluated.
pub const LONGEST_PATH: u32 = 500;

/// What is remembered of a position on the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The slot of the move that led to it, where history is kept.
    pub slot: Option<usize>,
    /// Its value without search, for the first player.
    pub value: Option<i32>,
    /// The code of the one move that is not looked at; 0: all are.
    pub excluded: u16,
}

/// A position after a move.
pub struct After<P> {
    pub position: P,
    pub key: u64,
    /// Whether the same side moves again.
    pub same: bool,
}

/// Everything the recursion needs besides the position.
pub struct Worker<'a, P: Position, J> {
    pub evaluator: J,
    pub table: &'a Table,
    pub techniques: Techniques,
    pub nodes: u64,
    /// Why the search must stop, once it must. Values found after that mean nothing.
    pub stop: Option<StopReason>,
    pub progress_due: bool,
    /// Nothing is left out, reduced or taken from searches that did: for what has to be proven.
    pub full_width: bool,
    /// The depth of the iteration.
    pub iteration: u32,
    pub stack: Vec<Choice<P::Move>>,
    pub history: History,
    pub path: Vec<Step>,
    most_nodes: u64,
    pace: Pace,
    control: &'a Control<'a, P::Move>,
}

/// However little time there is, the first iteration gets so many nodes, a few milliseconds of work: before it is complete,
/// nothing is known of the moves.
const FIRST_ITERATION: u64 = 4096;

/// Whether the end of the time has to wait for the first iteration.
fn is_too_early(reason: StopReason, iteration: u32, nodes: u64) -> bool {
    matches!(reason, StopReason::Time | StopReason::Cpu) && iteration <= 1 && nodes < FIRST_ITERATION
}

impl<'a, P: Position, J: Evaluator<P>> Worker<'a, P, J> {
    pub fn new(
        task: &Task<'_, P>,
        techniques: Techniques,
        (evaluator, table): (J, &'a Table),
        control: &'a Control<'a, P::Move>,
    ) -> Self {
        Self {
            evaluator,
            table,
            techniques,
            nodes: 0,
            stop: None,
            progress_due: false,
            full_width: false,
            iteration: 0,
            stack: Vec::with_capacity(1024),
            history: History::new(if techniques.history { J::SLOTS } else { 0 }),
            path: vec![Step::default(); LONGEST_PATH as usize + 2],
            most_nodes: task.budget.nodes.unwrap_or(u64::MAX),
            pace: Pace::default(),
            control,
        }
    }

    /// Stops the search at so many nodes, if nothing stops it sooner. Returns what [`Worker::lift`] takes back.
    pub fn limit(&mut self, most: u64) -> u64 {
        let before = self.most_nodes;
        self.most_nodes = before.min(most);
        before
    }

    /// Takes a limit back.
    pub fn lift(&mut self, most: u64) {
        self.most_nodes = most;
    }

    /// Plays a move; `ply` counts from the root to the position after it.
    #[inline]
    pub fn play(&mut self, parent: &P, mv: P::Move, ply: u32) -> After<P> {
        let slot = (J::SLOTS > 0).then(|| self.evaluator.slot(parent, mv));
        self.path[ply as usize].slot = slot;
        let mut position = parent.clone();
        position.play(mv);
        let key = position.key();
        self.table.prefetch(key);
        let same = position.turn() == parent.turn();
        After { position, key, same }
    }

    /// The value, for the side that moved, of the position after its move, searched `depth` plies deep within
    /// (`alpha`, `beta`).
    #[inline]
    pub fn look<const PV: bool>(&mut self, after: &After<P>, depth: u32, alpha: i32, beta: i32, ply: u32) -> Found {
        if after.same {
            self.visit::<PV>(after, depth, alpha, beta, ply, true)
        } else {
            self.visit::<PV>(after, depth, -beta, -alpha, ply, true).turned()
        }
    }

    /// Counts a node, and looks now and then whether the search must stop.
    #[inline]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.most_nodes {
            self.stop.get_or_insert(StopReason::Nodes);
        }
        match self.pace.tick(self.control) {
            Look::GoOn => {}
            Look::Tell => self.progress_due = true,
            Look::Stop(reason) if is_too_early(reason, self.iteration, self.nodes) => {}
            Look::Stop(reason) => {
                self.stop.get_or_insert(reason);
            }
        }
    }

    /// A position's value without search, for the side to move.
    #[inline]
    pub fn evaluate(&self, position: &P) -> i32 {
        self.evaluator.value(position) * i32::from(position.turn().sign())
    }

    /// What a table entry says here, if it says enough.
    #[inline]
    pub fn usable(&self, entry: Entry, depth: u32, alpha: i32, beta: i32, ply: u32) -> Option<Found> {
        if self.full_width && entry.selective && !entry.complete {
            return None;
        }
        let value = from_table::<P>(entry.value, ply);
        let is_lower = entry.bound != Bound::Upper && value >= beta;
        let is_upper = entry.bound != Bound::Lower && value <= alpha;
        // Whoever wins, wins at any depth; only how soon may change.
        let proves = is_decided::<P>(value) && if value > 0 { is_lower } else { is_upper };
        if !entry.complete && u32::from(entry.depth) < depth && !proves {
            return None;
        }
        // What a shallower search proves may be possible sooner.
        let complete = entry.complete;
        let selective = entry.selective || (!complete && u32::from(entry.depth) < depth);
        let found = Found { value, complete, past: false, selective };
        (entry.bound == Bound::Exact || is_lower || is_upper).then_some(found)
    }

    /// Puts what was found about a position into the table.
    #[inline]
    pub fn remember(&self, key: u64, found: Found, best: u16, depth: u32, (alpha, beta): (i32, i32), ply: u32) {
        // What the past decided holds on no other path; of a draw it may serve there as a guess.
        let decided_by_past = found.past && (is_decided::<P>(found.value) || found.value.abs() >= J::FORBIDDEN);
        if self.stop.is_some() || decided_by_past {
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

    /// What a move seems to be worth before any search: the value of the position after it where it captures nothing, less what
    /// it may lose, or what it wins at once.
    pub fn first_look(&self, root: &P, mv: P::Move) -> i32 {
        if !J::EVALUATES {
            return 0;
        }
        let evaluate = |position: &P| self.evaluator.value(position) * i32::from(root.turn().sign());
        let gain = self.evaluator.gain(root, mv);
        if self.evaluator.is_tactical(root, mv) {
            return evaluate(root) + gain;
        }
        let mut after = root.clone();
        after.play(mv);
        match after.outcome() {
            None => evaluate(&after) + gain.min(0),
            Some(end) => i32::from(end.score() * root.turn().sign()).signum() * INFINITY,
        }
    }

    /// What the evaluator knows for certain, if that is enough here, and the code of the move for it.
    #[inline]
    pub fn solve(&mut self, position: &P, depth: u32, (alpha, beta): (i32, i32), ply: u32) -> Option<(Found, u16)> {
        let question = Question { depth, window: (alpha, beta), techniques: self.techniques, exact: self.full_width };
        let Self { evaluator, nodes, stop, pace, control, progress_due, most_nodes, iteration, .. } = self;
        let mut tick = |count: u64| {
            *nodes += count;
            if *nodes >= *most_nodes {
                stop.get_or_insert(StopReason::Nodes);
            }
            match pace.tick(control) {
                Look::GoOn => {}
                Look::Tell => *progress_due = true,
                Look::Stop(reason) if is_too_early(reason, *iteration, *nodes) => {}
                Look::Stop(reason) => {
                    stop.get_or_insert(reason);
                }
            }
            stop.is_none()
        };
        let known = evaluator.solve(position, question, &mut tick)?;
        if self.full_width && matches!(known, Known::Value { .. }) {
            return None;
        }
        let code = |mv: Option<P::Move>| mv.map_or(0, |mv| self.evaluator.code(mv));
        let (found, best) = match known {
            // It may be possible sooner.
            Known::Win { plies, mv } => (Found::selective(win_at(ply + plies)), code(Some(mv))),
            Known::Loss { plies } => (Found::selective(-win_at(ply + plies)), 0),
            Known::Margin { margin, mv } => (Found::complete(i32::from(margin) * POINT), code(mv)),
            Known::Value { value, mv } => (Found::guess(value), code(mv)),
        };
        let conclusive = if found.value > 0 { found.value >= beta } else { found.value <= alpha };
        (found.complete || conclusive || !self.full_width).then_some((found, best))
    }

    /// The expected line after a root move, as far as the table still knows it, and from there as far as the evaluator does.
    pub fn line(&self, root: &P, mv: P::Move) -> Vec<P::Move> {
        self.follow(root, mv, |position| self.evaluator.expected(position))
    }

    /// The same without an evaluator that may take long to find it: for moves of which there are hundreds.
    pub fn known_line(&self, root: &P, mv: P::Move) -> Vec<P::Move> {
        self.follow(root, mv, |position| if J::LOOKS_UP { self.evaluator.expected(position) } else { None })
    }

    fn follow(&self, root: &P, mv: P::Move, expected: impl Fn(&P) -> Option<P::Move>) -> Vec<P::Move> {
        let mut line = vec![mv];
        let mut position = root.clone();
        position.play(mv);
        while line.len() < LONGEST_LINE && position.outcome().is_none() {
            let known = self.table.get(position.key()).filter(|entry| entry.bound != Bound::Upper && entry.best != 0);
            let best = known.and_then(|entry| self.evaluator.recall(&position, entry.best));
            let Some(mv) = best.or_else(|| expected(&position)) else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }
}
