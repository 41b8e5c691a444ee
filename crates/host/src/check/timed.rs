//! Rules with a limit of CPU time, so that the check of a game ends even if each of its calls is slow.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::Value;
use tesuji_core::custom::{Fault, MoveCells, Rules, State};
use tesuji_core::position::Outcome;

/// Rules that fail from a CPU time of the calling thread on.
pub(super) struct Timed {
    rules: Arc<dyn Rules>,
    end: Duration,
}

impl Timed {
    pub const fn new(rules: Arc<dyn Rules>, end: Duration) -> Self {
        Self { rules, end }
    }

    /// The rules, while there is time left for a call.
    fn on_time(&self, function: &'static str) -> Result<&dyn Rules, Fault> {
        if ThreadTime::now().as_duration() < self.end {
            return Ok(&*self.rules);
        }
        let game = self.rules.identity().split('@').next().unwrap_or_default().to_owned();
        Err(Fault { game, function, reason: "the game is too slow to be checked".to_owned() })
    }
}

impl Rules for Timed {
    fn identity(&self) -> &str {
        self.rules.identity()
    }

    fn score_limit(&self) -> i16 {
        self.rules.score_limit()
    }

    fn failures(&self) -> u64 {
        self.rules.failures()
    }

    fn reads_positions(&self) -> bool {
        self.rules.reads_positions()
    }

    fn start(&self, variant: &Value) -> Result<State, Fault> {
        self.on_time("start")?.start(variant)
    }

    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault> {
        self.on_time("moves")?.moves(position, moves)
    }

    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault> {
        self.on_time("play")?.play(position, mv)
    }

    fn write_move(&self, position: &[u8], mv: u32) -> Result<String, Fault> {
        self.on_time("move_text")?.write_move(position, mv)
    }

    fn write_position(&self, position: &[u8]) -> Result<String, Fault> {
        self.on_time("position_text")?.write_position(position)
    }

    fn read_position(&self, variant: &Value, text: &str) -> Result<Result<State, String>, Fault> {
        self.on_time("parse_position")?.read_position(variant, text)
    }

    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault> {
        self.on_time("cells")?.cells(position)
    }

    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault> {
        self.on_time("move_cells")?.move_cells(position, mv)
    }

    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault> {
        self.on_time("playout")?.playout(position, seed)
    }

    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault> {
        self.on_time("symmetry")?.symmetry(position)
    }

    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault> {
        self.on_time("evaluate")?.evaluate(position)
    }

    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault> {
        self.on_time("priority")?.priority(position, mv)
    }
}
