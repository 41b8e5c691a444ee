//! tesuji's search as its service runs it: stop flag and clock watched, a report made.

use std::time::Duration;

use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Standard};
use tesuji_core::position::Position;
use tesuji_core::search::mcts::{Mcts, Uniform};
use tesuji_core::search::{Budget, Control, Engine, Signals, Task};

pub fn search(simulations: u32, seed: u64) {
    let position = ConnectFour::<Standard>::start(&Default::default());
    let moves: Vec<_> = position.moves().collect();
    let budget = Budget { simulations: Some(simulations.into()), ..Budget::default() };
    let signals = Signals::default();
    let control = Control::new(&signals, budget.time, Duration::MAX);
    let task = Task { seed, ..Task::new(&position, &moves, budget) };

    let mut engine = Mcts::<Uniform>::default();
    // Set, not left to the default: how far a search explores decides how deep its tree is, and so what a simulation costs.
    engine.exploration = 1.0;
    let shared = engine.share(&task, 1);
    let report = engine.search(&task, &control, &shared);
    assert_eq!(report.visits, Some(simulations.into()), "stopped by {:?}", report.stop);
}
