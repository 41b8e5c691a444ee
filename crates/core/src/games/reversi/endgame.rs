//! Exact endgame solving: principal variation search over margins with bitboards and a table of its own.
//!
//! What saves most nodes is the order of the moves: the table's move, then those that leave the other side few moves, on stable
//! ground, in quarters with an odd number of empty squares (Logistello's and Edax's ways, as their authors describe them).
//! Discs that can never be turned limit the margin. The last squares are searched without lists (`last`).
//!
//! All scores are margins for the side to move, empty squares counted for the winner; hence they are even.

mod flips;
mod last;
mod stability;
mod table;

use std::sync::Arc;

use self::last::{by_parity, last_four, last_one, last_three, last_two};
use self::table::{Bounds, hash};
use super::legal_moves;
use crate::bits::Bits;

pub use self::flips::flips;
pub use self::last::{margin, odd_quarters};
pub use self::table::Table;

/// From so many empty squares on, positions are looked up in the table, and moves ordered by more than parity.
const LISTED: u32 = 7;
/// From so many on, a child's entry in the table may refute its parent before anything is searched.
const PROBED: u32 = 9;
/// Nodes after which a search looks at the world.
const LOOK: u64 = 256;

/// More than any margin.
const MOST: i32 = 65;

/// What the workers of a search share.
#[derive(Clone, Debug)]
pub struct Endgame {
    table: Arc<Table>,
}

impl Endgame {
    /// With a table of about `bytes`.
    pub fn new(bytes: u64) -> Self {
        Self { table: Arc::new(Table::new(bytes)) }
    }

    /// Bytes of its table.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Bytes of it in use.
    pub fn used_bytes(&self) -> u64 {
        self.table.used_bytes()
    }

    /// The best square as far as the table knows it.
    pub fn expected(&self, own: u64, other: u64) -> Option<u8> {
        let known = self.table.get(hash(own, other));
        known
            .map(|bounds| bounds.best)
            .filter(|&best| legal_moves(own, other).checked_shr(best.into()).unwrap_or(0) & 1 != 0)
    }
}

/// A move and the position after it, for the side then to move.
#[derive(Clone, Copy, Default)]
struct Candidate {
    square: u8,
    weight: i32,
    own: u64,
    other: u64,
}

/// The moves of a position: at most as many as a game has shown, with room to spare.
struct Candidates {
    list: [Candidate; 40],
    count: usize,
}

impl Candidates {
    /// Brings the weightiest of those from `next` on there.
    #[inline]
    fn pick(&mut self, next: usize) -> Candidate {
        let mut best = next;
        for other in next + 1..self.count {
            if self.list[other].weight > self.list[best].weight {
                best = other;
            }
        }
        self.list.swap(next, best);
        self.list[next]
    }
}

/// A worker at endgames.
pub struct Solver<'a, T> {
    table: &'a Table,
    tick: &'a mut T,
    /// Since the last tick.
    pub nodes: u64,
    /// Whether the search has to stop: values found after that mean nothing.
    pub stopped: bool,
}

impl<'a, T: FnMut(u64) -> bool> Solver<'a, T> {
    /// With a table that others may share; `tick` counts nodes, and says whether to go on.
    pub fn new(endgame: &'a Endgame, tick: &'a mut T) -> Self {
        Self { table: &endgame.table, tick, nodes: 0, stopped: false }
    }

    /// Tells the last nodes; whether what was found counts.
    pub fn is_done(&mut self) -> bool {
        self.stopped |= !(self.tick)(self.nodes);
        self.nodes = 0;
        !self.stopped
    }

    /// The margin for `own`, to move, if it lies within (`alpha`, `beta`); else a bound on that side.
    pub fn solve(&mut self, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        if beta - alpha <= 1 {
            self.null_window(own, other, alpha, false)
        } else {
            self.window(own, other, alpha, beta, false)
        }
    }

    /// Whether the margin is above `alpha`: a bound of it on the side where it lies.
    fn null_window(&mut self, own: u64, other: u64, alpha: i32, passed: bool) -> i32 {
        let empty = !(own | other);
        let count = empty.count_ones();
        if count < LISTED {
            return self.unlisted(own, other, alpha, passed);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(most) = stable_limit(own, other, alpha) {
            return most;
        }
        let key = hash(own, other);
        let known = self.table.get(key).unwrap_or(Bounds::UNKNOWN);
        if i32::from(known.lower) > alpha {
            return known.lower.into();
        }
        if i32::from(known.upper) <= alpha {
            return known.upper.into();
        }
        let legal = legal_moves(own, other);
        if legal == 0 {
            return if passed { margin(own, other) } else { -self.null_window(other, own, -alpha - 1, true) };
        }
        let mut moves = self.list(own, other, legal, known.best);
        if count >= PROBED
            && let Some(found) = self.refuted_by_table(&moves, alpha)
        {
            return found;
        }
        let mut best = -MOST;
        let mut square = 64;
        for next in 0..moves.count {
            let candidate = moves.pick(next);
            let value = -self.null_window(candidate.own, candidate.other, -alpha - 1, false);
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, square) = (value, candidate.square);
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
        self.table.put(key, count, bounds);
        best
    }

    /// A child whose bound in the table refutes this node at once (enhanced transposition cutoff; Schaeffer and Plaat 1996).
    fn refuted_by_table(&self, moves: &Candidates, alpha: i32) -> Option<i32> {
        moves.list[..moves.count].iter().find_map(|candidate| {
            let known = self.table.get(hash(candidate.own, candidate.other))?;
            let value = -i32::from(known.upper);
            (value > alpha).then_some(value)
        })
    }

    /// The margin within (`alpha`, `beta`), or a bound of it.
    fn window(&mut self, own: u64, other: u64, alpha: i32, beta: i32, passed: bool) -> i32 {
        let count = (!(own | other)).count_ones();
        self.count();
        if self.stopped {
            return 0;
        }
        let key = hash(own, other);
        let known = self.table.get(key).unwrap_or(Bounds::UNKNOWN);
        let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
        if lower == upper || lower >= beta {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        let legal = legal_moves(own, other);
        if legal == 0 {
            return if passed { margin(own, other) } else { -self.window(other, own, -beta, -alpha, true) };
        }
        let mut moves = self.list(own, other, legal, known.best);
        let (mut best, mut square, mut floor) = (-MOST, 64, alpha);
        for next in 0..moves.count {
            let candidate = moves.pick(next);
            let mut value = -MOST;
            if next > 0 {
                value = -self.null_window(candidate.own, candidate.other, -floor - 1, false);
            }
            if next == 0 || (value > floor && value < beta && !self.stopped) {
                value = -self.window(candidate.own, candidate.other, -beta, -floor, false);
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, square) = (value, candidate.square);
                if best >= beta {
                    break;
                }
            }
            floor = floor.max(best);
        }
        let mut bounds = Bounds { best: square, ..Bounds::UNKNOWN };
        if best > alpha {
            bounds.lower = best as i8;
        }
        if best < beta {
            bounds.upper = best as i8;
        }
        self.table.put(key, count, bounds);
        best
    }

    /// A null window without list and table: few empty squares, in the order of parity.
    fn unlisted(&mut self, own: u64, other: u64, alpha: i32, passed: bool) -> i32 {
        let empty = !(own | other);
        match empty.count_ones() {
            0 => return margin(own, other),
            1 => return last_one(own, empty.trailing_zeros(), &mut self.nodes),
            2 => return last_two(own, other, alpha, by_parity(empty), passed, &mut self.nodes),
            3 => return last_three(own, other, alpha, by_parity(empty), passed, &mut self.nodes),
            4 => return last_four(own, other, alpha, by_parity(empty), passed, &mut self.nodes),
            _ => self.nodes += 1,
        }
        let odd = odd_quarters(empty);
        let beside = super::mobility::grown(other);
        let mut best = -MOST;
        for mut part in [empty & odd & beside, empty & !odd & beside] {
            while part != 0 {
                let square = part.trailing_zeros();
                part &= part - 1;
                let turned = flips(own, other, square);
                if turned != 0 {
                    best = best.max(-self.unlisted(other & !turned, own | turned | 1 << square, -alpha - 1, false));
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        match best {
            _ if best > -MOST => best,
            _ if passed => margin(own, other),
            _ => -self.unlisted(other, own, -alpha - 1, true),
        }
    }

    /// The moves and how promising they are.
    fn list(&self, own: u64, other: u64, legal: u64, known_best: u8) -> Candidates {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let empty = !(own | other);
        let count = empty.count_ones();
        let odd = odd_quarters(empty);
        let mut moves = Candidates { list: [Candidate::default(); 40], count: 0 };
        for square in legal.iter().take(40) {
            let turned = flips(own, other, square);
            let (next_own, next_other) = (other & !turned, own | turned | 1 << square);
            let weight = if turned == other {
                1 << 30
            } else if square == u32::from(known_best) {
                1 << 29
            } else {
                let replies = legal_moves(next_own, next_other);
                let left = empty ^ 1 << square;
                let potential = (super::mobility::grown(next_other) & left).count_ones() as i32;
                let replies = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                let mut weight = -16 * replies - 4 * potential;
                weight += stability::stable_edges(next_other, next_own).count_ones() as i32 * 6;
                weight += i32::from(odd >> square & 1 != 0) * if count < 12 { 8 } else { 3 };
                weight
            };
            if count >= PROBED {
                self.table.prefetch(hash(next_own, next_other));
            }
            moves.list[moves.count] = Candidate { square: square as u8, weight, own: next_own, other: next_other };
            moves.count += 1;
        }
        moves
    }

    /// Counts a node, and looks at the world now and then.
    #[inline]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= LOOK {
            self.stopped |= !(self.tick)(self.nodes);
            self.nodes = 0;
        }
    }
}

/// The most that `own` can reach, where that is no more than `alpha`: the other side keeps its stable discs. With many empty
/// squares few discs are, and nothing is looked for.
#[inline]
pub fn stable_limit(own: u64, other: u64, alpha: i32) -> Option<i32> {
    let empty = (!(own | other)).count_ones() as i32;
    if alpha < 3 * empty - 24 {
        return None;
    }
    let most = 64 - 2 * stability::stable(other, own).count_ones() as i32;
    (most <= alpha).then_some(most)
}
