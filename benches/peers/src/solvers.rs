//! Solvers of Connect Four, one program at a time, for `solvers.py`: `solvers tesuji|connect-four-ai` reads lines of moves and
//! score (Pascal Pons' form) and prints the CPU seconds of all searches together, the positions visited, and how many scores
//! differ. Neither uses a book, and both forget everything before each position.

use std::error::Error;
use std::io::{self, BufRead};

use cpu_time::ThreadTime;
use tesuji_core::games::Game;
use tesuji_core::games::connect_four::{ConnectFour, Oracle, Standard};

/// As much table as Pons' program has; `connect-four-ai` has the same number of entries.
const MEMORY: u64 = 64 << 20;

/// Solves one position: CPU seconds, score, positions visited.
type Solve = dyn FnMut(&str) -> Result<(f64, i32, u64), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::args().nth(1).unwrap_or_default();
    let mut solve: Box<Solve> = match program.as_str() {
        "tesuji" => Box::new(tesuji()),
        "connect-four-ai" => Box::new(connect_four_ai()),
        _ => return Err("expected tesuji or connect-four-ai".into()),
    };
    let (mut seconds, mut nodes, mut wrong) = (0.0, 0, 0);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (moves, score) = line.split_once(' ').ok_or("expected moves and a score")?;
        let (took, found, visited) = solve(moves)?;
        seconds += took;
        nodes += visited;
        wrong += u32::from(found != score.trim().parse::<i32>()?);
    }
    println!("{seconds} {nodes} {wrong}");
    Ok(())
}

fn tesuji() -> impl FnMut(&str) -> Result<(f64, i32, u64), Box<dyn Error>> {
    let mut oracle = Oracle::new(MEMORY);
    move |moves| {
        let mut position = ConnectFour::<Standard>::start(&Default::default());
        position.replay(moves).map_err(|illegal| illegal.to_string())?;
        oracle.forget();
        let before = oracle.nodes();
        let begin = ThreadTime::now();
        let score = oracle.score(&position).ok_or("the game is over")?;
        Ok((begin.elapsed().as_secs_f64(), score, oracle.nodes() - before))
    }
}

fn connect_four_ai() -> impl FnMut(&str) -> Result<(f64, i32, u64), Box<dyn Error>> {
    let mut solver = connect_four_ai::Solver::empty();
    move |moves| {
        let position = connect_four_ai::Position::from_moves(moves).map_err(|problem| format!("{problem:?}"))?;
        solver.reset();
        let begin = ThreadTime::now();
        let score = solver.solve(&position);
        Ok((begin.elapsed().as_secs_f64(), score.into(), solver.explored_positions as u64))
    }
}
