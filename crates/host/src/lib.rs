//! Games at run time: WebAssembly modules and JavaScript files as [`Rules`](tesuji_core::custom::Rules).
//!
//! A module has no imports, so no clock, no randomness and no input or output: equal calls give equal results. A position is a
//! string of bytes that goes into the module and comes back with every call, and each thread has an instance of its own, so any
//! thread continues any position. Memory, stack and the time of a call are limited; a module that traps or exceeds a limit
//! fails the call, and its instance is discarded.
//!
//! - `complexity`: whether a module compiles in a bounded time; `module`: its bytes, checked and compiled.
//! - `long`: turns within long calls; `guest`: one instance; `rules`: the calls that searches make; `script`: the same for
//!   JavaScript.
//! - `check`: what a game must keep to be accepted.

mod check;
mod complexity;
mod guest;
mod load;
mod long;
mod module;
mod rules;
mod script;
mod watched;

pub use check::{Effort, Nanoseconds, Report, check};
pub use load::load;
pub use module::LoadError;
pub use tesuji_core::custom::{Kind, Limits};
