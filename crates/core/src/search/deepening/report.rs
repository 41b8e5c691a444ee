//! Reports: the evaluations of all root moves, and that of the position, derived from them.

use std::time::Duration;

use super::root::Root;
use super::root_move::RootMove;
use crate::position::{Position, Side};
use crate::search::searcher::Searcher;
use crate::search::{Bound, Bounds, Child, Evaluation, Report, StopReason, Verdict};
use crate::sorting;

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// The report so far; the first of the moves is the best one.
    pub fn report(&self, moves: &[RootMove<P::Move>], stop: StopReason) -> Report<P::Move> {
        let position = self.task.position;
        let unknown = Evaluation::unknown(position.score_limit());
        let mut children: Vec<_> = moves.iter().map(|entry| entry.child(&self.searcher, position)).collect();
        let first = best_child(&children, position.turn());
        children[..=first].rotate_right(1);
        // The root's distance is exact only if its best move's is.
        let distance_is_exact =
            first == 0 && self.has_exact_distance(moves) && children[0].evaluation.bound == Bound::Exact;
        if self.task.branches.all {
            // The others follow by value, unknown values last; equal ones keep their order.
            let sign = f64::from(position.turn().sign());
            let worth = |child: &Child<P::Move>| {
                child.evaluation.outlook.map_or(f64::NEG_INFINITY, |outlook| outlook.value() * sign)
            };
            sorting::by_key(&mut children[1..], |child| [sorting::of_float(-worth(child)), 0]);
        }
        Report {
            root: root_evaluation(position, &children, distance_is_exact).unwrap_or(unknown),
            depth: children.first().map_or(0, |best| best.depth),
            children,
            visits: None,
            nodes: self.counter.nodes,
            bytes: self.searcher.used_bytes(),
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop,
        }
    }
}

/// The best child: the first in the given order, unless another is proven better, or proven at least as good while the first
/// cannot exceed it. Then, or if only a limit of the first is known, the child of best value among those searched as deep.
fn best_child<M>(children: &[Child<M>], turn: Side) -> usize {
    let limits = |child: &Child<M>| {
        let Bounds { lo, hi } = child.evaluation.bounds;
        if turn == Side::First { (lo, hi) } else { (-hi, -lo) }
    };
    let sure = children.iter().map(|child| limits(child).0).max().unwrap_or(0);
    // The maximum that a child with the best guarantee may be worth.
    let most = children.iter().map(limits).filter(|&(least, _)| least == sure).map(|(_, most)| most).max();
    let outdone = |child: &Child<M>| {
        let limits = limits(child);
        limits.1 < sure || limits.1 == sure && (limits.0 < sure || most > Some(sure))
    };
    let open = || (0..children.len()).filter(|&index| !outdone(&children[index]));
    let first = open().next().unwrap_or(0);
    let value = |index: usize| {
        let Child { evaluation, depth, .. } = &children[index];
        evaluation.least_value(turn).filter(|_| *depth >= children[first].depth)
    };
    if first == 0 && value(0).is_some() {
        return 0;
    }
    // The first among equals.
    let known = open().rev().filter_map(|index| Some((index, value(index)?)));
    known.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(first, |(index, _)| index)
}

/// The root's evaluation: that of the best child, with bounds over all children. `distance_is_exact`: whether no child can end
/// the game sooner for the winner.
fn root_evaluation<P: Position>(
    position: &P,
    children: &[Child<P::Move>],
    distance_is_exact: bool,
) -> Option<Evaluation> {
    let mut root = children.first()?.evaluation;
    let all = || children.iter().map(|child| child.evaluation.bounds);
    let bounds = match position.turn() {
        Side::First => Bounds { lo: all().map(|one| one.lo).max()?, hi: all().map(|one| one.hi).max()? },
        Side::Second => Bounds { lo: all().map(|one| one.lo).min()?, hi: all().map(|one| one.hi).min()? },
    };
    root.distance = root.distance.filter(|_| bounds == root.bounds);
    if !distance_is_exact && bounds.verdict() == Some(Verdict::Wins(position.turn().other())) {
        // The loser may choose the move with the largest limit, although the first one was searched deeper.
        root.distance = children.iter().map(|child| child.evaluation.distance).max().flatten();
    }
    root.bounds = bounds;
    root.bound = match bounds.verdict() {
        Some(Verdict::Wins(side)) if root.distance.is_some() && !distance_is_exact => Bound::of_win(side),
        Some(_) => Bound::Exact,
        None => root.bound,
    };
    root.state_limits();
    Some(root)
}
