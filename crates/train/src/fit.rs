//! Fitting weights to games (Österlund's "Texel tuning", 2014, by stochastic gradient descent).
//!
//! In games played for points, values are fitted to margins by least squares; else, on a curve from values to points, by
//! logistic regression. The curve is found first, for the weights in force, so that the scale of values stays. A part of the
//! games is held out: on their positions alone errors are measured. Results alone are poor targets: a result is one bit for a
//! whole game, most of it chance (docs/strength.md).

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use tesuji_core::parallel;
use tesuji_core::rng::{Rng, mix};

use crate::adam::Weights;
use crate::chances::{Chances, Seen};
use crate::checkpoint::{self, Signature};
use crate::correction::Correction;
use crate::model::{self, Model};
use crate::moves::Ordering;
use crate::phases;
use crate::replay::{Replay, Subject};
use crate::samples::{AT_ONCE, Block, Games, INTERRUPTED, Raw, Sample, Selection, Term, read, select};

pub use crate::phases::Phase;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Passes through all positions.
    pub epochs: u32,
    /// How far a batch moves the weight of a frequent feature at first; the last batch moves it hardly at all.
    pub rate: f64,
    /// How much of the target is what the search of a position expected; the rest is the game's result.
    pub expected: f64,
    /// How much of what was expected of a position is what was expected of the next one of its game, and so on to the result
    /// (TD(λ), Sutton 1988): 0 for the position's own search alone.
    #[serde(default)]
    pub lambda: f64,
    /// The share of games held out.
    pub validation: f64,
    /// Each weight is held at its start as strongly as by so many positions in which its feature occurs once.
    pub held: f64,
    /// How much of the rate each batch takes from the weights of a network (decay).
    #[serde(default)]
    pub decay: f64,
    /// The width of the logistic from values to points, where it is not to be the one that suits the weights in force best.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Where weights start.
    pub start: Start,
    /// Whether the order of moves is fitted, to the moves that searches found best, in place of the evaluation.
    #[serde(default)]
    pub moves: bool,
    /// Whether the network that corrects the evaluation is fitted, in place of the evaluation.
    #[serde(default)]
    pub network: bool,
    /// What decides which games are held out, and the order of the others.
    pub seed: u64,
}

/// Where weights start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At zero.
    Zero,
    /// At the weights in force.
    Current,
}

/// A pass through all positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean error of the positions learned from, each before it moved the weights; in games played for points squared points,
    /// else the negative logarithm of the likelihood.
    pub training: f64,
    /// Mean error of the positions held out, after the epoch.
    pub validation: f64,
}

/// What was fitted.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights, rounded.
    pub weights: Vec<i32>,
    /// Positions learned from.
    pub positions: u64,
    /// Positions held out.
    pub held_out: u64,
    /// Features that occur in the positions learned from.
    pub features: usize,
    /// Mean errors of the positions held out, with the weights in force and with the new ones.
    pub errors: [f64; 2],
    /// How often the best move comes first in the positions held out, with the weights in force and with the new ones, where
    /// the order of moves was fitted.
    pub first: Option<[f64; 2]>,
    /// Where values become chances, with the weights in force and with the new ones; none in games played for points.
    pub chances: Option<[Chances; 2]>,
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// The positions held out, by plies played.
    pub phases: Vec<Phase>,
}

/// What a fit tells of its progress.
pub enum Heard<'a> {
    /// So many games of so many have been looked through for positions.
    Choosing(u64, u64),
    /// So many positions of so many have been learned from in an epoch of this number.
    Learning(u32, u64, u64),
    /// An epoch is over; the function gives the bytes of a checkpoint.
    Done(&'a Epoch, &'a dyn Fn() -> Vec<u8>),
}

/// Who hears of progress, and says whether to go on.
pub type Hear<'a> = dyn FnMut(Heard<'_>) -> bool + 'a;

/// Positions of the largest batch, and of a block of games that is shuffled.
const BATCH: u64 = 16_384;
const BLOCK: u64 = 100_000;
/// Batches of an epoch at least, so that few positions are no reason to learn slowly.
const BATCHES: u64 = 20;

/// Fits weights to games. `checkpoint` is what an interrupted fit has left.
///
/// # Errors
/// When a game cannot be read or replayed, no position can be used, the checkpoint is another fit's, or the fit was broken off.
pub fn fit(
    replay: &dyn Replay,
    games: &mut dyn Games,
    plan: &Fit,
    checkpoint: Option<&[u8]>,
    hear: &mut Hear<'_>,
) -> Result<Fitted, String> {
    let subject = replay.subject();
    let Subject { features: named, points, weights: ref before, .. } = subject;
    let mut found = Found { occurrences: vec![0.0; before.len()], some: Thinned::default(), positions: 0, held_out: 0 };
    let data = Data::choose(replay, points, games, plan, &mut found, hear)?;
    if plan.moves {
        let first = subject.moves.ok_or("this game has no order of moves that is learned")?;
        return Ordering { subject: &subject, first, data, plan }.fit(checkpoint, hear);
    }
    let Found { occurrences, some, positions, held_out } = found;
    let curve = match plan.scale {
        Some(_) if points => return Err("a scale has no meaning here: values are points of the game".to_owned()),
        Some(spread) => Chances { even: 0.0, spread },
        None if points => Chances::UNKNOWN,
        None => Chances::of_targets(&some.seen(before)),
    };
    if plan.network {
        let shape = subject.network.filter(|_| !points);
        let shape = shape.ok_or("this game has no network that is learned")?;
        return Correction { subject: &subject, shape, data, plan, curve }.fit(checkpoint, hear);
    }
    let occurrences: Vec<u32> = occurrences.into_iter().map(|count| count.ceil() as u32).collect();
    let features = occurrences.iter().filter(|&&count| count > 0).count();
    let start = match plan.start {
        // The order of moves and the network are other fits'.
        Start::Zero => {
            let ends = [subject.moves, subject.network.map(|shape| shape.first)];
            let values = ends.into_iter().flatten().min().unwrap_or(before.len());
            (0..before.len()).map(|feature| if feature < values { 0.0 } else { before[feature] }).collect()
        }
        Start::Current => before.clone(),
    };
    let weights = Weights::new(start, occurrences);
    let mut model = Model { weights, points, curve, held: plan.held, rate: plan.rate, positions };
    let signature = Signature { features: named.to_owned(), plan: *plan, positions, held_out };
    let mut epochs = match checkpoint {
        Some(bytes) => checkpoint::restore(bytes, &signature, &mut model.weights)?,
        None => Vec::new(),
    };
    for number in epochs.len() as u32 + 1..=plan.epochs {
        let training = data.learn(&mut model, plan, number, hear)?;
        let validation = data.error(&|block, sample| {
            model.error(model.weights.value(block.terms_of(sample)), sample_of(block, sample))
        })?;
        epochs.push(Epoch { number, training, validation });
        let save = || checkpoint::save(&signature, &epochs, &model.weights);
        if !hear(Heard::Done(&epochs[epochs.len() - 1], &save)) && number < plan.epochs {
            return Err(INTERRUPTED.to_owned());
        }
    }
    let weights: Vec<i32> = (0..before.len()).map(|feature| model.weights.get(feature).round() as i32).collect();
    let after: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
    let error = |weights: &[f32]| {
        data.error(&|block, sample| {
            model.error(model::value(weights, block.terms_of(sample)), sample_of(block, sample))
        })
    };
    let errors = [error(before)?, error(&after)?];
    let chances =
        if points { None } else { Some([before, &after].map(|weights| Chances::of_results(&some.seen(weights)))) };
    let mut tally = phases::Tally::default();
    data.each_held_out(&mut |blocks| {
        for (block, sample) in
            blocks.iter().flat_map(|block| (0..block.samples.len()).map(move |sample| (block, sample)))
        {
            let Sample { ply, target, .. } = *sample_of(block, sample);
            tally.add(ply, model.prediction(model::value(&after, block.terms_of(sample))), target.into());
        }
    })?;
    Ok(Fitted { weights, positions, held_out, features, errors, first: None, chances, epochs, phases: tally.phases() })
}

fn sample_of(block: &Block, sample: usize) -> &Sample {
    &block.samples[sample]
}

/// What is counted while positions are chosen.
struct Found {
    /// How often each feature occurs in the positions learned from.
    occurrences: Vec<f64>,
    some: Thinned,
    positions: u64,
    held_out: u64,
}

/// The games, and which positions of them are used.
pub(super) struct Data<'a> {
    pub(super) replay: &'a dyn Replay,
    games: RefCell<&'a mut dyn Games>,
    pub(super) selection: Selection,
    /// The games learned from, and those held out.
    pub(super) training: Vec<usize>,
    pub(super) validation: Vec<usize>,
    positions: u64,
}

impl<'a> Data<'a> {
    fn choose(
        replay: &'a dyn Replay,
        points: bool,
        games: &'a mut dyn Games,
        plan: &Fit,
        found: &mut Found,
        hear: &mut Hear<'_>,
    ) -> Result<Self, String> {
        let share = (plan.validation * f64::from(u32::MAX)) as u64;
        let is_held_out = |game: usize| mix(plan.seed ^ mix(game as u64)) >> 32 < share;
        let mut count = |game: usize, block: &Block, index: usize| {
            if is_held_out(game) {
                found.held_out += 1;
                return;
            }
            found.positions += 1;
            for term in block.terms_of(index) {
                found.occurrences[term.feature as usize] += f64::from(term.count).powi(2);
            }
            if !points {
                found.some.offer(|| (block.terms_of(index).to_vec(), block.samples[index]));
            }
        };
        let selection = select(replay, games, &mut count, &mut |done, of| hear(Heard::Choosing(done, of)))?;
        if found.positions == 0 {
            return Err("no position can be used: none is quiet and has a value or a result".to_owned());
        }
        if found.held_out == 0 {
            return Err("no position is held out: more games are needed, or a larger share of them".to_owned());
        }
        let (validation, training) = (0..games.count()).partition(|&game| is_held_out(game));
        Ok(Self { replay, games: RefCell::new(games), selection, training, validation, positions: found.positions })
    }

    /// Reads some games.
    pub(super) fn raws(&self, numbers: &[usize]) -> Result<Vec<Raw>, String> {
        read(&mut **self.games.borrow_mut(), numbers)
    }

    /// The used positions of some games.
    fn blocks(&self, numbers: &[usize]) -> Result<Vec<Block>, String> {
        let raws = self.raws(numbers)?;
        let Self { replay, selection, .. } = self;
        parallel::map(raws, |raw: Raw| replay.block(&raw, Some(selection))).into_iter().collect()
    }

    /// Visits the positions held out.
    fn each_held_out(&self, visit: &mut dyn FnMut(&[Block])) -> Result<(), String> {
        for numbers in self.validation.chunks(AT_ONCE) {
            visit(&self.blocks(numbers)?);
        }
        Ok(())
    }

    /// The mean error of the positions held out.
    fn error(&self, error: &(dyn Fn(&Block, usize) -> f64 + Sync)) -> Result<f64, String> {
        let (mut total, mut count) = (0.0, 0);
        self.each_held_out(&mut |blocks| {
            let of_block = |block: &Block| (0..block.samples.len()).map(|sample| error(block, sample)).sum::<f64>();
            total += parallel::map(blocks.iter().collect(), of_block).into_iter().sum::<f64>();
            count += blocks.iter().map(|block| block.samples.len()).sum::<usize>();
        })?;
        Ok(total / count as f64)
    }

    /// Goes through all positions that are learned from. Returns their mean error.
    fn learn(&self, model: &mut Model, plan: &Fit, epoch: u32, hear: &mut Hear<'_>) -> Result<f64, String> {
        let mut rng = Rng::new(plan.seed, epoch.into());
        let mut order = self.training.clone();
        shuffle(&mut order, &mut rng);
        let size = (self.positions / BATCHES).clamp(64, BATCH);
        let games = (BLOCK * order.len() as u64 / self.positions).clamp(16, 1 << 16) as usize;
        let (mut done, mut error) = (0, 0.0);
        hear(Heard::Learning(epoch, done, self.positions));
        for numbers in order.chunks(games) {
            let blocks = self.blocks(numbers)?;
            let samples =
                |(game, block): (usize, &Block)| (0..block.samples.len() as u32).map(move |at| (game as u32, at));
            let mut places: Vec<(u32, u32)> = blocks.iter().enumerate().flat_map(samples).collect();
            shuffle(&mut places, &mut rng);
            for batch in places.chunks(size as usize) {
                let passed = f64::from(epoch - 1) + done as f64 / self.positions as f64;
                error += model.learn(&blocks, batch, 1.0 - passed / f64::from(plan.epochs), size);
                done += batch.len() as u64;
            }
            if !hear(Heard::Learning(epoch, done, self.positions)) {
                return Err(INTERRUPTED.to_owned());
            }
        }
        Ok(error / done as f64)
    }
}

/// In a random order (Fisher and Yates).
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

/// Some 20,000 to 40,000 positions, evenly taken from all: for what two numbers are to be found from.
#[derive(Default)]
struct Thinned {
    items: Vec<(Vec<Term>, Sample)>,
    offered: u64,
    /// One of so many is kept, as a power of two.
    every: u32,
}

impl Thinned {
    fn offer(&mut self, item: impl FnOnce() -> (Vec<Term>, Sample)) {
        if self.offered.is_multiple_of(1 << self.every) {
            self.items.push(item());
            if self.items.len() == 40_000 {
                let mut kept = false;
                self.items.retain(|_| {
                    kept = !kept;
                    kept
                });
                self.every += 1;
            }
        }
        self.offered += 1;
    }

    /// The positions with their values by some weights.
    fn seen(&self, weights: &[f32]) -> Vec<Seen> {
        let seen = |(terms, sample): &(Vec<Term>, Sample)| {
            let Sample { score, target, .. } = *sample;
            Seen { value: model::value(weights, terms), score, target: target.into() }
        };
        self.items.iter().map(seen).collect()
    }
}
