//! The crate `minimax`. It brings no Connect Four, so it gets ours. Its exploration is fixed (in tesuji's units at c = 1.2,
//! since it takes the binary logarithm), and it takes no seed.

use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand_09::RngCore;
use rand_09::rngs::SmallRng;

use crate::connect_four::{Board, End};

/// With the crate's own playouts and its default of expanding a node on its first visit.
pub fn search_by_default(simulations: u32, _seed: u64) {
    run(MonteCarloTreeSearch::new(options()), simulations);
}

/// With the best that its options allow: nodes are expanded on the second visit, which grows the same tree as tesuji's and
/// allocates less, and playouts draw their moves without listing them.
pub fn search(simulations: u32, _seed: u64) {
    let options = options().with_rollouts_before_expanding(1);
    run(MonteCarloTreeSearch::new_with_policy(options, Box::new(Uniform)), simulations);
}

fn options() -> MCTSOptions {
    MCTSOptions::default().with_num_threads(1)
}

fn run(mut search: MonteCarloTreeSearch<ConnectFour>, simulations: u32) {
    // Exactly so many descents are made: it reports no count, but only a time limit, which this call takes away, ends its loop
    // earlier.
    search.set_max_rollouts(simulations);
    search.choose_move(&Board::default()).expect("the empty board has moves");
}

struct ConnectFour;

impl Game for ConnectFour {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            moves.extend(board.open_columns());
        }
        winner
    }

    /// Copies: 16 bytes cost less than taking a move back.
    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        let mut next = *board;
        next.play(column);
        Some(next)
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        board.end().map(|end| match end {
            End::Line => Winner::PlayerJustMoved,
            End::Full => Winner::Draw,
        })
    }
}

/// Uniform random moves without a list of them: the crate's own policy fills a vector at every ply.
struct Uniform;

impl RolloutPolicy for Uniform {
    type G = ConnectFour;

    fn random_move(&self, board: &mut Board, _: &mut Vec<u8>, rng: &mut SmallRng) -> Result<u8, Winner> {
        match ConnectFour::get_winner(board) {
            Some(winner) => Err(winner),
            None => Ok(board.random_column(|| rng.next_u32())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// The policy that is measured, counting the playouts.
    struct Counted(Arc<AtomicU32>);

    impl RolloutPolicy for Counted {
        type G = ConnectFour;

        fn random_move(&self, board: &mut Board, moves: &mut Vec<u8>, rng: &mut SmallRng) -> Result<u8, Winner> {
            let result = Uniform.random_move(board, moves, rng);
            if result.is_err() {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
            result
        }
    }

    /// One playout a simulation, but for the few that end in a position that is over or already proven.
    #[test]
    fn simulations_are_playouts() {
        let playouts = Arc::new(AtomicU32::new(0));
        let options = options().with_rollouts_before_expanding(1);
        run(MonteCarloTreeSearch::new_with_policy(options, Box::new(Counted(playouts.clone()))), 100_000);
        let playouts = playouts.load(Ordering::Relaxed);
        assert!((95_000..=100_000).contains(&playouts), "{playouts} playouts");
    }
}
