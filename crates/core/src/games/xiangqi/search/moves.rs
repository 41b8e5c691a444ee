//! Move ordering in stages, so that a move that refutes at once costs no more than itself: the table move, captures that lose
//! nothing, quiet moves by history, losing captures.

use super::super::exchange::{WORTH, wins_at_least};
use super::super::piece::{Kind, Step};
use super::history::{Before, History, slot};
use super::path::Path;
use super::{code, of_code};
use crate::bits::Bits;

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    pub step: Step,
    pub score: i32,
    /// Its slot in the history tables.
    pub slot: u16,
    /// The captured kind.
    pub victim: Option<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    ListCaptures,
    Captures,
    ListQuiet,
    Quiet,
    Losing,
}

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Captures only.
    Captures,
    /// Captures that win at least this much.
    Winning(i32),
}

/// The score of killers: above all other quiet moves.
const KILLER: i32 = 1 << 20;

/// The state of a node's move ordering. The moves themselves are on the search's one stack: first captures, the losing ones
/// moved to their front as they are found, then the quiet moves.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    wanted: Wanted,
    table: u16,
    killers: [u16; 2],
    before: Before,
    first: usize,
    /// The end of the losing captures.
    losing: usize,
    next: usize,
    captures_end: usize,
    /// Whether the remaining quiet moves are skipped.
    pub skips_quiet: bool,
}

impl Picker {
    /// All wanted moves of a node; `table` is the code of the table move, which comes first.
    pub fn new(stack: &[ScoredMove], table: u16, killers: [u16; 2], before: Before, wanted: Wanted) -> Self {
        let first = stack.len();
        Self {
            stage: Stage::Table,
            wanted,
            table,
            killers,
            before,
            first,
            losing: first,
            next: first,
            captures_end: first,
            skips_quiet: false,
        }
    }

    /// Removes the node's moves from the stack.
    #[inline]
    pub fn finish(&self, stack: &mut Vec<ScoredMove>) {
        stack.truncate(self.first);
    }

    /// The next move to try.
    #[inline]
    pub fn next(&mut self, path: &Path, history: &History, stack: &mut Vec<ScoredMove>) -> Option<ScoredMove> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListCaptures;
                    if let Some(choice) = self.table_move(path) {
                        return Some(choice);
                    }
                    self.table = 0;
                }
                Stage::ListCaptures => {
                    self.stage = Stage::Captures;
                    self.list(path, history, stack, true);
                    self.captures_end = stack.len();
                }
                Stage::Captures => match pick(stack, self.next, self.captures_end) {
                    Some(choice) => {
                        self.next += 1;
                        let least = match self.wanted {
                            Wanted::Winning(least) => least,
                            _ => -choice.score / 32,
                        };
                        if wins_at_least(&path.board, choice.step, least) {
                            return Some(choice);
                        }
                        stack.swap(self.losing, self.next - 1);
                        self.losing += 1;
                    }
                    None if self.wanted != Wanted::All => return None,
                    None => self.stage = Stage::ListQuiet,
                },
                Stage::ListQuiet => {
                    self.stage = Stage::Quiet;
                    self.next = stack.len();
                    if !self.skips_quiet {
                        self.list(path, history, stack, false);
                    }
                }
                Stage::Quiet => {
                    let end = if self.skips_quiet { self.next } else { stack.len() };
                    if let Some(choice) = pick(stack, self.next, end) {
                        self.next += 1;
                        return Some(choice);
                    }
                    (self.stage, self.next) = (Stage::Losing, self.first);
                }
                Stage::Losing => {
                    let choice = (self.next < self.losing).then(|| stack[self.next]);
                    self.next += 1;
                    return choice;
                }
            }
        }
    }

    fn table_move(&self, path: &Path) -> Option<ScoredMove> {
        let step = of_code(self.table)?;
        let board = &path.board;
        let victim = board.man(step.to).map(|man| man.kind());
        let wanted = match self.wanted {
            Wanted::All => true,
            Wanted::Captures => victim.is_some(),
            Wanted::Winning(least) => victim.is_some() && wins_at_least(board, step, least),
        };
        let legal = wanted && board.is_legal_knowing(path.safety(), step);
        legal.then(|| ScoredMove { step, score: KILLER, slot: slot(board, step) as u16, victim })
    }

    fn list(&self, path: &Path, history: &History, stack: &mut Vec<ScoredMove>, captures: bool) {
        let board = &path.board;
        let side = board.turn();
        let enemy = board.side(side.other());
        let moves = board.legal_moves(path.safety(), if captures { enemy } else { !enemy });
        for &(from, targets) in moves.pieces() {
            for to in targets.iter() {
                let step = Step { from, to: super::Square::from_index(to) };
                let code = code(step);
                if code == self.table {
                    continue;
                }
                let slot = slot(board, step);
                let victim = if captures { board.man(step.to).map(|man| man.kind()) } else { None };
                let score = match victim {
                    Some(kind) => 7 * WORTH[kind as usize] + history.capture(slot, kind as usize) / 4,
                    None if code == self.killers[0] => KILLER,
                    None if code == self.killers[1] => KILLER - 1,
                    None => 2 * history.plain(side, step) + history.after(slot, self.before),
                };
                stack.push(ScoredMove { step, score, slot: slot as u16, victim });
            }
        }
    }
}

/// Swaps the best of the moves from `next` to `end` to the front, and returns it.
#[inline]
fn pick(stack: &mut [ScoredMove], next: usize, end: usize) -> Option<ScoredMove> {
    if next >= end {
        return None;
    }
    let mut best = next;
    for other in next + 1..end {
        if stack[other].score > stack[best].score {
            best = other;
        }
    }
    stack.swap(next, best);
    Some(stack[next])
}
