//! From values to probabilities: the curve that an evaluation is fitted under where games are not played for points.

/// How values become chances (see [`tesuji_core::search::Outlook::logistic`]).
#[derive(Clone, Copy, Debug)]
pub struct Chances {
    /// Within so much of zero a draw is likeliest.
    pub even: f64,
    /// The logistic's width.
    pub spread: f64,
}

/// A value, and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The value.
    pub value: f64,
    /// The score at the end, if the game came to one that its value had a part in.
    pub score: Option<i16>,
    /// What the value is to predict.
    pub target: f64,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Chances {
    /// Where nothing is known: no draws, and the width that evaluations have by default.
    pub const UNKNOWN: Self = Self { even: 0.0, spread: 400.0 };

    /// The points that a value promises.
    #[must_use]
    pub fn points(self, value: f64) -> f64 {
        let Self { even, spread } = self;
        f64::midpoint(sigmoid((value - even) / spread), sigmoid((value + even) / spread)).clamp(1e-9, 1.0 - 1e-9)
    }

    /// By how much they grow with the value.
    #[must_use]
    pub fn slope(self, value: f64) -> f64 {
        let steepness = |x: f64| sigmoid(x) * (1.0 - sigmoid(x)) / self.spread;
        f64::midpoint(steepness((value - self.even) / self.spread), steepness((value + self.even) / self.spread))
    }

    /// How badly a value predicts points: the negative logarithm of their likelihood.
    #[must_use]
    pub fn error(self, value: f64, target: f64) -> f64 {
        let points = self.points(value);
        -target * points.ln() - (1.0 - target) * (1.0 - points).ln()
    }

    /// By how much that grows with the value.
    #[must_use]
    pub fn slope_of_error(self, value: f64, target: f64) -> f64 {
        let points = self.points(value);
        (points - target) / (points * (1.0 - points)) * self.slope(value)
    }

    /// How badly a value predicts a game's result: the same.
    fn error_of_result(self, value: f64, score: i16) -> f64 {
        let (win, not_loss) = (sigmoid((value - self.even) / self.spread), sigmoid((value + self.even) / self.spread));
        let chance = match score.signum() {
            1 => win,
            -1 => 1.0 - not_loss,
            _ => not_loss - win,
        };
        -chance.max(1e-9).ln()
    }

    /// The curve under which values predict best what they are to predict.
    #[must_use]
    pub fn of_targets(seen: &[Seen]) -> Self {
        likeliest(seen, |curve, seen| curve.error(seen.value, seen.target))
    }

    /// The curve under which values predict results best.
    #[must_use]
    pub fn of_results(seen: &[Seen]) -> Self {
        likeliest(seen, |curve, seen| seen.score.map_or(0.0, |score| curve.error_of_result(seen.value, score)))
    }
}

fn likeliest(seen: &[Seen], error: impl Fn(Chances, &Seen) -> f64 + Sync) -> Chances {
    // Where all values are zero, every curve is as good.
    if seen.iter().all(|seen| seen.value == 0.0) {
        return Chances::UNKNOWN;
    }
    let total = |curve: Chances| -> f64 { seen.iter().map(|seen| error(curve, seen)).sum() };
    let spreads = (0..100).map(|step| 20.0 * 1.05f64.powi(step));
    let curves =
        spreads.flat_map(|spread| (0..40).map(move |step| Chances { even: f64::from(step) * spread / 16.0, spread }));
    let totals = tesuji_core::parallel::map(curves.collect(), |curve| (total(curve), curve));
    totals.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).map_or(Chances::UNKNOWN, |(_, curve)| curve)
}
