//! A position of a game whose rules are known at run time.

use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

use super::{Fault, Rules, State};
use crate::position::{IllegalMove, Outcome, Position, Side};
use crate::rng::{Rng, mix};

/// A position; `POINTS` states whether the game is for points, `EVALUATES` whether its rules evaluate positions and order
/// moves.
#[derive(Clone)]
pub struct Custom<const POINTS: bool, const EVALUATES: bool> {
    rules: Arc<dyn Rules>,
    state: State,
    key: u64,
    ply: u32,
}

/// A move by its number in the rules. Its text comes from [`Game::write_move`](crate::games::Game::write_move).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub u32);

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The result of rules that did not fail; a failure unwinds the search or the request.
pub(super) fn ok_or_unwind<T>(result: Result<T, Fault>) -> T {
    result.unwrap_or_else(|fault| fault.unwind())
}

fn key_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain(std::iter::once(&last)).map(|word| u64::from_le_bytes(*word));
    words.fold(mix(bytes.len() as u64), |key, word| mix(key ^ word))
}

impl<const POINTS: bool, const EVALUATES: bool> Custom<POINTS, EVALUATES> {
    pub(super) fn new(rules: Arc<dyn Rules>, state: State) -> Self {
        let key = key_of(&state.bytes);
        Self { rules, state, key, ply: 0 }
    }

    pub(super) fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// Its bytes and status.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.state.bytes
    }

    /// The first legal move, unless the game is over.
    pub(crate) fn first_move(&self) -> Option<Code> {
        self.codes().first().copied().map(Code)
    }

    fn codes(&self) -> Vec<u32> {
        let mut codes = Vec::new();
        if self.state.status.outcome.is_none() {
            ok_or_unwind(self.rules.moves(&self.state.bytes, &mut codes));
        }
        codes
    }
}

impl<const POINTS: bool, const EVALUATES: bool> Display for Custom<POINTS, EVALUATES> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&ok_or_unwind(self.rules.write_position(&self.state.bytes)))
    }
}

impl<const POINTS: bool, const EVALUATES: bool> Debug for Custom<POINTS, EVALUATES> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom").field("game", &self.rules.identity()).field("state", &self.state).finish()
    }
}

impl<const POINTS: bool, const EVALUATES: bool> Position for Custom<POINTS, EVALUATES> {
    type Move = Code;

    const POINTS: bool = POINTS;
    const MOVES_ARE_RELATIVE: bool = true;

    fn turn(&self) -> Side {
        self.state.status.turn
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.status.outcome
    }

    fn score_limit(&self) -> i16 {
        self.rules.score_limit()
    }

    fn moves(&self) -> impl Iterator<Item = Code> {
        self.codes().into_iter().map(Code)
    }

    fn play(&mut self, mv: Code) {
        self.state = ok_or_unwind(self.rules.play(&self.state.bytes, mv.0));
        self.key = key_of(&self.state.bytes);
        self.ply += 1;
    }

    fn parse_move(&self, text: &str) -> Result<Code, IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        let codes = self.codes();
        let written = |code: u32| ok_or_unwind(self.rules.write_move(&self.state.bytes, code));
        codes.iter().find(|&&code| written(code) == text).map(|&code| Code(code)).ok_or_else(|| {
            let some: Vec<String> = codes.iter().take(5).map(|&code| format!("`{}`", written(code))).collect();
            IllegalMove::new(text, format!("expected a legal move, such as {}", some.join(", ")))
        })
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn random_move(&self, rng: &mut Rng) -> Code {
        let codes = self.codes();
        Code(codes[rng.below(codes.len() as u32) as usize])
    }
}
