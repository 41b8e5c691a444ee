//! Board sizes: constants for the standard board, fields for all others.

use std::fmt;

use super::ConnectFourVariant;
use crate::bits::Bits;

/// The sizes of a board, and the bitboard type that holds its cells.
pub trait Board: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// A set of cells.
    type Bits: Bits;
    /// Whether this is the standard board.
    const STANDARD: bool = false;
    /// The board of a variant; `None` when it does not fit.
    fn of(variant: &ConnectFourVariant) -> Option<Self>;
    /// Width, 4..=12.
    fn columns(&self) -> u32;
    /// Height, 4..=12.
    fn rows(&self) -> u32;
    /// Stones in a row that win, 3..=6.
    fn connect(&self) -> u32;
    /// The cell that no stone can take and that breaks lines; empty when there is none.
    fn blocked(&self) -> Self::Bits;
    /// The lowest cell of every column.
    fn bottom(&self) -> Self::Bits;
}

/// The standard board: 7 columns, 6 rows, four in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Board for Standard {
    type Bits = u64;
    const STANDARD: bool = true;

    fn of(variant: &ConnectFourVariant) -> Option<Self> {
        (*variant == ConnectFourVariant::default()).then_some(Self)
    }
    #[inline(always)]
    fn columns(&self) -> u32 {
        7
    }
    #[inline(always)]
    fn rows(&self) -> u32 {
        6
    }
    #[inline(always)]
    fn connect(&self) -> u32 {
        4
    }
    #[inline(always)]
    fn blocked(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn bottom(&self) -> u64 {
        0x0000_0408_1020_4081
    }
}

/// Any other board whose cells, guards included, fit in `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Custom<B> {
    columns: u8,
    rows: u8,
    connect: u8,
    blocked: B,
    bottom: B,
}

impl<B: Bits> Board for Custom<B> {
    type Bits = B;

    fn of(variant: &ConnectFourVariant) -> Option<Self> {
        let (columns, rows) = (variant.columns, variant.rows);
        if columns * (rows + 1) > B::WIDTH {
            return None;
        }
        let bottom = (0..columns).map(|column| B::single(column * (rows + 1))).fold(B::EMPTY, |all, bit| all | bit);
        let blocked = variant.blocked.map_or(B::EMPTY, |cell| B::single(cell.column * (rows + 1) + cell.row));
        Some(Self { columns: columns as u8, rows: rows as u8, connect: variant.connect as u8, blocked, bottom })
    }
    #[inline]
    fn columns(&self) -> u32 {
        self.columns.into()
    }
    #[inline]
    fn rows(&self) -> u32 {
        self.rows.into()
    }
    #[inline]
    fn connect(&self) -> u32 {
        self.connect.into()
    }
    #[inline]
    fn blocked(&self) -> B {
        self.blocked
    }
    #[inline]
    fn bottom(&self) -> B {
        self.bottom
    }
}
