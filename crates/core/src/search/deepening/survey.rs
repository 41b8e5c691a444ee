//! The survey: values of the moves that are not the best.
//!
//! Principal variation search only shows that they are no better than the best move. If every move's value is requested, each
//! is also searched separately for an exact value, at some plies less: a fixed share of the nodes goes, ply by ply, to the move
//! that lags behind most.

use super::root::Root;
use super::root_move::{RootMove, Searched};
use crate::position::Position;
use crate::search::searcher::Searcher;
use crate::search::value::{INFINITY, is_decided, is_lost};
use crate::search::{Bound, StopReason};

/// One node in this many goes to the survey.
const SHARE: u64 = 16;

/// Minimum nodes of the survey if only the depth is limited, and minimum limit of one search.
const MIN_SURVEY_NODES: u64 = 20_000;

/// Range of nodes per millisecond, for converting a share of the time limit to nodes.
const NODES_PER_MS: (u64, u64) = (20, 1000);

/// Cost factor of one more ply, in most cases at most.
const GROWTH: u64 = 3;

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// Surveys the other moves within their share of the nodes.
    pub fn survey(&mut self) {
        let allowed = if self.is_wide() { u64::MAX } else { self.counter.nodes / SHARE };
        self.survey_within(allowed);
    }

    /// Continues the survey after the search for the best move has ended before its budget was spent.
    pub fn finish_survey(&mut self) {
        let budget = &self.task.budget;
        let by_nodes = budget.nodes.map(|nodes| nodes / SHARE);
        let by_time = self.control.times().map(|(limit, spent)| {
            let rate =
                (self.counter.nodes * 1000 / spent.as_micros().max(1) as u64).clamp(NODES_PER_MS.0, NODES_PER_MS.1);
            limit.as_millis() as u64 * rate / SHARE
        });
        let allowed = by_nodes.into_iter().chain(by_time).min();
        self.counter.iteration = self.deepest();
        self.survey_within(allowed.unwrap_or(MIN_SURVEY_NODES.max(self.counter.nodes / SHARE)));
        self.promote();
    }

    /// Searches the graded moves as deep as the best one.
    pub fn grade(&mut self) {
        if self.task.graded.is_empty() {
            return;
        }
        let surveyed = self.surveyed;
        while self.counter.stop.is_none()
            && let Some(index) = self.graded()
        {
            self.search_separately(index, u64::MAX);
        }
        // Grading does not count towards the survey's share.
        self.surveyed = surveyed;
    }

    /// Continues grading once the best move is proven: deeper and deeper, until the others are proven too or the budget is
    /// spent.
    pub fn finish_grades(&mut self) {
        if !self.task.finishes_grades() {
            return;
        }
        self.counter.lift(self.task.budget.nodes.unwrap_or(u64::MAX));
        loop {
            self.grade();
            if self.counter.stop.is_some() || self.counter.iteration >= self.deepest() {
                return;
            }
            self.counter.iteration += 1;
            if self.graded().is_none() {
                return;
            }
        }
    }

    /// The graded move that has been searched least deep, if any lags behind the best one.
    fn graded(&self) -> Option<usize> {
        let (mut least, mut found) = (u32::MAX, None);
        for (index, entry) in self.moves.iter().enumerate().skip(1) {
            let depth = entry.exact().map_or(0, |exact| exact.depth);
            if depth < least && self.task.graded.contains(&entry.mv) && self.is_open(entry) {
                (least, found) = (depth, Some(index));
            }
        }
        found
    }

    fn survey_within(&mut self, allowed: u64) {
        if !(self.task.branches.all || self.is_wide()) {
            return;
        }
        while self.counter.stop.is_none()
            && let Some(index) = self.next(allowed)
        {
            self.search_separately(index, allowed);
        }
    }

    /// The move that lags behind most, if the allowed nodes suffice for another ply of it.
    fn next(&self, allowed: u64) -> Option<usize> {
        let best = self.moves[0].latest.found.value;
        let lag = |entry: &RootMove<P::Move>| {
            let depth = entry.exact().map_or(0, |exact| exact.depth);
            let loss = entry.exact().map_or(0, |exact| best.saturating_sub(exact.found.value));
            depth as i32 + behind::<P, S>(loss)
        };
        let open = (1..self.moves.len()).filter(|&index| self.is_open(&self.moves[index]));
        let index = open.min_by_key(|&index| lag(&self.moves[index]))?;
        let entry = &self.moves[index];
        let unknown = entry.exact().is_none();
        // A value that a deeper bound contradicts is not reported: such a move may take twice the share.
        let contradicted = entry.exact().is_some_and(|exact| exact.found.value > best);
        let allowed = if contradicted { allowed.saturating_mul(2) } else { allowed };
        (unknown || allowed == u64::MAX || self.surveyed + entry.cost * GROWTH <= allowed).then_some(index)
    }

    /// Whether a deeper separate search of a move can improve its value.
    fn is_open(&self, entry: &RootMove<P::Move>) -> bool {
        let lost = is_lost::<P>(entry.latest.found.value) && entry.latest.depth > 0;
        !lost
            && entry.exact().is_none_or(|exact| {
                !exact.found.complete && !is_decided::<P>(exact.found.value) && exact.depth < self.counter.iteration
            })
    }

    /// Searches a move separately, one ply deeper than before.
    fn search_separately(&mut self, index: usize, allowed: u64) {
        let entry = &self.moves[index];
        let (mv, guess) = (entry.mv, entry.exact().map(|exact| exact.found.value));
        let depth = entry.exact().map_or(0, |exact| exact.depth) + 1;
        let (begin, iteration) = (self.counter.nodes, self.counter.iteration);
        self.counter.iteration = depth;
        // A search that takes much longer than expected is aborted, and waits until more nodes are allowed.
        let most = (entry.cost * 2 * GROWTH).max(allowed.saturating_sub(self.surveyed)).max(MIN_SURVEY_NODES);
        let outer_limit = self.counter.limit(begin.saturating_add(most));
        let after = self.searcher.play(self.task.position, mv, 1);
        let mut width = S::WINDOW;
        let narrow = guess.filter(|_| width > 0 && depth >= 4);
        let (mut alpha, mut beta) = narrow.map_or((-INFINITY, INFINITY), |guess| (guess - width, guess + width));
        let handicap = self.moves[index].handicap;
        let found = loop {
            let found = self.search_after(&after, handicap, depth - 1, alpha, beta);
            width = width.saturating_mul(4);
            let wide = width > 100 * S::WINDOW;
            match found.value {
                _ if self.counter.stop.is_some() => break found,
                value if value <= alpha && alpha > -INFINITY => {
                    alpha = if wide { -INFINITY } else { value - width };
                }
                value if value >= beta && beta < INFINITY => beta = if wide { INFINITY } else { value + width },
                _ => break found,
            }
        };
        let limited = self.counter.nodes < outer_limit && self.counter.stop == Some(StopReason::Nodes);
        self.counter.lift(outer_limit);
        self.counter.iteration = iteration;
        let spent = self.counter.nodes - begin;
        self.surveyed += spent;
        let found = self.moves[index].with_proven_end(found);
        let searched = Searched { found, bound: Bound::Exact, depth, line: vec![mv] };
        let searched = self.counter.stop.is_none().then(|| self.with_line(index, searched));
        let entry = &mut self.moves[index];
        entry.nodes += spent;
        entry.cost = spent.max(1);
        match searched {
            Some(searched) => {
                entry.record_end::<P>(&searched);
                entry.deepest_exact = Some(searched);
            }
            None if limited => self.counter.stop = None,
            None => {}
        }
    }

    /// Puts a move first if its separate search has found more than the search for the best one: a win, or a higher value at
    /// the same depth or deeper.
    pub fn promote(&mut self) {
        let best = &self.moves[0].latest;
        let (value, depth) = (best.found.value, best.depth);
        let wins = |value: i32| value > 0 && is_decided::<P>(value);
        let better =
            |found: &Searched<P::Move>| found.found.value > value && (found.depth >= depth || wins(found.found.value));
        let exact = |index: usize| self.moves[index].exact().filter(|&found| better(found));
        let found = (1..self.moves.len()).filter_map(|index| Some((index, exact(index)?.found.value)));
        let Some((index, _)) = found.max_by_key(|&(_, value)| value) else { return };
        let entry = &mut self.moves[index];
        if entry.deepest_exact.as_ref().is_some_and(better)
            && let Some(deepest_exact) = entry.deepest_exact.take()
        {
            entry.latest = deepest_exact;
        }
        self.moves[..=index].rotate_right(1);
    }
}

/// The number of plies less deep at which to survey a move that is worth `loss` less than the best one.
fn behind<P: Position, S: Searcher<P>>(loss: i32) -> i32 {
    match loss {
        // It seems better than the best one, which a deeper search will refute.
        ..0 => -2,
        _ if S::MARGIN > 0 => (loss / (2 * S::MARGIN)).min(4),
        _ => 0,
    }
}
