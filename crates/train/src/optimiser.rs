//! The loop of every fit: passes over the training games in random order, batch by batch, at a rate that falls to zero. After
//! each pass the error of the held-out positions is measured.

use tesuji_core::rng::Rng;

use crate::checkpoint::{self, Signature};
use crate::data::Data;
use crate::model::Model;
use crate::plan::{Epoch, OnProgress, Progress};
use crate::samples::INTERRUPTED;

/// The batches and learning rate of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Games read and shuffled at once.
    pub games: usize,
    /// Positions per batch.
    pub batch: usize,
    /// The full rate, and the number of batches until it is reached.
    pub rate: f64,
    pub warmup: f64,
}

impl Schedule {
    /// The rate after a (fractional) number of passes.
    fn rate(&self, passed: f64, data: &Data<'_>) -> f32 {
        let batches = passed * data.positions as f64 / self.batch as f64;
        let warmup = if self.warmup > 0.0 { (batches / self.warmup).min(1.0) } else { 1.0 };
        (self.rate * (1.0 - passed / f64::from(data.plan.epochs)) * warmup) as f32
    }
}

/// Fits a model, or continues an interrupted fit from its checkpoint.
///
/// # Errors
/// When a game cannot be read, the checkpoint belongs to another fit, or the fit is interrupted.
pub fn optimise<M: Model>(
    model: &mut M,
    data: &Data<'_>,
    schedule: Schedule,
    checkpoint: Option<&[u8]>,
    report: &mut OnProgress<'_>,
) -> Result<Vec<Epoch>, String> {
    let (features, plan) = (data.subject.features.to_owned(), *data.plan);
    let signature = Signature { features, plan, positions: data.positions, held_out: data.held_out };
    let mut epochs = Vec::new();
    if let Some(bytes) = checkpoint {
        let (behind, cells) = checkpoint::read(bytes, &signature, model.cells().len())?;
        model.restore(cells);
        epochs = behind;
    }
    for number in epochs.len() as u32 + 1..=data.plan.epochs {
        let training = pass(model, data, schedule, number, report)?;
        let [validation] = data.means::<M, 1>(|game, position| [model.error(game, position)])?;
        epochs.push(Epoch { number, training, validation });
        let save = || checkpoint::save(&signature, &epochs, &model.cells());
        if !report(Progress::Done(&epochs[epochs.len() - 1], &save)) && number < data.plan.epochs {
            return Err(INTERRUPTED.to_owned());
        }
    }
    Ok(epochs)
}

/// Passes over all training positions. Returns their mean error.
fn pass<M: Model>(
    model: &mut M,
    data: &Data<'_>,
    schedule: Schedule,
    epoch: u32,
    report: &mut OnProgress<'_>,
) -> Result<f64, String> {
    let positions = data.positions;
    let mut rng = Rng::new(data.plan.seed, epoch.into());
    let mut order = data.training.clone();
    shuffle(&mut order, &mut rng);
    let (mut done, mut error) = (0, 0.0);
    report(Progress::Learning(epoch, done, positions));
    for numbers in order.chunks(schedule.games) {
        let games = data.read::<M>(numbers)?;
        let places = |game| (0..M::positions(game)).map(move |position| (game, position));
        let mut places: Vec<(&M::Game, usize)> = games.iter().flat_map(places).collect();
        shuffle(&mut places, &mut rng);
        for batch in places.chunks(schedule.batch) {
            let passed = f64::from(epoch - 1) + done as f64 / positions as f64;
            error += model.learn(batch, schedule.rate(passed, data));
            done += batch.len() as u64;
        }
        if !report(Progress::Learning(epoch, done, positions)) {
            return Err(INTERRUPTED.to_owned());
        }
    }
    Ok(error / done.max(1) as f64)
}

/// Shuffles (Fisher and Yates).
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}
