//! Grades of moves: the loss of a move compared with the best one, and its effect on a proven result.
//!
//! A move's loss is the value of its position (the best move's) minus the value of the move itself, both from the view of the
//! side that makes it. Values are expected results in [-1, 1]: win minus loss. Searches ([`grade`]) and reviews grade moves the
//! same way ([`Grade::new`]). A [`Reason`] states what a grade rests on.

mod reasons;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::reasons::Judged;
pub use self::reasons::{Kind, Reason};
use crate::position::Side;
use crate::search::{Bounds, Child, Evaluation, Report, Verdict};

/// The class of a move, by its loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "MoveClass")]
pub enum Class {
    /// The only legal move.
    Forced,
    /// The search's choice, or an equally good move.
    Best,
    /// A loss below 0.1.
    Good,
    /// A loss of 0.1 or more.
    Inaccuracy,
    /// A loss of 0.2 or more.
    Mistake,
    /// A loss of 0.3 or more.
    Blunder,
}

impl Class {
    /// The class of a loss. The limits are those of Lichess' computer analysis for its "winning chances", which are values in
    /// [-1, 1] like ours.
    fn of(loss: f64) -> Self {
        match loss {
            0.3.. => Self::Blunder,
            0.2.. => Self::Mistake,
            0.1.. => Self::Inaccuracy,
            _ if loss > 0.0 => Self::Good,
            _ => Self::Best,
        }
    }
}

/// The effect of a move on the proven result of its position, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ProofEffect")]
pub enum ProofEffect {
    /// The proven win or draw is preserved; a proven loss always is.
    Kept,
    /// The proven win is no longer a win, or the proven draw is lost.
    ThrownAway,
}

/// The grade of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// The loss in value, never negative; 0 for the best move.
    pub loss: Option<f64>,
    /// The class; `None` if the loss is unknown.
    pub class: Option<Class>,
    /// The effect on the proven result; `None` if no result is proven, or if the move's result is open.
    pub proof: Option<ProofEffect>,
    /// Whether the results of the best move and of this one are proven.
    pub exact: bool,
}

impl Grade {
    /// The grade of a move of `side`, from the evaluations `before` and `after` it. `is_best`: it is the search's choice or an
    /// image of it, whose loss is 0. `is_only`: it is the only legal move.
    #[must_use]
    pub fn new(side: Side, before: &Evaluation, after: &Evaluation, (is_best, is_only): (bool, bool)) -> Self {
        let value = |evaluation: &Evaluation| Some(evaluation.outlook?.value() * f64::from(side.sign()));
        // A move searched less or more thoroughly than the best one can seem to gain; its loss is 0 then.
        let loss = |(before, after): (f64, f64)| if is_best { 0.0 } else { round((before - after).max(0.0), 1e6) };
        let loss = value(before).zip(value(after)).map(loss);
        let after = if is_best { before.bounds } else { after.bounds };
        let ((floor, ceiling), (least, most)) = (results(before.bounds, side), results(after, side));
        let proof = match () {
            () if most < floor => Some(ProofEffect::ThrownAway),
            () if floor == ceiling && least >= floor => Some(ProofEffect::Kept),
            () => None,
        };
        Self {
            loss,
            class: if is_only { Some(Class::Forced) } else { loss.map(Class::of) },
            proof,
            exact: floor == ceiling && least == most,
        }
    }
}

/// The worst and the best result that is not proven impossible: 1 is a win of `side`, 0 a draw, -1 a loss.
fn results(bounds: Bounds, side: Side) -> (i16, i16) {
    let (lo, hi) = (bounds.lo.signum(), bounds.hi.signum());
    if side == Side::First { (lo, hi) } else { (-hi, -lo) }
}

/// A move to be graded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graded {
    /// The move, in its canonical text; `None` for the search's choice.
    pub mv: Option<String>,
    /// The legal moves that lead to the same position as this one or to an image of it, itself included. All are worth the
    /// same, so the first is searched in place of the others.
    pub alike: Vec<String>,
    /// Facts from the rules alone, about it and about other moves of the position; each line begins with the move concerned.
    pub facts: Vec<Reason>,
}

impl Graded {
    /// The move that is searched in its place.
    #[must_use]
    pub fn searched(&self) -> Option<&str> {
        self.alike.first().map(String::as_str)
    }

    /// The facts about a move.
    fn facts_of(&self, mv: &str) -> impl Iterator<Item = &Reason> {
        self.facts.iter().filter(move |fact| fact.line.first().is_some_and(|first| first == mv))
    }
}

/// The result of grading a move by a search of its position.
#[derive(Clone, Debug)]
pub struct GradedMove<'a> {
    /// The move.
    pub mv: &'a str,
    /// The grade.
    pub grade: Grade,
    /// The number of better moves, plus 1; `None` if the move's value is unknown.
    pub rank: Option<usize>,
    /// The search's result for it; `None` if the search did not consider the move.
    pub child: Option<&'a Child<String>>,
    /// What the grade rests on.
    pub reasons: Vec<Reason>,
}

/// Grades a move by a search of its position that considered all legal moves; `side` is to move.
#[must_use]
pub fn grade<'a>(report: &'a Report<String>, side: Side, graded: &'a Graded) -> GradedMove<'a> {
    let best = report.children.first();
    let mv = graded.mv.as_deref().or(best.map(|best| &*best.mv)).unwrap_or_default();
    let alike = &graded.alike;
    let is_best = best.is_some_and(|best| best.mv == mv || alike.contains(&best.mv));
    let child = if is_best { best } else { report.children.iter().find(|child| alike.first() == Some(&child.mv)) };
    // A bound without a proof is not a value.
    let known = |evaluation: Evaluation, value: Option<f64>| Evaluation {
        outlook: evaluation.outlook.filter(|_| value.is_some()),
        ..evaluation
    };
    let before = known(report.root, report.root.least_value(side));
    let after = child.map_or(Evaluation { outlook: None, ..before }, |child| child.evaluation);
    let after = if is_best { before } else { known(after, after.value(side)) };
    let choices = report.children.len();
    let grade = Grade::new(side, &before, &after, (is_best, choices == 1));
    let rank = child.zip(best).and_then(|(child, best)| {
        grade.loss?;
        let (own, most) = (worth(child, side)?, worth(best, side)?);
        let better = |other: &&Child<String>| worth(other, side) > Some(own) && !alike.contains(&other.mv);
        let better = report.children.iter().filter(better).count();
        // A move that seems better than the best one was searched less thoroughly.
        Some(if is_best || own == most { 1 } else { 1 + better.max(1) })
    });
    let line = child.filter(|child| child.mv == mv).map(|child| child.pv.clone()).unwrap_or_default();
    let (before, after, children) = (&before, after.after_move(), &report.children[..]);
    let judged = Judged { side, mv, graded, grade, is_best, choices, before, children, after, line };
    let reasons = if child.is_some() { judged.reasons() } else { Vec::new() };
    GradedMove { mv, grade, rank, child, reasons }
}

/// The key that ranks moves: a proven win or loss, the value, the margin, and how soon a proven win comes or how late a loss.
/// `None` if the value is unknown, or a bound without a proof.
fn worth(child: &Child<String>, side: Side) -> Option<(i8, f64, f64, i64)> {
    let evaluation = &child.evaluation;
    let value = evaluation.value(side)?;
    let score = evaluation.score.unwrap_or(0.0) * f64::from(side.sign());
    let distance = evaluation.distance.map_or(0, i64::from);
    Some(match evaluation.bounds.verdict() {
        Some(Verdict::Wins(winner)) if winner == side => (1, value, score, -distance),
        Some(Verdict::Wins(_)) => (-1, value, score, distance),
        Some(Verdict::Draw) | None => (0, value, score, 0),
    })
}

/// A move's accuracy from the values before and after it: 100 for no loss, falling with the loss.
///
/// The formula is Lichess' (lichess.org/page/accuracy), 103.1668 exp(-0.04354 d) - 3.1669 with d the drop in winning chances in
/// per cent; a value v in [-1, 1] is a chance of 50 (1 + v) per cent. It was fitted to human chess games; in other games it is
/// a convention. Unlike Lichess, a side's accuracy here is the plain mean of its moves' accuracies.
#[must_use]
pub fn accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        // The formula's constants give slightly less.
        return 100.0;
    }
    let drop = 50.0 * (before - after);
    (103.1668 * (-0.04354 * drop).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Rounds to a multiple of 1 / `scale`; a zero has no sign.
pub(crate) fn round(x: f64, scale: f64) -> f64 {
    (x * scale).round_ties_even() / scale + 0.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Bound, Outlook, StopReason};

    /// An evaluation whose score is proven to be in `lo..=hi`.
    fn proven(lo: i16, hi: i16) -> Evaluation {
        let outlook = (lo == hi).then(|| Outlook::of_score(lo));
        Evaluation { outlook, bounds: Bounds { lo, hi }, ..Evaluation::unknown(1) }
    }

    #[test]
    fn a_proven_result_is_kept_or_thrown_away() {
        use ProofEffect::{Kept, ThrownAway};
        let of = |side, before: Evaluation, after: Evaluation| {
            let grade = Grade::new(side, &before, &after, (false, false));
            (grade.proof, grade.exact, grade.loss)
        };
        let (win, draw, loss) = (proven(1, 1), proven(0, 0), proven(-1, -1));
        assert_eq!(of(Side::First, win, win), (Some(Kept), true, Some(0.0)));
        assert_eq!(of(Side::First, win, loss), (Some(ThrownAway), true, Some(2.0)));
        assert_eq!(of(Side::Second, win, win), (Some(Kept), true, Some(0.0)));
        assert_eq!(of(Side::Second, draw, win), (Some(ThrownAway), true, Some(1.0)));
        assert_eq!(of(Side::Second, loss, draw), (Some(ThrownAway), true, Some(1.0)));
        // Half a proof: at most a draw, at least a draw, nothing.
        assert_eq!(of(Side::First, win, proven(-1, 0)), (Some(ThrownAway), false, None));
        assert_eq!(of(Side::First, draw, proven(0, 1)), (Some(Kept), false, None));
        assert_eq!(of(Side::First, proven(0, 1), loss), (Some(ThrownAway), false, None));
        assert_eq!(of(Side::First, proven(0, 1), draw), (None, false, None));
        assert_eq!(of(Side::First, win, proven(-1, 1)), (None, false, None));
        let chosen = Grade::new(Side::First, &win, &proven(-1, 1), (true, false));
        assert_eq!((chosen.proof, chosen.exact), (Some(Kept), true));
        // In games with points the result counts, not the margin.
        assert_eq!(of(Side::First, proven(3, 9), proven(1, 2)).0, Some(Kept));
    }

    #[test]
    fn ranks_count_the_better_moves() {
        let child = |mv: &str, value: f64, distance: Option<u32>| {
            let bounds = if distance.is_some() { Bounds::exactly(value as i16) } else { Bounds::unknown(1) };
            let outlook = Some(Outlook { win: (1.0 + value) / 2.0, draw: 0.0, loss: (1.0 - value) / 2.0 });
            let evaluation = Evaluation { outlook, bounds, distance, ..Evaluation::unknown(1) };
            let pv = vec![mv.to_owned()];
            Child { mv: mv.to_owned(), visits: None, nodes: None, prior: None, evaluation, depth: 3, pv, below: None }
        };
        let rank = |children: Vec<Child<String>>, alike: &[&str]| {
            let alike: Vec<_> = alike.iter().map(|&mv| mv.to_owned()).collect();
            let one = Graded { mv: alike.first().cloned(), alike, facts: Vec::new() };
            let report = Report {
                root: children[0].evaluation,
                children,
                visits: None,
                nodes: 0,
                depth: 3,
                bytes: 0,
                cpu: Duration::ZERO,
                reused: 0,
                stop: StopReason::Depth,
                choice: None,
            };
            let graded = grade(&report, Side::First, &one);
            (graded.rank, graded.grade.loss)
        };
        let wins = || {
            vec![
                child("a", 1.0, Some(3)),
                child("b", 1.0, Some(5)),
                child("c", 1.0, Some(3)),
                child("d", -1.0, Some(2)),
            ]
        };
        let of = |mv| rank(wins(), &[mv]);
        assert_eq!([of("a"), of("b"), of("c"), of("d")].map(|(rank, _)| rank), [1, 3, 1, 4].map(Some));
        assert_eq!([of("b").1, of("d").1], [Some(0.0), Some(2.0)]);
        let open = || vec![child("a", 0.2, None), child("b", 0.4, None), child("c", 0.1, None), child("d", 0.3, None)];
        let of = |alike: &[&str]| rank(open(), alike);
        // A move that seems better than the search's choice was searched less thoroughly.
        assert_eq!([of(&["b"]), of(&["d"]), of(&["c"])].map(|(rank, _)| rank), [2, 2, 4].map(Some));
        // Images of a move are not better than it.
        assert_eq!(of(&["c", "d"]), (Some(3), Some(0.1)));
        assert_eq!(of(&["c", "a"]), (Some(1), Some(0.0)));
        let mut limit = open();
        limit[2].evaluation.bound = Bound::Upper;
        assert_eq!(rank(limit, &["c"]), (None, None));
    }

    #[test]
    fn accuracy_falls_from_100_to_0() {
        assert_eq!(accuracy(0.3, 0.4), 100.0);
        assert!((accuracy(0.0, 0.0) - 100.0).abs() < 1e-3);
        // A drop from a chance of 60 % to one of 50 %: 103.1668 exp(-0.4354) - 3.1669.
        assert!((accuracy(0.2, 0.0) - 63.583).abs() < 0.01, "{}", accuracy(0.2, 0.0));
        assert!(accuracy(1.0, -1.0) < 1.0);
        let falling: Vec<f64> = (0..=20).map(|drop| accuracy(1.0, 1.0 - f64::from(drop) / 10.0)).collect();
        assert!(falling.is_sorted_by(|a, b| a >= b), "{falling:?}");
    }

    #[test]
    fn classes_begin_where_they_should() {
        let classes = [0.0, 0.01, 0.0999, 0.1, 0.2, 0.3, 2.0].map(Class::of);
        use Class::{Best, Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(classes, [Best, Good, Good, Inaccuracy, Mistake, Blunder, Blunder]);
    }
}
