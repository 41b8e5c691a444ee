//! Quiescence search: below the horizon captures and answers to checks are played out, so that what is evaluated stands still.

use super::super::exchange::WORTH;
use super::moves::{Picker, Wanted};
use super::table::Entry;
use super::visit::{Node, refined};
use super::{INFINITY, LONGEST, Search, UNDECIDED, WIN, code, is_decided};
use crate::search::Bound;

/// What a capture may win beyond the piece that it takes.
const MARGIN: i32 = 110;
/// Quiet answers to a check that are tried once one of them does not lose.
const ANSWERS: u32 = 2;

impl<T: FnMut(u64) -> bool> Search<'_, T> {
    /// A node of quiescence search.
    pub(super) fn settle(&mut self, pv: bool, mut alpha: i32, beta: i32, ply: u32) -> i32 {
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.path.ended(ply).filter(|_| ply > 0) {
            return value;
        }
        if ply >= LONGEST {
            return self.standing(None);
        }
        let known = self.table.get(self.path.key());
        let known_value = known.map_or(0, |entry| entry.value_at(ply));
        if let Some(entry) = known
            && !pv
            && entry.settles(known_value, alpha, beta)
        {
            self.note_best(entry.best, ply);
            return known_value;
        }
        let in_check = self.path.in_check();
        let raw = known.map_or(Entry::NOTHING, |entry| entry.standing);
        let raw = if raw == Entry::NOTHING && !in_check { self.path.evaluate() } else { raw.into() };
        let mut best = -INFINITY;
        let mut standing = None;
        let first = alpha;
        if !in_check {
            let value = self.corrected(raw);
            standing = Some(value);
            best = refined(value, known, known_value);
            if best >= beta || !self.techniques.quiescence {
                return best;
            }
            alpha = alpha.max(best);
        }
        let wanted = if in_check { Wanted::All } else { Wanted::Captures };
        let table_move = known.map_or(0, |entry| entry.best);
        let mut picker = Picker::new(&self.memory.stack, table_move, [0; 2], self.before(ply), wanted);
        let (mut best_code, mut number, mut quiet) = (0, 0, 0);
        while let Some(choice) = picker.next(&self.path, &self.memory.history, &mut self.memory.stack) {
            number += 1;
            if best > -UNDECIDED {
                match (choice.victim, standing) {
                    (None, _) if quiet >= ANSWERS => {
                        picker.skips_quiet = true;
                        continue;
                    }
                    // It cannot raise the value far enough (delta pruning).
                    (Some(kind), Some(standing)) if !is_decided(alpha) => {
                        let most = standing + MARGIN + WORTH[kind as usize];
                        if most <= alpha && !self.path.board.gives_check(choice.step) {
                            best = best.max(most);
                            continue;
                        }
                    }
                    _ => {}
                }
            }
            quiet += u32::from(choice.victim.is_none());
            self.steps[ply as usize].slot = Some(choice.slot.into());
            self.play(choice.step);
            let value = -self.settle(pv, -beta, -alpha, ply + 1);
            self.path.take_back();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_code = code(choice.step);
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.memory.stack);
        if self.stopped {
            return 0;
        }
        if in_check && number == 0 {
            return ply as i32 - WIN;
        }
        self.note_best(best_code, ply);
        let node = Node {
            pv,
            depth: 0,
            alpha: first,
            beta,
            ply,
            cut: false,
            known,
            known_value,
            standing,
            guess: 0,
            improving: false,
            principal: pv || known.is_some_and(|entry| entry.principal),
            whole: true,
        };
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.remember(&node, best, bound, best_code, if in_check { Entry::NOTHING.into() } else { raw });
        best
    }
}
