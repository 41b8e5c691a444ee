//! Exact solver for the last squares: null-window searches over margins, with bitboards and a separate table.
//!
//! Move ordering saves most nodes: the table's move first, then moves that leave the other side few replies, in quarters with
//! an odd number of empty squares (as in Logistello and Edax, according to their authors). Discs that can never be turned limit
//! the margin. The last squares are searched without lists (`last`).
//!
//! All scores are margins for the side to move, empty squares counted for the winner; hence they are even.

mod flips;
mod last;
mod near;
mod stability;

use smallvec::SmallVec;

use self::last::{by_parity, last_four, last_one, last_three, last_two};
use self::near::Bounds;
use super::board::{Board, NO_SQUARE};
use super::fills::legal_moves;
use super::mobility::grown;
use crate::bits::Bits;

pub use self::flips::{BESIDE, flips, turned_by_last};
pub use self::last::{margin, odd_quarters};
pub use self::near::{Near, hash};
pub use self::stability::{EDGES, stable, stable_in_middle};

/// Least empty squares for table lookups, and for move ordering beyond parity.
const LISTED: u32 = 7;
/// Nodes between two calls of `tick`.
const TICK_INTERVAL: u64 = 256;

/// More than any margin.
const ABOVE_ANY_MARGIN: i32 = 101;

/// A move.
#[derive(Clone, Copy)]
struct Candidate<B: Board> {
    /// The discs that it turns.
    turned: B::Set,
    weight: i32,
    square: u8,
}

/// The moves of a position that are left to try.
struct Candidates<B: Board> {
    list: SmallVec<[Candidate<B>; 12]>,
}

impl<B: Board> Candidates<B> {
    /// Removes and returns the move with the greatest weight.
    #[inline]
    fn next(&mut self) -> Option<Candidate<B>> {
        let best = (0..self.list.len()).max_by_key(|&index| self.list[index].weight)?;
        Some(self.list.swap_remove(best))
    }
}

/// One worker's endgame solver.
pub struct Solver<'a, T> {
    near: &'a mut Near,
    tick: &'a mut T,
    /// Nodes since the last tick.
    pub nodes: u64,
    /// Whether the search must stop; values returned after that are meaningless.
    pub stopped: bool,
}

impl<'a, T: FnMut(u64) -> bool> Solver<'a, T> {
    /// A solver with the same worker's table. `tick` receives numbers of nodes, and returns whether to continue.
    pub fn new(near: &'a mut Near, tick: &'a mut T) -> Self {
        Self { near, tick, nodes: 0, stopped: false }
    }

    /// Reports the last nodes, and returns whether the result is valid.
    pub fn is_done(&mut self) -> bool {
        self.stopped |= !(self.tick)(self.nodes);
        self.nodes = 0;
        !self.stopped
    }

    /// A null-window search for the margin of `own`, to move: returns a lower bound if it is above `alpha`, an upper bound
    /// otherwise.
    pub fn solve<B: Board>(&mut self, own: B::Set, other: B::Set, alpha: i32) -> i32 {
        self.visit::<B>(own, other, alpha, false)
    }

    fn visit<B: Board>(&mut self, own: B::Set, other: B::Set, alpha: i32, passed: bool) -> i32 {
        let empty = B::empty(own, other);
        if empty.count() < LISTED {
            return self.unlisted::<B>(own, other, alpha, passed);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(most) = stable_limit::<B>(own, other, alpha) {
            return most;
        }
        let key = hash::<B>(own, other);
        let known = self.near.get(key);
        if i32::from(known.lower) > alpha {
            return known.lower.into();
        }
        if i32::from(known.upper) <= alpha {
            return known.upper.into();
        }
        let legal = legal_moves::<B>(own, other);
        if legal.is_empty() {
            return if passed { margin::<B>(own, other) } else { -self.visit::<B>(other, own, -alpha - 1, true) };
        }
        let mut moves = list::<B>(own, other, legal, known.best);
        let mut best = -ABOVE_ANY_MARGIN;
        let mut square = NO_SQUARE;
        while let Some(mv) = moves.next() {
            let (next_own, next_other) = (other & !mv.turned, own | mv.turned | B::Set::single(mv.square.into()));
            let value = -self.visit::<B>(next_own, next_other, -alpha - 1, false);
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, square) = (value, mv.square);
                if best > alpha {
                    break;
                }
            }
        }
        let bounds = if best > alpha {
            Bounds { lower: best as i8, best: square, ..Bounds::UNKNOWN }
        } else {
            Bounds { upper: best as i8, best: square, ..Bounds::UNKNOWN }
        };
        self.near.put(key, known, bounds);
        best
    }

    /// The same without list and table, for few empty squares, in parity order.
    fn unlisted<B: Board>(&mut self, own: B::Set, other: B::Set, alpha: i32, passed: bool) -> i32 {
        let empty = B::empty(own, other);
        match empty.count() {
            0 => return margin::<B>(own, other),
            1 => return last_one::<B>(own, empty.nth(0), &mut self.nodes),
            2 => return last_two::<B>(own, other, alpha, by_parity::<B, _>(empty), passed, &mut self.nodes),
            3 => return last_three::<B>(own, other, alpha, by_parity::<B, _>(empty), passed, &mut self.nodes),
            4 => return last_four::<B>(own, other, alpha, by_parity::<B, _>(empty), passed, &mut self.nodes),
            _ => self.nodes += 1,
        }
        let odd = odd_quarters::<B>(empty);
        let beside = grown::<B>(other);
        let mut best = -ABOVE_ANY_MARGIN;
        for mut part in [empty & odd & beside, empty & !odd & beside] {
            while !part.is_empty() {
                let square = part.pop();
                let turned = B::flips(own, other, square);
                if !turned.is_empty() {
                    let (next_own, next_other) = (other & !turned, own | turned | B::Set::single(square));
                    best = best.max(-self.unlisted::<B>(next_own, next_other, -alpha - 1, false));
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        match best {
            _ if best > -ABOVE_ANY_MARGIN => best,
            _ if passed => margin::<B>(own, other),
            _ => -self.unlisted::<B>(other, own, -alpha - 1, true),
        }
    }

    /// Counts a node, and calls `tick` every [`TICK_INTERVAL`] nodes.
    #[inline]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= TICK_INTERVAL {
            self.stopped |= !(self.tick)(self.nodes);
            self.nodes = 0;
        }
    }
}

/// The greatest margin that `own` can reach, given that the other side keeps its stable discs; `None` if it is above `alpha`.
/// With many empty squares few discs are stable, so they are not counted.
#[inline]
pub fn stable_limit<B: Board>(own: B::Set, other: B::Set, alpha: i32) -> Option<i32> {
    let empty = B::empty(own, other).count() as i32;
    if alpha < 3 * empty - 24 {
        return None;
    }
    let most = B::SQUARES as i32 - 2 * B::stable(other, own).count() as i32;
    (most <= alpha).then_some(most)
}

/// The moves with their ordering weights.
#[inline]
fn list<B: Board>(own: B::Set, other: B::Set, legal: B::Set, known_best: u8) -> Candidates<B> {
    let empty = B::empty(own, other);
    let odd = odd_quarters::<B>(empty);
    let mut list = SmallVec::new();
    for square in legal.iter() {
        let turned = B::flips(own, other, square);
        let weight = if turned == other {
            1 << 30
        } else if square == u32::from(known_best) {
            1 << 29
        } else {
            let replies = legal_moves::<B>(other & !turned, own | turned | B::Set::single(square));
            let replies = (replies.count() + (replies & B::CORNERS).count()) as i32;
            -16 * replies + if odd.has(square) { 8 } else { 0 }
        };
        list.push(Candidate { turned, weight, square: square as u8 });
    }
    Candidates { list }
}
