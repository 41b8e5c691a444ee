//! Weights moved by Adam (Kingma and Ba 2015), for features that occur more or less often by a factor of 100,000.
//!
//! Three things differ from the textbook, all for the rare features:
//! - Each weight has a clock of its own, which counts the batches in which its feature occurs. With a common clock, moments
//!   decay while a feature is absent, and its first gradient after that would move the weight by many times the rate.
//! - A weight's rate is larger the rarer its feature, by the root of the share of batches that it occurs in (as in Adagrad:
//!   Duchi, Hazan and Singer 2011): otherwise it would not arrive within the epochs.
//! - A weight is held at its start as by some positions that say so (ridge regression), in equal parts at each occurrence.
//!
//! Gradients are summed feature by feature in the order of the samples, so that results do not depend on the threads.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use tesuji_core::parallel;

use crate::samples::Term;

/// How fast the means of gradients and of their squares forget.
const DECAY: [f32; 2] = [0.9, 0.999];
/// How many times the rate a rare feature's may be.
const MOST: f32 = 30.0;
/// Features next to each other that belong to the same shard.
const RUN: usize = 1 << 12;

/// What is known of a weight besides itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    pub mean: f32,
    pub square: f32,
    /// Batches that it occurred in.
    pub touched: u32,
    /// What the samples of the present batch say.
    pub gradient: f32,
    pub occurrences: f32,
}

/// The weights of some features, those that one thread moves.
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
    shards: Vec<Shard>,
}

/// How far a batch moves weights.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub rate: f32,
    /// The slope that holds a weight, a unit away from its start, over an epoch.
    pub held: f32,
    /// Batches of an epoch.
    pub batches: f32,
}

impl Weights {
    /// Weights at their start; `occurrences` tells how often each feature occurs in an epoch.
    pub fn new(start: Vec<f32>, occurrences: Vec<u32>) -> Self {
        let runs = start.len().div_ceil(RUN);
        let count = parallel::threads().clamp(1, runs.max(1));
        let shard = |_| Shard { cells: vec![Cell::default(); runs.div_ceil(count) * RUN], touched: Vec::new() };
        let now = start.iter().map(|weight| AtomicU32::new(weight.to_bits())).collect();
        Self { now, start, occurrences, shards: (0..count).map(shard).collect() }
    }

    pub fn len(&self) -> usize {
        self.now.len()
    }

    #[inline]
    pub fn get(&self, feature: usize) -> f32 {
        f32::from_bits(self.now[feature].load(Relaxed))
    }

    /// The value of a position.
    #[inline]
    pub fn value(&self, terms: &[Term]) -> f64 {
        terms.iter().map(|term| f64::from(self.get(term.feature as usize)) * f64::from(term.count)).sum()
    }

    /// Which shard has a feature, and where.
    #[inline]
    fn place(feature: usize, shards: usize) -> (usize, usize) {
        let run = feature / RUN;
        (run % shards, run / shards * RUN + feature % RUN)
    }

    /// What else is known of a weight.
    pub fn cell(&self, feature: usize) -> Cell {
        let (shard, at) = Self::place(feature, self.shards.len());
        self.shards[shard].cells[at]
    }

    /// Puts a weight back to where it was.
    pub fn restore(&mut self, feature: usize, weight: f32, cell: Cell) {
        let (shard, at) = Self::place(feature, self.shards.len());
        self.now[feature].store(weight.to_bits(), Relaxed);
        self.shards[shard].cells[at] = cell;
    }

    /// Moves the weights by a batch: each sample's terms, and the slope of its error.
    pub fn learn(&mut self, batch: &[(&[Term], f32)], step: Step) {
        let Self { now, start, occurrences, shards } = self;
        let count = shards.len();
        let whole = (now.as_slice(), start.as_slice(), occurrences.as_slice());
        parallel::each(shards, |number, shard| shard.learn(number, count, whole, batch, step));
    }
}

impl Shard {
    fn learn(
        &mut self,
        number: usize,
        shards: usize,
        (now, start, occurrences): (&[AtomicU32], &[f32], &[u32]),
        batch: &[(&[Term], f32)],
        step: Step,
    ) {
        for &(terms, slope) in batch {
            for term in terms {
                let (shard, at) = Weights::place(term.feature as usize, shards);
                if shard == number {
                    let cell = &mut self.cells[at];
                    if cell.occurrences == 0.0 {
                        self.touched.push(term.feature);
                    }
                    let count = term.count;
                    cell.gradient += slope * count;
                    cell.occurrences += count * count;
                }
            }
        }
        for feature in self.touched.drain(..) {
            let feature = feature as usize;
            let cell = &mut self.cells[Weights::place(feature, shards).1];
            let weight = f32::from_bits(now[feature].load(Relaxed));
            let often = (occurrences[feature].max(1)) as f32;
            let pull = step.held * (weight - start[feature]) * (cell.occurrences / often).min(1.0);
            let gradient = cell.gradient + pull;
            (cell.gradient, cell.occurrences) = (0.0, 0.0);
            cell.touched += 1;
            cell.mean = DECAY[0] * cell.mean + (1.0 - DECAY[0]) * gradient;
            cell.square = DECAY[1] * cell.square + (1.0 - DECAY[1]) * gradient * gradient;
            let touched = cell.touched.min(1 << 16) as i32;
            let [mean, square] = DECAY.map(|decay| 1.0 - decay.powi(touched));
            let direction = (cell.mean / mean) / ((cell.square / square).sqrt() + 1e-12);
            let rate = step.rate * (step.batches / often.min(step.batches)).sqrt().min(MOST);
            now[feature].store((weight - rate * direction).to_bits(), Relaxed);
        }
    }
}
