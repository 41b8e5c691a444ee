//! Principal variation search (Marsland and Campbell 1982) with a transposition table, sharpened by what a game's [`Evaluator`]
//! knows: below the root of the small games, and where proofs need all moves at full width.
//!
//! - `visit`: the recursion; `ordering`: the order in which moves are tried, and what it learns from.
//! - `quiescence`: captures and answers to threats, below the horizon.
//! - `worker`: what the recursion needs besides the position; `table`: what is known of positions.

mod evaluator;
mod ordering;
mod quiescence;
mod table;
mod visit;
mod worker;

pub use evaluator::{Evaluator, Known, Part, Question};

pub(crate) use table::{Entry, Table};
pub(crate) use worker::{After, Course, DEEPEST, Worker};
