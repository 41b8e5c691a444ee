//! The programs compared, each behind the same function.

mod board_game;
mod minimax;
mod tesuji;

/// A program to measure.
pub struct Peer {
    pub name: &'static str,
    /// Searches the empty board and frees its tree. A simulation is one descent from the root; it is seeded where the program
    /// takes a seed. Panics when the program made another number of simulations than it was asked for.
    pub search: fn(simulations: u32, seed: u64),
}

/// In the order in which they take their turns. The first is the one the others are compared with.
pub const ALL: [Peer; 5] = [
    Peer { name: "tesuji", search: tesuji::search },
    Peer { name: "minimax 0.6, default options", search: minimax::search_by_default },
    Peer { name: "minimax 0.6, tuned", search: minimax::search },
    Peer { name: "board-game 0.8, its own rules", search: board_game::search_its_own },
    Peer { name: "board-game 0.8, our rules", search: board_game::search },
];
