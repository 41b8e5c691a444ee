//! Games added at run time: WebAssembly modules and JavaScript files as [`Rules`](tesuji_core::custom::Rules).
//!
//! A module has no imports, hence no clock, randomness, input or output: equal calls give equal results. A position is a byte
//! string that is passed to the module and returned with every call, and each thread has a separate instance, so that any
//! thread can continue any position. Memory, stack and time of a call are limited. If a module traps or exceeds a limit, the
//! call fails and its instance is discarded.
//!
//! - `complexity`: bounds the time of compilation; `module`: checks and compiles a module.
//! - `long`: yields the core during long calls; `guest`: one instance; `rules`: the calls that searches make; `script`: the
//!   same for JavaScript.
//! - `check`: the checks that a game must pass to be accepted; `load_error`: why a game is refused.

mod check;
mod complexity;
mod failure_counter;
mod guest;
mod load;
mod load_error;
mod long;
mod module;
mod rules;
mod script;

pub use check::{Effort, Nanoseconds, Report, check};
pub use load::load;
pub use load_error::LoadError;
pub use tesuji_core::custom::{Kind, Limits};
