//! The levels below full strength, calibrated by matches (docs/measurements/levels.md).

use crate::level::{Level, Levels};

/// All use Monte-Carlo tree search, since the solver cannot play weakly.
pub const LEVELS: Levels = [
    Level::simulations(30, 0.9),
    Level::simulations(30, 0.8),
    Level::simulations(60, 0.4),
    Level::simulations(110, 0.24),
    Level::simulations(220, 0.13),
    Level::simulations(440, 0.073),
    Level::simulations(1000, 0.036),
    Level::simulations(2600, 0.016),
    Level::simulations(10_000, 0.003),
];
