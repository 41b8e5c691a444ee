//! The games of a fit: the training games, the held-out games, and the selected positions.

use std::cell::RefCell;
use std::collections::HashSet;

use tesuji_core::parallel;
use tesuji_core::rng::mix;

use crate::chances::{Chances, Observation};
use crate::model::Model;
use crate::plan::{Fit, OnProgress, Progress};
use crate::replay::{Replay, Subject};
use crate::samples::{Block, GAMES_AT_ONCE, Games, INTERRUPTED, Sample, Selection, Term, dot, read};
use crate::sharing::Sharing;

/// The games of a fit and their selected positions.
pub struct Data<'a> {
    pub plan: &'a Fit,
    pub subject: Subject,
    replay: &'a dyn Replay,
    games: RefCell<&'a mut dyn Games>,
    selection: Selection,
    /// The training games, and the held-out games.
    pub training: Vec<usize>,
    pub validation: Vec<usize>,
    /// Number of training positions, and of held-out positions.
    pub positions: u64,
    pub held_out: u64,
    /// How often each feature occurs in the training positions.
    pub occurrences: Vec<u32>,
    /// The sets of weights that a position counts for.
    pub sharing: Sharing,
    subsample: Subsample,
}

impl<'a> Data<'a> {
    pub fn choose(
        replay: &'a dyn Replay,
        games: &'a mut dyn Games,
        plan: &'a Fit,
        report: &mut OnProgress<'_>,
    ) -> Result<Self, String> {
        let subject = replay.subject();
        let share = (plan.validation * f64::from(u32::MAX)) as u64;
        let is_held_out = |game: usize| mix(plan.seed ^ mix(game as u64)) >> 32 < share;
        let (mut positions, mut held_out, mut subsample) = (0, 0, Subsample::default());
        let mut occurrences = vec![0.0; subject.weights.len()];
        if plan.shared > 0.0 && subject.phases == 1 {
            return Err("--shared: this game has one set of weights for all phases".to_owned());
        }
        let sharing = Sharing::new(subject.weights.len(), subject.phases, plan.shared);
        let mut count = |game: usize, block: &Block, index: usize| {
            if is_held_out(game) {
                held_out += 1;
                return;
            }
            positions += 1;
            let terms = block.terms_of(index);
            for (set, share) in sharing.sets(terms) {
                for term in terms {
                    occurrences[term.of(set)] += f64::from(share * term.count.powi(2));
                }
            }
            if !subject.points {
                subsample.offer(|| (block.terms_of(index).to_vec(), block.samples[index]));
            }
        };
        let selection = select(replay, games, &mut count, report)?;
        if positions == 0 {
            return Err("no position can be used: none is quiet and has a value or a result".to_owned());
        }
        if held_out == 0 {
            return Err("no position is held out: expected more games or a larger share (--validation)".to_owned());
        }
        let (validation, training) = (0..games.count()).partition(|&game| is_held_out(game));
        let occurrences = occurrences.into_iter().map(|count| f64::ceil(count) as u32).collect();
        let games = RefCell::new(games);
        Ok(Self {
            plan,
            subject,
            replay,
            games,
            selection,
            training,
            validation,
            positions,
            held_out,
            occurrences,
            sharing,
            subsample,
        })
    }

    /// The curve from values to points; none in games played for points.
    pub fn curve(&self) -> Result<Option<Chances>, String> {
        match self.plan.scale {
            Some(_) if self.subject.points => {
                Err("--scale: expected none, since this game's values are points".to_owned())
            }
            Some(spread) => Ok(Some(Chances { even: 0.0, spread })),
            None if self.subject.points => Ok(None),
            None => Ok(Some(Chances::of_targets(&self.observations(&self.subject.weights)))),
        }
    }

    /// A sample of the training positions with their values under these weights.
    pub fn observations(&self, weights: &[f32]) -> Vec<Observation> {
        let observation = |(terms, sample): &(Vec<Term>, Sample)| {
            let Sample { score, target, .. } = *sample;
            Observation { value: dot(weights, terms), score, target: target.into() }
        };
        self.subsample.items.iter().map(observation).collect()
    }

    /// Reads games in the form that a model needs.
    pub fn read<M: Model>(&self, numbers: &[usize]) -> Result<Vec<M::Game>, String> {
        let Self { replay, selection, .. } = self;
        let raws = read(&mut **self.games.borrow_mut(), numbers)?;
        parallel::map(raws, |raw| M::read(*replay, selection, &raw)).into_iter().collect()
    }

    /// Visits games in the given order.
    pub fn each<M: Model>(&self, numbers: &[usize], mut visit: impl FnMut(&M::Game)) -> Result<(), String> {
        for numbers in numbers.chunks(GAMES_AT_ONCE) {
            self.read::<M>(numbers)?.iter().for_each(&mut visit);
        }
        Ok(())
    }

    /// Means of numbers over the held-out positions.
    pub fn means<M: Model, const N: usize>(
        &self,
        of: impl Fn(&M::Game, usize) -> [f64; N] + Sync,
    ) -> Result<[f64; N], String> {
        let add = |mut sums: [f64; N], more: [f64; N]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            sums
        };
        let (mut totals, mut count) = ([0.0; N], 0);
        for numbers in self.validation.chunks(GAMES_AT_ONCE) {
            let games = self.read::<M>(numbers)?;
            let of_game = |game: &M::Game| (0..M::positions(game)).map(|at| of(game, at)).fold([0.0; N], add);
            let sums = parallel::map(games.iter().collect(), of_game).into_iter().fold([0.0; N], add);
            totals = add(totals, sums);
            count += games.iter().map(M::positions).sum::<usize>();
        }
        Ok(totals.map(|total| total / count.max(1) as f64))
    }
}

/// Selects positions. Calls `count` for each, with its game, the game's block and its index there.
fn select(
    replay: &dyn Replay,
    games: &mut dyn Games,
    count: &mut dyn FnMut(usize, &Block, usize),
    report: &mut OnProgress<'_>,
) -> Result<Selection, String> {
    let all: Vec<usize> = (0..games.count()).collect();
    let mut selection = Selection::default();
    // About 16 bytes per position, only during the selection.
    let mut seen = HashSet::new();
    for numbers in all.chunks(GAMES_AT_ONCE) {
        let raws = read(games, numbers)?;
        for block in parallel::map(raws, |raw| (raw.number, replay.block(&raw, None))) {
            let (game, block) = (block.0, block.1?);
            selection.add_game(block.plies);
            for (index, sample) in block.samples.iter().enumerate() {
                if seen.insert(sample.key) {
                    selection.add(game, sample.ply);
                    count(game, &block, index);
                }
            }
        }
        if !report(Progress::Choosing(selection.games() as u64, all.len() as u64)) {
            return Err(INTERRUPTED.to_owned());
        }
    }
    Ok(selection)
}

/// An even sample of 20,000 to 40,000 positions (of all, if there are fewer): enough for the two parameters of a curve.
#[derive(Default)]
struct Subsample {
    items: Vec<(Vec<Term>, Sample)>,
    offered: u64,
    /// One in 2 to the power of this is kept.
    every: u32,
}

impl Subsample {
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
}
