//! The order in which a node's moves are tried, in stages, so that a move that refutes at once costs no more than itself: the
//! table's move, tactical moves that lose nothing, moves that refuted the sibling positions, quiet moves by evaluator and
//! history, tactical moves that lose something.

use super::Evaluator;
use super::evaluator::Part;
use crate::position::{Position, Side};

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub struct Choice<M> {
    pub mv: M,
    /// What it wins, for tactical moves; else its rank.
    pub score: i32,
    pub code: u16,
    pub is_quiet: bool,
}

/// The largest size of a history value.
const MOST: i32 = 16_384;
/// Before all other quiet moves.
const KILLER: i32 = 1 << 30;

/// The slots of the last two moves: the other side's, and the own one before that.
pub type Before = (Option<usize>, Option<usize>);

/// What refuted positions in this search, and what did not.
#[derive(Debug)]
pub struct History {
    slots: usize,
    /// By the side to move and the move's slot.
    plain: Vec<i16>,
    /// By the slot of one of the two moves before, and the move's (continuation history; Stockfish).
    after: Vec<i16>,
    /// By the slot of the move before: the code of the move that refuted it last (Uiterwijk's counter-moves, 1992); 0: none.
    counters: Vec<u16>,
    /// By ply: codes of the last two quiet moves that refuted a position (Akl and Newborn's killers, 1977).
    killers: Vec<[u16; 2]>,
}

impl History {
    /// An empty history for moves with so many slots.
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

    /// The codes to try before other quiet moves; 0 where there is none.
    fn refutations(&self, ply: u32, before: Option<usize>) -> [u16; 3] {
        let [a, b] = self.killers(ply);
        let counter = before.and_then(|slot| self.counters.get(slot)).copied().unwrap_or_default();
        [a, b, if counter == a || counter == b { 0 } else { counter }]
    }

    /// What a quiet move has been worth lately.
    #[inline]
    pub fn score(&self, turn: Side, slot: usize, (before, own): Before) -> i32 {
        if self.slots == 0 {
            return 0;
        }
        let after =
            |before: Option<usize>| before.map_or(0, |before| i32::from(self.after[before * self.slots + slot]));
        (i32::from(self.plain[turn.index() * self.slots + slot]) + after(before) + after(own)) / 2
    }

    /// Learns that a quiet move refuted a position, searched `depth` plies deep, and that those tried before it did not.
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
        let bonus = (32 * depth * depth + 64 * depth).min(MOST / 8);
        self.add(turn, slot, before, bonus);
        for &slot in tried {
            self.add(turn, slot, before, -bonus);
        }
    }

    fn add(&mut self, turn: Side, slot: usize, (before, own): Before, bonus: i32) {
        // The nearer to the limit, the smaller the step: so old merits fade.
        let step =
            |value: &mut i16| *value = (i32::from(*value) + bonus - i32::from(*value) * bonus.abs() / MOST) as i16;
        step(&mut self.plain[turn.index() * self.slots + slot]);
        for before in [before, own].into_iter().flatten() {
            step(&mut self.after[before * self.slots + slot]);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Table,
    ListTactical,
    Tactical,
    Refutations(usize),
    ListQuiet,
    Quiet,
    LosingTactical,
}

/// Where a node stands in the order of its moves. The moves themselves are on the search's one stack: first the tactical ones,
/// then the quiet ones.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    /// The code of the table's move; 0: none.
    table: u16,
    refutations: [u16; 3],
    before: Before,
    /// Whether quiet moves are wanted, and tactical ones that lose something.
    all: bool,
    /// Whether all legal moves are wanted.
    full_width: bool,
    first: usize,
    next_tactical: usize,
    first_quiet: usize,
    next_quiet: usize,
    /// Whether what the evaluator left out can be left out for certain.
    pub covers_all: bool,
}

impl Picker {
    /// All moves of a node, `before` being the slot of the move that led to it. `full_width`: also those that the evaluator
    /// would leave out.
    pub fn new<M>(
        stack: &[Choice<M>],
        history: &History,
        table: u16,
        ply: u32,
        before: Before,
        full_width: bool,
    ) -> Self {
        let first = stack.len();
        Self {
            stage: Stage::Table,
            table,
            refutations: history.refutations(ply, before.0),
            before,
            all: true,
            full_width,
            first,
            next_tactical: first,
            first_quiet: first,
            next_quiet: first,
            covers_all: true,
        }
    }

    /// A node's tactical moves that lose nothing.
    pub fn tactical<M>(stack: &[Choice<M>]) -> Self {
        let first = stack.len();
        Self {
            stage: Stage::ListTactical,
            table: 0,
            refutations: [0; 3],
            before: (None, None),
            all: false,
            full_width: false,
            first,
            next_tactical: first,
            first_quiet: first,
            next_quiet: first,
            covers_all: true,
        }
    }

    /// Forgets the node's moves.
    pub fn finish<M>(&self, stack: &mut Vec<Choice<M>>) {
        stack.truncate(self.first);
    }

    /// The next move to try.
    #[inline]
    pub fn next<P: Position, J: Evaluator<P>>(
        &mut self,
        (evaluator, position): (&J, &P),
        history: &History,
        stack: &mut Vec<Choice<P::Move>>,
    ) -> Option<Choice<P::Move>> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListTactical;
                    if self.table != 0
                        && let Some(mv) = evaluator.recall(position, self.table)
                    {
                        let is_quiet = !J::TACTICAL || !evaluator.is_tactical(position, mv);
                        return Some(Choice { mv, score: KILLER, code: self.table, is_quiet });
                    }
                }
                Stage::ListTactical => {
                    self.stage = Stage::Tactical;
                    if !J::SEARCHES && J::TACTICAL && !self.full_width {
                        self.list_tactical(evaluator, position, stack);
                    }
                }
                Stage::Tactical => match pick(stack, &mut self.next_tactical, self.first_quiet, 0) {
                    None if self.all => self.stage = Stage::Refutations(0),
                    picked => return picked,
                },
                Stage::Refutations(number) => {
                    self.stage = if number < 2 { Stage::Refutations(number + 1) } else { Stage::ListQuiet };
                    if let Some(choice) = self.refutation(evaluator, position, self.refutations[number]) {
                        return Some(choice);
                    }
                }
                Stage::ListQuiet => {
                    self.stage = Stage::Quiet;
                    self.list_quiet(evaluator, position, history, stack);
                }
                Stage::Quiet => {
                    let end = stack.len();
                    match pick(stack, &mut self.next_quiet, end, i32::MIN) {
                        None => self.stage = Stage::LosingTactical,
                        picked => return picked,
                    }
                }
                Stage::LosingTactical => return pick(stack, &mut self.next_tactical, self.first_quiet, i32::MIN),
            }
        }
    }

    fn list_tactical<P: Position, J: Evaluator<P>>(
        &mut self,
        evaluator: &J,
        position: &P,
        stack: &mut Vec<Choice<P::Move>>,
    ) {
        let table = self.table;
        self.covers_all &= evaluator.moves(position, Part::Tactical, &mut |mv| {
            let code = evaluator.code(mv);
            if code != table {
                stack.push(Choice { mv, score: evaluator.gain(position, mv), code, is_quiet: false });
            }
        });
        (self.first_quiet, self.next_quiet) = (stack.len(), stack.len());
    }

    fn list_quiet<P: Position, J: Evaluator<P>>(
        &mut self,
        evaluator: &J,
        position: &P,
        history: &History,
        stack: &mut Vec<Choice<P::Move>>,
    ) {
        let (turn, table, refutations, before) = (position.turn(), self.table, self.refutations, self.before);
        let full_width = J::SEARCHES || self.full_width;
        let mut add = |mv| {
            let code = evaluator.code(mv);
            if code == table {
                return;
            }
            let score = match refutations.iter().position(|&refutation| refutation == code) {
                // It has been tried.
                Some(_) if J::RECALLS && !full_width => return,
                Some(rank) => KILLER - rank as i32,
                None => {
                    let known =
                        if J::SLOTS == 0 { 0 } else { history.score(turn, evaluator.slot(position, mv), before) };
                    J::PRIORITY * evaluator.priority(position, mv) + known
                }
            };
            stack.push(Choice { mv, score, code, is_quiet: true });
        };
        if full_width {
            position.moves().for_each(add);
        } else {
            self.covers_all &= evaluator.moves(position, Part::Quiet, &mut add);
        }
    }

    fn refutation<P: Position, J: Evaluator<P>>(
        &self,
        evaluator: &J,
        position: &P,
        code: u16,
    ) -> Option<Choice<P::Move>> {
        if J::SEARCHES || !J::RECALLS || self.full_width || code == 0 || code == self.table {
            return None;
        }
        let mv = evaluator.recall(position, code)?;
        let is_quiet = !J::TACTICAL || !evaluator.is_tactical(position, mv);
        is_quiet.then_some(Choice { mv, score: KILLER, code, is_quiet })
    }
}

/// Brings the best of the moves from `next` to `end` to the front, and takes it if it is not worth less than `least`. Equals
/// keep the order in which they were listed, as far as exchanges leave it.
#[inline]
fn pick<M: Copy>(stack: &mut [Choice<M>], next: &mut usize, end: usize, least: i32) -> Option<Choice<M>> {
    let mut best = *next;
    for other in *next + 1..end {
        if stack[other].score > stack[best].score {
            best = other;
        }
    }
    if *next >= end || stack[best].score < least {
        return None;
    }
    stack.swap(*next, best);
    *next += 1;
    Some(stack[*next - 1])
}
