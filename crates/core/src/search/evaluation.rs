//! Evaluations of positions: values or limits, and what is proven.
//!
//! All values are absolute, from the first player's view; callers convert them for display.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::position::Side;

/// Chances of the three results, from the first player's view; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    /// The first player wins.
    pub win: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The second player wins.
    pub loss: f64,
}

impl Outlook {
    /// The outlook of a game whose exact score is known.
    #[must_use]
    pub const fn of_score(score: i16) -> Self {
        match score {
            0 => Self { win: 0.0, draw: 1.0, loss: 0.0 },
            1.. => Self { win: 1.0, draw: 0.0, loss: 0.0 },
            _ => Self { win: 0.0, draw: 0.0, loss: 1.0 },
        }
    }

    /// The outlook of a heuristic value: a logistic of width `spread`, with a draw where the value lies within `even` of zero.
    #[must_use]
    pub fn logistic(value: i32, even: i32, spread: f64) -> Self {
        let above = |line: i32| 1.0 / (1.0 + (f64::from(line - value) / spread).exp());
        let (win, not_loss) = (above(even), above(-even));
        Self { win, draw: not_loss - win, loss: 1.0 - not_loss }
    }

    /// The same chances restricted to scores within `bounds`: chances of impossible results move to the nearest possible one.
    #[must_use]
    pub fn within(self, bounds: Bounds) -> Self {
        let Self { mut win, mut draw, mut loss } = self;
        if bounds.lo >= 0 {
            draw += std::mem::take(&mut loss);
        }
        if bounds.hi <= 0 {
            draw += std::mem::take(&mut win);
        }
        if bounds.lo > 0 {
            win += std::mem::take(&mut draw);
        }
        if bounds.hi < 0 {
            loss += std::mem::take(&mut draw);
        }
        Self { win, draw, loss }
    }

    /// Win minus loss, in [-1, 1].
    #[must_use]
    pub fn value(&self) -> f64 {
        self.win - self.loss
    }
}

/// Proven bounds of a score (see [`crate::position::Outcome::score`]): it lies in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Proven: not less than this.
    pub lo: i16,
    /// Proven: not more than this.
    pub hi: i16,
}

impl Bounds {
    /// The bounds when nothing is proven.
    #[must_use]
    pub const fn unknown(limit: i16) -> Self {
        Self { lo: -limit, hi: limit }
    }

    /// The bounds of a known score.
    #[must_use]
    pub const fn exactly(score: i16) -> Self {
        Self { lo: score, hi: score }
    }

    /// The score, if only one is possible.
    #[must_use]
    pub const fn exact(&self) -> Option<i16> {
        if self.lo == self.hi { Some(self.lo) } else { None }
    }

    /// The nearest score that is not proven impossible.
    #[must_use]
    pub fn clamp(&self, score: f64) -> f64 {
        score.clamp(self.lo.into(), self.hi.into())
    }

    /// The intersection of two bounds.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The proven result, if decided. In games played for points, it can be decided before the margin is.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        if self.lo > 0 {
            Some(Verdict::Wins(Side::First))
        } else if self.hi < 0 {
            Some(Verdict::Wins(Side::Second))
        } else if self.lo == 0 && self.hi == 0 {
            Some(Verdict::Draw)
        } else {
            None
        }
    }
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This side wins with best play.
    Wins(Side),
    /// Neither side can win against best play.
    Draw,
}

/// Whether `value`, `win`, `draw`, `loss` and `score` are values or bounds; bounds come from moves that alpha-beta search
/// discarded. Bounds compare results as the game does: a sooner win is better, and more points are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value; an estimate where nothing is proven.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Bound {
    /// The bound that a proof of a win for `side` implies: the win may come sooner, or be higher.
    #[must_use]
    pub const fn of_win(side: Side) -> Self {
        match side {
            Side::First => Self::Lower,
            Side::Second => Self::Upper,
        }
    }

    /// The same bound seen from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// The evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Chances of the results; `None` when nothing is known.
    pub outlook: Option<Outlook>,
    /// Expected margin, in games played for points; `None` in others and when nothing is known.
    pub score: Option<f64>,
    /// Standard error of the outlook's value; `None` when it is not a sample's mean.
    pub stderr: Option<f64>,
    /// Whether outlook, score and distance are values or limits.
    pub bound: Bound,
    /// Proven bounds of the score.
    pub bounds: Bounds,
    /// Plies until the game is over, if a win or loss is proven in a game without points; a maximum where `bound` is not exact.
    pub distance: Option<u32>,
}

impl Evaluation {
    /// An unknown value; scores lie in `-limit..=limit`.
    #[must_use]
    pub const fn unknown(limit: i16) -> Self {
        Self {
            outlook: None,
            score: None,
            stderr: None,
            bound: Bound::Exact,
            bounds: Bounds::unknown(limit),
            distance: None,
        }
    }

    /// The value from a side's view, in -1 to 1, if it is an estimate or proven, not only a limit.
    #[must_use]
    pub fn value(&self, side: Side) -> Option<f64> {
        let known = self.bound == Bound::Exact || self.bounds.verdict().is_some();
        Some(self.outlook.filter(|_| known)?.value() * f64::from(side.sign()))
    }

    /// As [`Evaluation::value`], or else its lower limit: a search can end when its best move has proved better than expected,
    /// but not yet by how much.
    #[must_use]
    pub fn least_value(&self, side: Side) -> Option<f64> {
        let least = Some(self.outlook?.value() * f64::from(side.sign()));
        self.value(side).or(least.filter(|_| self.bound == Bound::of_win(side)))
    }

    /// The evaluation of a move, with its distance counted from the position after it.
    #[must_use]
    pub fn after_move(self) -> Self {
        Self { distance: self.distance.and_then(|distance| distance.checked_sub(1)), ..self }
    }

    /// Narrows the evaluation to further proven bounds.
    pub fn narrow(&mut self, bounds: Bounds) {
        self.bounds = self.bounds.meet(bounds);
        self.outlook = self.outlook.map(|outlook| outlook.within(self.bounds));
        self.score = self.score.map(|score| self.bounds.clamp(score));
    }

    /// Reports the proven limit of the score where the winner is proven but the margin is not: a mean beside the proof would
    /// pass for the margin. A solved evaluation gets the value of its bounds.
    pub fn state_limits(&mut self) {
        let has_points = self.score.is_some();
        let (score, bound) = match (self.bounds.exact(), self.bounds.verdict()) {
            // The bound qualifies the distance, which the engine determines.
            (Some(score), _) => (score, self.bound),
            (None, Some(Verdict::Wins(side))) => {
                let nearest = if side == Side::First { self.bounds.lo } else { self.bounds.hi };
                (nearest, Bound::of_win(side))
            }
            (None, _) => return,
        };
        self.outlook = Some(Outlook::of_score(score));
        self.score = has_points.then_some(score.into());
        (self.stderr, self.bound) = (None, bound);
    }
}
