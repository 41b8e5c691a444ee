//! Reasons for the grade of a move: claims as data, each with the line that shows it.
//!
//! A claim is `proven` where the bounds of the search or the rules of the game prove it. Other claims are estimates, made only
//! about clear mistakes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Class, Grade, Graded, results};
use crate::position::Side;
use crate::search::{Bound, Child, Evaluation, LONGEST_LINE};

/// The claim that a reason makes about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ReasonKind")]
pub enum Kind {
    /// It is the only legal move.
    Forced,
    /// The best move, which begins `line`, wins by force in at most `distance` plies; this one does not.
    MissesWin,
    /// After it the opponent wins by force, in at most `distance` plies after the move; another move is not known to lose, or
    /// lasts longer.
    AllowsWin,
    /// The opponent can win with the next move, as after most moves of the position: the threat was on the board.
    IgnoresThreat,
    /// After most other moves, one of which begins `line`, the opponent can win with a move that does not win after this one.
    AnswersThreat,
    /// No other move keeps the proven win or draw; a win comes in at most `distance` plies, this move included.
    OnlyMove,
    /// The margin is `points` worse than after the best move, which begins `line`.
    LosesPoints,
    /// The opponent can take a corner that was out of reach (Reversi).
    GivesCorner,
    /// The opponent can take `points` more boxes in a row than could be taken before (Dots and Boxes).
    OpensChain,
}

/// A reason for the grade of a move: a fact if it is `proven`, otherwise an estimate.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Reason {
    /// The claim.
    #[schemars(extend("x-described" = true))]
    pub kind: Kind,
    /// The most plies to the end of the game that the claim allows; null if it has no such limit.
    pub distance: Option<u32>,
    /// Points of the margin, or boxes; null in other claims.
    #[schemars(range(min = 1))]
    pub points: Option<u32>,
    /// Whether the claim is proven.
    pub proven: bool,
    /// Moves that show it, the first in the position before the move; empty if none are known.
    #[schemars(length(max = LONGEST_LINE))]
    pub line: Vec<String>,
}

impl Reason {
    /// A claim that the rules prove.
    #[must_use]
    pub const fn proven(kind: Kind, line: Vec<String>) -> Self {
        Self { kind, distance: None, points: None, proven: true, line }
    }
}

/// The value from which a side seems to win: values from here on are worded "much better".
const WINNING: f64 = 0.6;

/// Among proven losses, a move is at fault if another one lasts this many plies longer.
const LONGER: u32 = 4;

/// A move by `side`, with the evaluations of it and of its position.
pub(crate) struct Judged<'a> {
    pub side: Side,
    /// The move.
    pub mv: &'a str,
    /// Its images, and the facts about it from the rules.
    pub graded: &'a Graded,
    pub grade: Grade,
    /// Whether it is the search's choice or an image of it.
    pub is_best: bool,
    /// The number of legal moves.
    pub choices: usize,
    /// The evaluation before the move.
    pub before: &'a Evaluation,
    /// The search's results for the moves, the best first.
    pub children: &'a [Child<String>],
    /// The evaluation after the move; distances count from there.
    pub after: Evaluation,
    /// The move and what follows; empty if unknown.
    pub line: Vec<String>,
}

impl Judged<'_> {
    /// The reasons, the most important first.
    pub fn reasons(&self) -> Vec<Reason> {
        if self.choices == 1 {
            return vec![Reason::proven(Kind::Forced, Vec::new())];
        }
        let mut all = Vec::new();
        if !self.is_best {
            all.extend(self.misses_win());
            all.extend(self.allows_win());
            all.extend(self.loses_points());
            if !all.is_empty() || self.grade.loss.is_some_and(|loss| loss > 0.0) {
                all.extend(self.graded.facts_of(self.mv).cloned());
            }
        }
        all.extend(self.only_move());
        all.extend(self.answers_threat());
        all.iter_mut().for_each(|reason| reason.line.truncate(LONGEST_LINE));
        all
    }

    /// The worst and the best result not excluded, before the move and after it.
    fn results(&self) -> ((i16, i16), (i16, i16)) {
        (results(self.before.bounds, self.side), results(self.after.bounds, self.side))
    }

    fn value(&self, evaluation: &Evaluation) -> Option<f64> {
        evaluation.value(self.side)
    }

    /// Whether the loss is large enough to base a claim on an estimate.
    fn is_mistake(&self) -> bool {
        matches!(self.grade.class, Some(Class::Mistake | Class::Blunder))
    }

    fn best_line(&self) -> Vec<String> {
        self.children.first().map(|best| best.pv.clone()).unwrap_or_default()
    }

    fn misses_win(&self) -> Option<Reason> {
        let ((floor, _), (least, most)) = self.results();
        let proven = floor == 1 && most < 1;
        let still = self.value(&self.after) >= Some(WINNING);
        let seems = || self.is_mistake() && !still && (floor == 1 || self.value(self.before) >= Some(WINNING));
        let distance = self.before.distance.filter(|_| floor == 1);
        (proven || least < 1 && seems()).then(|| Reason {
            distance,
            proven,
            ..Reason::proven(Kind::MissesWin, self.best_line())
        })
    }

    fn allows_win(&self) -> Option<Reason> {
        let ((_, ceiling), (least, most)) = self.results();
        let proven = most == -1;
        let states = if proven {
            // The distance before the move counts the move.
            let longer = || Some(self.before.distance? >= self.after.distance? + 1 + LONGER);
            ceiling > -1 || self.before.bound == Bound::Exact && longer() == Some(true)
        } else {
            let lost = |evaluation| self.value(evaluation).is_some_and(|value| value <= -WINNING);
            least == -1 && self.is_mistake() && lost(&self.after) && !lost(self.before)
        };
        states.then(|| Reason {
            distance: self.after.distance.filter(|_| proven),
            proven,
            ..Reason::proven(Kind::AllowsWin, self.line.clone())
        })
    }

    /// Points lost, in games for points.
    fn loses_points(&self) -> Option<Reason> {
        let sign = f64::from(self.side.sign());
        let lost = (self.before.score? - self.after.score?) * sign;
        let is_exact = |evaluation: &Evaluation| evaluation.bounds.exact().is_some();
        let proven = is_exact(self.before) && is_exact(&self.after);
        let is_value = |evaluation: &Evaluation| evaluation.bound == Bound::Exact;
        let seems = || {
            let clear = self.is_mistake() || self.grade.class == Some(Class::Inaccuracy);
            clear && is_value(self.before) && is_value(&self.after)
        };
        let points = lost.round() as u32;
        (points >= 1 && (proven || seems())).then(|| Reason {
            points: Some(points),
            proven,
            ..Reason::proven(Kind::LosesPoints, self.best_line())
        })
    }

    fn only_move(&self) -> Option<Reason> {
        let (_, (least, _)) = self.results();
        let is_worse = |child: &Child<String>| results(child.evaluation.bounds, self.side).1 < least;
        let mut others = self.children.iter().filter(|child| child.mv != self.mv);
        let is_only = least >= 0 && self.children.len() == self.choices && others.all(is_worse);
        let distance = self.after.distance.filter(|_| least == 1).map(|distance| distance + 1);
        is_only.then(|| Reason { distance, ..Reason::proven(Kind::OnlyMove, self.line.clone()) })
    }

    fn answers_threat(&self) -> Option<Reason> {
        let (_, (_, most)) = self.results();
        // A move that ends the game answers nothing.
        let holds = most > -1 && self.after.distance != Some(0) && self.grade.loss.is_some_and(|loss| loss <= 0.0);
        let threat = || self.graded.facts.iter().find(|fact| fact.kind == Kind::IgnoresThreat);
        let is_hit = || self.graded.facts_of(self.mv).any(|fact| fact.kind == Kind::IgnoresThreat);
        let threat = threat().filter(|_| holds && !is_hit())?;
        Some(Reason::proven(Kind::AnswersThreat, threat.line.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bounds, Outlook};

    fn proven(score: i16, distance: u32) -> Evaluation {
        let distance = (score != 0).then_some(distance);
        let outlook = Some(Outlook::of_score(score));
        Evaluation { outlook, bounds: Bounds::exactly(score), distance, ..Evaluation::unknown(1) }
    }

    fn value(value: f64) -> Evaluation {
        let (win, loss) = ((1.0 + value) / 2.0, (1.0 - value) / 2.0);
        Evaluation { outlook: Some(Outlook { win, draw: 0.0, loss }), ..Evaluation::unknown(1) }
    }

    /// The kinds for a move `b` of the first player, each with its distance and whether it is proven.
    fn reasons(before: Evaluation, after: Evaluation, facts: Vec<Reason>) -> Vec<(Kind, Option<u32>, bool)> {
        let child = |mv: &str, evaluation| Child {
            mv: mv.to_owned(),
            visits: None,
            nodes: None,
            prior: None,
            evaluation,
            depth: 3,
            pv: vec![mv.to_owned()],
            below: None,
        };
        let judged = Judged {
            side: Side::First,
            mv: "b",
            graded: &Graded { facts, ..Graded::default() },
            grade: Grade::new(Side::First, &before, &after, (false, false)),
            is_best: false,
            choices: 3,
            before: &before,
            children: &[child("a", before), child("b", after), child("c", after)],
            after,
            line: vec!["b".to_owned()],
        };
        judged.reasons().into_iter().map(|reason| (reason.kind, reason.distance, reason.proven)).collect()
    }

    #[test]
    fn bounds_make_facts_and_clear_losses_estimates() {
        use Kind::{AllowsWin, MissesWin};
        let of = |before, after| reasons(before, after, Vec::new());
        let lost = (AllowsWin, Some(2), true);
        assert_eq!(of(proven(1, 5), proven(-1, 2)), [(MissesWin, Some(5), true), lost]);
        assert_eq!(of(proven(1, 5), proven(0, 0)), [(MissesWin, Some(5), true)]);
        assert_eq!(of(proven(1, 5), value(0.1)), [(MissesWin, Some(5), false)]);
        assert_eq!(of(proven(1, 5), proven(1, 8)), []);
        assert_eq!(of(proven(0, 0), proven(-1, 2)), [lost]);
        assert_eq!(of(value(0.0), proven(-1, 2)), [lost]);
        assert_eq!(of(value(0.7), value(0.6)), []);
        assert_eq!(of(value(0.7), value(-0.7)), [(MissesWin, None, false), (AllowsWin, None, false)]);
        assert_eq!(of(value(-0.7), value(-1.0)), []);
        assert_eq!(of(value(0.95), value(0.7)), []);
        // In a lost position, a move is at fault if another one lasts clearly longer: the distance before counts a ply more.
        assert_eq!(of(proven(-1, 7), proven(-1, 2)), [lost]);
        assert_eq!(of(proven(-1, 5), proven(-1, 2)), []);
    }

    #[test]
    fn facts_of_the_rules_speak_against_moves_that_lose_something() {
        let facts = || vec![Reason::proven(Kind::GivesCorner, vec!["b".to_owned(), "a1".to_owned()])];
        assert_eq!(reasons(value(0.2), value(0.1), facts()), [(Kind::GivesCorner, None, true)]);
        assert_eq!(reasons(value(0.2), value(0.2), facts()), []);
        let of_another = vec![Reason::proven(Kind::GivesCorner, vec!["c".to_owned()])];
        assert_eq!(reasons(value(0.2), value(0.1), of_another), []);
        let threat = vec![Reason::proven(Kind::IgnoresThreat, vec!["c".to_owned(), "d".to_owned()])];
        assert_eq!(reasons(value(0.2), value(0.2), threat), [(Kind::AnswersThreat, None, true)]);
    }
}
