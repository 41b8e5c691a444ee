//! Quiescence search: below the horizon captures and answers to checks are played out, so that only quiet positions are
//! evaluated.

use super::super::exchange::WORTH;
use super::moves::{Picker, ScoredMove, Wanted};
use super::node::Node;
use super::visit::refined;
use super::{Search, UNDECIDED, WIN, code, is_decided};
use crate::search::Bound;

/// Margin of delta pruning: what a capture may win beyond the captured piece.
const MARGIN: i32 = 110;
/// The most quiet answers to a check tried once one of them does not lose.
const ANSWERS: u32 = 2;

impl<T: FnMut(u64) -> bool> Search<'_, T> {
    /// A node of quiescence search.
    pub(super) fn quiesce(&mut self, pv: bool, alpha: i32, beta: i32, ply: u32) -> i32 {
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        let known = self.table.get(self.path.key());
        if let Some(entry) = known
            && !pv
            && entry.is_conclusive(entry.value_at(ply), alpha, beta)
        {
            self.record_best(entry.best, ply);
            return entry.value_at(ply);
        }
        let in_check = self.path.in_check();
        let mut node = Node::new(pv, 0, (alpha, beta), ply, known);
        node.raw = self.raw(known, in_check);
        if !in_check {
            let value = self.corrected(node.raw);
            node.static_eval = Some(value);
            node.guess = refined(value, known, node.known_value);
            if node.guess >= beta || !self.techniques.quiescence {
                return node.guess;
            }
        }
        let Some((value, best)) = self.try_captures(&node) else {
            return if self.stopped { 0 } else { ply as i32 - WIN };
        };
        self.record_best(best, ply);
        let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
        self.store(&node, value, bound, best);
        value
    }

    /// Tries a node's captures, or all its moves in check. Returns its value and the code of the best move; none if the search
    /// has stopped, or the side to move is mated.
    fn try_captures(&mut self, node: &Node) -> Option<(i32, u16)> {
        let Node { pv, beta, ply, guess, .. } = *node;
        let in_check = node.static_eval.is_none();
        let wanted = if in_check { Wanted::All } else { Wanted::Captures };
        let table_move = node.known.map_or(0, |entry| entry.best);
        let mut picker = Picker::new(&self.memory.stack, table_move, [0; 2], self.before(ply), wanted);
        let (mut best, mut alpha, mut best_code) = (guess, node.alpha.max(guess), 0);
        let (mut number, mut quiet) = (0, 0);
        while let Some(choice) = picker.next(&self.path, &self.memory.history, &mut self.memory.stack) {
            number += 1;
            if best > -UNDECIDED {
                if choice.victim.is_none() && quiet >= ANSWERS {
                    picker.skips_quiet = true;
                    continue;
                }
                if let Some(most) = self.futile_value(node, &choice, alpha) {
                    best = best.max(most);
                    continue;
                }
            }
            quiet += u32::from(choice.victim.is_none());
            self.steps[ply as usize].slot = Some(choice.slot.into());
            self.play(choice.step);
            let value = -self.quiesce(pv, -beta, -alpha, ply + 1);
            self.path.take_back();
            if self.stopped {
                break;
            }
            best = best.max(value);
            if value > alpha {
                (alpha, best_code) = (value, code(choice.step));
                if value >= beta {
                    break;
                }
            }
        }
        picker.finish(&mut self.memory.stack);
        let mated = in_check && number == 0;
        (!self.stopped && !mated).then_some((best, best_code))
    }

    /// The most that a capture can be worth, if that does not exceed `alpha` (delta pruning).
    #[inline]
    fn futile_value(&self, node: &Node, choice: &ScoredMove, alpha: i32) -> Option<i32> {
        let most = node.static_eval? + MARGIN + WORTH[choice.victim? as usize];
        (!is_decided(alpha) && most <= alpha && !self.path.board.gives_check(choice.step)).then_some(most)
    }
}
