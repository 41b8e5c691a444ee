//! Games at run time: WebAssembly modules as [`Rules`](tesuji_core::custom::Rules).
//!
//! A module has no imports, so no clock, no randomness and no input or output: equal calls give equal results. A position is a
//! string of bytes that goes into the module and comes back with every call, and each thread has an instance of its own, so any
//! thread continues any position. Memory, stack and the time of a call are limited; a module that traps or exceeds a limit
//! fails the call, and its instance is discarded.
//!
//! - `module`: a module's bytes, checked and compiled; `guest`: one instance; `rules`: the calls that searches make.

mod guest;
mod load;
mod module;
mod rules;
mod watched;

use std::time::Duration;

pub use load::load;
pub use module::LoadError;

/// The kind of a game's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A WebAssembly module.
    Module,
    /// JavaScript.
    Script,
}

impl Kind {
    /// The kind of bytes: a module begins with `\0asm`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"\0asm") { Self::Module } else { Self::Script }
    }
}

/// Limits of every module.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a module.
    pub module: usize,
    /// Bytes of an instance's memory.
    pub memory: usize,
    /// The time of one call.
    pub call: Duration,
    /// Bytes of a position.
    pub position: usize,
    /// Legal moves of a position.
    pub moves: usize,
    /// Failures of a game before it goes out of service.
    pub failures: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            module: 1 << 20,
            memory: 16 << 20,
            call: Duration::from_millis(100),
            position: 4096,
            moves: 4096,
            failures: 20,
        }
    }
}
