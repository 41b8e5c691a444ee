//! Sets of edges and of boxes.
//!
//! A box, the edge above it and the edge to its left share a number: row times [`stride`] plus column. A few shifts therefore
//! relate edges to all boxes at once, and the stride is a constant of the width.

use std::fmt;
use std::ops::Sub;

use crate::bits::Bits;

/// The most dots in a row, and rows of dots, that a set has room for: one more than boxes.
pub(super) const fn stride<B: Bits>() -> u32 {
    B::WIDTH.isqrt()
}

/// An edge, by its direction, row and column, as in its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    pub(super) vertical: bool,
    pub(super) row: u8,
    pub(super) column: u8,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{},{}", if self.vertical { 'v' } else { 'h' }, self.row, self.column)
    }
}

impl Edge {
    /// The edge with this number.
    #[inline]
    pub(super) fn new<B: Bits>(vertical: bool, number: u32) -> Self {
        Self { vertical, row: (number / stride::<B>()) as u8, column: (number % stride::<B>()) as u8 }
    }

    /// Its number among the edges of its direction.
    #[inline]
    pub(super) fn number<B: Bits>(self) -> u32 {
        u32::from(self.row) * stride::<B>() + u32::from(self.column)
    }

    /// Its code in one byte: the top bit for vertical edges, then the number.
    #[inline]
    pub(super) fn code<B: Bits>(self) -> u8 {
        u8::from(self.vertical) << 7 | self.number::<B>() as u8
    }

    /// The edge with this code.
    #[inline]
    pub(super) fn of_code<B: Bits>(code: u8) -> Self {
        Self::new::<B>(code >= 1 << 7, u32::from(code) & 0x7f)
    }

    /// The boxes on both sides of it, on the board or off it.
    #[inline]
    pub(super) fn sides<B: Bits>(self) -> B {
        let near = B::single(self.number::<B>());
        near | near >> if self.vertical { 1 } else { stride::<B>() }
    }
}

/// A set of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges<B> {
    pub horizontal: B,
    pub vertical: B,
}

impl<B: Bits> Edges<B> {
    #[inline]
    pub fn single(edge: Edge) -> Self {
        let set = B::single(edge.number::<B>());
        // Without a branch, since random moves take either direction equally often.
        let [horizontal, vertical] = if edge.vertical { [B::EMPTY, set] } else { [set, B::EMPTY] };
        Self { horizontal, vertical }
    }

    /// The edges of boxes.
    #[inline]
    pub fn around(boxes: B) -> Self {
        Self { horizontal: boxes | boxes << stride::<B>(), vertical: boxes | boxes << 1 }
    }

    #[inline]
    pub fn count(self) -> u32 {
        self.horizontal.count() + self.vertical.count()
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        (self.horizontal | self.vertical).is_empty()
    }

    #[inline]
    pub fn has(self, edge: Edge) -> bool {
        if edge.vertical { self.vertical } else { self.horizontal }.has(edge.number::<B>())
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self { horizontal: self.horizontal & other.horizontal, vertical: self.vertical & other.vertical }
    }

    /// The edges, horizontal ones first, row by row from the top.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Edge> {
        let horizontal = self.horizontal.iter().map(|number| Edge::new::<B>(false, number));
        horizontal.chain(self.vertical.iter().map(|number| Edge::new::<B>(true, number)))
    }

    /// The `n`-th edge in that order; there must be more than `n`.
    #[inline]
    pub fn nth(self, n: u32) -> Edge {
        let count = self.horizontal.count();
        let vertical = n >= count;
        let (set, n) = if vertical { (self.vertical, n - count) } else { (self.horizontal, n) };
        Edge::new::<B>(vertical, set.nth(n))
    }

    /// The boxes with an edge in the set, on the board or off it.
    #[inline]
    pub fn boxes(self) -> B {
        self.horizontal | self.horizontal >> stride::<B>() | self.vertical | self.vertical >> 1
    }

    /// The boxes with one edge in the set, and with two.
    #[inline]
    pub fn with_one_or_two(self) -> [B; 2] {
        let (up, down) = (self.horizontal, self.horizontal >> stride::<B>());
        let (left, right) = (self.vertical, self.vertical >> 1);
        let (one, both) = (up ^ down, up & down);
        let (other, others) = (left ^ right, left & right);
        [(one ^ other) & !(both | others), (one & other) | ((both ^ others) & !(one | other))]
    }
}

impl<B: Bits> Edges<B> {
    /// The boxes reached from some of `among` by crossing edges of the set, without leaving `among`.
    #[inline]
    pub fn connected(self, from: B, among: B) -> B {
        let mut reached = from;
        loop {
            let across = (reached & self.horizontal) >> stride::<B>() | (reached << stride::<B>() & self.horizontal);
            let along = (reached & self.vertical) >> 1 | (reached << 1 & self.vertical);
            let more = reached | ((across | along) & among);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// The edges between two of these boxes.
    #[inline]
    pub fn within(self, boxes: B) -> Self {
        let horizontal = self.horizontal & boxes & boxes << stride::<B>();
        Self { horizontal, vertical: self.vertical & boxes & boxes << 1 }
    }

    /// The edges between one of these boxes and anything else.
    #[inline]
    pub fn out_of(self, boxes: B) -> Self {
        let horizontal = self.horizontal & (boxes ^ boxes << stride::<B>());
        Self { horizontal, vertical: self.vertical & (boxes ^ boxes << 1) }
    }
}

/// The edges of one set that are not in the other.
impl<B: Bits> Sub for Edges<B> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { horizontal: self.horizontal & !other.horizontal, vertical: self.vertical & !other.vertical }
    }
}
