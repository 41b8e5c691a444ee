//! Which positions of the games are used, what their values are to predict, and their features.
//!
//! Used are quiet positions with a target, each once: the first time that it occurs in any game. A bit for each ply remembers
//! which; all else is read and computed anew in each epoch, so that memory does not limit the number of games.

use std::collections::HashSet;
use std::io;

use tesuji_core::parallel;
use tesuji_core::position::Position;

use crate::records::Record;
use crate::replay::Replay;

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

    pub fn record(&self) -> Result<Record, String> {
        Record::read(&self.bytes).map_err(|error| self.problem(&error))
    }

    /// The move that a ply has by its index.
    pub fn mv<P: Position>(&self, position: &P, ply: usize, index: u32) -> Result<P::Move, String> {
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

impl Term {
    /// The same feature in another set of weights.
    #[inline]
    pub fn of(self, set: i32) -> usize {
        self.feature.wrapping_add_signed(set) as usize
    }
}

/// A position: what it is to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its ply in the game, and its key.
    pub ply: u32,
    pub key: u64,
    /// The end of its terms; they begin where those of the sample before end.
    pub end: u32,
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
    pub plies: u32,
    pub terms: Vec<Term>,
}

impl Block {
    pub fn terms_of(&self, sample: usize) -> &[Term] {
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
}

/// Chooses the positions to be used. `count` hears of each that is, with the number of its game.
pub fn select(
    replay: &dyn Replay,
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
        for block in parallel::map(raws, |raw| (raw.number, replay.block(&raw, None))) {
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

/// Games that are read at once when positions are chosen.
pub const AT_ONCE: usize = 1024;

/// What is said of a fit that was broken off.
pub const INTERRUPTED: &str = "interrupted";
