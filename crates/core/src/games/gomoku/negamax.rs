//! Alpha-beta search for Gomoku: a search for a win by fours first (`engine`), then the generic search at the root, which hands
//! each move to Gomoku's own search (`evaluator`).

mod engine;
mod evaluator;
mod watched;

pub use engine::Negamax;
pub use evaluator::ThreatEvaluator;
pub use watched::Watched;
