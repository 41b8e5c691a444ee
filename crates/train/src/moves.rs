//! Fitting the order in which a search tries moves (multinomial logistic regression).
//!
//! The chance that a move is the best one is taken to grow with e to the power of the sum of the weights of its features. The
//! weights are those that make the moves that searches of self-play found best as likely as possible. A weight of 1 is a
//! hundredth of a logit. Positions are those that values are fitted to, each once; the weights of the evaluation stay as they
//! are.

use tesuji_core::learned::Learned;
use tesuji_core::parallel;
use tesuji_core::rng::Rng;

use crate::adam::{Step, Weights};
use crate::checkpoint::{self, Signature};
use crate::fit::Hear;
use crate::fit::{Data, Epoch, Fit, Fitted, Heard, Start};
use crate::model::value as sum;
use crate::replay::Subject;
use crate::samples::{INTERRUPTED, Raw, Term};

/// Positions of a batch.
const BATCH: usize = 512;
/// Games that are read at once.
const GAMES: usize = 512;
/// Weights of a logit.
pub const LOGIT: f64 = 100.0;

/// Positions of a game, the moves there and their features.
#[derive(Default)]
pub struct Choices {
    terms: Vec<Term>,
    /// Where the terms of each move end.
    moves: Vec<u32>,
    /// Where the moves of each position end, and which of all moves is the best.
    positions: Vec<(u32, u32)>,
}

impl Choices {
    /// Adds a position that has moves before it, and in which a search found this one best.
    pub fn add<P: Learned>(&mut self, position: &P, line: &[P::Move], best: P::Move) {
        let before = (self.terms.len(), self.moves.len());
        let mut place = None;
        position.each_ordered_move(line, &mut |mv, features| {
            if mv == best {
                place = Some(self.moves.len() as u32);
            }
            self.terms.extend(features.iter().map(|&feature| Term { feature: feature as u32, count: 1.0 }));
            self.moves.push(self.terms.len() as u32);
        });
        match place {
            Some(place) => self.positions.push((self.moves.len() as u32, place)),
            // A move that the search does not order.
            None => {
                self.terms.truncate(before.0);
                self.moves.truncate(before.1);
            }
        }
    }

    /// The moves of a position, by their numbers, and its best one.
    fn moves(&self, position: usize) -> (std::ops::Range<usize>, usize) {
        let begin = position.checked_sub(1).map_or(0, |before| self.positions[before].0);
        let (end, best) = self.positions[position];
        (begin as usize..end as usize, best as usize)
    }

    fn terms(&self, mv: usize) -> &[Term] {
        let begin = mv.checked_sub(1).map_or(0, |before| self.moves[before]);
        &self.terms[begin as usize..self.moves[mv] as usize]
    }

    /// How likely each move of a position is the best one.
    fn chances(&self, position: usize, value: &impl Fn(&[Term]) -> f64) -> Vec<f64> {
        let logits: Vec<f64> = self.moves(position).0.map(|mv| value(self.terms(mv)) / LOGIT).collect();
        let most = logits.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
        logits.iter().map(|logit| (logit - most).exp() / sum).collect()
    }

    /// The negative logarithm of the likelihood of the best move, and whether it comes first.
    fn error(&self, position: usize, value: &impl Fn(&[Term]) -> f64) -> (f64, bool) {
        let (moves, best) = self.moves(position);
        let chances = self.chances(position, value);
        let chance = chances[best - moves.start];
        (-chance.max(1e-30).ln(), chances.iter().all(|&other| other <= chance))
    }
}

/// Errors of the positions held out, and how often the best move comes first.
#[derive(Clone, Copy, Default)]
struct Tally {
    error: f64,
    first: u64,
    positions: u64,
}

impl Tally {
    fn mean(self) -> f64 {
        self.error / self.positions.max(1) as f64
    }
}

/// What is fitted, and from what.
pub struct Ordering<'a> {
    pub subject: &'a Subject,
    /// The first weight of the order of moves.
    pub first: usize,
    pub data: Data<'a>,
    pub plan: &'a Fit,
}

impl Ordering<'_> {
    /// Fits the weights of the move ordering; all others stay what they are.
    ///
    /// # Errors
    /// See [`crate::fit::fit`].
    pub fn fit(&self, checkpoint: Option<&[u8]>, hear: &mut Hear<'_>) -> Result<Fitted, String> {
        let before = &self.subject.weights;
        let mut occurrences = vec![0u32; before.len()];
        let mut positions = 0;
        self.each(&self.data.training, &mut |choices| {
            positions += choices.positions.len() as u64;
            for term in &choices.terms {
                occurrences[term.feature as usize] = occurrences[term.feature as usize].saturating_add(1);
            }
        })?;
        let features = occurrences.iter().filter(|&&count| count > 0).count();
        let mut start = before.clone();
        if self.plan.start == Start::Zero {
            start[self.first..].fill(0.0);
        }
        let mut weights = Weights::new(start, occurrences);
        let old = self.tally(&|terms| sum(before, terms))?;
        let signature = Signature {
            features: self.subject.features.to_owned(),
            plan: *self.plan,
            positions,
            held_out: old.positions,
        };
        let mut epochs = match checkpoint {
            Some(bytes) => checkpoint::restore(bytes, &signature, &mut weights)?,
            None => Vec::new(),
        };
        for number in epochs.len() as u32 + 1..=self.plan.epochs {
            let training = self.learn(&mut weights, positions, number, hear)?;
            let validation = self.tally(&|terms| weights.value(terms))?.mean();
            epochs.push(Epoch { number, training, validation });
            let save = || checkpoint::save(&signature, &epochs, &weights);
            if !hear(Heard::Done(&epochs[epochs.len() - 1], &save)) && number < self.plan.epochs {
                return Err(INTERRUPTED.to_owned());
            }
        }
        let weights: Vec<i32> = (0..before.len()).map(|feature| weights.get(feature).round() as i32).collect();
        let after: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
        let new = self.tally(&|terms| sum(&after, terms))?;
        let first = |tally: Tally| tally.first as f64 / tally.positions.max(1) as f64;
        Ok(Fitted {
            weights,
            positions,
            held_out: old.positions,
            features,
            errors: [old.mean(), new.mean()],
            chances: None,
            first: Some([first(old), first(new)]),
            epochs,
            phases: Vec::new(),
        })
    }

    /// Reads games, and visits the choices of each in their order.
    fn each(&self, numbers: &[usize], visit: &mut dyn FnMut(&Choices)) -> Result<(), String> {
        for numbers in numbers.chunks(GAMES) {
            self.read(numbers)?.iter().for_each(&mut *visit);
        }
        Ok(())
    }

    fn read(&self, numbers: &[usize]) -> Result<Vec<Choices>, String> {
        let (replay, selection) = (self.data.replay, &self.data.selection);
        let read = |raw: Raw| replay.choices(&raw, selection);
        parallel::map(self.data.raws(numbers)?, read).into_iter().collect()
    }

    /// The positions held out.
    fn tally(&self, value: &(impl Fn(&[Term]) -> f64 + Sync)) -> Result<Tally, String> {
        let mut tally = Tally::default();
        self.each(&self.data.validation, &mut |choices| {
            for position in 0..choices.positions.len() {
                let (error, first) = choices.error(position, value);
                tally.error += error;
                tally.first += u64::from(first);
                tally.positions += 1;
            }
        })?;
        Ok(tally)
    }

    /// Goes through all positions that are learned from. Returns their mean error.
    fn learn(&self, weights: &mut Weights, positions: u64, epoch: u32, hear: &mut Hear<'_>) -> Result<f64, String> {
        let mut rng = Rng::new(self.plan.seed, epoch.into());
        let mut order = self.data.training.clone();
        crate::fit::shuffle(&mut order, &mut rng);
        let (mut done, mut error) = (0u64, 0.0);
        hear(Heard::Learning(epoch, done, positions));
        for numbers in order.chunks(GAMES) {
            let blocks = self.read(numbers)?;
            let places = |(game, block): (usize, &Choices)| (0..block.positions.len()).map(move |at| (game, at));
            let mut places: Vec<(usize, usize)> = blocks.iter().enumerate().flat_map(places).collect();
            crate::fit::shuffle(&mut places, &mut rng);
            for batch in places.chunks(BATCH) {
                let passed = f64::from(epoch - 1) + done as f64 / positions as f64;
                let step = Step {
                    rate: (self.plan.rate * (1.0 - passed / f64::from(self.plan.epochs))) as f32,
                    held: (self.plan.held / LOGIT / LOGIT) as f32,
                    batches: positions as f32 / BATCH as f32,
                };
                error += self.step(weights, &blocks, batch, step);
                done += batch.len() as u64;
            }
            if !hear(Heard::Learning(epoch, done, positions)) {
                return Err(INTERRUPTED.to_owned());
            }
        }
        Ok(error / done.max(1) as f64)
    }

    /// Learns from some positions. Returns the sum of their errors.
    fn step(&self, weights: &mut Weights, blocks: &[Choices], batch: &[(usize, usize)], step: Step) -> f64 {
        let slopes = |&(game, position): &(usize, usize)| {
            let choices = &blocks[game];
            let (moves, best) = choices.moves(position);
            let chances = choices.chances(position, &|terms| weights.value(terms));
            let error = -chances[best - moves.start].max(1e-30).ln();
            let slope = |(mv, chance): (usize, f64)| {
                let wanted = f64::from(u8::from(mv == best));
                (choices.terms(mv), ((chance - wanted) / LOGIT) as f32)
            };
            (moves.zip(chances).map(slope).collect::<Vec<_>>(), error)
        };
        let parts = parallel::map(batch.chunks(BATCH / 16).collect(), |part: &[(usize, usize)]| {
            part.iter().map(slopes).collect::<Vec<_>>()
        });
        let (samples, errors): (Vec<_>, Vec<f64>) = parts.into_iter().flatten().unzip();
        weights.learn(&samples.concat(), step);
        errors.iter().sum()
    }
}
