//! Reviews of whole games, move by move: each move's loss compared with the best one, and each side's accuracy.
//!
//! Every position of the game is searched, the move played there as deep as the best one ([`crate::grade::Graded`]). This
//! module does not search: [`Review::add`] takes the positions in order, with their search results.

use std::slice;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::AnySession;
use crate::grade::{Class, Grade, Graded, Judged, ProofEffect, Reason, accuracy, round};
use crate::position::{IllegalMove, Side};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Report};

/// A position of the game, searched (or over).
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Whose move it is.
    pub to_move: Side,
    /// Its value, from the first player's view.
    pub evaluation: Evaluation,
    /// The move played there, which the search has graded; empty when the game ends there.
    pub graded: Graded,
    /// The number of legal moves.
    pub choices: usize,
    /// The results of the moves, the best first; empty when the game is over.
    pub children: Vec<Child<String>>,
}

impl Evaluated {
    /// The current position of a game, with the search's report on it, and the move that was played next; a finished game needs
    /// neither.
    #[must_use]
    pub fn of(game: &dyn AnySession, played: Option<&str>, report: Option<Report<String>>) -> Self {
        let (to_move, choices) = (game.turn(), game.legal_moves().len());
        if let Some(ended) = game.outcome() {
            let score = ended.result.score();
            let evaluation = Evaluation {
                outlook: Some(Outlook::of_score(score)),
                score: ended.result.margin.map(f64::from),
                stderr: None,
                bound: Bound::Exact,
                bounds: Bounds::exactly(score),
                // Games for points have no distances.
                distance: ended.result.margin.is_none().then_some(0),
            };
            return Self { to_move, evaluation, graded: Graded::default(), choices, children: Vec::new() };
        }
        let evaluation = report.as_ref().map_or_else(|| Evaluation::unknown(1), |report| report.root);
        let children = report.map(|report| report.children).unwrap_or_default();
        let graded = played.and_then(|played| game.graded(played)).unwrap_or_default();
        Self { to_move, evaluation, graded, choices, children }
    }

    /// The result of the move played, if it is as reliable as the best move's: proven, searched as deep, or visited at least a
    /// quarter as often.
    fn comparable(&self) -> Option<&Child<String>> {
        const QUARTER: u64 = 4;
        let best = self.children.first()?;
        let child = self.children.iter().find(|child| Some(&*child.mv) == self.graded.searched())?;
        let known = match (child.visits, best.visits) {
            (Some(visits), Some(most)) => visits * QUARTER >= most,
            _ => child.evaluation.bound == Bound::Exact && child.depth > 0 && child.depth >= best.depth,
        };
        // Against a proof an estimate is too little: the next position's search may prove as much about the move.
        let open = best.evaluation.bounds.exact().is_none();
        (known && open || child.evaluation.bounds.exact().is_some()).then_some(child)
    }
}

/// Plays texts of one or several moves each, and returns all moves in their canonical text.
///
/// # Errors
/// At the first text with an illegal move, with its index.
pub fn play_all(game: &mut dyn AnySession, texts: &[String]) -> Result<Vec<String>, (usize, IllegalMove)> {
    let mut moves = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let read = game.read_moves(text).map_err(|illegal| (index, illegal))?;
        game.play(text).map_err(|illegal| (index, illegal))?;
        moves.extend(read);
    }
    Ok(moves)
}

/// One classified move. Values are from its player's view.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewedMove")]
pub struct Move {
    /// Its number, from the first reviewed move.
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The search's choice.
    pub best: String,
    /// The search's principal variation.
    pub line: Vec<String>,
    /// The value of the position before the move.
    #[schemars(range(min = -1, max = 1))]
    pub value_before: Option<f64>,
    /// The value of the position after it.
    #[schemars(range(min = -1, max = 1))]
    pub value_after: Option<f64>,
    /// The move's loss in value, never negative; 0 for the search's choice.
    #[schemars(range(min = 0, max = 2))]
    pub loss: Option<f64>,
    /// The expected margin of the position before the move; null in games without points, and if only a bound is known.
    #[serde(default)]
    pub score_before: Option<f64>,
    /// The expected margin of the position after it.
    #[serde(default)]
    pub score_after: Option<f64>,
    /// The move's loss in points of the margin, never negative; 0 for the search's choice.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub score_loss: Option<f64>,
    /// 100 for no loss, falling with the loss: 103.1668 exp(-0.04354 d) - 3.1669, where d = 50 `loss` is the drop in winning
    /// chances in per cent (the formula of lichess.org/page/accuracy, fitted to chess; a convention in other games).
    #[schemars(range(min = 0, max = 100))]
    pub accuracy: Option<f64>,
    /// The move's class; null when nothing was found.
    pub class: Option<Class>,
    /// The effect on the proven result of the position; null if no result is proven, or if the move's result is open.
    #[serde(default)]
    pub proof: Option<ProofEffect>,
    /// Whether the results before and after the move are proven, so that `loss`, `class` and `proof` are exact.
    #[serde(default)]
    pub exact: bool,
    /// What the grade rests on, the most important first.
    #[serde(default)]
    pub reasons: Vec<Reason>,
}

/// A side's accuracy and mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewedSide")]
pub struct Summary {
    /// Moves reviewed, forced ones included.
    pub moves: usize,
    /// The mean accuracy of its moves, without forced ones; null if there are none.
    #[schemars(range(min = 0, max = 100))]
    pub accuracy: Option<f64>,
    /// The mean loss of its moves, without forced ones; null if there are none.
    #[schemars(range(min = 0, max = 2))]
    pub mean_loss: Option<f64>,
    /// Inaccuracies among its moves.
    pub inaccuracies: usize,
    /// Mistakes among its moves.
    pub mistakes: usize,
    /// Blunders among its moves.
    pub blunders: usize,
}

/// A review in progress.
#[derive(Clone, Debug, Default)]
pub struct Review {
    moves: Vec<Move>,
    last: Option<Evaluated>,
}

impl Review {
    /// Adds the next position, and the canonical text of the move that led to it (`None` for the first position).
    pub fn add(&mut self, played: Option<String>, position: Evaluated) {
        if let (Some(before), Some(mv)) = (self.last.take(), played) {
            let ply = self.moves.len() + 1;
            self.moves.push(classify(ply, mv, &before, &position));
        }
        self.last = Some(position);
    }

    /// The moves classified so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The summary of a side's moves so far.
    #[must_use]
    pub fn summary(&self, side: Side) -> Summary {
        let own = || self.moves.iter().filter(|mv| mv.side == side);
        let chosen = || own().filter(|mv| mv.class != Some(Class::Forced));
        let count = |class: Class| own().filter(|mv| mv.class == Some(class)).count();
        Summary {
            moves: own().count(),
            accuracy: mean(chosen().filter_map(|mv| mv.accuracy)).map(|mean| round(mean, 1e1)),
            mean_loss: mean(chosen().filter_map(|mv| mv.loss)).map(|mean| round(mean, 1e6)),
            inaccuracies: count(Class::Inaccuracy),
            mistakes: count(Class::Mistake),
            blunders: count(Class::Blunder),
        }
    }
}

fn classify(ply: usize, mv: String, before: &Evaluated, after: &Evaluated) -> Move {
    let side = before.to_move;
    let value = |evaluation: &Evaluation| {
        evaluation.outlook.map(|outlook| round(outlook.value() * f64::from(side.sign()), 1e6))
    };
    let score = |evaluation: &Evaluation| {
        let is_value = evaluation.bound == Bound::Exact || evaluation.bounds.exact().is_some();
        evaluation.score.filter(|_| is_value).map(|score| round(score * f64::from(side.sign()), 1e6))
    };
    // Values of the same search are comparable; if it knows too little about the move, the next position's search knows more,
    // but a ply deeper. What that finds against the search's own choice is not held against the player.
    let known = before.comparable();
    let found = known.map_or(&after.evaluation, |child| &child.evaluation);
    let (value_before, value_after) = (value(&before.evaluation), value(found));
    let (score_before, score_after) = (score(&before.evaluation), score(found));
    let (best, line) = before.children.first().map(|best| (best.mv.clone(), best.pv.clone())).unwrap_or_default();
    let is_best = best == mv || before.graded.alike.contains(&best);
    let grade = Grade::new(side, &before.evaluation, found, (is_best, before.choices == 1));
    let Grade { loss, class, proof, exact } = grade;
    let lost = |(before, after): (f64, f64)| if is_best { 0.0 } else { round((before - after).max(0.0), 1e6) };
    let score_loss = score_before.zip(score_after).map(lost);
    let searched = if is_best { before.children.first() } else { known };
    let next = || after.children.first().map(|next| &next.pv[..]).unwrap_or_default();
    let judged = Judged {
        side,
        mv: &mv,
        graded: &before.graded,
        grade,
        is_best,
        choices: before.choices,
        before: &before.evaluation,
        children: &before.children,
        after: match searched {
            _ if is_best => before.evaluation.after_move(),
            Some(child) => child.evaluation.after_move(),
            None => after.evaluation,
        },
        line: match searched.filter(|child| child.mv == mv) {
            Some(child) => child.pv.clone(),
            None => [slice::from_ref(&mv), next()].concat(),
        },
    };
    let reasons = judged.reasons();
    let accuracy = value_before.zip(loss).map(|(before, loss)| round(accuracy(before, before - loss), 1e1));
    Move {
        ply,
        side,
        mv,
        best,
        line,
        value_before,
        value_after,
        loss,
        score_before,
        score_after,
        score_loss,
        accuracy,
        class,
        proof,
        exact,
        reasons,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position of this value, seen from the first player.
    fn evaluated(to_move: Side, value: f64, best: &str, choices: usize) -> Evaluated {
        let (win, loss) = ((1.0 + value) / 2.0, (1.0 - value) / 2.0);
        let evaluation = Evaluation {
            outlook: Some(Outlook { win, draw: 0.0, loss }),
            bound: Bound::Exact,
            bounds: Bounds::unknown(1),
            ..Evaluation::unknown(1)
        };
        Evaluated {
            to_move,
            evaluation,
            graded: Graded::default(),
            choices,
            children: vec![Child {
                mv: best.to_owned(),
                visits: None,
                nodes: None,
                prior: None,
                evaluation,
                depth: 1,
                pv: vec![best.to_owned()],
                below: None,
            }],
        }
    }

    #[test]
    fn a_loss_is_what_the_mover_had_before() {
        let mut review = Review::default();
        review.add(None, evaluated(Side::First, 0.2, "a", 9));
        review.add(Some("b".to_owned()), evaluated(Side::Second, -0.15, "c", 9));
        review.add(Some("d".to_owned()), evaluated(Side::First, 0.1, "e", 9));
        review.add(Some("e".to_owned()), evaluated(Side::Second, -0.5, "f", 1));
        review.add(Some("f".to_owned()), evaluated(Side::First, 0.5, "g", 1));
        let told: Vec<_> =
            review.moves().iter().map(|mv| (mv.value_before, mv.value_after, mv.loss, mv.class)).collect();
        assert_eq!(
            told,
            [
                (Some(0.2), Some(-0.15), Some(0.35), Some(Class::Blunder)),
                (Some(0.15), Some(-0.1), Some(0.25), Some(Class::Mistake)),
                // The search's own choice, whatever a deeper search shows.
                (Some(0.1), Some(-0.5), Some(0.0), Some(Class::Best)),
                (Some(0.5), Some(-0.5), Some(0.0), Some(Class::Forced)),
            ]
        );
        let (first, second) = (review.summary(Side::First), review.summary(Side::Second));
        assert_eq!((first.moves, first.blunders, first.mean_loss), (2, 1, Some(0.175)));
        assert_eq!((second.moves, second.mistakes, second.mean_loss), (2, 1, Some(0.25)));
    }

    #[test]
    fn points_are_lost_from_the_movers_view() {
        let scored = |to_move, score, bound, best| {
            let mut position = evaluated(to_move, 0.0, best, 9);
            position.evaluation.score = Some(score);
            position.evaluation.bound = bound;
            position
        };
        let mut review = Review::default();
        review.add(None, scored(Side::First, 4.0, Bound::Exact, "a"));
        review.add(Some("b".to_owned()), scored(Side::Second, -2.5, Bound::Exact, "c"));
        review.add(Some("d".to_owned()), scored(Side::First, -4.0, Bound::Exact, "e"));
        review.add(Some("e".to_owned()), scored(Side::Second, -6.0, Bound::Exact, "f"));
        // A bound is not a margin.
        review.add(Some("g".to_owned()), scored(Side::First, 20.0, Bound::Lower, "h"));
        let told: Vec<_> = review.moves().iter().map(|mv| (mv.score_before, mv.score_after, mv.score_loss)).collect();
        assert_eq!(
            told,
            [
                (Some(4.0), Some(-2.5), Some(6.5)),
                (Some(2.5), Some(4.0), Some(0.0)),
                (Some(-4.0), Some(-6.0), Some(0.0)),
                (Some(6.0), None, None),
            ]
        );
    }

    #[test]
    fn two_moves_in_a_row_are_no_loss() {
        let mut review = Review::default();
        review.add(None, evaluated(Side::First, 0.6, "a", 9));
        review.add(Some("b".to_owned()), evaluated(Side::First, 0.6, "c", 9));
        assert_eq!((review.moves()[0].loss, review.moves()[0].class), (Some(0.0), Some(Class::Best)));
    }
}
