//! The positions that fits use: their selection, targets and features.
//!
//! A fit uses quiet positions with a target, each once: at its first occurrence in any game. The selection takes one bit per
//! ply; everything else is read and computed again in each epoch, so that memory does not limit the number of games.

use std::io;

use tesuji_core::learned::NetworkInput;
use tesuji_core::position::Position;

use crate::records::Record;

/// A source of games.
pub trait Games {
    /// The number of games.
    fn count(&self) -> usize;

    /// Reads a game's bytes (without its frame) into `bytes`. Returns the index of its start position.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&mut self, game: usize, bytes: &mut Vec<u8>) -> io::Result<usize>;
}

/// An undecoded game.
pub struct Raw {
    pub number: usize,
    pub start: usize,
    bytes: Vec<u8>,
}

impl Raw {
    /// An error message that names this game.
    fn problem(&self, problem: &str) -> String {
        format!("game {}: {problem}", self.number + 1)
    }

    pub fn record(&self) -> Result<Record, String> {
        Record::read(&self.bytes).map_err(|error| self.problem(&error))
    }

    /// The legal move of this index at a ply.
    pub fn mv<P: Position>(&self, position: &P, ply: usize, index: u32) -> Result<P::Move, String> {
        let no_move = || self.problem(&format!("ply {} has no legal move number {index}", ply + 1));
        position.moves().nth(index as usize).ok_or_else(no_move)
    }

    /// Calls `on_ply` with each position of the game, its ply, the move that a search found best there, and the move played.
    pub fn each_ply<P: Position>(&self, start: &P, on_ply: &mut OnPly<'_, P>) -> Result<(), String> {
        let mut position = start.clone();
        for (ply, played) in self.record()?.plies.iter().enumerate() {
            let best = played.best().map(|index| self.mv(&position, ply, index)).transpose()?;
            let mv = self.mv(&position, ply, played.played())?;
            on_ply(&position, ply as u32, best, mv);
            position.play(mv);
        }
        Ok(())
    }
}

/// The callback of [`Raw::each_ply`].
type OnPly<'a, P> = dyn FnMut(&P, u32, Option<<P as Position>::Move>, <P as Position>::Move) + 'a;

/// Reads some games.
pub fn read(games: &mut dyn Games, numbers: &[usize]) -> Result<Vec<Raw>, String> {
    let read = |&number: &usize| {
        let mut bytes = Vec::new();
        let start = games.read(number, &mut bytes).map_err(|error| format!("game {}: {error}", number + 1))?;
        Ok(Raw { number, start, bytes })
    };
    numbers.iter().map(read).collect()
}

/// A feature of a position, and its count.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub feature: u32,
    pub count: f32,
}

impl Term {
    /// The index of the feature in another set of weights, at offset `set`.
    #[inline]
    pub fn of(self, set: i32) -> usize {
        self.feature.wrapping_add_signed(set) as usize
    }
}

/// The sum of terms under these weights.
pub fn dot(weights: &[f32], terms: &[Term]) -> f64 {
    terms.iter().map(|term| f64::from(weights[term.feature as usize]) * f64::from(term.count)).sum()
}

/// A position and its target.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its ply in the game, and its key.
    pub ply: u32,
    pub key: u64,
    /// The end of its terms, which begin at the end of the previous sample's.
    pub end: u32,
    /// The target of its value: a margin, or points from 0 to 1.
    pub target: f32,
    /// The score of its game, unless the move played or a later one was random.
    pub score: Option<i16>,
}

/// Positions of one game.
#[derive(Default)]
pub struct Block {
    pub samples: Vec<Sample>,
    /// Number of plies of the game.
    pub plies: u32,
    pub terms: Vec<Term>,
}

impl Block {
    pub fn terms_of(&self, sample: usize) -> &[Term] {
        let begin = sample.checked_sub(1).map_or(0, |before| self.samples[before].end);
        &self.terms[begin as usize..self.samples[sample].end as usize]
    }
}

/// A position for a fit of the network.
pub struct Example {
    pub input: NetworkInput,
    /// The value without the network and the target of the corrected value, for the side to move.
    pub value: f64,
    pub target: f64,
}

/// The positions that a fit uses.
#[derive(Default)]
pub struct Selection {
    /// The index of each game's first ply, counted over all games, and the number of all plies.
    first: Vec<u64>,
    plies: u64,
    /// A bit for each ply.
    bits: Vec<u64>,
}

impl Selection {
    /// Adds the next game, with no position selected.
    pub fn add_game(&mut self, plies: u32) {
        self.first.push(self.plies);
        self.plies += u64::from(plies);
        self.bits.resize(self.plies.div_ceil(64) as usize, 0);
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.first.len()
    }

    /// Selects a ply's position.
    pub fn add(&mut self, game: usize, ply: u32) {
        let (word, bit) = self.place(game, ply);
        self.bits[word] |= bit;
    }

    fn place(&self, game: usize, ply: u32) -> (usize, u64) {
        let bit = self.first[game] + u64::from(ply);
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    /// Whether a ply's position is used.
    pub fn has(&self, game: usize, ply: u32) -> bool {
        let (word, bit) = self.place(game, ply);
        self.bits[word] & bit != 0
    }
}

/// Games read at once, except in the passes of the optimiser.
pub const GAMES_AT_ONCE: usize = 1024;

/// The error message of an interrupted fit.
pub const INTERRUPTED: &str = "interrupted";
