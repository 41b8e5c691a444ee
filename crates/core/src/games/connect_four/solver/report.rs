//! Scores in the words of every engine: chances, bounds, distances, from the first player's view.

use std::time::Duration;

use super::super::Column;
use super::root::RootMove;
use crate::position::{Position, Side};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Report, StopReason, Verdict};

/// What is known of the root, with `left` free cells, and its moves; without what the search has cost.
pub fn report(
    position: &impl Position<Move = Column>,
    left: i32,
    moves: &[RootMove],
    stop: StopReason,
) -> Report<Column> {
    let turn = position.turn();
    let mut ranked: Vec<_> = moves.iter().collect();
    ranked.sort_by_key(|entry| std::cmp::Reverse(entry.rank()));
    let children: Vec<_> = ranked
        .iter()
        .map(|entry| {
            let (lo, hi) = entry.bounds.get();
            Child {
                mv: entry.column,
                visits: None,
                nodes: None,
                prior: None,
                evaluation: evaluation(turn, left, lo, hi),
                depth: if lo == hi { left as u32 } else { 0 },
                pv: entry.line(),
                below: None,
            }
        })
        .collect();
    // The root is worth what its best move is: at least the best lower bound, at most the best upper one.
    let lo = moves.iter().map(|entry| entry.bounds.get().0).max().unwrap_or(0);
    let hi = moves.iter().map(|entry| entry.bounds.get().1).max().unwrap_or(0);
    Report {
        root: evaluation(turn, left, lo, hi),
        depth: children.iter().map(|child| child.depth).min().unwrap_or(0),
        children,
        visits: None,
        nodes: 0,
        bytes: 0,
        cpu: Duration::ZERO,
        reused: 0,
        choice: None,
        stop,
    }
}

/// How many plies after a position with `left` free cells a game ends that is worth `score` to its side to move.
fn distance(left: i32, score: i32) -> Option<u32> {
    // A win at the n-th ply from here, n odd, counts (left + 2 - n) / 2, a loss at the n-th, n even, as much below 0.
    let plies = match score {
        0 => return None,
        1.. => left + 1 - 2 * score + left % 2,
        _ => left + 2 * score + 2 - left % 2,
    };
    Some(plies as u32)
}

/// What bounds of the score for the side to move, `turn`, say about the game.
fn evaluation(turn: Side, left: i32, lo: i32, hi: i32) -> Evaluation {
    let (least, most) = (lo.signum() as i16, hi.signum() as i16);
    let bounds = match turn {
        Side::First => Bounds { lo: least, hi: most },
        Side::Second => Bounds { lo: -most, hi: -least },
    };
    // "At most a win" and "at least a loss" say nothing.
    let (outlook, bound) = match (bounds.lo, bounds.hi) {
        (-1, 1) => (None, Bound::Exact),
        (lo, hi) if lo == hi => (Some(Outlook::of_score(lo)), Bound::Exact),
        (0, _) => (Some(Outlook::of_score(0)), Bound::Lower),
        _ => (Some(Outlook::of_score(0)), Bound::Upper),
    };
    // A win at least this high comes at the latest then, and so does a loss at least this low.
    let (latest, bound) = match bounds.verdict() {
        Some(Verdict::Wins(side)) if lo != hi => (if lo > 0 { lo } else { hi }, Bound::of_win(side)),
        _ => (if lo == hi { lo } else { 0 }, bound),
    };
    let distance = distance(left, latest);
    Evaluation { outlook, score: None, stderr: None, bound, bounds, distance }
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn scores_say_when_the_game_ends() {
        for left in 1..60 {
            for plies in 1..=left {
                let points = (left + 2 - plies) / 2;
                let score = if plies % 2 == 1 { points } else { -points };
                assert_eq!(distance(left, score), Some(plies as u32), "{left} left, {score}");
            }
        }
    }
}
