//! Reversi's search below the root: principal variation search over values in hundredths of a disc, on bitboards, with the
//! evaluation's numbers updated move by move.
//!
//! The same recursion searches the midgame to a depth and endgames to their end; the endgame solver searches the last squares.
//! Branches that a shallow search shows to lie far outside the window are cut (`probcut`), unless the result must be exact.
//!
//! Several workers search the same tree with one table. A move that another worker is searching is postponed until the other
//! moves of its node are done, unless it is the first; by then its result is mostly in the table (ABDADA, Weill 1996, with the
//! claims in a separate table).

mod claims;
mod moves;
mod node;
mod probcut;
mod table;

use super::board::{Board, NO_SQUARE};
use super::endgame::{Solver, hash, margin, stable_limit};
use super::evaluation::POINT;
use super::evaluator::Evaluator;
use super::fills::legal_moves;
use crate::bits::Bits;

use self::moves::Moves;
use self::node::Node;
use self::table::Entry;

pub use self::claims::Claims;
pub use self::probcut::Selectivity;
pub use self::table::{Table, best_known};

/// Most empty squares at which a search to the end is left to the solver.
const SOLVED: u32 = 11;
/// Least depth at which a child's table entry may refute its parent before any search.
const PROBED: u32 = 5;
/// Least depth at which a worker postpones a move that another one is searching.
const SHARED: u32 = 8;
/// The largest margin.
pub const fn most<B: Board>() -> i32 {
    B::SQUARES as i32 * POINT
}

/// A search of one worker.
pub struct Search<'a, B: Board, T> {
    pub evaluator: &'static B::Evaluator,
    pub table: &'a Table,
    pub claims: &'a Claims,
    pub solver: Solver<'a, T>,
    pub selectivity: Selectivity,
}

impl<B: Board, T: FnMut(u64) -> bool> Search<'_, B, T> {
    /// The value of a position for `own`, to move, searched `depth` plies deep, or to the end if that is nearer: exact within
    /// (`alpha`, `beta`), otherwise a bound on that side. `None` when the search must stop.
    pub fn run(&mut self, own: B::Set, other: B::Set, depth: u32, (alpha, beta): (i32, i32)) -> Option<i32> {
        let node = Node::new(self.evaluator, own, other);
        let (alpha, beta) = (alpha.max(-most::<B>() - 1), beta.min(most::<B>() + 1));
        let value = if beta - alpha <= 1 {
            self.visit::<false>(&node, depth, alpha, beta, false)
        } else {
            self.visit::<true>(&node, depth, alpha, beta, false)
        };
        self.solver.is_done().then_some(value)
    }

    fn visit<const PV: bool>(&mut self, node: &Node<B>, depth: u32, alpha: i32, beta: i32, passed: bool) -> i32 {
        let empty = node.empty();
        let to_end = depth >= empty;
        // On the principal variation the table must have every move.
        if to_end && (empty == 0 || empty <= SOLVED && !PV) {
            return POINT * self.solver.solve::<B>(node.own, node.other, alpha.div_euclid(POINT));
        }
        if depth == 0 {
            self.solver.nodes += 1;
            return self.evaluator.value(&node.numbers, (node.own, node.other), empty);
        }
        self.solver.count();
        if self.solver.stopped {
            return 0;
        }
        let depth = depth.min(empty);
        if to_end && let Some(most) = stable_limit::<B>(node.own, node.other, alpha.div_euclid(POINT)) {
            return most * POINT;
        }
        let key = hash::<B>(node.own, node.other);
        let known = self.table.get(key);
        if let Some(entry) = known
            && let Some(value) = entry.usable(depth, self.selectivity, alpha, beta)
        {
            return value;
        }
        let legal = legal_moves::<B>(node.own, node.other);
        if legal.is_empty() {
            return match passed {
                true => POINT * margin::<B>(node.own, node.other),
                false => -self.visit::<PV>(&node.passed(self.evaluator), depth, -beta, -alpha, true),
            };
        }
        if depth == 1 && !to_end {
            let (value, square) = self.last_ply(node, legal, beta);
            // Searching again is faster than a lookup, but principal variations end here.
            if PV {
                self.store(key, value, 1, (alpha, beta), square);
            }
            return value;
        }
        if !PV && let Some(value) = self.probcut(node, depth, alpha, beta) {
            return value;
        }
        let best = known.map_or(NO_SQUARE, |entry| entry.best);
        let moves = Moves::list(self, node, legal, depth, best);
        if depth >= PROBED
            && let Some(value) = self.refuted_by_table(node, &moves, depth, beta)
        {
            return value;
        }
        let (value, square) = self.try_moves::<PV>(node, moves, depth, alpha, beta);
        if !self.solver.stopped {
            self.store(key, value, depth, (alpha, beta), square);
        }
        value
    }

    /// Stores a search's result in the table, as bounds that follow from its window.
    fn store(&self, key: u64, value: i32, depth: u32, (alpha, beta): (i32, i32), square: u8) {
        let bounds = (if value > alpha { value } else { -most::<B>() }, if value < beta { value } else { most::<B>() });
        self.table.put(key, Entry::new(bounds, depth, self.selectivity, square));
    }

    /// The best of the moves and its value.
    fn try_moves<const PV: bool>(
        &mut self,
        node: &Node<B>,
        mut moves: Moves<B>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (i32, u8) {
        let (mut best, mut square, mut floor) = (-most::<B>() - 1, NO_SQUARE, alpha);
        let mut first = true;
        while let Some(mv) = moves.next() {
            let next = node.after(self.evaluator, mv.square.into(), mv.turned);
            let claimed = (depth >= SHARED && !first).then(|| hash::<B>(next.own, next.other));
            if let Some(key) = claimed
                && !mv.is_postponed()
                && !self.claims.claim(key)
            {
                moves.postpone(mv);
                continue;
            }
            let mut value = best;
            if !PV || !first {
                value = -self.visit::<false>(&next, depth - 1, -floor - 1, -floor, false);
            }
            if PV && (first || value > floor && value < beta) && !self.solver.stopped {
                value = -self.visit::<true>(&next, depth - 1, -beta, -floor, false);
            }
            if let Some(key) = claimed {
                self.claims.release(key);
            }
            if self.solver.stopped {
                break;
            }
            first = false;
            if value > best {
                (best, square) = (value, mv.square);
                if best >= beta {
                    break;
                }
            }
            floor = floor.max(best);
        }
        (best, square)
    }

    /// The value of a position one ply before the horizon, and its best move.
    fn last_ply(&mut self, node: &Node<B>, legal: B::Set, beta: i32) -> (i32, u8) {
        let (mut best, mut found) = (-most::<B>() - 1, NO_SQUARE);
        for square in legal.iter() {
            let turned = node.turned(square);
            self.solver.nodes += 1;
            let value = if turned == node.other { most::<B>() } else { -self.value_after(node, square, turned) };
            if value > best {
                (best, found) = (value, square as u8);
                if best >= beta {
                    break;
                }
            }
        }
        (best, found)
    }

    /// The static value for the other side after a move that turns these discs.
    #[inline]
    fn value_after(&self, node: &Node<B>, square: u32, turned: B::Set) -> i32 {
        let numbers = self.evaluator.after(&node.numbers, square, turned);
        self.evaluator.value(&numbers, node.discs_after(square, turned), node.empty() - 1)
    }

    /// The bound of a child in the table that refutes this node at once (enhanced transposition cutoff; Schaeffer and Plaat
    /// 1996).
    fn refuted_by_table(&self, node: &Node<B>, moves: &Moves<B>, depth: u32, beta: i32) -> Option<i32> {
        moves.all().find_map(|mv| {
            let (own, other) = node.discs_after(mv.square.into(), mv.turned);
            let entry = self.table.get(hash::<B>(own, other))?;
            let value = -i32::from(entry.upper);
            (entry.is_as_deep(depth - 1, self.selectivity) && value >= beta).then_some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::board::{Eight, Six, Ten};
    use crate::games::reversi::endgame::Near;
    use crate::games::reversi::evaluation::TESTED;
    use crate::games::reversi::{Game, Position, Reversi, ReversiVariant};
    use crate::rng::Rng;

    /// The value of a position by plain negamax.
    fn plain<B: Board>(evaluator: &B::Evaluator, own: B::Set, other: B::Set, depth: u32, passed: bool) -> i32 {
        let empty = B::empty(own, other).count();
        let legal = legal_moves::<B>(own, other);
        if depth == 0 && empty > 0 {
            return evaluator.value_of(own, other);
        }
        if legal.is_empty() && (passed || legal_moves::<B>(other, own).is_empty()) {
            return POINT * margin::<B>(own, other);
        }
        if legal.is_empty() {
            return -plain::<B>(evaluator, other, own, depth, true);
        }
        let value = |square| {
            let turned = B::flips(own, other, square);
            -plain::<B>(evaluator, other & !turned, own | turned | B::Set::single(square), depth - 1, false)
        };
        legal.iter().map(value).max().unwrap_or(0)
    }

    /// Positions after random moves: in the middle of the game, and near its end.
    fn positions<B: Board>(seed: u64) -> impl Iterator<Item = (B::Set, B::Set)> {
        (0..40).map(move |number| {
            let mut rng = Rng::new(seed, number);
            let mut position = Reversi::<B>::start(&ReversiVariant::default());
            let left = [B::SQUARES / 2, 9][number as usize % 2];
            while position.empty().count() > left && position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
            (position.own, position.other)
        })
    }

    fn agrees<B: Board>(evaluator: &'static B::Evaluator) {
        let mut near = Near::default();
        let (table, claims) = (Table::new(1 << 16), Claims::default());
        for (number, (own, other)) in positions::<B>(7).enumerate() {
            let depth = if B::empty(own, other).count() > 12 { 1 + number as u32 % 4 } else { B::SQUARES };
            let mut tick = |_| true;
            let solver = Solver::new(&mut near, &mut tick);
            let selectivity = Selectivity::Exact;
            let mut search = Search::<B, _> { evaluator, table: &table, claims: &claims, solver, selectivity };
            let exact = plain::<B>(evaluator, own, other, depth, false);
            let found = search.run(own, other, depth, (-20_000, 20_000));
            assert_eq!(found, Some(exact), "{own:#x?} {other:#x?} at {depth}");
            for alpha in [exact - 300, exact - 1, exact, exact + 250] {
                let found = search.run(own, other, depth, (alpha, alpha + 1)).expect("nothing stops it");
                assert_eq!(found > alpha, exact > alpha, "{own:#x?} {other:#x?} at {depth}: {found} of {exact}");
                assert!(if found > alpha { found <= exact } else { found >= exact }, "{found} is no bound of {exact}");
            }
        }
    }

    #[test]
    fn values_are_those_of_plain_negamax() {
        agrees::<Eight>(&TESTED);
        agrees::<Six>(Six::evaluator());
        agrees::<Ten>(Ten::evaluator());
    }
}
