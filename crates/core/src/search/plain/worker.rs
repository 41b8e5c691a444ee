//! One worker: what the recursion needs besides the position, and the steps that all its parts share.

use super::Evaluator;
use super::evaluator::{Known, Part, Question};
use super::ordering::{Choice, History};
use super::table::{Entry, Table};
use crate::position::{Position, Side};
use crate::search::techniques::Techniques;
use crate::search::value::{Found, INFINITY, POINT, distance, from_table, is_decided, to_table, win_at};
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
            Known::Draw { mv } => (Found::complete(0), code(mv)),
            Known::Margin { margin, mv } => (Found::complete(i32::from(margin) * POINT), code(mv)),
            // The evaluator's own search leaves moves out, and may overlook a win.
            Known::Value { value, mv } => (Found::selective(value), code(mv)),
        };
        let conclusive = if found.value > 0 { found.value >= beta } else { found.value <= alpha };
        (found.complete || conclusive || !self.full_width).then_some((found, best))
    }

    /// The expected line after a root move whose search has `found` so much, as far as the tables still know it. Where the end
    /// of the game is proven, each move is known to lead there, no sooner and no later; where the distance `is_exact`, the
    /// loser's moves too are known to be the best.
    pub fn line(&self, root: &P, mv: P::Move, found: &Found, is_exact: bool) -> Vec<P::Move> {
        let mut line = vec![mv];
        let mut course = Course::of(root, found.value, is_exact);
        let mut position = root.clone();
        position.play(mv);
        while line.len() < LONGEST_LINE && position.outcome().is_none() {
            if let Some(course) = &mut course {
                course.plies -= 1;
            }
            let next = match course {
                Some(course) => self.best_known(&position, course),
                None => self.expected(&position),
            };
            let Some(mv) = next else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }

    /// The move that is expected in a position, if one is remembered.
    fn expected(&self, position: &P) -> Option<P::Move> {
        let known = self.table.get(position.key()).filter(|entry| entry.bound != Bound::Upper && entry.best != 0);
        let best = known.and_then(|entry| self.evaluator.recall(position, entry.best));
        best.or_else(|| self.evaluator.expected(position))
    }

    /// The move of a position from which the game takes this course, if one is known.
    pub fn best_known(&self, position: &P, course: Course) -> Option<P::Move> {
        let Course { winner, plies, is_exact } = course;
        if plies == 0 {
            return None;
        }
        let wins = position.turn() == winner;
        if let Some(entry) = self.table.get(position.key()).filter(|entry| entry.best != 0) {
            let ends = entry.bound == Bound::Exact && distance::<P>(entry.value) == Some(plies);
            let seen = !entry.selective && (entry.complete || u32::from(entry.depth) >= plies);
            if ends && seen && (entry.value > 0) == wins {
                return self.evaluator.recall(position, entry.best);
            }
        }
        let mut moves = Vec::new();
        let mut covers_all = true;
        for part in [Part::Tactical, Part::Quiet] {
            covers_all &= self.evaluator.moves(position, part, &mut |mv| moves.push(mv));
        }
        if covers_all && moves.len() == 1 {
            return moves.pop();
        }
        // A loser who can hold out so long may be able to hold out longer.
        let may_choose = wins || !is_exact;
        moves.into_iter().filter(|_| may_choose).find(|&mv| {
            let mut after = position.clone();
            after.play(mv);
            self.ends_within(&after, winner) == Some(plies - 1)
        })
    }

    /// Within how many plies a side is known to win a position.
    fn ends_within(&self, position: &P, winner: Side) -> Option<u32> {
        if let Some(outcome) = position.outcome() {
            return (outcome.winner == Some(winner)).then_some(0);
        }
        let wins = position.turn() == winner;
        let entry = self.table.get(position.key()).filter(|entry| {
            let other = if wins { Bound::Upper } else { Bound::Lower };
            entry.bound != other && (entry.value > 0) == wins
        });
        let remembered = match self.evaluator.remembered(position) {
            Some(Known::Win { plies, .. }) if wins => Some(plies),
            Some(Known::Loss { plies }) if !wins => Some(plies),
            _ => None,
        };
        entry.and_then(|entry| distance::<P>(entry.value)).into_iter().chain(remembered).min()
    }
}

/// The way to a proven end.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub winner: Side,
    /// Plies until the game is over.
    pub plies: u32,
    /// Whether best play takes so long, and not less.
    pub is_exact: bool,
}

impl Course {
    /// The course from a root whose side to move has found this value; none where nothing is decided.
    pub fn of<P: Position>(root: &P, value: i32, is_exact: bool) -> Option<Self> {
        let winner = if value > 0 { root.turn() } else { root.turn().other() };
        distance::<P>(value).map(|plies| Self { winner, plies, is_exact })
    }
}
