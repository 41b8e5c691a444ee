//! What is fitted: weights, what a sum of them predicts, and how wrong that is.

use tesuji_core::parallel;

use crate::adam::{Step, Weights};
use crate::chances::Chances;
use crate::samples::{Block, Sample, Term};

/// Weights and what they predict.
pub struct Model {
    pub weights: Weights,
    /// Whether values are margins in hundredths; else the curve tells the points that they promise.
    pub points: bool,
    pub curve: Chances,
    /// How strongly weights are held at their start, and how fast they move at first.
    pub held: f64,
    pub rate: f64,
    /// Positions of an epoch.
    pub positions: u64,
}

/// The value of a position by some weights.
pub fn value(weights: &[f32], terms: &[Term]) -> f64 {
    terms.iter().map(|term| f64::from(weights[term.feature as usize]) * f64::from(term.count)).sum()
}

impl Model {
    /// What a value predicts: a margin, or points.
    pub fn prediction(&self, value: f64) -> f64 {
        if self.points { value / 100.0 } else { self.curve.points(value) }
    }

    /// How wrong a value is.
    pub fn error(&self, value: f64, sample: &Sample) -> f64 {
        let target = f64::from(sample.target);
        if self.points { (value / 100.0 - target).powi(2) } else { self.curve.error(value, target) }
    }

    /// The derivative of half the squared error, or of the negative logarithm of the likelihood.
    fn slope(&self, value: f64, sample: &Sample) -> f64 {
        let target = f64::from(sample.target);
        if self.points {
            return (value / 100.0 - target) / 100.0;
        }
        let points = self.curve.points(value);
        (points - target) / (points * (1.0 - points)) * self.curve.slope(value)
    }

    /// The second derivative where both players stand equally: what one position holds a weight with.
    fn curvature(&self) -> f64 {
        if self.points { 1e-4 } else { 4.0 * self.curve.slope(0.0).powi(2) }
    }

    /// Learns from some positions of some games; `left` is the share of the fit that is left. Returns the sum of their errors.
    pub fn learn(&mut self, blocks: &[Block], batch: &[(u32, u32)], left: f64, size: u64) -> f64 {
        // Enough positions to be worth handing to another thread.
        const PART: usize = 512;
        let parts = parallel::map(batch.chunks(PART).collect(), |part| {
            let slope = |&(game, at): &(u32, u32)| {
                let block = &blocks[game as usize];
                let (terms, sample) = (block.terms_of(at as usize), &block.samples[at as usize]);
                let value = self.weights.value(terms);
                ((terms, self.slope(value, sample) as f32), self.error(value, sample))
            };
            part.iter().map(slope).collect::<Vec<_>>()
        });
        let (samples, errors): (Vec<_>, Vec<f64>) = parts.into_iter().flatten().unzip();
        let step = Step {
            rate: (self.rate * left) as f32,
            held: (self.held * self.curvature()) as f32,
            batches: self.positions as f32 / size as f32,
        };
        self.weights.learn(&samples, step);
        errors.iter().sum()
    }
}
