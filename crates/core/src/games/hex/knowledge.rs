//! What can be known of a position of Hex without playing it on: which cells cannot matter, and which stones are as good as
//! connected.
//!
//! - `grid`: the cells of a board, their neighbours and edges.
//! - `inferior`: cells that are dead, captured, dominated or vulnerable.
//! - `connections`: virtual connections, found from smaller ones (H-search).
//! - `flow`: how much of both sides' play goes through each cell, as an estimate.
//! - `judge`: the first three together: who wins, or which moves can.

mod connections;
mod flow;
mod grid;
mod inferior;
mod judge;

pub use flow::flow;
pub use grid::{Grid, Stones};
pub use judge::{Judge, Judgement};
