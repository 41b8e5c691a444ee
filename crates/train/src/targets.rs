//! The targets of a game's positions: what their values should predict.

use tesuji_core::position::Position;

use crate::records::{Record, scale};

/// How search values and results combine into targets.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// Share of the expectation in a target; the rest is the game's result.
    pub expected: f64,
    /// Weight of later searches in the expectation: TD(λ), see [`crate::Fit::lambda`].
    pub lambda: f64,
}

/// The target and the result of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Label {
    /// What its value should predict, for the first player: a margin, or points from 0 to 1.
    pub target: Option<f64>,
    /// The score of the game, unless the move played or a later one was random.
    pub score: Option<i16>,
}

impl Targets {
    /// The targets and results of a game's positions, by ply.
    pub fn of<P: Position>(self, record: &Record) -> Vec<Label> {
        let Self { expected, lambda } = self;
        let points = |score: i16| if P::POINTS { score.into() } else { f64::midpoint(score.signum().into(), 1.0) };
        let mut score = record.score;
        let mut later = score.map(points);
        let labels = record.plies.iter().rev().map(|ply| {
            // After a random move, the rest of the game says nothing about this position.
            if ply.is_random() {
                (score, later) = (None, None);
            }
            let value = ply.value().map(|value| {
                let value = f64::from(value) / scale::<P>();
                later.map_or(value, |later| (1.0 - lambda) * value + lambda * later)
            });
            later = value.or(later);
            let target = match (value, score.map(points)) {
                (Some(value), Some(result)) => Some(expected * value + (1.0 - expected) * result),
                (value, result) => value.or(result),
            };
            Label { target, score }
        });
        let mut labels: Vec<Label> = labels.collect();
        labels.reverse();
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ply;
    use tesuji_core::games::xiangqi::Xiangqi;

    /// Targets in a won game of five plies: drawn, value 0.6, random after a search with value 0.5, no value, value 0.9.
    fn targets(expected: f64, lambda: f64) -> Vec<Option<f64>> {
        let plies = vec![
            Ply::Drawn { mv: 0 },
            Ply::Chosen { mv: 1, value: 6000 },
            Ply::Random { mv: 2, best: 0, value: 5000 },
            Ply::Unvalued { mv: 3 },
            Ply::Chosen { mv: 4, value: 9000 },
        ];
        let labels = Targets { expected, lambda }.of::<Xiangqi>(&Record { plies, score: Some(1) });
        let scores: Vec<Option<i16>> = labels.iter().map(|label| label.score).collect();
        assert_eq!(scores, [None, None, None, Some(1), Some(1)]);
        labels.iter().map(|label| label.target.map(|target| (target * 1e6).round() / 1e6)).collect()
    }

    #[test]
    fn expectations_are_mixed_with_results() {
        assert_eq!(targets(0.25, 0.0), [None, Some(0.6), Some(0.5), Some(1.0), Some(0.975)]);
    }

    #[test]
    fn later_searches_count_until_a_move_is_random() {
        assert_eq!(targets(1.0, 0.8), [None, Some(0.52), Some(0.5), Some(1.0), Some(0.98)]);
        assert_eq!(targets(1.0, 1.0), [None, Some(0.5), Some(0.5), Some(1.0), Some(1.0)]);
    }
}
