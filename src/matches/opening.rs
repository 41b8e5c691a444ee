//! Openings: from a file, or a few random moves that leave both sides a chance.

use crate::protocols::clock::Time;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Rules;
use super::contestant::{CatalogEngine, run};
use super::played_game::{Opening, PlayedGame};
use tesuji_core::catalog::{BudgetRequest, Policy};
use tesuji_core::rng::Rng;

/// The source of openings.
#[derive(Debug)]
pub enum Openings {
    /// These, in order and repeatedly.
    Given(Vec<Arc<Opening>>),
    /// Random ones.
    Random(Random),
}

/// Random openings, drawn on demand.
#[derive(Debug)]
pub struct Random {
    /// The common first moves.
    begin: Vec<String>,
    /// The number of random moves.
    plies: u32,
    /// The maximum imbalance by a quick search: win minus loss, in [0, 1].
    balance: f64,
    drawn: Mutex<HashMap<u64, Arc<OnceLock<Arc<Opening>>>>>,
}

/// The nodes of a quick search of an opening.
const QUICK_NODES: u64 = 10_000;

/// Attempts before the best opening so far is taken.
const DRAWS: u32 = 40;

/// Openings have enough random moves for at least this many distinct openings, and for this many times those needed, so that
/// few are repeated.
const VARIETY: u64 = 1000;
const SPARE: u64 = 20;

/// The maximum number of random moves, even if they make few openings.
const MOST_PLIES: u32 = 8;

impl Openings {
    /// Reads one opening per line: moves from the start, or `POSITION | MOVES`; `#` begins a comment line. Openings whose
    /// imbalance by a quick search exceeds `balance` are left out. Returns the number of openings in the text, too.
    ///
    /// # Errors
    /// The first line that is not an opening, or that none is left.
    pub fn read(
        text: &str,
        rules: &Rules<'_>,
        begin: &[String],
        policy: &Policy,
        balance: f64,
    ) -> Result<(Self, usize), String> {
        let mut openings = Vec::new();
        let mut read = 0;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening =
                Opening::read(line, rules, begin).map_err(|problem| format!("line {}: {problem}", index + 1))?;
            read += 1;
            if balance >= 1.0 || opening.imbalance(rules, policy, index as u64) <= balance {
                openings.push(Arc::new(opening));
            }
        }
        match openings.is_empty() {
            false => Ok((Self::Given(openings), read)),
            true if read == 0 => Err("the file has no openings".to_owned()),
            true => Err(format!("none of the {read} openings is balanced enough: raise --balance")),
        }
    }

    /// Random openings of this many plies, or of enough plies for distinct openings of `pairs` pairs.
    ///
    /// # Errors
    /// When the common moves are refused, or end the game.
    pub fn random(
        rules: &Rules<'_>,
        begin: Vec<String>,
        plies: Option<u32>,
        pairs: u64,
        balance: f64,
    ) -> Result<Self, String> {
        let start = Opening { position: None, moves: begin.clone() };
        let session = rules.open(&start).map_err(|refusal| refusal.to_string())?;
        if session.outcome().is_some() {
            return Err("the game is over before the first move".to_owned());
        }
        let plies = plies.unwrap_or_else(|| {
            let enough = VARIETY.max(pairs.saturating_mul(SPARE));
            (1..MOST_PLIES).find(|&plies| session.perft(plies) >= enough).unwrap_or(MOST_PLIES)
        });
        Ok(Self::Random(Random { begin, plies, balance, drawn: Mutex::default() }))
    }

    /// The opening of a pair, counted from 0.
    pub(super) fn opening(&self, rules: &Rules<'_>, policy: &Policy, seed: u64, pair: u64) -> Arc<Opening> {
        match self {
            Self::Given(openings) => Arc::clone(&openings[(pair % openings.len() as u64) as usize]),
            Self::Random(random) => {
                let mut drawn = random.drawn.lock().unwrap_or_else(PoisonError::into_inner);
                let cell = Arc::clone(drawn.entry(pair).or_default());
                drop(drawn);
                Arc::clone(cell.get_or_init(|| Arc::new(random.draw(rules, policy, seed, pair))))
            }
        }
    }

    /// The number of openings; `None` if they are drawn without end.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Given(openings) => Some(openings.len()),
            Self::Random(_) => None,
        }
    }

    /// A short description.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Given(openings) if openings.len() == 1 => "1 opening".to_owned(),
            Self::Given(openings) => format!("{} openings", openings.len()),
            Self::Random(Random { plies: 1, .. }) => "openings of 1 random ply".to_owned(),
            Self::Random(Random { plies, .. }) => format!("openings of {plies} random plies"),
        }
    }
}

impl Opening {
    fn read(line: &str, rules: &Rules<'_>, begin: &[String]) -> Result<Self, String> {
        let (position, moves) = match line.split_once('|') {
            Some((position, moves)) => (Some(position.trim().to_owned()), moves.trim()),
            None => (None, line),
        };
        // The common moves begin at the start position.
        let begin = if position.is_some() { &[] } else { begin };
        let mut opening = Self { position, moves: begin.to_vec() };
        let session = rules.open(&opening).map_err(|refusal| refusal.detail)?;
        if !moves.is_empty() {
            opening.moves.extend(session.read_moves(moves).map_err(|illegal| illegal.to_string())?);
        }
        match rules.open(&opening).map_err(|refusal| refusal.detail)?.outcome() {
            None => Ok(opening),
            Some(ended) => Err(format!("the game is over after it ({})", ended.result.reason)),
        }
    }

    /// The imbalance by a quick search of the game's strongest engine, from 0 to 1.
    fn imbalance(&self, rules: &Rules<'_>, policy: &Policy, seed: u64) -> f64 {
        let quick_search = CatalogEngine {
            budget: BudgetRequest { nodes: Some(QUICK_NODES), memory_mb: Some(16), ..BudgetRequest::default() },
            ..CatalogEngine::default()
        };
        let value = || {
            let game = PlayedGame::new(rules, self).ok()?;
            let search = quick_search.prepare(&game, policy, seed, Time::default()).ok()?;
            Some(run(&*search).ok()?.root.outlook?.value().abs())
        };
        value().unwrap_or(1.0)
    }
}

impl Random {
    /// The first balanced opening drawn, or the most balanced of many.
    fn draw(&self, rules: &Rules<'_>, policy: &Policy, seed: u64, pair: u64) -> Opening {
        let mut rng = Rng::new(seed, pair);
        // If this many random moves always end the game, fewer are tried. Zero moves never end it.
        (0..=self.plies).rev().find_map(|plies| self.draw_of(plies, &mut rng, rules, policy)).unwrap_or_default()
    }

    fn draw_of(&self, plies: u32, rng: &mut Rng, rules: &Rules<'_>, policy: &Policy) -> Option<Opening> {
        let mut best: Option<(f64, Opening)> = None;
        for draw in 0..DRAWS {
            let Some(opening) = self.random_line(plies, rng, rules) else { continue };
            let imbalance = if self.balance >= 1.0 { 0.0 } else { opening.imbalance(rules, policy, draw.into()) };
            if imbalance <= self.balance {
                return Some(opening);
            }
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, opening));
            }
        }
        best.map(|(_, opening)| opening)
    }

    fn random_line(&self, plies: u32, rng: &mut Rng, rules: &Rules<'_>) -> Option<Opening> {
        let mut opening = Opening { position: None, moves: self.begin.clone() };
        let mut session = rules.open(&opening).ok()?;
        for _ in 0..plies {
            let mut moves = session.legal_moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves.swap_remove(rng.below(moves.len() as u32) as usize);
            session.play(&mv).ok()?;
            opening.moves.push(mv);
        }
        session.outcome().is_none().then_some(opening)
    }
}
