//! Quiescence search: below the horizon tactical moves and answers to threats are played out, so that what is evaluated stands
//! still.

use super::Evaluator;
use super::ordering::Picker;
use super::visit::ended;
use super::worker::{After, LONGEST_PATH, Worker};
use crate::position::Position;
use crate::search::value::{Found, INFINITY, UNDECIDED, is_decided};

impl<P: Position, J: Evaluator<P>> Worker<'_, P, J> {
    /// The value at the horizon: the evaluator's, once tactical moves have been tried (quiescence search).
    pub fn horizon(&mut self, position: &P, alpha: i32, beta: i32, ply: u32) -> Found {
        let standing = self.evaluate(position);
        let mut best = Found::guess(standing);
        if !J::TACTICAL || !self.techniques.quiescence || standing >= beta || ply >= LONGEST_PATH {
            return best;
        }
        let mut floor = alpha.max(standing);
        let mut picker = Picker::tactical(&self.stack);
        while let Some(choice) = picker.next((&self.evaluator, position), &self.history, &mut self.stack) {
            // The best that is left cannot raise the value far enough (delta pruning).
            if J::MARGIN > 0 && standing + choice.score + 2 * J::MARGIN <= floor && !is_decided::<P>(floor) {
                break;
            }
            let after = self.play(position, choice.mv, ply + 1);
            let found = self.look_settled(&after, floor, beta, ply + 1);
            if self.stop.is_some() {
                break;
            }
            if found.value > best.value {
                // Quiet moves may win sooner.
                let selective = found.selective || is_decided::<P>(found.value);
                best = Found { complete: false, selective, ..found };
                if found.value >= beta {
                    break;
                }
                floor = floor.max(found.value);
            }
        }
        picker.finish(&mut self.stack);
        best
    }

    /// As [`Worker::look`], in quiescence search.
    #[inline]
    fn look_settled(&mut self, after: &After<P>, alpha: i32, beta: i32, ply: u32) -> Found {
        if after.same { self.settle(after, alpha, beta, ply) } else { self.settle(after, -beta, -alpha, ply).turned() }
    }

    /// A node of quiescence search.
    fn settle(&mut self, after: &After<P>, alpha: i32, beta: i32, ply: u32) -> Found {
        self.count();
        if self.stop.is_some() {
            return Found::guess(0);
        }
        let position = &after.position;
        if let Some(found) = ended(position, alpha, ply) {
            return found;
        }
        if let Some(entry) = self.table.get(after.key)
            && let Some(found) = self.usable(entry, 0, alpha, beta, ply)
        {
            return found;
        }
        let found = if ply < LONGEST_PATH && self.evaluator.is_forced(position) {
            self.answer(position, alpha, beta, ply)
        } else {
            self.horizon(position, alpha, beta, ply)
        };
        self.remember(after.key, found, 0, 0, (alpha, beta), ply);
        found
    }

    /// All replies to a threat, in quiescence search.
    fn answer(&mut self, position: &P, alpha: i32, beta: i32, ply: u32) -> Found {
        let mut best = Found::complete(-INFINITY);
        let mut picker = Picker::new(&self.stack, &self.history, 0, ply, (None, None), false);
        while let Some(choice) = picker.next((&self.evaluator, position), &self.history, &mut self.stack) {
            let after = self.play(position, choice.mv, ply + 1);
            let floor = alpha.max(best.value);
            let found = self.look_settled(&after, floor, beta, ply + 1);
            if self.stop.is_some() {
                break;
            }
            best = Found {
                value: best.value.max(found.value),
                complete: best.complete && found.complete,
                past: best.past || found.past,
                selective: best.selective || found.selective,
            };
            if best.value >= beta {
                best = found;
                break;
            }
        }
        picker.finish(&mut self.stack);
        if best.value == -INFINITY {
            Found::selective(self.evaluate(position))
        } else if picker.covers_all || best.value >= beta {
            best
        } else {
            Found::selective(best.value.max(if P::POINTS { -INFINITY } else { -UNDECIDED }))
        }
    }
}
