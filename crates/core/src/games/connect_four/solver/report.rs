//! Scores as a search report: outcome, bounds and distance, from the first player's point of view.

use std::time::Duration;

use super::super::Column;
use super::root::RootMove;
use crate::position::{Position, Side};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Report, StopReason, Verdict};

/// The report on a root with `left` free cells and on its moves, without the search's nodes, memory and time.
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
    // The root is worth its best move: at least the best lower bound, at most the best upper bound.
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

/// Plies from a position with `left` free cells, worth `score` to its side to move, to the end of the game; `None` for a draw.
fn distance(left: i32, score: i32) -> Option<u32> {
    // A win at the n-th ply from here (n odd) scores (left + 2 - n) / 2; a loss at the n-th (n even) scores the negative.
    let plies = match score {
        0 => return None,
        1.. => left + 1 - 2 * score + left % 2,
        _ => left + 2 * score + 2 - left % 2,
    };
    Some(plies as u32)
}

/// The evaluation that follows from bounds of the score for the side to move, `turn`.
fn evaluation(turn: Side, left: i32, lo: i32, hi: i32) -> Evaluation {
    let (least, most) = (lo.signum() as i16, hi.signum() as i16);
    let bounds = match turn {
        Side::First => Bounds { lo: least, hi: most },
        Side::Second => Bounds { lo: -most, hi: -least },
    };
    // Bounds from a loss to a win carry no information.
    let (outlook, bound) = match (bounds.lo, bounds.hi) {
        (-1, 1) => (None, Bound::Exact),
        (lo, hi) if lo == hi => (Some(Outlook::of_score(lo)), Bound::Exact),
        (0, _) => (Some(Outlook::of_score(0)), Bound::Lower),
        _ => (Some(Outlook::of_score(0)), Bound::Upper),
    };
    // Of a win or a loss, the bound nearer to 0 gives the greatest distance.
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
