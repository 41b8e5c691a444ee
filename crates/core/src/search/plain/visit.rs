//! The recursion below the root.

use super::Evaluator;
use super::ordering::{Before, Picker};
use super::search::{LONGEST_PATH, Search};
use crate::position::Position;
use crate::search::searcher::After;
use crate::search::techniques::reduction;
use crate::search::value::{INFINITY, SearchValue, UNDECIDED, ended, is_lost};

/// Maximum number of tried moves whose history a refutation lowers.
const TRIED: usize = 32;

/// A node whose moves are being tried.
struct Node<'a, P> {
    position: &'a P,
    depth: u32,
    beta: i32,
    ply: u32,
    /// The slots of the two moves that led to it.
    before: Before,
    /// Whether the static evaluation has improved since two plies ago.
    improving: bool,
}

impl<P: Position, E: Evaluator<P>> Search<'_, '_, P, E> {
    /// The value of a position for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft).
    pub fn visit<const PV: bool>(
        &mut self,
        after: &After<P>,
        mut depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> SearchValue {
        if !self.counter.count(1) {
            return SearchValue::guess(0);
        }
        let (position, key) = (&after.position, after.key);
        if let Some(found) = self.ended_here(position, depth, alpha, ply) {
            return found;
        }
        let known = self.table.get(key);
        if let Some(found) = known.and_then(|entry| self.usable(entry, depth, alpha, beta, ply)) {
            return found;
        }
        if let Some((found, best)) = self.proof(position, depth, (alpha, beta), ply) {
            self.store(key, found, best, depth, (alpha, beta), ply);
            return found;
        }
        if self.counter.stop.is_some() {
            return SearchValue::guess(0);
        }
        if depth == 0 {
            let found = SearchValue::guess(self.evaluate(position));
            self.store(key, found, 0, 0, (alpha, beta), ply);
            return found;
        }
        self.memory.path[ply as usize].value = (E::EVALUATES && !self.proves).then(|| self.evaluator.value(position));
        let table_move = known.map_or(0, |entry| entry.best);
        // Without a table move, a shallower search finds one for the next time (internal iterative reduction).
        let reduced = self.techniques.internal_reduction && !self.proves && table_move == 0 && depth >= 4;
        depth -= u32::from(reduced);
        let before = (
            self.memory.path[ply as usize].slot,
            ply.checked_sub(1).and_then(|ply| self.memory.path[ply as usize].slot),
        );
        let node = Node { position, depth, beta, ply, before, improving: self.is_improving(position, ply) };
        let (mut found, best) = self.try_moves::<PV>(&node, table_move, alpha);
        found.selective |= reduced;
        self.store(key, found, best, depth, (alpha, beta), ply);
        found
    }

    /// The value of a position at which the recursion ends: the game is over, or a limit is reached.
    #[inline]
    fn ended_here(&self, position: &P, depth: u32, alpha: i32, ply: u32) -> Option<SearchValue> {
        if let Some(found) = ended(position, alpha, ply) {
            return Some(found);
        }
        if self.proves && depth == 0 {
            // Only ends within the depth matter; an estimate would be of no use to other searches that meet it in the table.
            return Some(SearchValue::guess(if alpha < 0 { -UNDECIDED } else { UNDECIDED }));
        }
        (ply >= LONGEST_PATH).then(|| SearchValue::guess(self.evaluate(position)))
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, position: &P, ply: u32) -> bool {
        let value = |ply: usize| self.memory.path.get(ply).and_then(|step| step.value);
        let ply = ply as usize;
        match (value(ply), ply.checked_sub(2).and_then(value)) {
            (Some(now), Some(before)) => (now - before) * i32::from(position.turn().sign()) > 0,
            _ => true,
        }
    }

    /// Tries a node's moves, best first. Returns the code of the best one too.
    fn try_moves<const PV: bool>(&mut self, node: &Node<'_, P>, table_move: u16, alpha: i32) -> (SearchValue, u16) {
        let Node { position, depth, beta, ply, before, .. } = *node;
        let mut picker = Picker::new(&self.stack, table_move, ply, before);
        let mut best = SearchValue::complete(-INFINITY);
        let (mut best_code, mut floor, mut number) = (0, alpha, 0);
        let mut all_complete = true;
        let mut tried = [0; TRIED];
        while let Some(choice) = picker.next((&*self.evaluator, position), &self.memory.history, &mut self.stack) {
            let after = self.play(position, choice.mv, ply + 1);
            let found = if number == 0 {
                self.search_after::<PV>(&after, depth - 1, floor, beta, ply + 1)
            } else {
                self.search_later::<PV>(node, &after, number, floor)
            };
            if self.counter.stop.is_some() {
                break;
            }
            if found.value > best.value {
                best.value = found.value;
                best_code = choice.code;
            }
            let slot = self.memory.path[ply as usize + 1].slot.unwrap_or_default();
            if found.value >= beta {
                let place = (position.turn(), ply, before);
                self.memory.history.learn(place, depth, (choice.code, slot), &tried[..number.min(TRIED)]);
                picker.finish(&mut self.stack);
                // A refutation does not depend on the other moves.
                return (found, choice.code);
            }
            if number < TRIED {
                tried[number] = slot;
            }
            number += 1;
            // Beside a better move, a proven loss changes nothing, regardless of its distance.
            all_complete &= found.complete;
            best.complete &= found.complete || is_lost::<P>(found.value);
            best.past |= found.past;
            best.selective |= found.selective;
            floor = floor.max(found.value);
        }
        picker.finish(&mut self.stack);
        if is_lost::<P>(best.value) {
            best.complete = all_complete;
        }
        (best, best_code)
    }

    /// Searches a move that is not expected to be the best: less deep at first, and again if its value is higher
    /// than expected.
    fn search_later<const PV: bool>(
        &mut self,
        node: &Node<'_, P>,
        after: &After<P>,
        number: usize,
        floor: i32,
    ) -> SearchValue {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let less = self.reduction::<PV>(node, number);
        let mut found = self.search_after::<false>(after, depth - less, floor, floor + 1, ply);
        if less > 0 {
            if found.value > floor && self.counter.stop.is_none() {
                found = self.search_after::<false>(after, depth, floor, floor + 1, ply);
            } else if !found.complete {
                found.selective = true;
            }
        }
        if PV && found.value > floor && found.value < node.beta && self.counter.stop.is_none() {
            found = self.search_after::<true>(after, depth, floor, node.beta, ply);
        }
        found
    }

    /// The late move reduction of a move's first search, in plies.
    #[inline]
    fn reduction<const PV: bool>(&self, node: &Node<'_, P>, number: usize) -> u32 {
        let first = if PV { 3 } else { 2 };
        if !self.techniques.reductions || self.proves || node.depth < 3 || number < first {
            return 0;
        }
        let mut less = reduction(node.depth, number) as i32;
        less -= i32::from(PV);
        less += i32::from(!node.improving);
        if E::SLOTS > 0 {
            let slot = self.memory.path[node.ply as usize + 1].slot.unwrap_or_default();
            less -= self.memory.history.score(node.position.turn(), slot, node.before) / 6000;
        }
        less.clamp(0, node.depth as i32 - 2) as u32
    }
}
