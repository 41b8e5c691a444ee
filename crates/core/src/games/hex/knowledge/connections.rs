//! Virtual connections (H-search: Anshelevich, "A hierarchical approach to computer Hex", 2002).
//!
//! Points are a side's chains, its two edges and the empty cells. Two points are *connected* if the side can join them even
//! when the other side moves first, and *semi-connected* if it can by moving first; the *carrier* is the set of empty cells
//! needed. Neighbours are connected with an empty carrier. Two rules find more:
//!
//! - **And**: connections from x to m and from m to y with disjoint carriers connect x and y if m is a chain, and semi-connect
//!   them if it is an empty cell, which the carrier then includes.
//! - **Or**: semi-connections between two points connect them if no cell is in all carriers.
//!
//! Only some of the smallest carriers are kept for each pair of points: the search is sound but incomplete.

use super::grid::{Grid, Stones};
use crate::bits::Bits;
use crate::position::Side;

/// The most carriers that are kept for a pair of points.
const FULLS: usize = 6;
const SEMIS: usize = 8;
/// The most semi-connections that the or-rule combines.
const COMBINED: usize = 4;

/// The carriers between two points.
#[derive(Clone, Copy, Debug)]
struct Pair<S> {
    fulls: Carriers<S, FULLS>,
    semis: Carriers<S, SEMIS>,
}

/// The smallest carriers found, none within another.
#[derive(Clone, Copy, Debug)]
struct Carriers<S, const N: usize> {
    sets: [S; N],
    count: usize,
}

impl<S: Bits, const N: usize> Carriers<S, N> {
    const NONE: Self = Self { sets: [S::EMPTY; N], count: 0 };

    #[inline]
    fn all(&self) -> &[S] {
        &self.sets[..self.count]
    }

    /// Whether one of them lies within `set`.
    #[inline]
    fn covers(&self, set: S) -> bool {
        self.all().iter().any(|&own| (own & !set).is_empty())
    }

    /// Removes those that contain `set`.
    #[inline]
    fn remove_around(&mut self, set: S) {
        let mut kept = 0;
        for index in 0..self.count {
            let own = self.sets[index];
            if !(set & !own).is_empty() {
                (self.sets[kept], kept) = (own, kept + 1);
            }
        }
        self.count = kept;
    }

    /// Adds a carrier that neither contains another nor is contained in one. If there is no room, it replaces a larger one.
    #[inline]
    fn add(&mut self, set: S) -> bool {
        if self.count < N {
            (self.sets[self.count], self.count) = (set, self.count + 1);
            return true;
        }
        let sizes = self.sets.map(Bits::count);
        let largest = (0..N).max_by_key(|&index| sizes[index]).unwrap_or(0);
        let has_room = sizes[largest] > set.count();
        if has_room {
            self.sets[largest] = set;
        }
        has_room
    }
}

/// A connection to which the rules are yet to be applied.
#[derive(Clone, Copy, Debug)]
struct Pending<S> {
    points: [u16; 2],
    carrier: S,
    is_full: bool,
}

/// The connections of one side in one position. The memory is reused for the next position.
#[derive(Debug)]
pub struct Connections<S> {
    pairs: Vec<Pair<S>>,
    /// The pairs that have carriers.
    used: Vec<u32>,
    /// For each point, the points connected with it.
    partners: Vec<S>,
    /// The chain of each cell, as a point; an empty cell is its own.
    chain: Vec<u16>,
    queue: Vec<Pending<S>>,
    /// The cells common to all carriers that semi-connect the edges.
    common: Option<S>,
    empty: S,
    edges: [u16; 2],
}

/// The link between a side's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link<S> {
    /// Connected, even if the other side moves first.
    Full,
    /// Semi-connected; the other side has to move to one of these cells, which all carriers share.
    Semi(S),
    /// No connection was found.
    None,
}

/// The number of points of a board: its cells, and a side's edges.
fn points(cells: u32) -> usize {
    cells as usize + 2
}

/// The number of pairs of points.
fn pairs(points: usize) -> usize {
    points * (points - 1) / 2
}

/// The index of a pair in the triangle of all pairs.
#[inline]
fn pair_of(one: u16, other: u16) -> usize {
    let (low, high) = (usize::from(one.min(other)), usize::from(one.max(other)));
    high * (high - 1) / 2 + low
}

impl<S: Bits> Connections<S> {
    /// Allocates the pairs of a board.
    pub fn new(grid: &Grid<S>) -> Self {
        let points = points(grid.cells());
        Self {
            pairs: vec![Pair { fulls: Carriers::NONE, semis: Carriers::NONE }; pairs(points)],
            used: Vec::new(),
            partners: vec![S::EMPTY; points],
            chain: vec![0; points],
            queue: Vec::new(),
            common: None,
            empty: S::EMPTY,
            edges: [points as u16 - 2, points as u16 - 1],
        }
    }

    /// Bytes of the pairs of a board, nearly all of the memory.
    pub fn bytes(cells: u32) -> u64 {
        (pairs(points(cells)) * size_of::<Pair<S>>()) as u64
    }

    /// The link between the edges of a side that is not connected yet. With `is_mover` a semi-connection is enough, and the
    /// first one ends the search.
    pub fn link(&mut self, grid: &Grid<S>, stones: Stones<S>, side: Side, is_mover: bool) -> Link<S> {
        self.clear();
        self.number_chains(grid, stones, side);
        self.add_neighbours(grid, stones.0[side.index()], side);
        let mut next = 0;
        let whole = pair_of(self.edges[0], self.edges[1]);
        while let Some(&pending) = self.queue.get(next) {
            next += 1;
            if pending.is_full {
                self.apply_and(pending);
            } else {
                self.apply_or(pending);
            }
            if self.pairs[whole].fulls.count > 0 {
                return Link::Full;
            }
            if is_mover && self.common.is_some() {
                break;
            }
        }
        self.common.map_or(Link::None, Link::Semi)
    }

    fn clear(&mut self) {
        for index in self.used.drain(..) {
            let pair = &mut self.pairs[index as usize];
            (pair.fulls.count, pair.semis.count) = (0, 0);
        }
        self.partners.fill(S::EMPTY);
        self.queue.clear();
        self.common = None;
    }

    fn number_chains(&mut self, grid: &Grid<S>, stones: Stones<S>, side: Side) {
        self.empty = grid.board & !stones.all();
        for cell in self.empty.iter() {
            self.chain[cell as usize] = cell as u16;
        }
        let own = stones.0[side.index()];
        let mut rest = own;
        for (rim, edge) in grid.rims[side.index()].into_iter().zip(self.edges) {
            let chain = grid.flood(rim & own, own);
            chain.iter().for_each(|cell| self.chain[cell as usize] = edge);
            rest = rest & !chain;
        }
        while !rest.is_empty() {
            let first = rest.nth(0);
            let chain = grid.flood(S::single(first), own);
            chain.iter().for_each(|cell| self.chain[cell as usize] = first as u16);
            rest = rest & !chain;
        }
    }

    fn add_neighbours(&mut self, grid: &Grid<S>, own: S, side: Side) {
        for cell in self.empty.iter() {
            let around = grid.neighbours[cell as usize];
            for other in (around & (own | self.empty)).iter() {
                if own.has(other) || other > cell {
                    self.add_full([cell as u16, self.chain[other as usize]], S::EMPTY);
                }
            }
            for (rim, edge) in grid.rims[side.index()].into_iter().zip(self.edges) {
                if rim.has(cell) {
                    self.add_full([cell as u16, edge], S::EMPTY);
                }
            }
        }
    }

    fn pair(&mut self, points: [u16; 2]) -> &mut Pair<S> {
        let index = pair_of(points[0], points[1]);
        let pair = &mut self.pairs[index];
        if pair.fulls.count + pair.semis.count == 0 {
            self.used.push(index as u32);
        }
        pair
    }

    fn add_full(&mut self, points: [u16; 2], carrier: S) {
        let pair = self.pair(points);
        if pair.fulls.covers(carrier) {
            return;
        }
        pair.fulls.remove_around(carrier);
        pair.semis.remove_around(carrier);
        if pair.fulls.add(carrier) {
            self.queue.push(Pending { points, carrier, is_full: true });
            for [one, other] in [points, [points[1], points[0]]] {
                self.partners[usize::from(one)] = self.partners[usize::from(one)] | S::single(other.into());
            }
        }
    }

    fn add_semi(&mut self, points: [u16; 2], carrier: S) {
        if points == self.edges || points == [self.edges[1], self.edges[0]] {
            self.common = Some(self.common.map_or(carrier, |common| common & carrier));
        }
        let pair = self.pair(points);
        if pair.fulls.covers(carrier) || pair.semis.covers(carrier) {
            return;
        }
        pair.semis.remove_around(carrier);
        if pair.semis.add(carrier) {
            self.queue.push(Pending { points, carrier, is_full: false });
        }
    }

    /// The and-rule: joins a connection with the connections that begin where it ends. Edges are not used as the middle: a path
    /// through one edge is never a shorter way to the other.
    fn apply_and(&mut self, pending: Pending<S>) {
        let Pending { points, carrier, .. } = pending;
        if !self.pairs[pair_of(points[0], points[1])].fulls.all().contains(&carrier) {
            return;
        }
        for [from, middle] in [points, [points[1], points[0]]] {
            if self.edges.contains(&middle) {
                continue;
            }
            let is_empty = self.empty.has(middle.into());
            let own = if is_empty { S::single(middle.into()) } else { S::EMPTY };
            let ends = self.partners[usize::from(middle)] & !carrier & !S::single(from.into());
            for to in ends.iter() {
                let other = self.pairs[pair_of(middle, to as u16)].fulls;
                for &more in other.all() {
                    if !(more & carrier).is_empty() || more.has(from.into()) {
                        continue;
                    }
                    let joined = carrier | more | own;
                    if is_empty {
                        self.add_semi([from, to as u16], joined);
                    } else {
                        self.add_full([from, to as u16], joined);
                    }
                }
            }
        }
    }

    /// The or-rule: combines a semi-connection with others of the same points.
    fn apply_or(&mut self, pending: Pending<S>) {
        let Pending { points, carrier, .. } = pending;
        let semis = self.pairs[pair_of(points[0], points[1])].semis;
        if semis.all().contains(&carrier) {
            self.combine(points, semis.all(), carrier, carrier, COMBINED - 1);
        }
    }

    fn combine(&mut self, points: [u16; 2], others: &[S], common: S, all: S, left: usize) {
        for (index, &other) in others.iter().enumerate() {
            let (shared, joined) = (common & other, all | other);
            if shared.is_empty() {
                self.add_full(points, joined);
            } else if shared != common && left > 1 {
                self.combine(points, &others[index + 1..], shared, joined, left - 1);
            }
        }
    }
}
