//! Counts the failures of rules, and takes a game out of service after several.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tesuji_core::custom::{Fault, MoveCells, Rules, State};
use tesuji_core::position::Outcome;

/// Rules with a count of failures.
pub(crate) struct FailureCounter<R> {
    rules: R,
    game: String,
    /// Number of failures after which the game is out of service.
    most: u64,
    failures: AtomicU64,
    last: Mutex<Option<Fault>>,
}

impl<R: Rules> FailureCounter<R> {
    pub fn new(rules: R, game: &str, most: u64) -> Self {
        Self { rules, game: game.to_owned(), most, failures: AtomicU64::new(0), last: Mutex::new(None) }
    }

    #[inline]
    fn counted<T>(&self, function: &'static str, call: impl FnOnce(&R) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.failures.load(Ordering::Relaxed) >= self.most {
            return Err(self.out_of_service(function));
        }
        call(&self.rules).inspect_err(|fault| self.count(fault))
    }

    #[cold]
    fn count(&self, fault: &Fault) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.clone());
    }

    #[cold]
    fn out_of_service(&self, function: &'static str) -> Fault {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let last = last
            .as_ref()
            .map_or_else(String::new, |fault| format!("; the last, in `{}`: {}", fault.function, fault.reason));
        let reason = format!("the game is out of service after {} failures{last}", self.most);
        Fault { game: self.game.clone(), function, reason }
    }
}

impl<R: Rules> Rules for FailureCounter<R> {
    fn identity(&self) -> &str {
        self.rules.identity()
    }

    fn score_limit(&self) -> i16 {
        self.rules.score_limit()
    }

    fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    fn reads_positions(&self) -> bool {
        self.rules.reads_positions()
    }

    fn start(&self, variant: &Value) -> Result<State, Fault> {
        self.counted("start", |rules| rules.start(variant))
    }

    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault> {
        self.counted("moves", |rules| rules.moves(position, moves))
    }

    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault> {
        self.counted("play", |rules| rules.play(position, mv))
    }

    fn write_move(&self, position: &[u8], mv: u32) -> Result<String, Fault> {
        self.counted("move_text", |rules| rules.write_move(position, mv))
    }

    fn write_position(&self, position: &[u8]) -> Result<String, Fault> {
        self.counted("position_text", |rules| rules.write_position(position))
    }

    fn read_position(&self, variant: &Value, text: &str) -> Result<Result<State, String>, Fault> {
        self.counted("parse_position", |rules| rules.read_position(variant, text))
    }

    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault> {
        self.counted("cells", |rules| rules.cells(position))
    }

    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault> {
        self.counted("move_cells", |rules| rules.move_cells(position, mv))
    }

    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault> {
        self.counted("playout", |rules| rules.playout(position, seed))
    }

    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault> {
        self.counted("symmetry", |rules| rules.symmetry(position))
    }

    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault> {
        self.counted("evaluate", |rules| rules.evaluate(position))
    }

    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault> {
        self.counted("priority", |rules| rules.priority(position, mv))
    }
}
