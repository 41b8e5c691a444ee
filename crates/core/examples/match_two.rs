//! A match of two engines, each opening with both colours: `cargo run --release -p tesuji-core --example match_two`.

use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::mcts::{Mcts, Uniform};
use tesuji_core::search::{Budget, alone};

type Board = ConnectFour<Standard>;

const GAMES: u64 = 20;

fn main() {
    let engine = <Mcts<Uniform>>::default();
    // The same engine with ten times the simulations should win.
    let budgets = [2000, 200].map(|count| Budget { simulations: Some(count), ..Budget::default() });
    let mut points = 0.0;
    for game in 0..GAMES {
        let mut rng = Rng::new(1, game / 2);
        let mut board = Board::start(&Default::default());
        for _ in 0..4 {
            board.play(board.random_move(&mut rng));
        }
        let strong = if game % 2 == 0 { Side::First } else { Side::Second };
        while board.outcome().is_none() {
            let budget = budgets[usize::from(board.turn() != strong)];
            let report = alone(&engine, &board, budget, game);
            board.play(report.children[0].mv);
        }
        points += match board.outcome().and_then(|outcome| outcome.winner) {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == strong)),
        };
    }
    println!("2,000 simulations against 200: {points} of {GAMES} points");
}
