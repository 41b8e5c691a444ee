//! Root-parallel search: the roots of several trees, grown from different seeds, added up (Chaslot, Winands and van den Herik
//! 2008). Visits and results are summed, and bounds intersected, so that every tree's proofs count.

use super::final_move::{FinalMove, rank, standard_error};
use super::report::sort_below;
use super::utility::Utility;
use crate::position::Position;
use crate::search::{Bound, Child, Evaluation, Outlook, Report, StopReason};

/// Merges reports into one. `reports` are in the order of the workers, so that the sums do not depend on who finished first.
pub fn merge<P: Position>(position: &P, reports: Vec<Report<P::Move>>, rule: FinalMove) -> Report<P::Move> {
    let limit = position.score_limit();
    let stop = StopReason::of_workers(reports.iter().map(|report| report.stop));
    let mut reports = reports.into_iter();
    let mut merged = reports.next().expect("a search has at least one worker");
    for report in reports {
        for child in report.children {
            match merged.children.iter_mut().find(|known| known.mv == child.mv) {
                Some(known) => add(known, child, P::POINTS),
                None => merged.children.push(child),
            }
        }
        merged.visits = merged.visits.zip(report.visits).map(|(a, b)| a + b);
        merged.nodes += report.nodes;
        merged.bytes += report.bytes;
        merged.depth = merged.depth.max(report.depth);
    }
    merged.root = Evaluation::unknown(limit);
    rank(&mut merged, position.turn(), rule, Utility::of::<P>(limit));
    let is_proven = merged.root.bounds.exact().is_some();
    // Only under a time budget does one worker's proof stop the others; that proof may be missing here.
    merged.stop = if is_proven { StopReason::Proven } else { stop.unwrap_or(StopReason::Time) };
    merged
}

/// The stop reason of a search whose workers shared one tree: a proof holds for all.
pub fn stop<M>(reports: &[Report<M>]) -> StopReason {
    let stops = reports.iter().map(|report| report.stop);
    let is_proven = stops.clone().any(|stop| stop == StopReason::Proven);
    StopReason::of_workers(stops).filter(|_| !is_proven).unwrap_or(StopReason::Proven)
}

/// Adds another tree's statistics of the same move.
fn add<M: PartialEq>(known: &mut Child<M>, other: Child<M>, points: bool) {
    let (a, b) = (known.visits.unwrap_or(0), other.visits.unwrap_or(0));
    let share = if a + b == 0 { 0.0 } else { b as f64 / (a + b) as f64 };
    let mix = |a: f64, b: f64| a + (b - a) * share;
    let (mine, its) = (&mut known.evaluation, &other.evaluation);
    let bounds = mine.bounds.meet(its.bounds);
    // Each distance is a proven limit, so the least one is the best.
    let sure = |evaluation: &Evaluation| evaluation.distance.map(|plies| (plies, evaluation.bound != Bound::Exact));
    let takes_its = match (sure(mine), sure(its)) {
        (Some(mine), Some(its)) if mine != its => its < mine,
        // The line of the tree that has proven more, or else has more visits.
        _ => {
            let solved = (mine.bounds.exact().is_some(), its.bounds.exact().is_some());
            solved == (false, true) || (solved.0 == solved.1 && b > a)
        }
    };
    if takes_its {
        known.pv = other.pv;
        if its.distance.is_some() {
            (mine.distance, mine.bound) = (its.distance, its.bound);
        }
    }
    mine.outlook = match (bounds.exact(), mine.outlook, its.outlook) {
        (Some(score), ..) => Some(Outlook::of_score(score)),
        (None, Some(a), Some(b)) => {
            let mixed = Outlook { win: mix(a.win, b.win), draw: mix(a.draw, b.draw), loss: mix(a.loss, b.loss) };
            Some(mixed.within(bounds))
        }
        (None, a, b) => a.or(b),
    };
    mine.score = match (bounds.exact(), mine.score, its.score) {
        (Some(score), ..) => points.then_some(score.into()),
        (None, Some(a), Some(b)) => Some(bounds.clamp(mix(a, b))),
        (None, a, b) => a.or(b),
    };
    mine.stderr = match (bounds.exact(), mine.outlook) {
        (None, Some(outlook)) => standard_error(outlook, a + b),
        _ => None,
    };
    mine.bounds = bounds;
    known.visits = Some(a + b);
    known.depth = known.depth.max(other.depth);
    known.below = match (known.below.take(), other.below) {
        (Some(mut known), Some(other)) => {
            for child in other.children {
                match known.children.iter_mut().find(|known| known.mv == child.mv) {
                    Some(known) => add(known, child, points),
                    None => known.children.push(child),
                }
            }
            sort_below(&mut known.children);
            Some(known)
        }
        (known, other) => known.or(other),
    };
}
