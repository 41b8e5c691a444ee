//! The sequential probability ratio test (Wald 1945): plays until one of two hypotheses about strength is accepted.
//!
//! The likelihoods are those of whole pairs of games, five results each, with the most likely distribution of results that has
//! the expected score of a hypothesis (the generalised test; Van den Bergh, "A practical introduction to the GSPRT", 2020).

use super::statistics::{Tally, score_of_elo};

/// The probability of either error: accepting a hypothesis while the other holds.
const ERROR: f64 = 0.05;

/// The count of results that did not occur, so that they stay possible.
const UNSEEN_COUNT: f64 = 1e-3;

/// A test between two differences in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// The hypothesis accepted by a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The lower difference.
    Lower,
    /// The higher difference.
    Higher,
}

impl Sprt {
    /// A test between these differences; `None` unless the first is smaller, and both are from -1000 to 1000.
    #[must_use]
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        let sensible = |elo: f64| elo.abs() <= 1000.0;
        (sensible(elo0) && sensible(elo1) && elo0 < elo1).then_some(Self { elo0, elo1 })
    }

    /// The two differences.
    #[must_use]
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratio above which the higher difference is accepted; below its negative the lower one is.
    #[must_use]
    pub fn limit() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// The log-likelihood ratio of the pairs: positive if the higher difference is likelier than the lower one.
    #[must_use]
    pub fn log_likelihood_ratio(&self, tally: &Tally) -> f64 {
        if tally.pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let pairs = tally.pairs.map(|count| (count as f64).max(UNSEEN_COUNT));
        let (score0, score1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let (theta0, theta1) = (tilt(&pairs, score0), tilt(&pairs, score1));
        let ratio = |(count, quarter): (&f64, u8)| {
            let score = f64::from(quarter) / 4.0;
            count * ((1.0 + theta0 * (score - score0)).ln() - (1.0 + theta1 * (score - score1)).ln())
        };
        pairs.iter().zip(0u8..).map(ratio).sum()
    }

    /// The accepted hypothesis, if there is one.
    #[must_use]
    pub fn accepted(&self, tally: &Tally) -> Option<Accepted> {
        let ratio = self.log_likelihood_ratio(tally);
        if ratio >= Self::limit() {
            Some(Accepted::Higher)
        } else if ratio <= -Self::limit() {
            Some(Accepted::Lower)
        } else {
            None
        }
    }
}

/// The Lagrange multiplier of the likeliest distribution with mean `mean`: its probabilities are the observed ones, each over
/// `1 + theta (score - mean)`. The sum below falls from plus to minus infinity in theta's range, so halving finds it.
fn tilt(pairs: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let theta = f64::midpoint(low, high);
        let term = |(count, quarter): (&f64, u8)| {
            let distance = f64::from(quarter) / 4.0 - mean;
            count * distance / (1.0 + theta * distance)
        };
        if pairs.iter().zip(0u8..).map(term).sum::<f64>() > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        let sprt = Sprt::new(elo0, elo1).expect("a sensible test");
        sprt.log_likelihood_ratio(&Tally::of_pairs(pairs))
    }

    #[test]
    fn the_ratio_is_that_of_the_likeliest_distributions() {
        let cases = [
            (0.0, 10.0, [50, 200, 300, 300, 100], 8.599914491),
            (-5.0, 0.0, [20, 60, 130, 75, 25], 0.829379369),
            (0.0, 50.0, [0, 1, 4, 3, 2], 1.310609778),
            (0.0, 5.0, [0, 0, 50, 0, 0], -0.717605836),
            (-1.75, 0.25, [0, 0, 0, 0, 3], 0.017318213),
            (20.0, 40.0, [3, 0, 0, 0, 1], -0.135056558),
        ];
        for (elo0, elo1, pairs, expected) in cases {
            let ratio = ratio(elo0, elo1, pairs);
            assert!((ratio - expected).abs() < 1e-6 * expected.abs().max(1.0), "{pairs:?}: {ratio}, not {expected}");
        }
    }

    /// For small differences the ratio is close to n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    #[test]
    fn the_ratio_is_close_to_the_normal_approximation() {
        let pairs = [20, 60, 130, 75, 25];
        let n = 310.0;
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            pairs.iter().zip(scores).map(|(&count, score)| count as f64 * value(score)).sum::<f64>() / n
        };
        let mean = mean_of(&|score| score);
        let variance = mean_of(&|score| (score - mean).powi(2));
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let approximation = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((ratio(0.0, 5.0, pairs) - approximation).abs() < 0.01 * approximation);
    }

    #[test]
    fn enough_pairs_decide() {
        let sprt = Sprt::new(0.0, 10.0).expect("a sensible test");
        let accepted = |pairs| sprt.accepted(&Tally::of_pairs(pairs));
        assert!((Sprt::limit() - 2.944_439).abs() < 1e-6);
        assert_eq!(accepted([0; 5]), None);
        assert_eq!(accepted([0, 0, 1, 0, 1]), None);
        assert_eq!(accepted([50, 200, 300, 300, 100]), Some(Accepted::Higher));
        assert_eq!(accepted([100, 300, 300, 200, 50]), Some(Accepted::Lower));
    }

    #[test]
    fn tests_that_make_no_sense_are_refused() {
        for (elo0, elo1) in [(0.0, 0.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, 4000.0)] {
            assert_eq!(Sprt::new(elo0, elo1), None);
        }
    }
}
