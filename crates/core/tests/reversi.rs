//! Reversi on its three boards: rules against a plain implementation, exact endgames against a plain search, and the value of
//! 6x6.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;
use tesuji_core::games::Game;
use tesuji_core::games::reversi::{Board, Eight, Reversi, ReversiSearcher, ReversiVariant, Six, Ten};
use tesuji_core::perft::perft;
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Branches, Budget, Control, Engine, Report, Signals, Task, alone};

fn start<B: Board>() -> Reversi<B> {
    let variant: ReversiVariant = serde_json::from_value(json!({ "size": B::SIZE })).expect("it is a variant");
    Reversi::start(&variant)
}

/// A position square by square: 1 for the side to move, -1 for the other.
#[derive(Clone)]
struct Plain {
    size: i32,
    squares: Vec<i32>,
}

impl Plain {
    fn start(size: i32) -> Self {
        let mut squares = vec![0; (size * size) as usize];
        let middle = size / 2;
        for (column, row, side) in [(middle, middle - 1, 1), (middle - 1, middle, 1)] {
            squares[(row * size + column) as usize] = side;
            squares[(row * size + row) as usize] = -side;
        }
        Self { size, squares }
    }

    /// The position after the side to move plays on a square, with the other side to move; none if no disc is turned.
    fn after(&self, column: i32, row: i32) -> Option<Self> {
        let at = |column: i32, row: i32| {
            let is_on_board = (0..self.size).contains(&column) && (0..self.size).contains(&row);
            is_on_board.then_some((row * self.size + column) as usize)
        };
        let place = at(column, row).filter(|&place| self.squares[place] == 0)?;
        let mut next = self.clone();
        for (right, down) in (0..9).map(|way| (way % 3 - 1, way / 3 - 1)).filter(|&way| way != (0, 0)) {
            let line = (1..self.size).map_while(|step| at(column + step * right, row + step * down));
            let turned: Vec<usize> = line.clone().take_while(|&place| self.squares[place] == -1).collect();
            if line.map(|place| self.squares[place]).find(|&side| side != -1) == Some(1) {
                turned.into_iter().for_each(|place| next.squares[place] = 1);
            }
        }
        let has_turned = next.squares != self.squares;
        next.squares[place] = 1;
        has_turned.then(|| next.passed())
    }

    fn passed(&self) -> Self {
        Self { squares: self.squares.iter().map(|side| -side).collect(), ..*self }
    }

    fn moves(&self) -> Vec<Self> {
        let all = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        all.filter_map(|(column, row)| self.after(column, row)).collect()
    }

    /// Lines of `depth` plies; a pass is a ply, and a game that ends earlier is a line.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        match moves.is_empty() {
            true if self.passed().moves().is_empty() => 1,
            true => self.passed().perft(depth - 1),
            false => moves.iter().map(|next| next.perft(depth - 1)).sum(),
        }
    }

    /// The margin for the side to move with best play.
    fn margin(&self, known: &mut HashMap<Vec<i32>, i32>) -> i32 {
        if let Some(&margin) = known.get(&self.squares) {
            return margin;
        }
        let moves = self.moves();
        let margin = if !moves.is_empty() {
            moves.iter().map(|next| -next.margin(known)).max().expect("there is a move")
        } else if self.passed().moves().is_empty() {
            let margin: i32 = self.squares.iter().sum();
            margin + margin.signum() * self.squares.iter().filter(|&&side| side == 0).count() as i32
        } else {
            -self.passed().margin(known)
        };
        known.insert(self.squares.clone(), margin);
        margin
    }
}

#[test]
fn lines_of_play_are_those_of_a_plain_implementation() {
    fn agree<B: Board>(deepest: u32) {
        for depth in 1..=deepest {
            let expected = Plain::start(B::SIZE as i32).perft(depth);
            assert_eq!(perft(&start::<B>(), depth), expected, "{} at depth {depth}", B::SIZE);
        }
    }
    agree::<Six>(7);
    agree::<Eight>(6);
    agree::<Ten>(6);
}

/// A position with `left` empty squares, after random moves.
fn late<B: Board>(left: u32, seed: u64) -> Reversi<B> {
    let (mut position, mut rng) = (start::<B>(), Rng::new(seed, 0));
    while B::SQUARES - 4 - position.ply() > left && position.outcome().is_none() {
        let mv = position.random_move(&mut rng);
        position.play(mv);
    }
    position
}

/// A search of all moves, each for its own value.
fn search<B: Board>(position: &Reversi<B>, budget: Budget) -> Report<<Reversi<B> as Position>::Move> {
    let engine = AlphaBeta::<ReversiSearcher<B>>::default();
    let (moves, signals) = (position.moves().collect::<Vec<_>>(), Signals::default());
    let branches = Branches { all: true, multipv: moves.len() as u32, ..Branches::default() };
    let task = Task { branches, ..Task::new(position, &moves, budget) };
    engine.search(&task, &Control::new(&signals, None, Duration::from_secs(600)), &engine.share(&task, 1))
}

#[test]
fn endgames_are_exact_on_all_boards() {
    fn agree<B: Board>() {
        for seed in 0..40 {
            let position = late::<B>(4 + seed as u32 % 5, seed);
            if position.outcome().is_some() {
                continue;
            }
            let report = search(&position, Budget::default());
            let text = position.to_string();
            let own = if text.ends_with('X') { 'X' } else { 'O' };
            let side = |letter| i32::from(letter != '-') * if letter == own { 1 } else { -1 };
            let squares = text.chars().take(B::SQUARES as usize).map(side).collect();
            let margin = Plain { size: B::SIZE as i32, squares }.margin(&mut HashMap::new());
            let score = report.root.bounds.exact().map(|score| i32::from(score * position.turn().sign()));
            assert_eq!(score, Some(margin), "{position}");
        }
    }
    agree::<Six>();
    agree::<Eight>();
    agree::<Ten>();
}

/// On 6x6 the second player wins by 4 discs (Feinstein 1993). All first moves are equivalent by symmetry.
///
/// Run it with `cargo test --release -p tesuji-core --test reversi -- --ignored`.
#[test]
#[ignore = "minutes"]
fn the_second_player_wins_6x6_by_four() {
    let mut position = start::<Six>();
    let mv = position.moves().next().expect("there are four");
    position.play(mv);
    let budget = Budget { memory: Some(1 << 30), ..Budget::default() };
    let report = alone(&AlphaBeta::<ReversiSearcher<Six>>::default(), &position, budget, 1);
    assert_eq!(report.root.bounds.exact(), Some(-4));
}
