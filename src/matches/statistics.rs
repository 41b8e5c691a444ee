//! Strength from a match's results: score, Elo difference with its error, and the probability that a side is stronger.
//!
//! Games are played in pairs, the same opening with both colours, so the sample's unit is the pair: its two games are not
//! independent, and the score of a pair varies less than that of two single games.

/// Standard deviations to either side that contain 95 % of a normal distribution.
const Z: f64 = 1.959_964;

/// The results of a match, for its first contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their half points: 0 (both games lost) to 4 (both won).
    pub pairs: [u64; 5],
    /// The half points of a pair's first game, while the second is missing.
    half: Option<usize>,
}

/// A difference in strength, in Elo: the likeliest value, and the limits of a 95 % interval.
///
/// If a side won or lost everything, there is no likeliest value and only one limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference at which the observed score is expected.
    pub value: Option<f64>,
    /// The lower limit.
    pub low: Option<f64>,
    /// The upper limit.
    pub high: Option<f64>,
}

impl Elo {
    /// Half the distance of the limits, if there are two.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The Elo difference at which `score`, a share of the points in (0, 1), is expected.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The share of the points expected at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Tally {
    /// Counts a game by its half points: 2 for a win, 1 for a draw, 0 for a loss. Each two games in a row are a pair.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        match self.half.take() {
            None => self.half = Some(half_points.min(2)),
            Some(first) => self.pairs[first + half_points.min(2)] += 1,
        }
    }

    /// Whether every counted game has its counterpart.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.half.is_none()
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of all points; `None` without a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// The number of whole pairs, their mean score and the standard error of it; `None` without a pair.
    ///
    /// The error is at least what it would be if one game had ended half a point differently: a few equal results show no
    /// variance, and prove little.
    fn pair_score(&self) -> Option<(f64, f64, f64)> {
        let count = self.pairs.iter().sum::<u64>() as f64;
        if count == 0.0 {
            return None;
        }
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let shares =
                self.pairs.iter().zip(0u8..).map(|(&pairs, quarter)| pairs as f64 * value(f64::from(quarter) / 4.0));
            shares.sum::<f64>() / count
        };
        let mean = mean_of(&|score| score);
        let variance = mean_of(&|score| (score - mean).powi(2));
        Some((count, mean, (variance / count).sqrt().max(0.25 / count)))
    }

    /// The Elo difference, from whole pairs; `None` without one.
    ///
    /// The limits are Wilson's, for as many independent games as would vary like the pairs did: unlike a plain `± 2 σ`, they
    /// stay possible scores if one side wins nearly everything.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let (count, mean, error) = self.pair_score()?;
        if mean == 0.0 || mean == 1.0 {
            // With a smaller score, the chance to win all of this many games in a row is at most 5 %. An opening that favours
            // one side makes it no likelier to win both of its games.
            let limit = elo_of_score(0.05f64.powf(0.5 / count));
            let won = mean == 1.0;
            return Some(Elo { value: None, low: won.then_some(limit), high: (!won).then_some(-limit) });
        }
        let games = mean * (1.0 - mean) / error.powi(2);
        let centre = (mean + Z * Z / (2.0 * games)) / (1.0 + Z * Z / games);
        let reach = Z / (1.0 + Z * Z / games) * (error.powi(2) + (Z / (2.0 * games)).powi(2)).sqrt();
        Some(Elo {
            value: Some(elo_of_score(mean)),
            low: Some(elo_of_score(centre - reach)),
            high: Some(elo_of_score(centre + reach)),
        })
    }

    /// The probability that the first contestant is the stronger one, without prior knowledge; `None` without a pair.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let (count, mean, _) = self.pair_score()?;
        // The variance is taken around one half, as if both were equal: two won pairs prove nothing.
        let squares = self
            .pairs
            .iter()
            .zip(0u8..)
            .map(|(&pairs, quarter)| pairs as f64 * (f64::from(quarter) / 4.0 - 0.5).powi(2));
        let scatter = squares.sum::<f64>().sqrt();
        Some(if scatter > 0.0 { normal((mean - 0.5) * count / scatter) } else { 0.5 })
    }
}

/// The normal distribution function (Abramowitz and Stegun 7.1.26, to 1.5e-7).
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let polynomial =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * polynomial * (-z * z).exp();
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
impl Tally {
    /// Only pairs, for tests of results derived from them.
    pub(super) fn of_pairs(pairs: [u64; 5]) -> Self {
        Self { pairs, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b} ± {by}");
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        close(elo_of_score(0.75), 190.848_5, 1e-4);
        close(elo_of_score(0.5), 0.0, 1e-12);
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        close(score_of_elo(elo_of_score(0.123)), 0.123, 1e-12);
    }

    #[test]
    fn games_are_counted_in_pairs() {
        let mut tally = Tally::default();
        for half_points in [2, 2, 1, 0, 2, 0, 0] {
            tally.add(half_points);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 3));
        assert_eq!(tally.pairs, [0, 1, 1, 0, 1]);
        assert!(!tally.is_even());
        assert_eq!(tally.score(), Some(0.5));
        assert_eq!(Tally::default().score(), None);
        assert_eq!(Tally::default().elo(), None);
    }

    #[test]
    fn the_error_follows_from_the_pairs() {
        // Mean 0.75 over 100 pairs; variance (25 * 0.0625 + 50 * 0 + 25 * 0.0625) / 100 = 0.03125; error 0.0176777.
        let elo = Tally::of_pairs([0, 0, 25, 50, 25]).elo().expect("there are pairs");
        // Wilson with 0.1875 / 0.0003125 = 600 games: centre (0.75 + 0.0032012) / 1.0064024, reach 0.0345733.
        close(elo.value.expect("a value"), 190.848_5, 1e-3);
        close(elo.low.expect("a limit"), elo_of_score(0.748_409_6 - 0.034_573_3), 0.01);
        close(elo.high.expect("a limit"), elo_of_score(0.748_409_6 + 0.034_573_3), 0.01);
        // The plain error: 1.96 * 0.0176777 * 400 / ln 10 / 0.1875 = 32.1.
        close(elo.error().expect("two limits"), 32.1, 0.3);
        // The same points have a smaller error if all pairs end 1.5 : 0.5, and a larger one in pairs of 2 : 0 and 1 : 1.
        let sure = Tally::of_pairs([0, 0, 0, 100, 0]).elo().expect("there are pairs");
        let unsure = Tally::of_pairs([0, 0, 50, 0, 50]).elo().expect("there are pairs");
        assert!(sure.error() < elo.error() && elo.error() < unsure.error());
    }

    #[test]
    fn a_clean_sweep_has_a_limit_and_no_value() {
        let won = Tally::of_pairs([0, 0, 0, 0, 10]).elo().expect("there are pairs");
        assert_eq!((won.value, won.high, won.error()), (None, None, None));
        // 0.05^(1/20) = 0.8608917.
        close(won.low.expect("a limit"), 316.638_1, 1e-3);
        let lost = Tally::of_pairs([10, 0, 0, 0, 0]).elo().expect("there are pairs");
        assert_eq!((lost.value, lost.low, lost.high), (None, None, won.low.map(|low| -low)));
    }

    #[test]
    fn equal_results_prove_nothing() {
        let drawn = Tally::of_pairs([0, 0, 50, 0, 0]).elo().expect("there are pairs");
        close(drawn.value.expect("a value"), 0.0, 1e-9);
        // 1.96 * 0.25 / 50 of the points.
        close(drawn.error().expect("two limits"), elo_of_score(0.5 + 0.0098), 0.01);
    }

    #[test]
    fn superiority_is_a_probability() {
        close(Tally::of_pairs([3, 5, 8, 5, 3]).superiority().expect("there are pairs"), 0.5, 1e-7);
        // Half a point each above the half, four times: 2 over the root of 4 quarters.
        close(Tally::of_pairs([0, 0, 7, 0, 4]).superiority().expect("there are pairs"), 0.977_249_9, 1e-6);
        assert_eq!(Tally::of_pairs([0, 0, 7, 0, 0]).superiority(), Some(0.5));
        close(normal(1.0), 0.841_344_7, 1e-6);
        close(normal(-1.959_964), 0.025, 1e-6);
    }
}
