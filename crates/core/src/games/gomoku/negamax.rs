//! Alpha-beta search for Gomoku: a search for a win by fours first (`forced`), then the generic search at the root, which hands
//! each move to Gomoku's own search (`evaluator`).

mod evaluator;
mod forced;
mod threat;

pub use evaluator::ThreatEvaluator;
pub(super) use forced::search_wins_first;
