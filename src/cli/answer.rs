//! A search's answer as any client of the API reads it: the parts of the JSON that the terminal shows.

use serde::Deserialize;

/// What a search found.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// The chosen move; none when the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The position searched.
    pub root: Root,
    /// Its moves, best first.
    pub children: Vec<Child>,
    /// Why the search ended.
    pub stop_reason: String,
    /// How long it took.
    pub timing: Timing,
    /// How many threads it had.
    pub threads: Threads,
    /// Who searched.
    pub engine: Engine,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// What is known of a position, from the view of the side to move at the root.
#[derive(Debug, Deserialize)]
pub struct Knowledge {
    /// Win minus loss.
    pub value: Option<f64>,
    /// Chance of a win.
    pub win: Option<f64>,
    /// Chance of a draw.
    pub draw: Option<f64>,
    /// Chance of a loss.
    pub loss: Option<f64>,
    /// The expected margin, in games played for points.
    pub score: Option<Score>,
    /// Whether the value is the value (`exact`) or a limit of it (`lower`, `upper`).
    pub bound: Option<String>,
    /// `win`, `draw` or `loss`, when that is proven.
    pub proven: Option<String>,
    /// Plies to the end of the game, when known.
    pub distance: Option<u32>,
}

/// A margin.
#[derive(Debug, Deserialize)]
pub struct Score {
    /// How many.
    pub value: f64,
    /// Of what.
    pub unit: String,
}

/// The position searched.
#[derive(Debug, Deserialize)]
pub struct Root {
    /// What is known of it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// Simulations made; none for engines that do not simulate.
    pub visits: Option<u64>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions in the tree, or visited.
    pub nodes: u64,
}

/// One move of the root.
#[derive(Debug, Deserialize)]
pub struct Child {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank, from 0.
    pub order: usize,
    /// Simulations that began with it; none for engines that do not simulate.
    pub visits: Option<u64>,
    /// What is known of the position after it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// Plies looked ahead.
    pub depth: u32,
    /// The expected line, the move itself first.
    pub pv: Vec<String>,
}

/// How long a search took.
#[derive(Debug, Deserialize)]
pub struct Timing {
    /// Milliseconds from its start to its end.
    pub search_ms: f64,
}

/// How many threads a search had.
#[derive(Debug, Deserialize)]
pub struct Threads {
    /// Workers.
    pub granted: u32,
}

/// Who searched.
#[derive(Debug, Deserialize)]
pub struct Engine {
    /// The engine's name.
    pub name: String,
    /// The seed in force.
    pub seed: u64,
}
