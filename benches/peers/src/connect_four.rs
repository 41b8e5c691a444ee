//! Connect Four for the peers that ask their user for the rules, as fast as we can make it, so that searches are compared and
//! not rules. Written apart from tesuji's own.
//!
//! Two bitboards of seven columns, seven bits each: six cells from the bottom up, and a guard that stays empty, so that no line
//! wraps from one column into the next (John Tromp's layout).

/// Width.
pub const COLUMNS: u8 = 7;
/// Bits of a column: its cells and its guard.
const HEIGHT: u8 = 7;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0408_1020_4081;
/// The highest cell of every column.
const TOP: u64 = BOTTOM << 5;
/// Every cell, no guard.
const CELLS: u64 = BOTTOM * 0b11_1111;

/// A position of the standard game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The stones of the side to move.
    own: u64,
    /// All stones.
    filled: u64,
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side that moved last has a line.
    Line,
    /// The board is full, without a line.
    Full,
}

impl Board {
    /// Stones on the board.
    #[inline]
    pub fn stones(self) -> u32 {
        self.filled.count_ones()
    }

    #[inline]
    pub fn end(self) -> Option<End> {
        if has_line(self.own ^ self.filled) { Some(End::Line) } else { (self.filled == CELLS).then_some(End::Full) }
    }

    #[inline]
    pub fn is_open(self, column: u8) -> bool {
        self.filled & (1 << (HEIGHT * column + HEIGHT - 2)) == 0
    }

    /// The columns that a stone can still fall into, finished game or not.
    #[inline]
    pub fn open_columns(self) -> Columns {
        Columns(TOP & !self.filled)
    }

    /// Plays into an open column.
    #[inline]
    pub fn play(&mut self, column: u8) {
        let opponent = self.own ^ self.filled;
        // Adding the lowest cell carries over the stones to the first free one.
        self.filled |= self.filled + (1 << (HEIGHT * column));
        self.own = opponent;
    }

    /// An open column, each with the same chance; the board must not be full. `random` gives uniform 32-bit numbers.
    #[inline]
    pub fn random_column(self, mut random: impl FnMut() -> u32) -> u8 {
        // Few columns are full before the very end, so to draw again is cheaper than to list the open ones.
        loop {
            let column = ((u64::from(random()) * u64::from(COLUMNS)) >> 32) as u8;
            if self.is_open(column) {
                return column;
            }
        }
    }
}

/// Columns from left to right: the highest cell of each.
#[derive(Clone, Debug)]
pub struct Columns(u64);

impl Iterator for Columns {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let cell = self.0.trailing_zeros() as u8;
        self.0 &= self.0.checked_sub(1)?;
        Some(cell / HEIGHT)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

#[inline]
fn has_line(stones: u64) -> bool {
    // Upward, rightward, and both diagonals: pairs, then pairs of pairs.
    let runs = [1, HEIGHT, HEIGHT + 1, HEIGHT - 1].map(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    });
    runs[0] | runs[1] | runs[2] | runs[3] != 0
}

#[cfg(test)]
mod tests {
    use tesuji_core::games::Game;
    use tesuji_core::games::connect_four::{ConnectFour, Standard};

    use super::Board;

    fn perft(board: Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if board.end().is_some() {
            return 0;
        }
        let leaves = board.open_columns().map(|column| {
            let mut next = board;
            next.play(column);
            perft(next, depth - 1)
        });
        leaves.sum()
    }

    /// The same game as tesuji's, lines and full columns included: they first matter at 7 plies.
    #[test]
    fn is_the_game_that_tesuji_plays() {
        let ours = ConnectFour::<Standard>::start(&Default::default());
        for depth in 0..=9 {
            assert_eq!(perft(Board::default(), depth), tesuji_core::perft::perft(&ours, depth), "{depth} plies");
        }
    }
}
