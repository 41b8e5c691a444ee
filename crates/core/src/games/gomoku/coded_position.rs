//! A position of the searches: the game's, with a board of codes that each move updates. Playouts to the end of the game do
//! without the codes.

use std::fmt;

use super::opening::Phase;
use super::shapes::{Board, Kind};
use super::{Gomoku, Move};
use crate::position::{IllegalMove, Outcome, Position, Side};

/// A game's position with its codes.
#[derive(Clone, Debug)]
pub struct CodedPosition<const LINES: usize> {
    pub(super) game: Gomoku<LINES>,
    pub(super) board: Board<LINES>,
    /// Whether the last stone lies far from all others and makes no four.
    pub(super) is_remote: bool,
}

impl<const LINES: usize> CodedPosition<LINES> {
    /// Builds the codes of a position.
    #[must_use]
    pub fn new(game: &Gomoku<LINES>) -> Self {
        Self { game: game.clone(), board: Board::new(game), is_remote: false }
    }

    /// Places a stone on each point that a search considers and takes it back. Returns the number of stones, and how many
    /// points changed their patterns in all: the cost of patterns in a search.
    pub fn try_all(&mut self) -> [usize; 2] {
        let (mut points, mut log) = (Vec::new(), Vec::with_capacity(64));
        self.board.near(|at| points.push(at));
        let mut changed = 0;
        for &at in &points {
            let undo = self.board.try_move(at, &mut log);
            changed += log.len();
            self.board.take_back(&undo, &mut log);
        }
        [points.len(), changed]
    }

    /// Whether the colours are settled: all moves to come are stones.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.game.phase, Phase::Play { .. })
    }
}

impl<const LINES: usize> fmt::Display for CodedPosition<LINES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }
}

impl<const LINES: usize> Position for CodedPosition<LINES> {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.game.turn()
    }

    fn ply(&self) -> u32 {
        self.game.ply()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn moves(&self) -> impl Iterator<Item = Move> {
        self.game.moves()
    }

    fn count_moves(&self) -> u64 {
        self.game.count_moves()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if let Move::Stone { at, .. } = mv {
            let makes_four = self.board.kinds(self.board.turn, at) & Kind::Four.bit() != 0;
            self.is_remote = self.board.stones > 0 && !makes_four && !self.board.is_near(at);
            self.board.put(at, &mut ());
        }
        self.game.play(mv);
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        self.game.parse_move(text)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.game.key()
    }
}
