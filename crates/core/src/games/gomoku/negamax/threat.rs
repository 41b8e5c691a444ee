//! The opponent's threat to win by fours at the root. All moves that do not answer it lose, so a search need not refute each of
//! some two hundred.

use super::super::lines::Point;
use super::super::search::{Fives, Vcf};
use super::super::shapes::{Board, Kind, Points};

/// Positions that the search for the threat may visit, and bytes of its table.
const NODES: u64 = 200;
const BYTES: u64 = 16 << 10;

/// A threat to win by fours, and its answers.
#[derive(Clone, Debug)]
pub struct Threat {
    answers: Points,
    /// The number of stones on the board where the threat was found.
    stones: u32,
    /// The first of the fours.
    pub first: Point,
    /// The most plies that the win takes.
    pub plies: u32,
}

impl Threat {
    /// The threat of the side not to move. `None` if there is no threat, if its answers are not known for certain, or if the
    /// side to move has a five or an open four to stop, or a win at hand.
    pub fn find<const LINES: usize>(board: &Board<LINES>) -> Option<Self> {
        let mut board = board.clone();
        let nearer = board.winning_five().is_some()
            || !matches!(board.fives(), Fives::None)
            || board.winning_four().is_some()
            || board.count(board.turn.other(), Kind::WinningFour) > 0;
        if nearer {
            return None;
        }
        let mut vcf = Vcf::new(BYTES);
        let answers = vcf.answers(&mut board, NODES)?;
        let (first, plies) = (vcf.line().next()?, vcf.line().count() as u32);
        Some(Self { answers, stones: board.stones, first, plies })
    }

    /// Whether the threat remains on `board`, which is the board of the threat with one more stone.
    pub fn is_left<const LINES: usize>(&self, board: &Board<LINES>) -> bool {
        board.stones == self.stones + 1 && self.answers.iter().all(|at| board.lines.get(at).is_none())
    }
}
