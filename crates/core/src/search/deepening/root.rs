//! Iterative deepening: every root move searched to depth 1, 2, 3, … until the result is proven or the budget spent.

use super::root_move::{RootMove, Searched};
use crate::position::Position;
use crate::search::searcher::{After, Counter, Scope, Searcher};
use crate::search::techniques::{DEEPEST, Techniques, reduction};
use crate::search::value::{INFINITY, SearchValue, distance, is_decided, is_largest, is_lost, is_won};
use crate::search::{Bound, Control, Report, StopReason, Task};
use crate::sorting;

/// Nodes spent on the value of a forced move.
const FORCED_MOVE_NODES: u64 = 1000;

/// Minimum nodes for improving the distance of a proven result.
pub const MIN_NODES_ONCE_PROVEN: u64 = 20_000;

/// A worker at the root.
pub struct Root<'a, P: Position, S> {
    pub searcher: S,
    pub counter: Counter<'a, P::Move>,
    techniques: Techniques,
    /// Whether the search is for proofs only, at full width.
    pub proves: bool,
    pub task: &'a Task<'a, P>,
    pub control: &'a Control<'a, P::Move>,
    /// The root moves, the best known one first.
    pub moves: Vec<RootMove<P::Move>>,
    /// Nodes spent on values of the other moves.
    pub surveyed: u64,
    /// Iterations since the best move last changed.
    steady: u32,
    /// The move, with its value, that a full-width search has verified: no other move is better, not even by a sooner end.
    pub verified: Option<(P::Move, i32)>,
    /// The node at which a proven result ends the search.
    proven_until: u64,
}

/// Searches by iterative deepening.
pub fn deepen<P: Position, S: Searcher<P>>(
    techniques: Techniques,
    task: &Task<'_, P>,
    control: &Control<'_, P::Move>,
    searcher: S,
) -> Report<P::Move> {
    let entry = |&mv: &P::Move| RootMove::new(mv, searcher.handicap(task.position, mv));
    let mut moves: Vec<_> = task.moves.iter().map(entry).collect();
    // A stable sort: equals keep the order of the rules.
    sorting::by_key(&mut moves, |entry| {
        let first = searcher.priority(task.position, entry.mv);
        let value = searcher.static_move_value(task.position, entry.mv);
        [entry.handicap.into(), -sorting::of_pair(first, value)]
    });
    let counter = Counter::new(task.budget.nodes.unwrap_or(u64::MAX), control);
    let mut root = Root {
        searcher,
        counter,
        techniques,
        proves: false,
        task,
        control,
        moves,
        surveyed: 0,
        steady: 0,
        verified: None,
        proven_until: u64::MAX,
    };
    let stop = match root.run() {
        StopReason::Nodes if root.counter.nodes >= root.proven_until => {
            root.counter.lift(task.budget.nodes.unwrap_or(u64::MAX));
            root.counter.stop = None;
            StopReason::Proven
        }
        reason => reason,
    };
    if stop == StopReason::Proven {
        root.finish_grades();
    }
    root.finish_survey();
    if stop == StopReason::Proven {
        control.decide();
    }
    root.report(&root.moves, stop)
}

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    fn run(&mut self) -> StopReason {
        let forced = self.task.position.moves().nth(1).is_none();
        let deepest = self.deepest();
        // Every other worker is one ply ahead, so that the table holds what is needed next (Lazy SMP).
        let mut depth = self.task.worker % 2;
        loop {
            depth = (depth + 1).min(deepest);
            self.counter.iteration = depth;
            if self.task.worker == 0 {
                self.searcher.begin_iteration();
            }
            let before = self.moves[0].mv;
            for rank in 0..self.pv_count() {
                self.find(rank, depth);
                if let Some(reason) = self.counter.stop {
                    return reason;
                }
            }
            self.limit_proven(self.moves[0].latest.found.value);
            self.grade();
            self.survey();
            self.promote();
            self.steady = if self.moves[0].mv == before { self.steady + 1 } else { 0 };
            if self.is_settled(depth) {
                return StopReason::Proven;
            }
            if let Some(reason) = self.counter.stop {
                return reason;
            }
            if depth >= deepest {
                return StopReason::Depth;
            }
            if forced && self.counter.nodes >= FORCED_MOVE_NODES {
                return StopReason::SingleMove;
            }
            if self.is_long_enough() {
                return StopReason::Time;
            }
        }
    }

    /// Depth of the last iteration.
    pub fn deepest(&self) -> u32 {
        self.task.budget.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST)
    }

    /// Whether every move is searched to the full depth.
    pub fn is_wide(&self) -> bool {
        self.moves.len() > 1 && self.task.branches.multipv as usize >= self.moves.len()
    }

    /// The number of best moves to find one after the other (MultiPV). If all are requested, each is searched separately
    /// instead.
    fn pv_count(&self) -> usize {
        if self.is_wide() { 1 } else { (self.task.branches.multipv as usize).clamp(1, self.moves.len()) }
    }

    /// Whether the soft limit rules out another iteration: sooner if the best move has long been the same, later if it has just
    /// changed.
    fn is_long_enough(&self) -> bool {
        let Some(soft) = self.task.budget.soft else { return false };
        let share = match self.steady {
            0 => 1.5,
            1 | 2 => 1.1,
            3..=5 => 0.8,
            _ => 0.6,
        };
        self.control.elapsed() >= soft.mul_f64(share)
    }

    /// The window of an iteration that only determines who wins, if the budget may not suffice for more.
    fn outcome_window(&self, depth: u32) -> Option<(i32, i32)> {
        /// Maximum expected cost of the next iteration, relative to all previous ones together.
        const GROWTH: u32 = 8;
        let budget = &self.task.budget;
        let short = budget.nodes.is_some_and(|nodes| nodes / u64::from(GROWTH) < self.counter.nodes)
            || self.control.has_spent_part(GROWTH);
        let alone = !self.is_wide() && self.pv_count() == 1;
        self.searcher.outcome_window(self.task.position, depth).filter(|_| alone && short)
    }

    /// Finds the best of the moves from `rank` on and puts it there.
    fn find(&mut self, rank: usize, depth: u32) {
        let guess = self.moves[rank].latest.found.value;
        let narrow = S::WINDOW > 0 && self.techniques.aspiration && depth >= 4 && !is_decided::<P>(guess);
        let mut width = S::WINDOW;
        if let Some((alpha, beta)) = self.outcome_window(depth) {
            self.search_moves(rank, depth, alpha, beta);
            return;
        }
        let (mut alpha, mut beta) = if narrow { (guess - width, guess + width) } else { (-INFINITY, INFINITY) };
        loop {
            let value = self.search_moves(rank, depth, alpha, beta);
            width = width.saturating_mul(3);
            let wide = width > 100 * S::WINDOW;
            match value {
                Some(value) if value <= alpha && alpha > -INFINITY => {
                    alpha = if wide { -INFINITY } else { value.min(guess) - width };
                }
                Some(value) if value >= beta && beta < INFINITY => {
                    beta = if wide { INFINITY } else { value.max(guess) + width };
                }
                _ => return,
            }
        }
    }

    /// The value of a root move, searched `depth` plies deep below it within (`alpha`, `beta`).
    pub fn search_after(&mut self, after: &After<P>, handicap: i32, depth: u32, alpha: i32, beta: i32) -> SearchValue {
        let open = |value: i32| value.abs() < INFINITY && !is_decided::<P>(value);
        let shift = |value: i32| if open(value) { value + handicap } else { value };
        let found = self.value(after, depth, shift(alpha), shift(beta), 1);
        // The principles of the opening do not apply to proven values.
        let less = if found.complete || !open(found.value) { 0 } else { handicap };
        SearchValue { value: found.value - less, ..found }
    }

    /// The value, for the side that moved, of the position after its move, `ply` plies below the root, searched `depth` plies
    /// deep within (`alpha`, `beta`).
    pub fn value(&mut self, after: &After<P>, depth: u32, alpha: i32, beta: i32, ply: u32) -> SearchValue {
        let Self { techniques, proves, .. } = *self;
        let mut value = |window| {
            let scope = Scope { depth, window, ply, techniques, proves };
            self.searcher.value(after, &scope, &mut self.counter)
        };
        if after.same { value((alpha, beta)) } else { value((-beta, -alpha)).turned() }
    }

    /// The late move reduction of a root move's first search, in plies.
    fn reduction(&self, mv: P::Move, depth: u32, number: usize) -> u32 {
        let reduces = self.techniques.reductions && depth >= 3 && number >= 3;
        if !reduces || !self.searcher.may_reduce(self.task.position, mv) {
            return 0;
        }
        reduction(depth, number).saturating_sub(1).min(depth - 2)
    }

    /// Searches the moves from `rank` on within (`alpha`, `beta`). Returns the best value, or `None` if the worker must stop;
    /// the moves searched before that count.
    fn search_moves(&mut self, rank: usize, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let mut floor = alpha;
        let mut best = rank;
        let mut most = -INFINITY;
        for index in rank..self.moves.len() {
            if !is_lost::<P>(most) && self.leaves_out(index, index - rank, depth) {
                continue;
            }
            let mv = self.moves[index].mv;
            let begin = self.counter.nodes;
            let after = self.searcher.play(self.task.position, mv, 1);
            let handicap = self.moves[index].handicap;
            let mut found = if index == rank {
                self.search_after(&after, handicap, depth - 1, floor, beta)
            } else {
                let less = self.reduction(mv, depth, index - rank);
                let found = self.search_after(&after, handicap, depth - 1 - less, floor, floor + 1);
                if less > 0 && found.value > floor && self.counter.stop.is_none() {
                    self.search_after(&after, handicap, depth - 1, floor, floor + 1)
                } else {
                    SearchValue { selective: found.selective || less > 0, ..found }
                }
            };
            if index > rank && found.value > floor && found.value < beta && self.counter.stop.is_none() {
                // Table entries of other depths may contradict the null-window search; then this result is a bound again.
                found = self.search_after(&after, handicap, depth - 1, floor, beta);
            }
            self.moves[index].nodes += self.counter.nodes - begin;
            if self.counter.stop.is_some() {
                break;
            }
            found = self.moves[index].with_proven_end(found);
            most = most.max(found.value);
            let bound = match found.value {
                value if value >= beta => Bound::Lower,
                value if value <= floor => Bound::Upper,
                _ => Bound::Exact,
            };
            if P::POINTS {
                self.moves[index].prove(found, bound);
            }
            // The first move's value is updated when it is exact, not while it is a limit, except for a win above the window,
            // which is a proof. If another move fails high, its old value is no longer true, and the search may stop before it
            // is searched again.
            let is_proof = bound == Bound::Lower && is_won::<P>(found.value);
            let is_news = bound == Bound::Upper || !found.complete && !is_decided::<P>(found.value);
            if bound == Bound::Exact || (index > rank && is_news) || is_proof {
                // Lines of refuted moves are needed only if all moves are reported.
                let whole = bound != Bound::Upper || self.task.branches.all;
                let searched = Searched { found, bound, depth, line: vec![mv] };
                let searched = if whole { self.with_line(index, searched) } else { searched };
                self.moves[index].update::<P>(searched);
            }
            if found.value > floor {
                (floor, best) = (found.value, index);
                self.limit_proven(found.value.max(0));
            }
            if bound == Bound::Lower {
                break;
            }
            if depth > 1 {
                // Otherwise the survey would get no share of the last iteration, which takes longest.
                self.survey();
            }
            if self.counter.progress_due {
                self.counter.progress_due = false;
                let mut so_far = self.moves.clone();
                order(&mut so_far, rank, best);
                self.control.report(&self.report(&so_far, StopReason::Time));
            }
        }
        order(&mut self.moves, rank, best);
        self.counter.stop.is_none().then_some(most)
    }

    /// Adds the principal variation to the result of a root move's search.
    pub fn with_line(&self, index: usize, searched: Searched<P::Move>) -> Searched<P::Move> {
        let RootMove { mv, ref proven_end, .. } = self.moves[index];
        let is_exact = searched.has_exact_distance::<P>();
        let mut line = self.line(mv, &searched.found, is_exact);
        let same = proven_end.as_ref().filter(|proven_end| !is_exact && proven_end.found.value == searched.found.value);
        if let Some(proven_end) = same.filter(|proven_end| proven_end.line.len() > line.len()) {
            // Later searches have overwritten entries of the table.
            line.clone_from(&proven_end.line);
        }
        Searched { line, ..searched }
    }

    /// Whether an iteration skips a root move, given another that does not lose.
    fn leaves_out(&self, index: usize, number: usize, depth: u32) -> bool {
        let branches = &self.task.branches;
        // A proven loss needs no further search, regardless of its distance.
        let is_lost = is_lost::<P>(self.moves[index].latest.found.value);
        let is_late = depth > 1 && S::root_moves(depth).is_some_and(|most| number >= most as usize);
        let only_best = !branches.all && branches.multipv <= 1;
        is_lost || is_late && only_best && self.techniques.pruning
    }

    /// Limits the search once its result is proven, unless the searcher refines distances ([`Searcher::REFINES_DISTANCES`]):
    /// even the rest of an iteration may take long.
    fn limit_proven(&mut self, value: i32) {
        if !S::REFINES_DISTANCES
            && self.task.branches.multipv <= 1
            && self.proven_until == u64::MAX
            && is_decided::<P>(value)
        {
            self.proven_until = self.counter.nodes + self.counter.nodes.max(MIN_NODES_ONCE_PROVEN);
            self.counter.limit(self.proven_until);
        }
    }

    /// Whether the result can no longer change.
    fn is_settled(&mut self, depth: u32) -> bool {
        let best = self.moves[0].latest.found;
        // Nothing beats the largest possible score, whatever the other moves are worth.
        let one = self.task.branches.multipv <= 1;
        let unbeatable = one && is_largest::<P>(best.value, self.task.position.score_limit());
        let wide = self.is_wide();
        let is_complete = |entry: &RootMove<P::Move>| match entry.exact() {
            Some(exact) if wide => exact.found.complete,
            _ => entry.latest.found.complete && !wide,
        };
        let sure = |entry: &RootMove<P::Move>| is_complete(entry) || is_lost::<P>(entry.latest.found.value);
        if best.complete && (unbeatable || self.moves.iter().all(sure)) {
            let may_be_sooner = is_decided::<P>(best.value) && !self.has_exact_distance(&self.moves);
            return !may_be_sooner || self.verify(u64::MAX);
        }
        // A win within the depth is the shortest, and a loss the longest resistance, if all shorter lines were searched. If
        // that takes longer than the search so far, a deeper iteration may find a sooner end first.
        match distance::<P>(best.value) {
            Some(distance) if one && distance <= depth => self.verify(self.counter.nodes.max(MIN_NODES_ONCE_PROVEN)),
            _ => false,
        }
    }
}

/// Orders the moves from `rank` on: the best one first, the others by depth and value; equal ones keep their order.
pub fn order<M>(moves: &mut [RootMove<M>], rank: usize, best: usize) {
    moves[rank..=best].rotate_right(1);
    sorting::by_key(&mut moves[rank + 1..], |entry| {
        [-i64::from(entry.latest.depth), -i64::from(entry.latest.found.value)]
    });
}
