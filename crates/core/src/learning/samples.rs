//! Which positions of the games are used, what their values are to predict, and their features.
//!
//! Used are quiet positions with a target, each once: the first time that it occurs in any game. A bit for each ply remembers
//! which; all else is read and computed anew in each epoch, so that memory does not limit the number of games.

use std::collections::HashSet;
use std::io;

use super::Learning;
use super::play::scale;
use super::records::Record;
use crate::parallel;
use crate::position::Position;

/// Where games are read from.
pub trait Games {
    /// How many there are.
    fn count(&self) -> usize;

    /// Puts a game's bytes (without its frame) into `bytes`, and returns the number of its start position.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&mut self, game: usize, bytes: &mut Vec<u8>) -> io::Result<usize>;
}

/// A game as it was read.
pub struct Raw {
    pub number: usize,
    pub start: usize,
    bytes: Vec<u8>,
}

impl Raw {
    /// What went wrong with this game.
    fn problem(&self, problem: &str) -> String {
        format!("game {}: {problem}", self.number + 1)
    }

    fn record(&self) -> Result<Record, String> {
        Record::read(&self.bytes).map_err(|error| self.problem(&error))
    }

    /// The move that a ply has by its index.
    fn mv<P: Position>(&self, position: &P, ply: usize, index: u32) -> Result<P::Move, String> {
        let no_move = || self.problem(&format!("ply {} has no legal move number {index}", ply + 1));
        position.moves().nth(index as usize).ok_or_else(no_move)
    }

    /// Calls back with each position of the game, its ply, the move that a search found best there, and the move played.
    pub fn each_ply<P: Position>(&self, start: &P, heard: &mut Heard<'_, P>) -> Result<(), String> {
        let mut position = start.clone();
        for (ply, played) in self.record()?.plies.iter().enumerate() {
            let best = played.best().map(|index| self.mv(&position, ply, index)).transpose()?;
            let mv = self.mv(&position, ply, played.played())?;
            heard(&position, ply as u32, best, mv);
            position.play(mv);
        }
        Ok(())
    }
}

/// Who hears of the plies of a game.
type Heard<'a, P> = dyn FnMut(&P, u32, Option<<P as Position>::Move>, <P as Position>::Move) + 'a;

/// Reads some games.
pub fn read(games: &mut dyn Games, numbers: &[usize]) -> Result<Vec<Raw>, String> {
    let read = |&number: &usize| {
        let mut bytes = Vec::new();
        let start = games.read(number, &mut bytes).map_err(|error| format!("game {}: {error}", number + 1))?;
        Ok(Raw { number, start, bytes })
    };
    numbers.iter().map(read).collect()
}

/// A feature of a position, and how often it counts.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub feature: u32,
    pub count: f32,
}

/// A position: what it is to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its ply in the game, and its key.
    pub ply: u32,
    key: u64,
    /// The end of its terms; they begin where those of the sample before end.
    end: u32,
    /// What its value is to predict: a margin, or points from 0 to 1.
    pub target: f32,
    /// The score of its game, if that says something of it.
    pub score: Option<i16>,
}

/// Positions of one game.
#[derive(Default)]
pub struct Block {
    pub samples: Vec<Sample>,
    /// How many plies the game has.
    plies: u32,
    terms: Vec<Term>,
}

impl Block {
    pub fn terms(&self, sample: usize) -> &[Term] {
        let begin = sample.checked_sub(1).map_or(0, |before| self.samples[before].end);
        &self.terms[begin as usize..self.samples[sample].end as usize]
    }
}

/// The positions that are used.
pub struct Selection {
    /// The first ply of each game, counted over all games.
    first: Vec<u64>,
    /// A bit for each ply.
    bits: Vec<u64>,
    /// How many are used.
    pub used: u64,
}

impl Selection {
    fn place(&self, game: usize, ply: u32) -> (usize, u64) {
        let bit = self.first[game] + u64::from(ply);
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    /// Whether a ply's position is used.
    pub fn has(&self, game: usize, ply: u32) -> bool {
        let (word, bit) = self.place(game, ply);
        self.bits[word] & bit != 0
    }

    /// The used positions of a game.
    pub fn positions<P: Position>(&self, replay: &Replay<'_, P>, raw: &Raw) -> Result<Block, String> {
        replay.block(raw, Some(self))
    }
}

/// How positions are gained from games.
pub struct Replay<'a, P: Position> {
    pub learning: &'a Learning<P>,
    /// The start positions, by number.
    pub starts: &'a [P],
    /// How much of the target is what the search of the position expected; the rest is the game's result.
    pub expected: f64,
}

impl<P: Position> Replay<'_, P> {
    /// The positions of a game with their terms: those selected, or all that can be used.
    fn block(&self, raw: &Raw, selection: Option<&Selection>) -> Result<Block, String> {
        let record = raw.record()?;
        // From here on no move is random, and the result is that of the search's own play.
        let own = record.plies.iter().rposition(|ply| ply.is_random()).map_or(0, |last| last + 1);
        let mut position = self.starts[raw.start].clone();
        let mut block = Block { plies: record.plies.len() as u32, ..Block::default() };
        for (ply, played) in record.plies.iter().enumerate() {
            let mv = |index: u32| raw.mv(&position, ply, index);
            let score = record.score.filter(|_| ply >= own);
            let is_used = match selection {
                Some(selection) => selection.has(raw.number, ply as u32),
                None => {
                    played.best().map(mv).transpose()?.is_some_and(|best| (self.learning.is_quiet)(&position, best))
                }
            };
            let target = self.target(played.value(), score);
            if let Some(target) = target.filter(|_| is_used) {
                let terms = &mut block.terms;
                let parts = self.learning.parts as f32;
                let add = &mut |feature, count| {
                    if count != 0 {
                        terms.push(Term { feature: feature as u32, count: count as f32 / parts });
                    }
                };
                (self.learning.terms)(&position, add);
                let (ply, key, end) = (ply as u32, position.key(), block.terms.len() as u32);
                block.samples.push(Sample { ply, key, end, target: target as f32, score });
            }
            let mv = mv(played.played())?;
            position.play(mv);
        }
        Ok(block)
    }

    fn target(&self, value: Option<i16>, score: Option<i16>) -> Option<f64> {
        let value = value.map(|value| f64::from(value) / scale::<P>());
        let points = |score: i16| if P::POINTS { score.into() } else { f64::midpoint(score.signum().into(), 1.0) };
        match (value, score.map(points)) {
            (Some(value), Some(result)) => Some(self.expected * value + (1.0 - self.expected) * result),
            (value, result) => value.or(result),
        }
    }

    /// Chooses the positions to be used. `count` hears of each that is, with the number of its game.
    pub fn select(
        &self,
        games: &mut dyn Games,
        count: &mut dyn FnMut(usize, &Block, usize),
        tell: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Selection, String> {
        let all: Vec<usize> = (0..games.count()).collect();
        let mut selection = Selection { first: Vec::with_capacity(all.len()), bits: Vec::new(), used: 0 };
        // Some 16 bytes a position, for as long as positions are chosen.
        let mut seen = HashSet::new();
        let mut plies = 0u64;
        for numbers in all.chunks(AT_ONCE) {
            let raws = read(games, numbers)?;
            for block in parallel::map(raws, |raw| (raw.number, self.block(&raw, None))) {
                let (game, block) = (block.0, block.1?);
                selection.first.push(plies);
                plies += u64::from(block.plies);
                selection.bits.resize(plies.div_ceil(64) as usize, 0);
                for (index, sample) in block.samples.iter().enumerate() {
                    if seen.insert(sample.key) {
                        let (word, bit) = selection.place(game, sample.ply);
                        selection.bits[word] |= bit;
                        selection.used += 1;
                        count(game, &block, index);
                    }
                }
            }
            if !tell(selection.first.len() as u64, all.len() as u64) {
                return Err(INTERRUPTED.to_owned());
            }
        }
        Ok(selection)
    }
}

/// Games that are read at once when positions are chosen.
pub const AT_ONCE: usize = 1024;

/// What is said of a fit that was broken off.
pub const INTERRUPTED: &str = "interrupted";
