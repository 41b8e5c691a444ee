//! A whole game reviewed move by move: what each move gave away against the best one, and how well each side played.
//!
//! Every position of the game is searched. A position's value is the best move's; so a move's loss is the value of the position
//! it was played in, less the value of the move itself, both from the view of whoever played it and equally deep. Values are
//! expected results in [-1, 1]: win minus loss. Nothing here searches: [`Review::add`] takes positions in order, with what was
//! found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::AnySession;
use crate::position::{IllegalMove, Side};
use crate::search::{Bound, Bounds, Branches, Child, Evaluation, Outlook, Report};

/// A position of the game, searched (or over).
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Whose move it is.
    pub to_move: Side,
    /// Its value, from the first player's view.
    pub evaluation: Evaluation,
    /// The move that the search would have played; none when the game is over.
    pub best: Option<String>,
    /// All moves that lead to the same position as that one, or to an image of it.
    pub equivalent: Vec<String>,
    /// Its principal variation.
    pub line: Vec<String>,
    /// The move that the search watched in place of the one played there: see [`branches`].
    pub watched: Option<String>,
    /// How many legal moves there are.
    pub choices: usize,
    /// The results of each of them.
    pub children: Vec<Child<String>>,
}

impl Evaluated {
    /// The position that a game has come to, with what a search found there, and the move that was played next; a finished game
    /// needs neither.
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
                distance: Some(0),
            };
            let [line, equivalent] = Default::default();
            let (best, watched, children) = (None, None, Vec::new());
            return Self { to_move, evaluation, best, equivalent, line, watched, choices, children };
        }
        let evaluation = report.as_ref().map_or_else(|| Evaluation::unknown(1), |report| report.root);
        let children = report.map(|report| report.children).unwrap_or_default();
        let (best, line) = children.first().map(|best| (best.mv.clone(), best.pv.clone())).unzip();
        let equivalent = best.as_ref().map(|best| game.equivalent_moves(best)).unwrap_or_default();
        let (line, watched) = (line.unwrap_or_default(), played.and_then(|played| watched(game, played)));
        Self { to_move, evaluation, best, equivalent, line, watched, choices, children }
    }

    /// What the move played is worth, where it is known as well as the best one is: proven, searched as deep, or visited at
    /// least a quarter as often.
    fn comparable(&self) -> Option<&Evaluation> {
        const QUARTER: u64 = 4;
        let best = self.children.first()?;
        let child = self.children.iter().find(|child| Some(&child.mv) == self.watched.as_ref())?;
        let known = match (child.visits, best.visits) {
            (Some(visits), Some(most)) => visits * QUARTER >= most,
            _ => child.evaluation.bound == Bound::Exact && child.depth > 0 && child.depth >= best.depth,
        };
        // Beside a proof an estimate says too little: the next position's search may prove as much of the move.
        let open = best.evaluation.bounds.exact().is_none();
        (known && open || child.evaluation.bounds.exact().is_some()).then_some(&child.evaluation)
    }
}

/// What the search of a position of the game is to tell: the value of the best move, and of the one that was played there. All
/// that a mirror or a turn of the board makes of a move is worth the same, whatever searches of each may find: so the first of
/// them is watched.
#[must_use]
pub fn branches(game: &dyn AnySession, played: Option<&str>) -> Branches {
    let place = |watched: String| game.legal_moves().iter().position(|mv| *mv == watched);
    Branches { watched: played.and_then(|played| watched(game, played)).and_then(place), ..Branches::default() }
}

/// The first of the moves that lead to the same position as this one, or to an image of it.
fn watched(game: &dyn AnySession, played: &str) -> Option<String> {
    game.equivalent_moves(played).into_iter().next()
}

/// Plays texts, each of one move or several, and gives all moves one by one in their canonical text.
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

/// The class of a move, by its loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "MoveClass")]
pub enum Class {
    /// The only legal move.
    Forced,
    /// The search's choice, or an equally good move.
    Best,
    /// A smaller loss than an inaccuracy's.
    Good,
    /// A loss of 0.1 or more.
    Inaccuracy,
    /// A loss of 0.2 or more.
    Mistake,
    /// A loss of 0.3 or more.
    Blunder,
}

impl Class {
    /// The class of a loss. The limits are those that Lichess' computer analysis has for its "winning chances", which are
    /// values in [-1, 1] like ours.
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
    /// 100 for no loss, falling with the loss: 103.1668 exp(-0.04354 d) - 3.1669, where d = 50 `loss` is the drop in winning
    /// chances in per cent (the formula of lichess.org/page/accuracy, fitted to chess; a convention in other games).
    #[schemars(range(min = 0, max = 100))]
    pub accuracy: Option<f64>,
    /// The move's class; null when nothing was found.
    pub class: Option<Class>,
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

/// A review as it grows.
#[derive(Clone, Debug, Default)]
pub struct Review {
    moves: Vec<Move>,
    last: Option<Evaluated>,
}

impl Review {
    /// Takes the next position, and the move that led to it (none for the first), in its canonical text.
    pub fn add(&mut self, played: Option<String>, position: Evaluated) {
        if let (Some(before), Some(mv)) = (self.last.take(), played) {
            let ply = self.moves.len() + 1;
            self.moves.push(classify(ply, mv, before, &position));
        }
        self.last = Some(position);
    }

    /// The moves classified so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How well a side has played so far.
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

fn classify(ply: usize, mv: String, before: Evaluated, after: &Evaluated) -> Move {
    let side = before.to_move;
    let value = |evaluation: &Evaluation| {
        evaluation.outlook.map(|outlook| round(outlook.value() * f64::from(side.sign()), 1e6))
    };
    // Values of the same search compare; where it knows too little of the move, the next position's search knows more, but a
    // ply deeper.
    let compared = before.comparable();
    let (value_before, value_after) = (value(&before.evaluation), value(compared.unwrap_or(&after.evaluation)));
    let best = before.best.unwrap_or_default();
    // A mirror or a turn of the board changes nothing about a move's worth, whatever the searches of both find.
    let is_best = best == mv || before.equivalent.contains(&mv);
    // Looked at one ply deeper, a move may turn out better than the best was thought to be: then it gave away nothing. The
    // search's own choice gives away nothing by definition; what the deeper look finds against it nobody could know.
    let loss =
        value_before.zip(value_after).map(|(before, after)| if is_best { 0.0 } else { (before - after).max(0.0) });
    let loss = loss.map(|loss| round(loss, 1e6));
    let class = if before.choices == 1 { Some(Class::Forced) } else { loss.map(Class::of) };
    let accuracy = value_before.zip(loss).map(|(before, loss)| round(accuracy(before, before - loss), 1e1));
    Move { ply, side, mv, best, line: before.line, value_before, value_after, loss, accuracy, class }
}

/// A move's accuracy from the values before and after it: 100 when nothing was given away, falling with what was.
///
/// The formula is Lichess' (lichess.org/page/accuracy), 103.1668 exp(-0.04354 d) - 3.1669 with d the drop in per cent of the
/// chance to win; a value v in [-1, 1] is a chance of 50 (1 + v) per cent. It was fitted to people's chess games; in other
/// games it is a convention. Unlike Lichess, a side's accuracy here is the plain mean of its moves'.
#[must_use]
pub fn accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        // The formula's constants give a hair less.
        return 100.0;
    }
    let drop = 50.0 * (before - after);
    (103.1668 * (-0.04354 * drop).exp() - 3.1669).clamp(0.0, 100.0)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Rounds to as many digits as are worth anything; a zero carries no sign.
fn round(x: f64, scale: f64) -> f64 {
    (x * scale).round_ties_even() / scale + 0.0
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
            best: Some(best.to_owned()),
            equivalent: vec![best.to_owned()],
            line: vec![best.to_owned()],
            watched: None,
            choices,
            children: Vec::new(),
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
                // The search's own choice, whatever a deeper look shows.
                (Some(0.1), Some(-0.5), Some(0.0), Some(Class::Best)),
                (Some(0.5), Some(-0.5), Some(0.0), Some(Class::Forced)),
            ]
        );
        let (first, second) = (review.summary(Side::First), review.summary(Side::Second));
        assert_eq!((first.moves, first.blunders, first.mean_loss), (2, 1, Some(0.175)));
        assert_eq!((second.moves, second.mistakes, second.mean_loss), (2, 1, Some(0.25)));
    }

    #[test]
    fn two_moves_in_a_row_are_no_loss() {
        let mut review = Review::default();
        review.add(None, evaluated(Side::First, 0.6, "a", 9));
        review.add(Some("b".to_owned()), evaluated(Side::First, 0.6, "c", 9));
        assert_eq!((review.moves()[0].loss, review.moves()[0].class), (Some(0.0), Some(Class::Best)));
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
