//! The choice of the final move, and the order of the others.

use std::cmp::Ordering;

use super::utility::Utility;
use crate::choices;
use crate::position::Side;
use crate::search::{Bound, Child, Evaluation, Outlook, Report, Verdict};
use crate::sorting;

choices! {
    /// How unsolved children are compared (the names are Chaslot's, 2008).
    pub enum FinalMove {
        /// The most visits.
        Robust = "robust",
        /// The highest value.
        Max = "max",
        /// The highest lower confidence bound of the value: mean - 1 / sqrt(n), with means in [0, 1]; that is two standard
        /// errors of a fair coin.
        Secure = "secure",
        /// The most visits, and from half of the budget on the search ends as soon as that child has the highest value too.
        RobustMax = "robust_max",
    }
}

/// A child and the keys by which it is compared.
struct Candidate<M> {
    child: Child<M>,
    /// Utility for the side to move; `None` while unvisited.
    utility: Option<f64>,
    solved: bool,
    /// The proven result for the side to move: 1 for a win, the best score that is still possible for a loss, else 0.
    proven_result: i16,
    /// The best score that is still possible, from the view of the side to move.
    ceiling: i16,
}

/// Orders the children best first, and values the root by the first.
///
/// Proven wins come before everything else, proven losses after everything that may still be better. Among the rest, solved
/// children are compared by value (a quick win before a slow one, a slow loss before a quick one), unsolved ones by the rule.
/// The two lists are then merged by value: visits cannot compare a solved child with an unsolved one, because a solved child
/// stops gathering them.
pub fn rank<M>(report: &mut Report<M>, turn: Side, rule: FinalMove, utility: Utility) {
    let candidates = std::mem::take(&mut report.children).into_iter().map(|child| {
        let seen = child.evaluation.outlook.map(|outlook| {
            let mean = utility.expected(outlook, child.evaluation.score.unwrap_or(0.0));
            if turn == Side::First { mean } else { 1.0 - mean }
        });
        let bounds = child.evaluation.bounds;
        let ceiling = if turn == Side::First { bounds.hi } else { -bounds.lo };
        Candidate {
            utility: seen,
            solved: bounds.exact().is_some(),
            proven_result: match bounds.verdict() {
                Some(Verdict::Wins(side)) if side == turn => 1,
                Some(Verdict::Wins(_)) => ceiling,
                Some(Verdict::Draw) | None => 0,
            },
            ceiling,
            child,
        }
    });
    let (mut solved, mut open): (Vec<_>, Vec<_>) = candidates.partition(|candidate| candidate.solved);
    sorting::by(&mut solved, by_exact_value);
    sorting::by(&mut open, |a, b| b.proven_result.cmp(&a.proven_result).then_with(|| by_rule(a, b, rule)));

    let (mut solved, mut open) = (solved.into_iter().peekable(), open.into_iter().peekable());
    report.children = std::iter::from_fn(|| match (solved.peek(), open.peek()) {
        (Some(a), Some(b)) if comes_first(a, b) => solved.next(),
        (_, Some(_)) => open.next(),
        _ => solved.next(),
    })
    .map(|candidate| candidate.child)
    .collect();
    if let Some(root) = root_evaluation(&report.children, turn) {
        report.root = root;
    }
}

/// Whether a solved candidate is better than an unsolved one.
fn comes_first<M>(solved: &Candidate<M>, open: &Candidate<M>) -> bool {
    if solved.proven_result != open.proven_result {
        return solved.proven_result > open.proven_result;
    }
    if solved.ceiling >= open.ceiling {
        // The other cannot be better, and may be worse.
        return true;
    }
    open.utility.is_none_or(|open| solved.utility.unwrap_or(0.0) >= open)
}

fn by_exact_value<M>(a: &Candidate<M>, b: &Candidate<M>) -> Ordering {
    let nearness = |candidate: &Candidate<M>| {
        let distance = i64::from(candidate.child.evaluation.distance.unwrap_or(0));
        if candidate.proven_result < 0 { -distance } else { distance }
    };
    descending(a.utility, b.utility).then_with(|| nearness(a).cmp(&nearness(b)))
}

/// With fewer visits a child's mean is meaningless.
const FEW: u64 = 4;

fn by_rule<M>(a: &Candidate<M>, b: &Candidate<M>, rule: FinalMove) -> Ordering {
    let visits = |candidate: &Candidate<M>| candidate.child.visits.unwrap_or(0);
    let secure = |candidate: &Candidate<M>| Some(candidate.utility? - 1.0 / (visits(candidate) as f64).sqrt());
    let by_visits = visits(b).cmp(&visits(a));
    // The mean of a few playouts is less reliable than the order of first visits, which equals keep.
    let by_value = if visits(a).max(visits(b)) < FEW { Ordering::Equal } else { descending(a.utility, b.utility) };
    match rule {
        FinalMove::Robust | FinalMove::RobustMax => by_visits.then(by_value),
        FinalMove::Max => by_value.then(by_visits),
        FinalMove::Secure => descending(secure(a), secure(b)).then(by_visits),
    }
}

/// Larger values first, `None` last.
fn descending(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// The root's evaluation: that of its first child, since that is played; `None` without children. Its bounds are what the first
/// child guarantees, and the most that any child can reach.
fn root_evaluation<M>(children: &[Child<M>], turn: Side) -> Option<Evaluation> {
    let mut root = children.first()?.evaluation;
    let others = children.iter().map(|child| child.evaluation.bounds);
    match turn {
        Side::First => root.bounds.hi = others.map(|bounds| bounds.hi).max()?,
        Side::Second => root.bounds.lo = others.map(|bounds| bounds.lo).min()?,
    }
    if let (Some(plies), Some(Verdict::Wins(side))) = (root.distance, root.bounds.verdict()) {
        let is_known = is_exact_distance(children, plies, side, turn);
        root.bound = if is_known { Bound::Exact } else { Bound::of_win(side) };
    }
    Some(root)
}

/// Whether `plies`, the distance of the win of `winner` by the first child, is that of best play; `turn` is to move.
fn is_exact_distance<M>(children: &[Child<M>], plies: u32, winner: Side, turn: Side) -> bool {
    let may_be_sooner = |child: &Child<M>| {
        let Evaluation { bounds, bound, distance, .. } = child.evaluation;
        let may_win = if winner == Side::First { bounds.hi > 0 } else { bounds.lo < 0 };
        let least = match distance {
            Some(distance) if bound == Bound::Exact => distance,
            // The move itself, and one more unless the game may be over after it.
            _ => 1 + u32::from(child.visits.unwrap_or(0) > 0),
        };
        may_win && least < plies
    };
    match turn == winner {
        true => !children.iter().any(may_be_sooner),
        // No other loss is longer, so the first one's length decides.
        false => children.first().is_some_and(|child| child.evaluation.bound == Bound::Exact),
    }
}

/// The standard error of win - loss over `visits` simulations; `None` for fewer than two.
pub fn standard_error(outlook: Outlook, visits: u64) -> Option<f64> {
    let variance = outlook.win + outlook.loss - outlook.value().powi(2);
    (visits >= 2).then(|| (variance.max(0.0) / visits as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Bounds, StopReason};

    /// A child after `visits` simulations of mean value `value`, or solved with `score` in `distance` plies.
    fn open(mv: char, visits: u64, value: f64) -> Child<char> {
        let mut evaluation = Evaluation::unknown(1);
        if visits > 0 {
            evaluation.outlook = Some(Outlook { win: (1.0 + value) / 2.0, draw: 0.0, loss: (1.0 - value) / 2.0 });
        }
        Child { mv, visits: Some(visits), nodes: None, prior: None, evaluation, depth: 1, pv: vec![mv], below: None }
    }

    fn solved(mv: char, visits: u64, score: i16, distance: u32) -> Child<char> {
        let mut child = open(mv, visits, 0.0);
        child.evaluation.outlook = Some(Outlook::of_score(score));
        child.evaluation.bounds = Bounds::exactly(score);
        child.evaluation.distance = Some(distance);
        child
    }

    /// The order in which the first player would choose among `children`. The root is worth what the first of them is.
    fn order(rule: FinalMove, children: Vec<Child<char>>) -> String {
        let mut report = Report {
            root: Evaluation::unknown(1),
            children,
            visits: Some(0),
            nodes: 0,
            depth: 0,
            bytes: 0,
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop: StopReason::Simulations,
        };
        rank(&mut report, Side::First, rule, Utility::without_points());
        let best = &report.children[0].evaluation;
        assert_eq!((report.root.outlook, report.root.bounds.lo), (best.outlook, best.bounds.lo));
        assert!(report.children.iter().all(|child| child.evaluation.bounds.hi <= report.root.bounds.hi));
        report.children.iter().map(|child| child.mv).collect()
    }

    use FinalMove::{Max, Robust, Secure};

    #[test]
    fn an_early_win_beats_any_number_of_visits() {
        for rule in [Robust, Max, Secure] {
            assert_eq!(
                order(rule, vec![open('a', 90_000, 0.9), solved('w', 1, 1, 1), open('b', 5_000, 0.99)])[..1],
                *"w"
            );
        }
    }

    #[test]
    fn a_proven_loss_comes_last() {
        let children =
            || vec![solved('x', 5_000, -1, 2), open('a', 10, -0.9), open('u', 0, 0.0), solved('y', 1, -1, 8)];
        for rule in [Robust, Max, Secure] {
            // The longer loss is the better one.
            assert_eq!(order(rule, children()), "auyx");
        }
        // Not even simulations that were all lost make an open child worse.
        assert_eq!(order(Robust, vec![solved('x', 9, -1, 2), open('a', 10, -1.0)]), "ax");
    }

    #[test]
    fn solved_and_open_are_compared_by_value() {
        assert_eq!(order(Robust, vec![open('a', 900, -0.1), solved('d', 3, 0, 0), open('b', 100, 0.2)]), "dab");
        assert_eq!(order(Robust, vec![open('a', 900, 0.1), solved('d', 3, 0, 0), open('b', 100, 0.2)]), "abd");
    }

    #[test]
    fn nothing_is_gained_by_a_child_that_cannot_be_better() {
        let mut capped = open('a', 900, 0.0);
        capped.evaluation.bounds = Bounds { lo: -1, hi: 0 };
        assert_eq!(order(Robust, vec![capped, solved('d', 3, 0, 0)]), "da");
    }

    #[test]
    fn the_rules_differ_where_they_should() {
        let children = || vec![open('r', 900, 0.3), open('m', 4, 0.8), open('s', 400, 0.4)];
        assert_eq!(order(Robust, children()), "rsm");
        assert_eq!(order(Max, children()), "msr");
        assert_eq!(order(Secure, children()), "srm");
    }

    /// In games played for points a win may be proven before its margin is.
    #[test]
    fn proven_wins_come_first_and_proven_losses_last() {
        let within = |mv, visits, value, lo, hi| {
            let mut child = open(mv, visits, value);
            child.evaluation.bounds = Bounds { lo, hi };
            child
        };
        let open = || within('o', 900, 0.95, -20, 20);
        assert_eq!(order(Robust, vec![open(), within('w', 5, 1.0, 2, 10)]), "wo");
        assert_eq!(order(Robust, vec![within('l', 990, -1.0, -9, -1), open()]), "ol");
        assert_eq!(order(Robust, vec![open(), solved('s', 5, 3, 0)]), "so");
        assert_eq!(order(Robust, vec![solved('s', 5, 3, 0), within('w', 5, 1.0, 1, 10)]), "sw");
        // Among losses, the one that may be smallest comes first.
        let lost = || within('l', 20, -1.0, -3, -2);
        assert_eq!(order(Robust, vec![lost(), within('m', 18, -1.0, -3, -1)]), "ml");
        assert_eq!(order(Robust, vec![lost(), solved('s', 3, -2, 0), within('m', 1, -1.0, -3, -1)]), "msl");
    }

    #[test]
    fn a_shorter_win_comes_first() {
        assert_eq!(order(Robust, vec![solved('l', 50, 1, 9), solved('s', 2, 1, 3)]), "sl");
    }

    #[test]
    fn an_unvisited_root_has_no_value() {
        let children = vec![open('a', 0, 0.0), open('b', 0, 0.0)];
        assert_eq!(order(Robust, children), "ab");
    }
}
