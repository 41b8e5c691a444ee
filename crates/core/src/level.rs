//! Levels of play: how far each searches, and how precisely it chooses.

/// How one level of a game plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The engine.
    pub engine: &'static str,
    /// The limit of its search.
    pub work: Work,
    /// The loss, of a value in [-1, 1], at which a move is chosen e times less often than the best.
    pub spread: f64,
}

/// The limit of a level's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Plies.
    Depth(u64),
    /// Positions.
    Nodes(u64),
    /// Simulations.
    Simulations(u64),
}

/// The levels below full strength, the weakest first.
pub type Levels = [Level; 9];

impl Level {
    /// A level of alpha-beta search, limited by depth.
    #[must_use]
    pub const fn depth(depth: u64, spread: f64) -> Self {
        Self { engine: "negamax", work: Work::Depth(depth), spread }
    }

    /// A level of alpha-beta search, limited by positions.
    #[must_use]
    pub const fn nodes(nodes: u64, spread: f64) -> Self {
        Self { engine: "negamax", work: Work::Nodes(nodes), spread }
    }

    /// A level of Monte-Carlo tree search.
    #[must_use]
    pub const fn simulations(simulations: u64, spread: f64) -> Self {
        Self { engine: "mcts", work: Work::Simulations(simulations), spread }
    }
}

/// The levels of an uncalibrated game: Monte-Carlo tree search, which plays any game.
pub const GENERIC_LEVELS: Levels = [
    Level::simulations(10, 0.8),
    Level::simulations(20, 0.5),
    Level::simulations(50, 0.35),
    Level::simulations(100, 0.25),
    Level::simulations(250, 0.18),
    Level::simulations(600, 0.12),
    Level::simulations(1500, 0.08),
    Level::simulations(4000, 0.05),
    Level::simulations(12_000, 0.02),
];
