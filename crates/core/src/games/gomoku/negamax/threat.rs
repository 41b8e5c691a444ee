//! The opponent's threat to win by fours at the root: all moves that do not answer it lose, which need not be found out for
//! each of some two hundred by a search.

use super::super::lines::At;
use super::super::search::{Fives, Vcf};
use super::super::shapes::{Board, Kind, Points};

/// Positions that the search for the threat may visit, and bytes of its table.
const NODES: u64 = 200;
const BYTES: u64 = 16 << 10;

/// A threat to win by fours, and what can be done about it.
#[derive(Clone, Debug)]
pub struct Threat {
    answers: Points,
    /// The stones on the board that the threat was found on.
    stones: u32,
    /// The first of the fours.
    pub first: At,
    /// Within how many plies they win.
    pub plies: u32,
}

impl Threat {
    /// The threat of the side that is not to move, if there is one, its answers are known for certain, and the side to move has
    /// neither a five or an open four to stop nor a win at hand.
    pub fn find<const LINES: usize>(board: &Board<LINES>) -> Option<Self> {
        let mut board = board.clone();
        let nearer = board.has_five()
            || !matches!(board.fives(), Fives::None)
            || board.has_winning_four()
            || board.count(board.turn.other(), Kind::WinningFour) > 0;
        if nearer {
            return None;
        }
        let mut vcf = Vcf::new(BYTES);
        let answers = vcf.answers(&mut board, NODES)?;
        let (first, plies) = (vcf.line().next()?, vcf.line().count() as u32);
        Some(Self { answers, stones: board.stones, first, plies })
    }

    /// Whether a board, which is the one that the threat was found on and a stone more, leaves it what it was.
    pub fn is_left<const LINES: usize>(&self, board: &Board<LINES>) -> bool {
        board.stones == self.stones + 1 && self.answers.iter().all(|at| board.lines.get(at).is_none())
    }
}
