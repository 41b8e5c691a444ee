//! A position of alpha-beta search: the game's, and beside it the windows, which each move brings up to date. So a position is
//! evaluated without looking at its board, and Monte-Carlo playouts, which evaluate none, do not pay for it.

use std::fmt;

use super::super::lines::{At, Colour, bits};
use super::super::opening::Phase;
use super::super::variant::Rule;
use super::super::{Gomoku, Move};
use super::windows::Windows;
use crate::position::{IllegalMove, Outcome, Position, Side};

/// A game's position with its windows.
#[derive(Clone, Debug)]
pub struct Watched<const LINES: usize> {
    pub(in super::super) game: Gomoku<LINES>,
    pub(in super::super) windows: Windows<LINES>,
}

impl<const LINES: usize> Watched<LINES> {
    /// Looks at a position.
    #[must_use]
    pub fn new(game: &Gomoku<LINES>) -> Self {
        Self { game: game.clone(), windows: Windows::new(&game.lines, game.rule) }
    }

    /// Whether stones are placed, by a rule under which a four can only be stopped where it would become five.
    #[inline]
    pub(super) fn forces(&self) -> bool {
        matches!(self.game.phase, Phase::Play { .. }) && self.game.rule != Rule::Caro
    }

    /// Calls `found` with the legal points at most two steps from a stone, in any direction; all, as long as there is none.
    pub(super) fn near(&self, mut found: impl FnMut(Move)) {
        let lines = &self.game.lines;
        let size = self.game.size();
        let all = (1u32 << size) - 1;
        // By row, the columns at most two steps from a stone of that row; two rows without below and above the board.
        let mut wide = [0u32; 26];
        for row in 0..size {
            let stones = all & !lines.empty(row);
            wide[row as usize + 2] = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2;
        }
        for row in 0..size {
            let around = wide[row as usize..row as usize + 5].iter().fold(0, |all, columns| all | columns);
            let around = if self.game.stones == 0 { all } else { around };
            for column in bits(around & lines.empty(row)) {
                let at = At::new(column, row);
                if self.game.allows(at) {
                    found(Move::Stone { at, foul: None });
                }
            }
        }
    }

    /// The colours: of the side to move, and of the other.
    #[inline]
    pub(super) fn colours(&self) -> (Colour, Colour) {
        (self.game.colour(), self.game.colour().other())
    }
}

impl<const LINES: usize> fmt::Display for Watched<LINES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }
}

impl<const LINES: usize> Position for Watched<LINES> {
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
        self.game.play(mv);
        if let Move::Stone { at, .. } = mv {
            self.windows.put(&self.game.lines, at);
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        self.game.parse_move(text)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.game.key()
    }
}
