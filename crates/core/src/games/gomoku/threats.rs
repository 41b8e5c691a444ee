//! Fours and what they force: windows kept up to date, the search for a win by fours alone, and alpha-beta search that knows
//! both.
//!
//! In caro a four can be stopped from afar, by closing the five's other end; there a four does not force what it forces
//! elsewhere, and nothing here is used but the windows' worth.

mod defence;
mod engine;
mod evaluator;
mod table;
mod vcf;
mod watched;
mod windows;

pub use engine::Negamax;
pub use evaluator::ThreatEvaluator;
pub use vcf::{Vcf, VcfAnswer};
pub use watched::Watched;
