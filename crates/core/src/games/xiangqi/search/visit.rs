//! The recursion of Xiangqi's search.

use super::moves::{Choice, Picker, Wanted};
use super::selectivity::Singled;
use super::table::Entry;
use super::{FORBIDDEN, INFINITY, LONGEST, Search, UNDECIDED, WIN, code, is_decided, of_code};
use crate::search::Bound;
use crate::search::value::narrow::to_table;

/// Moves whose history is lowered when a later one refutes, of quiet ones and of captures each.
const TRIED: usize = 32;
/// From so many plies on, a node without a move to begin with is searched less deep.
const UNKNOWN: i32 = 3;

/// A node, as its moves are tried.
pub(super) struct Node {
    /// Whether it lies on the principal variation: its window is open.
    pub pv: bool,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: u32,
    /// Whether it is expected to be refuted.
    pub cut: bool,
    /// What the table knows of it, and the value there as it counts here.
    pub known: Option<Entry>,
    pub known_value: i32,
    /// Value without search; none in check.
    pub standing: Option<i32>,
    /// The same, refined by what the table knows.
    pub guess: i32,
    /// Whether that is more than two plies ago.
    pub improving: bool,
    /// Whether it is or has been on a principal variation.
    pub principal: bool,
    /// Whether all moves are looked at.
    pub whole: bool,
}

/// The moves that a node has tried in vain.
struct Tried {
    moves: [Choice; TRIED],
    count: usize,
}

impl<T: FnMut(u64) -> bool> Search<'_, T> {
    /// The value of the board for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft).
    pub(super) fn visit<const PV: bool>(
        &mut self,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.settle(PV, alpha, beta, ply);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        if ply > 0 {
            if let Some(value) = self.path.ended(ply) {
                return value;
            }
            if ply >= LONGEST {
                return self.standing(None);
            }
        }
        // Nobody is mated before here, nor mates sooner than by the next move.
        (alpha, beta) = (alpha.max(ply as i32 - WIN), beta.min(WIN - ply as i32 - 1));
        if alpha >= beta {
            return alpha;
        }
        let whole = self.steps[ply as usize].excluded == 0;
        let known = self.table.get(self.path.key());
        let known_value = known.map_or(0, |entry| entry.value_at(ply));
        if let Some(entry) = known
            && !PV
            && whole
            && (i32::from(entry.depth) >= depth || is_decided(known_value))
            && entry.settles(known_value, alpha, beta)
        {
            self.note_best(entry.best, ply);
            self.confirm(&entry, known_value >= beta, depth, ply);
            return known_value;
        }
        let in_check = self.path.in_check();
        let raw = if in_check { 0 } else { known.map_or(Entry::NOTHING, |entry| entry.standing).into() };
        let raw = if raw == i32::from(Entry::NOTHING) { self.path.evaluate() } else { raw };
        let standing = (!in_check).then(|| self.corrected(raw));
        self.steps[ply as usize].standing = standing;
        let guess = standing.map_or(0, |standing| refined(standing, known, known_value));
        let mut node = Node {
            pv: PV,
            depth,
            alpha,
            beta,
            ply,
            cut,
            known,
            known_value,
            standing,
            guess,
            improving: self.is_improving(ply),
            principal: PV || known.is_some_and(|entry| entry.principal),
            whole,
        };
        self.memory.history.forget_killers(ply + 2);
        self.steps[ply as usize + 1].refuted = 0;
        if !PV
            && whole
            && let Some(value) = self.cut(&mut node)
        {
            return value;
        }
        let table_move = known.map_or(0, |entry| entry.best);
        // Without a move to begin with, a shallower search finds one for the next time (internal iterative reduction).
        if self.techniques.internal_reduction && table_move == 0 && (PV || cut) && node.depth >= UNKNOWN {
            node.depth -= 2;
        }
        let (value, best) = self.try_moves(&node, table_move);
        self.note_best(best, ply);
        if whole && !self.stopped {
            let bound = match value {
                _ if value >= beta => Bound::Lower,
                _ if value > alpha && PV => Bound::Exact,
                _ => Bound::Upper,
            };
            let raw = if in_check { i32::from(Entry::NOTHING) } else { raw };
            self.remember(&node, value, bound, best, raw);
            self.learn_correction(&node, value, bound, best);
        }
        value
    }

    /// Tries a node's moves, best first. Returns the code of the best one too.
    fn try_moves(&mut self, node: &Node, table_move: u16) -> (i32, u16) {
        let Node { alpha, beta, ply, .. } = *node;
        let before = self.before(ply);
        let killers = self.memory.history.killers(ply);
        let mut picker = Picker::new(&self.memory.stack, table_move, killers, before, Wanted::All);
        let excluded = self.steps[ply as usize].excluded;
        let (mut best, mut best_code, mut floor, mut number, mut left_out) = (-INFINITY, 0, alpha, 0, false);
        let none = Choice { step: super::NOWHERE, score: 0, slot: 0, victim: None };
        let (mut quiet, mut captures) = (Tried::new(none), Tried::new(none));
        while let Some(choice) = picker.next(&self.path, &self.memory.history, &mut self.memory.stack) {
            let code = code(choice.step);
            if code == excluded {
                continue;
            }
            number += 1;
            let checks = self.path.board.gives_check(choice.step);
            let reduction = self.reduction(node, number, &choice, floor, checks);
            // A move is left out only where another one does not lose: so no loss is claimed that is none.
            if best > -UNDECIDED && self.is_hopeless(node, &choice, number, reduction, floor, checks, &mut picker) {
                left_out = true;
                continue;
            }
            let mut extended = 0;
            if code == table_move && node.whole {
                match self.single_out(node, &choice) {
                    Singled::By(plies) => extended = plies,
                    Singled::Refuted(value) => {
                        picker.finish(&mut self.memory.stack);
                        return (value, table_move);
                    }
                }
            }
            if self.stopped {
                break;
            }
            self.steps[ply as usize].slot = Some(choice.slot.into());
            self.play(choice.step);
            let depth = node.depth - 1 + extended;
            let value = self.look(node, &choice, (depth, reduction), number, floor, best);
            self.path.take_back();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > floor {
                    best_code = code;
                    floor = value;
                    if value >= beta {
                        break;
                    }
                }
            }
            if code != best_code {
                if choice.victim.is_some() { captures.add(choice) } else { quiet.add(choice) }
            }
        }
        picker.finish(&mut self.memory.stack);
        if self.stopped {
            return (0, 0);
        }
        if number == 0 {
            return (if node.whole { ply as i32 - WIN } else { alpha }, 0);
        }
        if best >= beta {
            self.steps[ply as usize].refuted += 1;
            self.learn(node, best_code, &quiet, &captures);
        }
        if left_out {
            best = best.max(-UNDECIDED);
        }
        (best, best_code)
    }

    /// The value of the position after a move for the side that moved: less deep and with a null window at first, and again as
    /// far as it surprises.
    fn look(
        &mut self,
        node: &Node,
        choice: &Choice,
        (mut depth, reduction): (i32, i32),
        number: i32,
        floor: i32,
        best: i32,
    ) -> i32 {
        let (beta, next) = (node.beta, node.ply + 1);
        let mut value = floor;
        let full = if node.depth >= 2 && number > 1 && reduction > 0 {
            let less = (depth - reduction).clamp(1, depth.max(1));
            value = -self.visit::<false>(less, -floor - 1, -floor, next, true);
            if value > floor && less < depth && !self.stopped {
                // What surprises much is worth a deeper look, what hardly does a shallower one.
                depth += i32::from(value > best + 40 && less < depth - 1) - i32::from(value < best + 8);
                let again = less < depth;
                if again {
                    value = -self.visit::<false>(depth, -floor - 1, -floor, next, !node.cut);
                }
                if choice.victim.is_none() {
                    let before = self.before(node.ply);
                    let bonus = if value <= floor { -bonus(depth) } else { bonus(depth) };
                    self.memory.history.learn_after(choice.slot.into(), before, bonus);
                }
            }
            false
        } else {
            !node.pv || number > 1
        };
        if full {
            value = -self.visit::<false>(depth, -floor - 1, -floor, next, !node.cut);
        }
        if node.pv && (number == 1 || value > floor) && !self.stopped {
            value = -self.visit::<true>(depth, -beta, -floor, next, false);
        }
        value
    }

    /// Learns from what refuted a node and from what did not.
    fn learn(&mut self, node: &Node, best: u16, quiet: &Tried, captures: &Tried) {
        if !self.techniques.history {
            return;
        }
        let Some(step) = of_code(best) else { return };
        let (board, before) = (&self.path.board, self.before(node.ply));
        let (side, slot) = (board.turn(), super::history::slot(board, step));
        let victim = board.man(step.to).map(|man| man.kind() as usize);
        let bonus = bonus(node.depth);
        let history = &mut self.memory.history;
        match victim {
            Some(victim) => history.learn_capture(slot, victim, bonus),
            None => {
                history.learn_killer(node.ply, best);
                history.learn_quiet(side, (step, slot), before, bonus);
                for choice in quiet.all() {
                    history.learn_quiet(side, (choice.step, choice.slot.into()), before, -bonus);
                }
            }
        }
        for choice in captures.all() {
            if let Some(victim) = choice.victim {
                history.learn_capture(choice.slot.into(), victim as usize, -bonus);
            }
        }
    }

    /// Keeps the best move of the position that was asked about.
    #[inline]
    pub(super) fn note_best(&mut self, best: u16, ply: u32) {
        if ply == 0 && best != 0 {
            self.best = best;
        }
    }

    /// The table's move refutes again.
    fn confirm(&mut self, entry: &Entry, refutes: bool, depth: i32, ply: u32) {
        let Some(step) = of_code(entry.best) else { return };
        let board = &self.path.board;
        if refutes && self.techniques.history && board.man(step.to).is_none() && board.man(step.from).is_some() {
            let slot = super::history::slot(board, step);
            let (side, before) = (board.turn(), self.before(ply));
            self.memory.history.learn_quiet(side, (step, slot), before, bonus(depth) / 2);
        }
    }

    /// Puts what was found about a position into the table.
    pub(super) fn remember(&mut self, node: &Node, value: i32, bound: Bound, best: u16, standing: i32) {
        // What a repetition decided holds on no other path.
        if self.stopped || value.abs() >= FORBIDDEN && !is_decided(value) {
            return;
        }
        let entry = Entry {
            value: to_table(value, node.ply) as i16,
            bound,
            depth: node.depth.clamp(0, 255) as u8,
            best,
            standing: standing as i16,
            principal: node.principal,
        };
        self.table.put(self.path.key(), entry);
    }

    /// A value without search, as the past and what was learned correct it.
    #[inline]
    pub(super) fn corrected(&self, raw: i32) -> i32 {
        self.path.damp(raw) + self.memory.history.correction(&self.path.board)
    }

    /// The value without search for the side to move.
    #[inline]
    pub(super) fn standing(&self, known: Option<Entry>) -> i32 {
        let raw = known.map_or(Entry::NOTHING, |entry| entry.standing);
        self.corrected(if raw == Entry::NOTHING { self.path.evaluate() } else { raw.into() })
    }

    /// Learns by how much a search has found more than the evaluation says, where the position is quiet.
    fn learn_correction(&mut self, node: &Node, value: i32, bound: Bound, best: u16) {
        let Some(standing) = node.standing else { return };
        let tactical = of_code(best).is_some_and(|step| self.path.board.man(step.to).is_some());
        let says = match bound {
            Bound::Exact => true,
            Bound::Lower => value > standing,
            Bound::Upper => value < standing,
        };
        if self.techniques.history && says && !tactical && value.abs() < FORBIDDEN {
            self.memory.history.learn_correction(&self.path.board, value - standing, node.depth);
        }
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, ply: u32) -> bool {
        let standing = |back: u32| ply.checked_sub(back).and_then(|ply| self.steps[ply as usize].standing);
        match (standing(0), standing(2).or_else(|| standing(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// A value without search, refined by what the table knows of the position.
#[inline]
pub(super) fn refined(standing: i32, known: Option<Entry>, value: i32) -> i32 {
    match known {
        Some(entry) if value.abs() < FORBIDDEN && entry.settles(value, standing, standing) => value,
        _ => standing,
    }
}

/// By how much history changes at this depth.
#[inline]
fn bonus(depth: i32) -> i32 {
    (220 * depth - 120).clamp(0, 2400)
}

impl Tried {
    #[inline]
    fn new(none: Choice) -> Self {
        Self { moves: [none; TRIED], count: 0 }
    }

    #[inline]
    fn add(&mut self, choice: Choice) {
        if self.count < TRIED {
            self.moves[self.count] = choice;
            self.count += 1;
        }
    }

    fn all(&self) -> &[Choice] {
        &self.moves[..self.count]
    }
}
