//! Fits the evaluation: the sum of the weights of a position's features.
//!
//! In games played for points, values are fitted to margins by least squares; in others to expected points by logistic
//! regression. The curve from values to points is fitted first, to the current weights, so that the scale of values does not
//! change.

use tesuji_core::parallel;

use crate::adam::{Anchor, Cells, Contribution, Weights};
use crate::chances::Chances;
use crate::data::Data;
use crate::model::Model;
use crate::optimiser::{Schedule, optimise};
use crate::phases::Tally;
use crate::plan::{Fitted, OnProgress, Start};
use crate::replay::Replay;
use crate::samples::{Block, Raw, Sample, Selection, dot};
use crate::sharing::Sharing;

/// Maximum positions per batch, and positions of the games shuffled at once.
const BATCH: u64 = 16_384;
const BLOCK: u64 = 100_000;
/// Minimum number of batches per epoch, so that fits to few positions do not learn slowly.
const BATCHES: u64 = 20;
/// Positions per unit of work of a thread.
const PART: usize = 512;

/// Fits the evaluation.
///
/// # Errors
/// See [`crate::fit::fit`].
pub fn fit(data: Data<'_>, checkpoint: Option<&[u8]>, report: &mut OnProgress<'_>) -> Result<Fitted, String> {
    let Data { plan, subject, positions, held_out, .. } = &data;
    let before = &subject.weights;
    let mut start = before.clone();
    if plan.start == Start::Zero {
        // The move ordering and the network are fitted separately.
        let ends = [subject.moves, subject.network.map(|shape| shape.first)];
        start[..ends.into_iter().flatten().min().unwrap_or(before.len())].fill(0.0);
    }
    let batch = (positions / BATCHES).clamp(64, BATCH);
    let curve = data.curve()?;
    let anchor = Anchor { slope: (plan.held * curvature(curve)) as f32, batches: *positions as f32 / batch as f32 };
    let weights = Weights::new(start, data.occurrences.clone(), anchor);
    let mut model = Evaluation { weights, sharing: data.sharing, curve };
    let schedule = Schedule {
        games: (BLOCK * data.training.len() as u64 / positions).clamp(16, 1 << 16) as usize,
        batch: batch as usize,
        rate: plan.rate,
        warmup: 0.0,
    };
    let epochs = optimise(&mut model, &data, schedule, checkpoint, report)?;
    let weights = model.weights.rounded();
    let after: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
    let errors = |block: &Block, at| {
        [before, &after].map(|weights| model.error_of(dot(weights, block.terms_of(at)), &block.samples[at]))
    };
    let errors = data.means::<Evaluation, 2>(errors)?;
    let mut tally = Tally::default();
    data.each::<Evaluation>(&data.validation, |block| {
        for (at, &Sample { ply, target, .. }) in block.samples.iter().enumerate() {
            tally.add(ply, model.prediction(dot(&after, block.terms_of(at))), target.into());
        }
    })?;
    Ok(Fitted {
        weights,
        positions: *positions,
        held_out: *held_out,
        features: model.weights.occurring(),
        errors,
        first: None,
        chances: curve.map(|_| [before, &after].map(|weights| Chances::of_results(&data.observations(weights)))),
        epochs,
        phases: tally.phases(),
    })
}

/// The second derivative of the error in an even position: the strength with which one position holds a weight.
fn curvature(curve: Option<Chances>) -> f64 {
    curve.map_or(1e-4, |curve| 4.0 * curve.slope(0.0).powi(2))
}

/// The evaluation being fitted.
struct Evaluation {
    weights: Weights,
    sharing: Sharing,
    /// The curve from values to points; none where values are margins in hundredths.
    curve: Option<Chances>,
}

impl Evaluation {
    /// The prediction of a value: a margin, or points.
    fn prediction(&self, value: f64) -> f64 {
        self.curve.map_or(value / 100.0, |curve| curve.points(value))
    }

    /// The error of a value.
    fn error_of(&self, value: f64, sample: &Sample) -> f64 {
        let target = f64::from(sample.target);
        self.curve.map_or_else(|| (value / 100.0 - target).powi(2), |curve| curve.error(value, target))
    }

    /// The derivative of half the squared error, or of the negative log-likelihood.
    fn slope(&self, value: f64, sample: &Sample) -> f64 {
        let target = f64::from(sample.target);
        self.curve.map_or_else(|| (value / 100.0 - target) / 100.0, |curve| curve.slope_of_error(value, target))
    }
}

impl Model for Evaluation {
    type Game = Block;

    fn read(replay: &dyn Replay, selection: &Selection, raw: &Raw) -> Result<Block, String> {
        replay.block(raw, Some(selection))
    }

    fn positions(block: &Block) -> usize {
        block.samples.len()
    }

    fn error(&self, block: &Block, at: usize) -> f64 {
        self.error_of(self.weights.value(block.terms_of(at), 0), &block.samples[at])
    }

    fn learn(&mut self, batch: &[(&Block, usize)], rate: f32) -> f64 {
        let parts = parallel::map(batch.chunks(PART).collect(), |part| {
            let (mut contributions, mut errors) = (Vec::with_capacity(part.len()), 0.0);
            for &(block, at) in part {
                let (terms, sample) = (block.terms_of(at), &block.samples[at]);
                for (set, share) in self.sharing.sets(terms) {
                    let value = self.weights.value(terms, set);
                    contributions.push(Contribution { terms, set, share, slope: self.slope(value, sample) as f32 });
                    if set == 0 {
                        errors += self.error_of(value, sample);
                    }
                }
            }
            (contributions, errors)
        });
        let (contributions, errors): (Vec<_>, Vec<f64>) = parts.into_iter().unzip();
        self.weights.learn(&contributions.concat(), rate);
        errors.iter().sum()
    }

    fn cells(&self) -> Cells {
        self.weights.cells()
    }

    fn restore(&mut self, cells: Cells) {
        self.weights.restore(cells);
    }
}
