//! Adam (Kingma and Ba 2015), for features whose frequencies differ by a factor of up to 100,000.
//!
//! Three things differ from the textbook, all for the rare features:
//! - Each weight has a separate clock, which counts the batches in which its feature occurs. With a common clock, moments would
//!   decay while a feature is absent, and its next gradient would move the weight by many times the rate.
//! - The rate of a weight is larger for a rare feature, by the inverse root of the share of batches in which it occurs (as in
//!   Adagrad: Duchi, Hazan and Singer 2011); otherwise the weight would not converge within the epochs.
//! - A weight is held at its start as if by a number of positions (ridge regression); each occurrence contributes an equal
//!   part.
//!
//! Gradients are summed feature by feature in the order of the samples, so that results do not depend on the threads.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use tesuji_core::parallel;

use crate::samples::Term;

/// Decay of the means of gradients and of their squares (β₁ and β₂).
const DECAY: [f32; 2] = [0.9, 0.999];
/// Maximum factor by which a rare feature's rate is larger.
const MAX_RATE_FACTOR: f32 = 30.0;
/// Number of consecutive features in the same shard.
const RUN: usize = 1 << 12;

/// The optimiser's state of a weight.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    pub mean: f32,
    pub square: f32,
    /// Batches in which it occurred.
    pub touched: u32,
    /// The gradient of the current batch.
    pub gradient: f32,
    pub occurrences: f32,
}

/// Weights with their states.
pub type Cells = Vec<(f32, Cell)>;

impl Cell {
    /// Updates the means with a gradient. Returns the step to subtract, in units of the rate.
    #[inline]
    pub fn direction(&mut self, gradient: f32, epsilon: f32) -> f32 {
        self.touched += 1;
        self.mean = DECAY[0] * self.mean + (1.0 - DECAY[0]) * gradient;
        self.square = DECAY[1] * self.square + (1.0 - DECAY[1]) * gradient * gradient;
        let touched = self.touched.min(1 << 16) as i32;
        let [mean, square] = DECAY.map(|decay| 1.0 - decay.powi(touched));
        (self.mean / mean) / ((self.square / square).sqrt() + epsilon)
    }
}

/// The states of the weights that one thread updates.
struct Shard {
    cells: Vec<Cell>,
    touched: Vec<u32>,
}

/// All weights.
pub struct Weights {
    // The bits of floats: read by all threads, each written by one.
    now: Vec<AtomicU32>,
    start: Vec<f32>,
    occurrences: Vec<u32>,
    anchor: Anchor,
    shards: Vec<Shard>,
}

/// A position's contribution to one set of weights.
#[derive(Clone, Copy, Debug)]
pub struct Contribution<'a> {
    pub terms: &'a [Term],
    /// The set's offset from the set that the terms name.
    pub set: i32,
    /// The weight of the position.
    pub share: f32,
    /// The derivative of its error by the value.
    pub slope: f32,
}

/// The pull of weights towards their start.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// Gradient per unit of distance from the start, over an epoch.
    pub slope: f32,
    /// Batches per epoch.
    pub batches: f32,
}

impl Weights {
    /// Weights at their start; `occurrences` counts how often each feature occurs in an epoch.
    pub fn new(start: Vec<f32>, occurrences: Vec<u32>, anchor: Anchor) -> Self {
        let runs = start.len().div_ceil(RUN);
        let count = parallel::threads().clamp(1, runs.max(1));
        let shard = |_| Shard { cells: vec![Cell::default(); runs.div_ceil(count) * RUN], touched: Vec::new() };
        let now = start.iter().map(|weight| AtomicU32::new(weight.to_bits())).collect();
        Self { now, start, occurrences, anchor, shards: (0..count).map(shard).collect() }
    }

    /// Number of features that occur.
    pub fn occurring(&self) -> usize {
        self.occurrences.iter().filter(|&&count| count > 0).count()
    }

    /// The weights, rounded for storage.
    pub fn rounded(&self) -> Vec<i32> {
        (0..self.now.len()).map(|feature| self.get(feature).round() as i32).collect()
    }

    #[inline]
    fn get(&self, feature: usize) -> f32 {
        f32::from_bits(self.now[feature].load(Relaxed))
    }

    /// The value of a position under a set of weights.
    #[inline]
    pub fn value(&self, terms: &[Term], set: i32) -> f64 {
        terms.iter().map(|term| f64::from(self.get(term.of(set))) * f64::from(term.count)).sum()
    }

    /// The shard of a feature, and its index there.
    #[inline]
    fn place(feature: usize, shards: usize) -> (usize, usize) {
        let run = feature / RUN;
        (run % shards, run / shards * RUN + feature % RUN)
    }

    /// The weights with their states.
    pub fn cells(&self) -> Cells {
        let cell = |feature| {
            let (shard, at) = Self::place(feature, self.shards.len());
            (self.get(feature), self.shards[shard].cells[at])
        };
        (0..self.now.len()).map(cell).collect()
    }

    /// Restores the weights and their states.
    pub fn restore(&mut self, cells: Cells) {
        for (feature, (weight, cell)) in cells.into_iter().enumerate() {
            let (shard, at) = Self::place(feature, self.shards.len());
            self.now[feature].store(weight.to_bits(), Relaxed);
            self.shards[shard].cells[at] = cell;
        }
    }

    /// Updates the weights by a batch.
    pub fn learn(&mut self, batch: &[Contribution<'_>], rate: f32) {
        let Self { now, start, occurrences, anchor, shards } = self;
        let anchor = *anchor;
        let count = shards.len();
        let whole = (now.as_slice(), start.as_slice(), occurrences.as_slice());
        parallel::each(shards, |number, shard| shard.learn(number, count, whole, batch, rate, anchor));
    }
}

impl Shard {
    fn learn(
        &mut self,
        number: usize,
        shards: usize,
        (now, start, occurrences): (&[AtomicU32], &[f32], &[u32]),
        batch: &[Contribution<'_>],
        rate: f32,
        anchor: Anchor,
    ) {
        for &Contribution { terms, set, share, slope } in batch {
            for term in terms {
                let feature = term.of(set);
                let (shard, at) = Weights::place(feature, shards);
                if shard == number {
                    let cell = &mut self.cells[at];
                    if cell.occurrences == 0.0 {
                        self.touched.push(feature as u32);
                    }
                    let count = term.count;
                    cell.gradient += share * slope * count;
                    cell.occurrences += share * count * count;
                }
            }
        }
        for feature in self.touched.drain(..) {
            let feature = feature as usize;
            let cell = &mut self.cells[Weights::place(feature, shards).1];
            let weight = f32::from_bits(now[feature].load(Relaxed));
            let often = (occurrences[feature].max(1)) as f32;
            let pull = anchor.slope * (weight - start[feature]) * (cell.occurrences / often).min(1.0);
            let gradient = cell.gradient + pull;
            (cell.gradient, cell.occurrences) = (0.0, 0.0);
            let direction = cell.direction(gradient, 1e-12);
            let rate = rate * (anchor.batches / often.min(anchor.batches)).sqrt().min(MAX_RATE_FACTOR);
            now[feature].store((weight - rate * direction).to_bits(), Relaxed);
        }
    }
}
