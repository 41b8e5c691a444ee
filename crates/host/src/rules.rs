//! The calls that searches make, each on an instance of the calling thread.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;
use tesuji_core::custom::{Bytes, Fault, MoveCells, Rules, State, Status};
use tesuji_core::position::{Outcome, Side};

use crate::guest::{BUFFER, Failed, Functions, Guest};
use crate::module::Module;

/// Instances kept per thread, for games searched in turn.
const KEPT: usize = 4;

thread_local! {
    /// Instances of this thread, each with its module's id, the most recently used first.
    static GUESTS: RefCell<Vec<(u64, Guest)>> = const { RefCell::new(Vec::new()) };
}

/// The rules of a module.
#[derive(Debug)]
pub struct ModuleRules {
    module: Module,
    name: String,
    identity: String,
    score_limit: i16,
}

impl ModuleRules {
    /// The rules of a module under the name and limit of its description.
    pub(crate) fn new(module: Module, name: &str, hash: &str, score_limit: i16) -> Self {
        Self { module, name: name.to_owned(), identity: format!("{name}@{hash}"), score_limit }
    }

    /// Calls a function on this thread's instance, which is discarded if the call fails.
    fn call<T>(
        &self,
        function: &'static str,
        work: impl FnOnce(&mut Guest, &Functions) -> Result<T, Failed>,
    ) -> Result<T, Fault> {
        let fault = |reason| Fault { game: self.name.clone(), function, reason };
        GUESTS.with_borrow_mut(|guests| {
            match guests.iter().position(|(id, _)| *id == self.module.id) {
                Some(0) => {}
                Some(index) => guests[..=index].rotate_right(1),
                None => {
                    guests.truncate(KEPT - 1);
                    let guest = self.module.instantiate().map_err(|error| fault(error.to_string()))?;
                    guests.insert(0, (self.module.id, guest));
                }
            }
            let guest = &mut guests[0].1;
            // Local to this thread; cloning a function would update a reference count that all threads share.
            let functions = Rc::clone(&guest.functions);
            work(guest, &functions).map_err(|reason| {
                guests.remove(0);
                fault(reason)
            })
        })
    }

    /// The position that a function left in the buffer.
    fn state(&self, guest: &Guest, packed: u64) -> Result<State, Failed> {
        let (length, status) = (packed as u32 as usize, (packed >> 32) as u32);
        if length > self.module.limits.position {
            return Err(format!("a position of {length} bytes; expected at most {}", self.module.limits.position));
        }
        Ok(State { bytes: Bytes::from_slice(guest.bytes(length)?), status: self.status(status)? })
    }

    /// Reads a status: bit 0 the side to move, bits 1 and 2 the result, the upper half the margin.
    fn status(&self, bits: u32) -> Result<Status, Failed> {
        let turn = if bits & 1 == 0 { Side::First } else { Side::Second };
        let margin = (bits >> 16) as i16;
        let outcome = match bits >> 1 & 3 {
            0 => None,
            _ if self.is_for_points() => Some(Outcome::points(margin, REASON)),
            1 => Some(Outcome::win(Side::First, REASON)),
            2 => Some(Outcome::win(Side::Second, REASON)),
            _ => Some(Outcome::draw(REASON)),
        };
        match outcome {
            Some(outcome) if outcome.score().abs() > self.score_limit => {
                Err(format!("a score of {}; the description's limit is {}", outcome.score(), self.score_limit))
            }
            _ => Ok(Status { turn, outcome }),
        }
    }

    const fn is_for_points(&self) -> bool {
        self.score_limit > 1
    }
}

/// The reason for the end of every game, as a word of the API.
pub(crate) const REASON: &str = "rules";

/// Bytes in hexadecimal: the text of positions where the module exports no `position_text`.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Rules for ModuleRules {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn score_limit(&self) -> i16 {
        self.score_limit
    }

    fn start(&self, variant: &Value) -> Result<State, Fault> {
        let variant = variant.to_string();
        self.call("start", |guest, functions| {
            guest.put(0, variant.as_bytes())?;
            let packed = guest.call(&functions.start, variant.len() as u32)?;
            self.state(guest, packed)
        })
    }

    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault> {
        self.call("moves", |guest, functions| {
            guest.put(0, position)?;
            let count = guest.call(&functions.moves, position.len() as u32)? as usize;
            if count > self.module.limits.moves {
                return Err(format!("{count} moves; expected at most {}", self.module.limits.moves));
            }
            let (codes, _) = guest.bytes(count * 4)?.as_chunks::<4>();
            moves.extend(codes.iter().map(|code| u32::from_le_bytes(*code)));
            Ok(())
        })
    }

    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault> {
        self.call("play", |guest, functions| {
            guest.put(0, position)?;
            let packed = guest.call(&functions.play, (position.len() as u32, mv))?;
            self.state(guest, packed)
        })
    }

    fn write_move(&self, position: &[u8], mv: u32) -> Result<String, Fault> {
        self.call("move_text", |guest, functions| {
            guest.put(0, position)?;
            let length = guest.call(&functions.move_text, (position.len() as u32, mv))?;
            Ok(guest.text(length)?.to_owned())
        })
    }

    fn write_position(&self, position: &[u8]) -> Result<String, Fault> {
        self.call("position_text", |guest, functions| {
            let Some(function) = &functions.position_text else { return Ok(hexadecimal(position)) };
            guest.put(0, position)?;
            let length = guest.call(function, position.len() as u32)?;
            Ok(guest.text(length)?.to_owned())
        })
    }

    fn reads_positions(&self) -> bool {
        self.module.reads_positions
    }

    fn read_position(&self, variant: &Value, text: &str) -> Result<Result<State, String>, Fault> {
        let start = self.start(variant)?;
        self.call("parse_position", |guest, functions| {
            let Some(function) = &functions.parse_position else {
                return Ok(Err("the game reads no positions; expected moves from the start".to_owned()));
            };
            if start.bytes.len() + text.len() > BUFFER {
                return Ok(Err("the text is too long".to_owned()));
            }
            guest.put(0, &start.bytes)?;
            guest.put(start.bytes.len(), text.as_bytes())?;
            let packed = guest.call(function, (start.bytes.len() as u32, text.len() as u32))?;
            // This value in place of a status marks a refusal; the bytes are its reason.
            match packed >> 32 {
                0xffff_ffff => Ok(Err(guest.text(packed as u32)?.to_owned())),
                _ => self.state(guest, packed).map(Ok),
            }
        })
    }

    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault> {
        self.call("cells", |guest, functions| {
            let Some(function) = &functions.cells else { return Ok(Vec::new()) };
            guest.put(0, position)?;
            let length = guest.call(function, position.len() as u32)?;
            let text = guest.text(length)?;
            serde_json::from_str(text).map_err(|error| format!("expected an array of strings: {error}"))
        })
    }

    fn move_cells(&self, position: &[u8], mv: u32) -> Result<MoveCells, Fault> {
        self.call("move_cells", |guest, functions| {
            let Some(function) = &functions.move_cells else { return Ok(MoveCells::default()) };
            guest.put(0, position)?;
            let length = guest.call(function, (position.len() as u32, mv))?;
            let text = guest.text(length)?;
            serde_json::from_str(text).map_err(|error| format!("expected an object of cells: {error}"))
        })
    }

    fn playout(&self, position: &[u8], seed: u64) -> Result<Option<Outcome>, Fault> {
        self.call("playout", |guest, functions| {
            let Some(function) = &functions.playout else { return Ok(None) };
            guest.put(0, position)?;
            let bits = guest.call(function, (position.len() as u32, seed))?;
            let outcome = self.status(bits)?.outcome;
            outcome.map(Some).ok_or_else(|| "it ended before the game".to_owned())
        })
    }

    fn symmetry(&self, position: &[u8]) -> Result<Option<u64>, Fault> {
        self.call("symmetry", |guest, functions| {
            let Some(function) = &functions.symmetry else { return Ok(None) };
            guest.put(0, position)?;
            guest.call(function, position.len() as u32).map(Some)
        })
    }

    fn evaluate(&self, position: &[u8]) -> Result<i32, Fault> {
        self.call("evaluate", |guest, functions| {
            let Some(function) = &functions.evaluate else { return Ok(0) };
            guest.put(0, position)?;
            guest.call(function, position.len() as u32)
        })
    }

    fn priority(&self, position: &[u8], mv: u32) -> Result<Option<i32>, Fault> {
        self.call("priority", |guest, functions| {
            let Some(function) = &functions.priority else { return Ok(None) };
            guest.put(0, position)?;
            guest.call(function, (position.len() as u32, mv)).map(Some)
        })
    }
}
