//! The curve from values to probabilities, under which evaluations of games that are not played for points are fitted.

/// The curve from values to chances (see [`tesuji_core::search::Outlook::logistic`]).
#[derive(Clone, Copy, Debug)]
pub struct Chances {
    /// The value at which the chance to win is one half.
    pub even: f64,
    /// Width of the logistic.
    pub spread: f64,
}

/// A value with its target and the game's result.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// The value.
    pub value: f64,
    /// The score of the game, unless the move played or a later one was random.
    pub score: Option<i16>,
    /// What the value should predict.
    pub target: f64,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Chances {
    /// The default without data: no draws, and the default width of evaluations.
    pub const UNKNOWN: Self = Self { even: 0.0, spread: 400.0 };

    /// The expected points at a value.
    #[must_use]
    pub fn points(self, value: f64) -> f64 {
        let Self { even, spread } = self;
        f64::midpoint(sigmoid((value - even) / spread), sigmoid((value + even) / spread)).clamp(1e-9, 1.0 - 1e-9)
    }

    /// The derivative of [`Self::points`].
    #[must_use]
    pub fn slope(self, value: f64) -> f64 {
        let steepness = |x: f64| sigmoid(x) * (1.0 - sigmoid(x)) / self.spread;
        f64::midpoint(steepness((value - self.even) / self.spread), steepness((value + self.even) / self.spread))
    }

    /// The error of a value that predicts points: the negative log-likelihood.
    #[must_use]
    pub fn error(self, value: f64, target: f64) -> f64 {
        let points = self.points(value);
        -target * points.ln() - (1.0 - target) * (1.0 - points).ln()
    }

    /// The derivative of [`Self::error`] by the value.
    #[must_use]
    pub fn slope_of_error(self, value: f64, target: f64) -> f64 {
        let points = self.points(value);
        (points - target) / (points * (1.0 - points)) * self.slope(value)
    }

    /// The error of a value that predicts a game's result: the negative log-likelihood.
    fn error_of_result(self, value: f64, score: i16) -> f64 {
        let (win, not_loss) = (sigmoid((value - self.even) / self.spread), sigmoid((value + self.even) / self.spread));
        let chance = match score.signum() {
            1 => win,
            -1 => 1.0 - not_loss,
            _ => not_loss - win,
        };
        -chance.max(1e-9).ln()
    }

    /// The curve under which values predict their targets best.
    #[must_use]
    pub fn of_targets(observations: &[Observation]) -> Self {
        likeliest(observations, |curve, observation| curve.error(observation.value, observation.target))
    }

    /// The curve under which values predict results best.
    #[must_use]
    pub fn of_results(observations: &[Observation]) -> Self {
        likeliest(observations, |curve, observation| {
            observation.score.map_or(0.0, |score| curve.error_of_result(observation.value, score))
        })
    }
}

fn likeliest(observations: &[Observation], error: impl Fn(Chances, &Observation) -> f64 + Sync) -> Chances {
    // If all values are zero, the width cannot be determined.
    if observations.iter().all(|observation| observation.value == 0.0) {
        return Chances::UNKNOWN;
    }
    let total = |curve: Chances| -> f64 { observations.iter().map(|observation| error(curve, observation)).sum() };
    let spreads = (0..100).map(|step| 20.0 * 1.05f64.powi(step));
    let curves =
        spreads.flat_map(|spread| (0..40).map(move |step| Chances { even: f64::from(step) * spread / 16.0, spread }));
    let totals = tesuji_core::parallel::map(curves.collect(), |curve| (total(curve), curve));
    totals.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).map_or(Chances::UNKNOWN, |(_, curve)| curve)
}
