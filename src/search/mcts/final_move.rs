//! Which move is chosen when the search ends, and in which order the others follow.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::utility::Utility;
use crate::position::{Position, Side};
use crate::search::{Bounds, Child, Evaluation, Outlook, Report, Verdict};

/// How unsolved children are compared (the names are Chaslot's, 2008).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinalMove {
    /// The most visits.
    #[default]
    Robust,
    /// The highest value.
    Max,
    /// The highest lower confidence bound of the value: mean - 1 / sqrt(n), with means in [0, 1]; that is two standard errors
    /// of a fair coin.
    Secure,
}

/// A child with what it is compared by.
struct Candidate<M> {
    child: Child<M>,
    /// Utility for the side to move; `None` while unvisited.
    utility: Option<f64>,
    solved: bool,
    lost: bool,
}

/// Orders the children best first, and values the root by them.
///
/// Solved children are compared by value (a quick win before a slow one, a slow loss before a quick one), unsolved ones by the
/// rule. The two lists are then merged by value: visits cannot compare a solved child with an unsolved one, because a solved
/// child stops gathering them. A proven loss comes after everything that may still be better.
pub fn rank<P: Position>(report: &mut Report<P::Move>, turn: Side, rule: FinalMove, utility: Utility) {
    let limit = report.root.bounds.hi.max(-report.root.bounds.lo);
    let candidates = std::mem::take(&mut report.children).into_iter().map(|child| {
        let seen = child.evaluation.outlook.map(|outlook| {
            let mean = utility.expected(outlook, child.evaluation.score.unwrap_or(0.0));
            if turn == Side::First { mean } else { 1.0 - mean }
        });
        let exact = child.evaluation.bounds.exact();
        Candidate {
            utility: seen,
            solved: exact.is_some(),
            lost: child.evaluation.bounds.verdict() == Some(Verdict::Wins(turn.other())),
            child,
        }
    });
    let (mut solved, mut open): (Vec<_>, Vec<_>) = candidates.partition(|candidate| candidate.solved);
    solved.sort_by(by_exact_value);
    open.sort_by(|a, b| by_rule(a, b, rule));

    let (mut solved, mut open) = (solved.into_iter().peekable(), open.into_iter().peekable());
    report.children = std::iter::from_fn(|| match (solved.peek(), open.peek()) {
        (Some(a), Some(b)) if comes_first(a, b) => solved.next(),
        (_, Some(_)) => open.next(),
        _ => solved.next(),
    })
    .map(|candidate| candidate.child)
    .collect();
    report.root = root_evaluation(&report.children, turn, limit);
}

/// Whether a solved candidate is better than an unsolved one.
fn comes_first<M>(solved: &Candidate<M>, open: &Candidate<M>) -> bool {
    match open.utility {
        None => !solved.lost,
        Some(open) => {
            let solved_utility = solved.utility.unwrap_or(0.0);
            solved_utility > open || (solved_utility == open && !solved.lost)
        }
    }
}

fn by_exact_value<M>(a: &Candidate<M>, b: &Candidate<M>) -> Ordering {
    let hurry = |candidate: &Candidate<M>| {
        let distance = i64::from(candidate.child.evaluation.distance.unwrap_or(0));
        if candidate.lost { -distance } else { distance }
    };
    descending(a.utility, b.utility).then_with(|| hurry(a).cmp(&hurry(b)))
}

fn by_rule<M>(a: &Candidate<M>, b: &Candidate<M>, rule: FinalMove) -> Ordering {
    let visits = |candidate: &Candidate<M>| candidate.child.visits.unwrap_or(0);
    let secure = |candidate: &Candidate<M>| Some(candidate.utility? - 1.0 / (visits(candidate) as f64).sqrt());
    let by_visits = visits(b).cmp(&visits(a));
    let by_value = descending(a.utility, b.utility);
    match rule {
        FinalMove::Robust => by_visits.then(by_value),
        FinalMove::Max => by_value.then(by_visits),
        FinalMove::Secure => descending(secure(a), secure(b)).then(by_visits),
    }
}

/// Larger first, nothing last.
fn descending(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// The root's value: proven by its children's bounds, else the mean of all simulations, held within what is proven.
fn root_evaluation<M>(children: &[Child<M>], turn: Side, limit: i16) -> Evaluation {
    let mut root = Evaluation::unknown(limit);
    let of = |pick: fn(&Bounds) -> i16| children.iter().map(move |child| pick(&child.evaluation.bounds));
    let best = |values: &mut dyn Iterator<Item = i16>| match turn {
        Side::First => values.max(),
        Side::Second => values.min(),
    };
    if let (Some(lo), Some(hi)) = (best(&mut of(|bounds| bounds.lo)), best(&mut of(|bounds| bounds.hi))) {
        root.bounds = Bounds { lo, hi };
    }
    let has_points = children.iter().any(|child| child.evaluation.score.is_some());
    if let Some(score) = root.bounds.exact() {
        root.outlook = Some(Outlook::of_score(score));
        root.score = has_points.then_some(score.into());
        root.distance = children.first().and_then(|child| child.evaluation.distance);
        return root;
    }
    let (mut visits, mut win, mut draw, mut total) = (0.0, 0.0, 0.0, 0.0);
    for child in children {
        if let (Some(outlook), Some(count)) = (child.evaluation.outlook, child.visits) {
            let count = count as f64;
            visits += count;
            win += count * outlook.win;
            draw += count * outlook.draw;
            total += count * child.evaluation.score.unwrap_or(0.0);
        }
    }
    if visits > 0.0 {
        let (win, draw) = (win / visits, draw / visits);
        let outlook = Outlook { win, draw, loss: (1.0 - win - draw).max(0.0) }.within(root.bounds);
        root.outlook = Some(outlook);
        root.stderr = standard_error(outlook, visits);
        root.score = has_points.then(|| root.bounds.clamp(total / visits));
    }
    root
}

/// The standard error of win - loss over `visits` simulations; `None` for fewer than two.
pub fn standard_error(outlook: Outlook, visits: f64) -> Option<f64> {
    let variance = outlook.win + outlook.loss - outlook.value().powi(2);
    (visits >= 2.0).then(|| (variance.max(0.0) / visits).sqrt())
}
