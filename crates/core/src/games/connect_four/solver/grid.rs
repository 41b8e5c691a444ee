//! The solver's view of a board of at most 64 bits: lines, landing cells, and moves that do not lose at once.

use super::super::Board;
use crate::bits::Bits;

/// The sizes of a board. The standard board's are constants, so that its search compiles to straight code.
pub trait Grid: Copy + Send + Sync + 'static {
    fn columns(self) -> u32;
    /// Bits from one column to the next: the rows and the guard cell.
    fn height(self) -> u32;
    /// Cells that stones can take.
    fn cells(self) -> i32;
    fn bottom(self) -> u64;
    /// All cells without the guards, the blocked one included.
    fn board(self) -> u64;
    /// The blocked cell, or 0.
    fn blocked(self) -> u64;
    /// The free cells, given the `filled` ones, that complete a line of `stones`.
    fn wins(self, stones: u64, filled: u64) -> u64;

    /// The free cells that a stone can fall into.
    #[inline(always)]
    fn landing(self, filled: u64) -> u64 {
        filled.wrapping_add(self.bottom()) & self.board()
    }

    /// The filled cells after a stone lands on `cell`, including a blocked cell right above it.
    #[inline(always)]
    fn filled_with(self, filled: u64, cell: u64) -> u64 {
        let filled = filled | cell;
        filled | (cell << 1 & self.blocked())
    }

    /// The cells to avoid: a stone there lets the other side land on one of its `wins` above.
    #[inline(always)]
    fn below(self, wins: u64) -> u64 {
        (wins | (wins >> 1 & self.blocked())) >> 1
    }

    /// The landing cells that do not lose at the next ply if the other side has these `wins`; empty when every move loses.
    #[inline(always)]
    fn safe(self, landing: u64, wins: u64) -> u64 {
        let forced = landing & wins;
        let twice = forced & forced.wrapping_sub(1) != 0;
        let left = if forced == 0 { landing } else { forced } & !self.below(wins);
        if twice { 0 } else { left }
    }

    #[inline(always)]
    fn column(self, column: u32) -> u64 {
        (self.board() & ((1 << self.height()) - 1)) << (column * self.height())
    }

    /// A number unique to the position: in each column the own stones, and one bit above the filled cells.
    #[inline(always)]
    fn key(self, own: u64, filled: u64) -> u64 {
        own.wrapping_add(filled).wrapping_add(self.bottom())
    }
}

/// 7x6, four in a row.
#[derive(Clone, Copy, Debug)]
pub struct StandardGrid;

impl StandardGrid {
    const BOTTOM: u64 = 0x0000_0408_1020_4081;
    const BOARD: u64 = Self::BOTTOM * 0x3f;
}

impl Grid for StandardGrid {
    #[inline(always)]
    fn columns(self) -> u32 {
        7
    }
    #[inline(always)]
    fn height(self) -> u32 {
        7
    }
    #[inline(always)]
    fn cells(self) -> i32 {
        42
    }
    #[inline(always)]
    fn bottom(self) -> u64 {
        Self::BOTTOM
    }
    #[inline(always)]
    fn board(self) -> u64 {
        Self::BOARD
    }
    #[inline(always)]
    fn blocked(self) -> u64 {
        0
    }
    #[inline(always)]
    fn wins(self, stones: u64, filled: u64) -> u64 {
        // Nothing lies above a free cell, so vertical lines are completed from below only.
        let vertical = (stones << 1) & (stones << 2) & (stones << 3);
        let found = vertical | completing(stones, 6) | completing(stones, 7) | completing(stones, 8);
        found & (Self::BOARD ^ filled)
    }
}

/// The cells that complete four in a row with three stones at distances of `step`, on either side or both.
#[inline(always)]
fn completing(stones: u64, step: u32) -> u64 {
    let (below, above) = (stones << step, stones >> step);
    let (two_below, two_above) = (below & (stones << (2 * step)), above & (stones >> (2 * step)));
    (two_below & (stones << (3 * step) | above)) | (two_above & (stones >> (3 * step) | below))
}

/// Any other board of at most 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct AnyGrid {
    columns: u32,
    height: u32,
    connect: u32,
    cells: i32,
    bottom: u64,
    board: u64,
    blocked: u64,
}

impl AnyGrid {
    pub fn of<G: Board>(board: &G) -> Self {
        let (columns, rows) = (board.columns(), board.rows());
        let (bottom, blocked) = (board.bottom().low_word(), board.blocked().low_word());
        Self {
            columns,
            height: rows + 1,
            connect: board.connect(),
            cells: (columns * rows - blocked.count_ones()) as i32,
            bottom,
            board: bottom.wrapping_mul((1 << rows) - 1),
            blocked,
        }
    }

    /// Whether the sizes are those of the standard board.
    pub fn is_standard(&self) -> bool {
        (self.columns, self.height, self.connect, self.blocked) == (7, 7, 4, 0)
    }
}

impl Grid for AnyGrid {
    #[inline(always)]
    fn columns(self) -> u32 {
        self.columns
    }
    #[inline(always)]
    fn height(self) -> u32 {
        self.height
    }
    #[inline(always)]
    fn cells(self) -> i32 {
        self.cells
    }
    #[inline(always)]
    fn bottom(self) -> u64 {
        self.bottom
    }
    #[inline(always)]
    fn board(self) -> u64 {
        self.board
    }
    #[inline(always)]
    fn blocked(self) -> u64 {
        self.blocked
    }
    #[inline]
    fn wins(self, stones: u64, filled: u64) -> u64 {
        let steps = [1, self.height - 1, self.height, self.height + 1];
        let found = steps.into_iter().fold(0, |found, step| found | stones.completing(self.connect, step));
        found & self.board & !filled & !self.blocked
    }
}
