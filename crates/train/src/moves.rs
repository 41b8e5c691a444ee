//! Fits the move ordering (multinomial logistic regression).
//!
//! The probability that a move is the best is proportional to e to the power of the sum of its features' weights (a softmax
//! over the moves of the position). The fit maximises the likelihood of the best moves found by self-play searches. A weight of
//! 1 is a hundredth of a logit. Positions are selected as for the evaluation, each once; the weights of the evaluation do not
//! change.

use tesuji_core::parallel;

use crate::adam::{Anchor, Cells, Contribution, Weights};
use crate::choices::Choices;
use crate::data::Data;
use crate::model::Model;
use crate::optimiser::{Schedule, optimise};
use crate::plan::{Fitted, OnProgress, Start};
use crate::replay::Replay;
use crate::samples::{Raw, Selection, Term, dot};

/// Positions per batch, and per unit of work of a thread.
const BATCH: usize = 512;
const PART: usize = 32;
/// Games read at once.
const GAMES: usize = 512;
/// Weight units per logit.
pub const LOGIT: f64 = 100.0;

/// Fits the weights of the move ordering; all other weights are unchanged.
///
/// # Errors
/// See [`crate::fit::fit`].
pub fn fit(mut data: Data<'_>, checkpoint: Option<&[u8]>, report: &mut OnProgress<'_>) -> Result<Fitted, String> {
    let before = data.subject.weights.clone();
    let mut start = before.clone();
    let first = data.subject.moves.ok_or("this game has no learned move order")?;
    if data.plan.start == Start::Zero {
        start[first..].fill(0.0);
    }
    // Positions whose best move is not ordered by the search are dropped, so positions are counted again.
    let mut occurrences = vec![0u32; before.len()];
    let (mut positions, mut held_out) = (0, 0);
    data.each::<Ordering>(&data.training, |choices| {
        positions += choices.count() as u64;
        for term in &choices.terms {
            occurrences[term.feature as usize] = occurrences[term.feature as usize].saturating_add(1);
        }
    })?;
    data.each::<Ordering>(&data.validation, |choices| held_out += choices.count() as u64)?;
    (data.positions, data.held_out) = (positions, held_out);
    let anchor = Anchor { slope: (data.plan.held / LOGIT / LOGIT) as f32, batches: positions as f32 / BATCH as f32 };
    let mut model = Ordering { weights: Weights::new(start, occurrences, anchor) };
    let schedule = Schedule { games: GAMES, batch: BATCH, rate: data.plan.rate, warmup: 0.0 };
    let epochs = optimise(&mut model, &data, schedule, checkpoint, report)?;
    let weights = model.weights.rounded();
    let after: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
    let numbers = |choices: &Choices, position| {
        let [old, new] = [&before, &after].map(|weights| error(choices, position, &|terms| dot(weights, terms)));
        [old.0, new.0, f64::from(u8::from(old.1)), f64::from(u8::from(new.1))]
    };
    let [old, new, old_first, new_first] = data.means::<Ordering, 4>(numbers)?;
    let (features, first) = (model.weights.occurring(), Some([old_first, new_first]));
    Ok(Fitted { weights, positions, held_out, features, errors: [old, new], first, epochs, ..Fitted::default() })
}

/// The probability that each move of a position is the best.
fn chances(choices: &Choices, position: usize, value: &impl Fn(&[Term]) -> f64) -> Vec<f64> {
    let logits: Vec<f64> = choices.moves(position).0.map(|mv| value(choices.terms_of(mv)) / LOGIT).collect();
    let most = logits.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
    logits.iter().map(|logit| (logit - most).exp() / sum).collect()
}

/// The negative log-likelihood of the best move, and whether it is ordered first.
fn error(choices: &Choices, position: usize, value: &impl Fn(&[Term]) -> f64) -> (f64, bool) {
    let (moves, best) = choices.moves(position);
    let chances = chances(choices, position, value);
    let chance = chances[best - moves.start];
    (-chance.max(1e-30).ln(), chances.iter().all(|&other| other <= chance))
}

/// The weights of the move ordering.
struct Ordering {
    weights: Weights,
}

impl Model for Ordering {
    type Game = Choices;

    fn read(replay: &dyn Replay, selection: &Selection, raw: &Raw) -> Result<Choices, String> {
        replay.choices(raw, selection)
    }

    fn positions(choices: &Choices) -> usize {
        choices.count()
    }

    fn error(&self, choices: &Choices, position: usize) -> f64 {
        error(choices, position, &|terms| self.weights.value(terms, 0)).0
    }

    fn learn(&mut self, batch: &[(&Choices, usize)], rate: f32) -> f64 {
        let parts = parallel::map(batch.chunks(PART).collect(), |part| {
            let slopes = part.iter().map(|&(choices, position)| {
                let (moves, best) = choices.moves(position);
                let chances = chances(choices, position, &|terms| self.weights.value(terms, 0));
                let error = -chances[best - moves.start].max(1e-30).ln();
                let slope = |(mv, chance): (usize, f64)| {
                    let wanted = f64::from(u8::from(mv == best));
                    let slope = ((chance - wanted) / LOGIT) as f32;
                    Contribution { terms: choices.terms_of(mv), set: 0, share: 1.0, slope }
                };
                (moves.zip(chances).map(slope).collect::<Vec<_>>(), error)
            });
            slopes.collect::<Vec<_>>()
        });
        let (samples, errors): (Vec<_>, Vec<f64>) = parts.into_iter().flatten().unzip();
        self.weights.learn(&samples.concat(), rate);
        errors.iter().sum()
    }

    fn cells(&self) -> Cells {
        self.weights.cells()
    }

    fn restore(&mut self, cells: Cells) {
        self.weights.restore(cells);
    }
}
