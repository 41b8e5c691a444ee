//! What a root reports: of every move what is known, and of the position what follows from that.

use std::time::Duration;

use super::root::Root;
use super::root_move::RootMove;
use crate::position::{Position, Side};
use crate::search::searcher::Searcher;
use crate::search::{Bound, Bounds, Child, Evaluation, Report, StopReason, Verdict};
use crate::sorting;

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// What is known so far; the first of the moves is the best one.
    pub fn report(&self, moves: &[RootMove<P::Move>], stop: StopReason) -> Report<P::Move> {
        let position = self.task.position;
        let unknown = Evaluation::unknown(position.score_limit());
        let mut children: Vec<_> = moves.iter().map(|entry| entry.child(&self.searcher, position)).collect();
        let first = chosen(&children, position.turn());
        children[..=first].rotate_right(1);
        // What is said of the root is said of its best move too.
        let soonest = first == 0 && self.is_soonest(moves) && children[0].evaluation.bound == Bound::Exact;
        if self.task.branches.all {
            // Behind the chosen one by value; equals, and what is not known, in the order they have.
            let sign = f64::from(position.turn().sign());
            let worth = |child: &Child<P::Move>| {
                child.evaluation.outlook.map_or(f64::NEG_INFINITY, |outlook| outlook.value() * sign)
            };
            sorting::by_key(&mut children[1..], |child| [sorting::of_float(-worth(child)), 0]);
        }
        Report {
            root: whole(position, &children, soonest).unwrap_or(unknown),
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

/// The best child: the first in the given order, unless another is proven to be better, or to be as good where the first can
/// only be worse. Then, or where only a limit of the first is known, the best value among those searched as deep.
fn chosen<M>(children: &[Child<M>], turn: Side) -> usize {
    let limits = |child: &Child<M>| {
        let Bounds { lo, hi } = child.evaluation.bounds;
        if turn == Side::First { (lo, hi) } else { (-hi, -lo) }
    };
    let sure = children.iter().map(|child| limits(child).0).max().unwrap_or(0);
    // The most that one of the surest may be worth.
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
    // Of equals the first.
    let known = open().rev().filter_map(|index| Some((index, value(index)?)));
    known.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(first, |(index, _)| index)
}

/// What the root is worth: as much as the best child, but proven only as far as no other child can be better. `soonest` tells
/// whether none can end the game sooner for the winner.
fn whole<P: Position>(position: &P, children: &[Child<P::Move>], soonest: bool) -> Option<Evaluation> {
    let mut whole = children.first()?.evaluation;
    let all = || children.iter().map(|child| child.evaluation.bounds);
    let bounds = match position.turn() {
        Side::First => Bounds { lo: all().map(|one| one.lo).max()?, hi: all().map(|one| one.hi).max()? },
        Side::Second => Bounds { lo: all().map(|one| one.lo).min()?, hi: all().map(|one| one.hi).min()? },
    };
    whole.distance = whole.distance.filter(|_| bounds == whole.bounds);
    if !soonest && bounds.verdict() == Some(Verdict::Wins(position.turn().other())) {
        // The loser may choose the move whose limit is the largest, though the first one was searched deeper.
        whole.distance = children.iter().map(|child| child.evaluation.distance).max().flatten();
    }
    whole.bounds = bounds;
    whole.bound = match bounds.verdict() {
        Some(Verdict::Wins(side)) if whole.distance.is_some() && !soonest => Bound::of_win(side),
        Some(_) => Bound::Exact,
        None => whole.bound,
    };
    whole.state_limits();
    Some(whole)
}
