//! Move ordering: first the table's move, before the others are even listed, so that a refutation by it costs nothing more;
//! then the moves that refuted sibling positions; then the rest, by the evaluator's priority and history.

use super::Evaluator;
use crate::position::{Position, Side};

#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    pub mv: M,
    score: i32,
    pub code: u16,
}

/// The largest absolute history value.
const MAX_HISTORY: i32 = 16_384;
/// A score above those of all other moves.
const KILLER: i32 = 1 << 30;

/// The slots of the last two moves: the opponent's, and the own one before that.
pub type Before = (Option<usize>, Option<usize>);

/// Statistics of moves that refuted positions in this search, and of those that did not.
#[derive(Debug)]
pub struct History {
    /// The number of slots; 0: only killers are kept.
    pub slots: usize,
    /// By the side to move and the move's slot.
    plain: Vec<i16>,
    /// By the slot of one of the two previous moves, and the move's (continuation history; Stockfish).
    after: Vec<i16>,
    /// By the slot of the previous move: the code of the move that last refuted it (Uiterwijk's counter-moves, 1992); 0: none.
    counters: Vec<u16>,
    /// By ply: codes of the last two moves that refuted a position (Akl and Newborn's killers, 1977).
    killers: Vec<[u16; 2]>,
}

impl History {
    /// An empty history with this many slots.
    pub fn new(slots: usize) -> Self {
        Self {
            slots,
            plain: vec![0; 2 * slots],
            after: vec![0; slots * slots],
            counters: vec![0; slots],
            killers: Vec::new(),
        }
    }

    fn killers(&self, ply: u32) -> [u16; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    /// The codes of killers and the counter-move; 0 for none.
    fn refutations(&self, ply: u32, before: Option<usize>) -> [u16; 3] {
        let [a, b] = self.killers(ply);
        let counter = before.and_then(|slot| self.counters.get(slot)).copied().unwrap_or_default();
        [a, b, if counter == a || counter == b { 0 } else { counter }]
    }

    /// A move's history score.
    #[inline]
    pub fn score(&self, turn: Side, slot: usize, (before, own): Before) -> i32 {
        if self.slots == 0 {
            return 0;
        }
        let after =
            |before: Option<usize>| before.map_or(0, |before| i32::from(self.after[before * self.slots + slot]));
        (i32::from(self.plain[turn.index() * self.slots + slot]) + after(before) + after(own)) / 2
    }

    /// Records that a move refuted a position, searched `depth` plies deep, and that those tried before it did not.
    pub fn learn(
        &mut self,
        (turn, ply, before): (Side, u32, Before),
        depth: u32,
        (code, slot): (u16, usize),
        tried: &[usize],
    ) {
        if self.killers.len() <= ply as usize {
            self.killers.resize(ply as usize + 1, [0; 2]);
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        if self.slots == 0 {
            return;
        }
        if let Some(before) = before.0 {
            self.counters[before] = code;
        }
        let depth = depth.min(16) as i32;
        let bonus = (32 * depth * depth + 64 * depth).min(MAX_HISTORY / 8);
        self.add(turn, slot, before, bonus);
        for &slot in tried {
            self.add(turn, slot, before, -bonus);
        }
    }

    fn add(&mut self, turn: Side, slot: usize, (before, own): Before, bonus: i32) {
        // Steps shrink near the limit, so that old scores fade.
        let step = |value: &mut i16| {
            *value = (i32::from(*value) + bonus - i32::from(*value) * bonus.abs() / MAX_HISTORY) as i16
        };
        step(&mut self.plain[turn.index() * self.slots + slot]);
        for before in [before, own].into_iter().flatten() {
            step(&mut self.after[before * self.slots + slot]);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Table,
    List,
    Listed,
}

/// A node's progress through its moves. The moves themselves are on the search's stack.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    /// The code of the table's move; 0: none.
    table: u16,
    ply: u32,
    before: Before,
    first: usize,
    next: usize,
}

impl Picker {
    /// The picker of a node; `before` has the slots of the moves that led to it.
    pub fn new<M>(stack: &[ScoredMove<M>], table: u16, ply: u32, before: Before) -> Self {
        Self { stage: Stage::Table, table, ply, before, first: stack.len(), next: stack.len() }
    }

    /// Removes the node's moves from the stack.
    pub fn finish<M>(&self, stack: &mut Vec<ScoredMove<M>>) {
        stack.truncate(self.first);
    }

    /// The next move to try.
    #[inline]
    pub fn next<P: Position, E: Evaluator<P>>(
        &mut self,
        (evaluator, position): (&E, &P),
        history: &History,
        stack: &mut Vec<ScoredMove<P::Move>>,
    ) -> Option<ScoredMove<P::Move>> {
        if matches!(self.stage, Stage::Table) {
            self.stage = Stage::List;
            if self.table != 0
                && let Some(mv) = evaluator.recall(position, self.table)
            {
                return Some(ScoredMove { mv, score: KILLER, code: self.table });
            }
        }
        if matches!(self.stage, Stage::List) {
            self.stage = Stage::Listed;
            self.list(evaluator, position, history, stack);
        }
        pick(stack, &mut self.next)
    }

    fn list<P: Position, E: Evaluator<P>>(
        &self,
        evaluator: &E,
        position: &P,
        history: &History,
        stack: &mut Vec<ScoredMove<P::Move>>,
    ) {
        let turn = position.turn();
        let refutations = history.refutations(self.ply, self.before.0);
        for mv in position.moves() {
            let code = evaluator.code(mv);
            if code == self.table {
                continue;
            }
            let score = match refutations.iter().position(|&refutation| refutation == code) {
                Some(rank) => KILLER - rank as i32,
                None => {
                    let slot = if E::SLOTS == 0 { 0 } else { evaluator.slot(position, mv) };
                    E::PRIORITY * evaluator.priority(position, mv) + history.score(turn, slot, self.before)
                }
            };
            stack.push(ScoredMove { mv, score, code });
        }
    }
}

/// Swaps the best of the moves from `next` on to the front, and takes it. Equal moves keep their listed order, apart from the
/// effect of swaps.
#[inline]
fn pick<M: Copy>(stack: &mut [ScoredMove<M>], next: &mut usize) -> Option<ScoredMove<M>> {
    let mut best = *next;
    for other in *next + 1..stack.len() {
        if stack[other].score > stack[best].score {
            best = other;
        }
    }
    if *next >= stack.len() {
        return None;
    }
    stack.swap(*next, best);
    *next += 1;
    Some(stack[*next - 1])
}
