//! The crate `board-game`, on the Connect Four that it brings and on ours.

use std::fmt;
use std::ops::Range;

use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{AltBoard, Alternating, Board as Rules, BoardDone, BoardMoves, Outcome, PlayError, Player};
use board_game::games::connect4::Connect4;
use board_game::impl_unit_symmetry_board;
use board_game::util::iter::ClonableInternal;
use rand_08::rngs::SmallRng;
use rand_08::{Rng, SeedableRng};

use crate::connect_four::{Board, COLUMNS, Columns, End};

pub fn search_its_own(simulations: u32, seed: u64) {
    run(&Connect4::default(), simulations, seed);
}

pub fn search(simulations: u32, seed: u64) {
    run(&ConnectFour::default(), simulations, seed);
}

fn run<B>(board: &B, simulations: u32, seed: u64)
where
    B: AltBoard<Move = u8>,
    for<'a> B: BoardMoves<'a, B>,
{
    // Its bonus is w * sqrt(ln N / n): this w makes it tesuji's, c * sqrt(2 ln N / n) with c = 1.
    let exploration = std::f32::consts::SQRT_2;
    let tree = mcts_build_tree(board, simulations.into(), exploration, &mut SmallRng::seed_from_u64(seed));
    assert_eq!(tree[0].visits, i64::from(simulations), "the root was solved");
}

/// Our rules in the crate's terms. Everything it lets a game make faster is made faster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ConnectFour(Board);

impl Rules for ConnectFour {
    type Move = u8;

    fn next_player(&self) -> Player {
        Player::BOTH[self.0.stones() as usize % 2]
    }

    fn is_available_move(&self, column: u8) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.0.is_open(column))
    }

    fn play(&mut self, column: u8) -> Result<(), PlayError> {
        self.check_can_play(column)?;
        self.0.play(column);
        Ok(())
    }

    /// Unchecked: the search only plays moves that it was given.
    fn clone_and_play(&self, column: u8) -> Result<Self, PlayError> {
        let mut next = self.clone();
        next.0.play(column);
        Ok(next)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.end().map(|end| match end {
            End::Line => Outcome::WonBy(self.next_player().other()),
            End::Full => Outcome::Draw,
        })
    }

    fn can_lose_after_move() -> bool {
        false
    }

    /// Unchecked: a playout has just asked whether the game is over.
    fn play_random_available_move(&mut self, rng: &mut impl Rng) -> Result<(), BoardDone> {
        self.0.play(self.0.random_column(|| rng.next_u32()));
        Ok(())
    }
}

impl Alternating for ConnectFour {}

impl<'a> BoardMoves<'a, ConnectFour> for ConnectFour {
    type AllMovesIterator = ClonableInternal<Range<u8>>;
    type AvailableMovesIterator = ClonableInternal<Columns>;

    fn all_possible_moves() -> Self::AllMovesIterator {
        ClonableInternal::new(0..COLUMNS)
    }

    fn available_moves(&'a self) -> Result<Self::AvailableMovesIterator, BoardDone> {
        self.check_done()?;
        Ok(ClonableInternal::new(self.0.open_columns()))
    }
}

impl_unit_symmetry_board!(ConnectFour);

impl fmt::Display for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
