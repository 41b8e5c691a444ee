//! The input of fits, extracted from recorded games independently of the position type, so that fits are compiled only once.

use tesuji_core::learned::{Learned, NetworkShape};

use crate::choices::Choices;
use crate::samples::{Block, Example, Raw, Sample, Selection, Term, dot};
use crate::targets::{Label, Targets};

/// The weights of a game and their layout.
pub struct Subject {
    /// Name and version of the features.
    pub features: &'static str,
    /// Whether the game is played for points.
    pub points: bool,
    /// The current weights.
    pub weights: Vec<f32>,
    /// Number of sets of weights, one for each phase of a game.
    pub phases: usize,
    /// The first weight of the move ordering, where it is learned.
    pub moves: Option<usize>,
    /// The network, where there is one.
    pub network: Option<NetworkShape>,
}

/// Replays recorded games.
pub trait Replay: Sync {
    /// The weights to fit.
    fn subject(&self) -> Subject;

    /// The positions of a game with their terms: the selected ones, or without a selection all usable ones.
    ///
    /// # Errors
    /// When the game cannot be read or replayed, here and below.
    fn block(&self, raw: &Raw, selection: Option<&Selection>) -> Result<Block, String>;

    /// The moves among which the searches of the selected positions chose, and their choices.
    fn choices(&self, raw: &Raw, selection: &Selection) -> Result<Choices, String>;

    /// The network's inputs in the selected positions, with the values without the network and the targets.
    fn examples(&self, raw: &Raw, selection: &Selection) -> Result<Vec<Example>, String>;
}

/// Replays games of one position type.
#[derive(Debug)]
pub struct ReplayOf<'a, P> {
    /// Name and version of the features.
    pub features: &'static str,
    /// The current weights.
    pub weights: Vec<f32>,
    /// The start positions, by index.
    pub starts: &'a [P],
    /// How targets are computed.
    pub targets: Targets,
}

impl<P: Learned> Replay for ReplayOf<'_, P> {
    fn subject(&self) -> Subject {
        Subject {
            features: self.features,
            points: P::POINTS,
            weights: self.weights.clone(),
            phases: P::PHASES,
            moves: P::ORDERING,
            network: P::NETWORK,
        }
    }

    fn block(&self, raw: &Raw, selection: Option<&Selection>) -> Result<Block, String> {
        let record = raw.record()?;
        let mut position = self.starts[raw.start].clone();
        let mut block = Block { plies: record.plies.len() as u32, ..Block::default() };
        let known = self.targets.of::<P>(&record);
        for ((ply, played), Label { target, score }) in record.plies.iter().enumerate().zip(known) {
            let mv = |index: u32| raw.mv(&position, ply, index);
            let is_used = match selection {
                Some(selection) => selection.has(raw.number, ply as u32),
                None => played.best().map(mv).transpose()?.is_some_and(|best| position.is_quiet(best)),
            };
            if let Some(target) = target.filter(|_| is_used) {
                let terms = &mut block.terms;
                let add = &mut |feature, count| {
                    if count != 0 {
                        terms.push(Term { feature: feature as u32, count: count as f32 / P::PARTS as f32 });
                    }
                };
                position.each_term(add);
                let (ply, key, end) = (ply as u32, position.key(), block.terms.len() as u32);
                block.samples.push(Sample { ply, key, end, target: target as f32, score });
            }
            let mv = mv(played.played())?;
            position.play(mv);
        }
        Ok(block)
    }

    fn choices(&self, raw: &Raw, selection: &Selection) -> Result<Choices, String> {
        let mut choices = Choices::default();
        let mut line: Vec<P::Move> = Vec::new();
        raw.each_ply(&self.starts[raw.start], &mut |position, ply, best, played| {
            if let Some(best) = best.filter(|_| selection.has(raw.number, ply)) {
                choices.add(position, &line, best);
            }
            line.push(played);
        })?;
        Ok(choices)
    }

    fn examples(&self, raw: &Raw, selection: &Selection) -> Result<Vec<Example>, String> {
        let block = self.block(raw, Some(selection))?;
        let mut samples = block.samples.iter().enumerate().peekable();
        let mut examples = Vec::with_capacity(block.samples.len());
        raw.each_ply(&self.starts[raw.start], &mut |position, ply, _, _| {
            let Some((index, sample)) = samples.next_if(|(_, sample)| sample.ply == ply) else { return };
            let input = position.network_input();
            let value = dot(&self.weights, block.terms_of(index));
            let target = f64::from(sample.target);
            let (value, target) = if input.is_first { (value, target) } else { (-value, 1.0 - target) };
            examples.push(Example { input, value, target });
        })?;
        Ok(examples)
    }
}
