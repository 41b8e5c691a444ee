//! The result that a simulation adds to the nodes on its path.
//!
//! Nodes count wins, draws and losses. An evaluator's outlook of a leaf lies between them, so a result is drawn by its chances,
//! and the *residual*, the outlook's value minus the drawn result, is summed beside the counts. A mean is then that of the
//! outlooks themselves. (Without residuals the noise of the draws cost 255 ± 116 Elo in Gomoku;
//! docs/measurements/gomoku-mcts.md.)

use super::distance::Distance;
use super::playout::{Leaf, draw_result};
use super::proof::Proof;
use super::simulation::amaf::Amaf;
use super::{Mcts, Playout, Selection};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::Outlook;

/// Units of a residual per unit of score.
const PARTS: f64 = 1024.0;

/// The utility, in [0, 1], of a unit of residual; a unit of score adds one half.
pub const RESIDUAL_UTILITY: f32 = (0.5 / PARTS) as f32;

/// The result of a simulation, from the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub score: i16,
    /// The expected score minus `score`, in units of 1/`PARTS`, in games without points.
    residual: i16,
}

impl Sample {
    pub fn exactly(score: i16) -> Self {
        Self { score, residual: 0 }
    }

    /// A result drawn by its chances.
    fn drawn(outlook: Outlook, rng: &mut Rng) -> Self {
        let score = draw_result(outlook, rng);
        Self { score, residual: ((outlook.win - outlook.loss - f64::from(score)) * PARTS) as i16 }
    }

    /// The nearest result that a node with this proof can have.
    #[inline(always)]
    pub fn within(self, proof: Proof) -> Self {
        let score = self.score.clamp(proof.lo, proof.hi);
        if score == self.score { self } else { Self::exactly(score) }
    }

    /// The amount that a node sums beside its counts: scores, or residuals in a game without points.
    #[inline(always)]
    pub fn to_sum<P: Position>(self) -> i32 {
        i32::from(if P::POINTS { self.score } else { self.residual })
    }
}

/// Chances by drawn results, corrected by the mean of their residuals.
pub fn with_residual(counted: Outlook, residual: f64) -> Outlook {
    if residual == 0.0 {
        return counted;
    }
    let win = (counted.win + 0.5 * residual / PARTS).clamp(0.0, 1.0 - counted.draw);
    Outlook { win, draw: counted.draw, loss: 1.0 - counted.draw - win }
}

/// The result of a simulation that ends at an unfinished leaf, and the leaf's proof, if any.
#[inline(always)]
pub fn sample<P: Position, F: Playout<P>>(
    playout: &mut F,
    options: &Mcts<F>,
    mut position: P,
    rng: &mut Rng,
    amaf: &mut Amaf<P::Move>,
) -> (Sample, Option<Proof>) {
    match playout.leaf(options.playout, &mut position) {
        Leaf::Proven { score, plies, is_exact } => {
            let proof = Proof { distance: Distance::new(plies, is_exact), ..Proof::exactly(score) };
            (Sample::exactly(score), Some(proof))
        }
        Leaf::Expected(outlook) => (Sample::drawn(outlook, rng), None),
        Leaf::Unknown if options.selection == Selection::Rave => {
            (Sample::exactly(playout.trace(options.playout, position, rng, &mut amaf.played)), None)
        }
        Leaf::Unknown => (Sample::exactly(playout.finish(options.playout, position, rng)), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;

    #[test]
    fn the_mean_of_samples_is_the_view() {
        let outlook = Outlook { win: 0.55, draw: 0.25, loss: 0.2 };
        let mut rng = Rng::new(1, 0);
        for _ in 0..100 {
            let sample = Sample::drawn(outlook, &mut rng);
            let counted = Outlook::of_score(sample.score);
            let seen = with_residual(counted, sample.to_sum::<TicTacToe<u64>>().into());
            assert!(counted.draw > 0.0 || (seen.win - seen.loss - 0.35).abs() < 0.001, "{seen:?}");
            let utility = 0.5 + 0.5 * f32::from(sample.score) + RESIDUAL_UTILITY * f32::from(sample.residual);
            assert!((utility - 0.675).abs() < 0.001, "{utility}");
        }
        let lost = Proof::exactly(-1);
        assert_eq!(Sample { score: 1, residual: -300 }.within(lost), Sample::exactly(-1));
    }
}
