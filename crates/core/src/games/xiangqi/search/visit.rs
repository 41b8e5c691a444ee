//! The recursion of Xiangqi's search.

use super::moves::{Picker, ScoredMove, Wanted};
use super::node::{Node, Tried};
use super::selectivity::SingularResult;
use super::table::Entry;
use super::{FORBIDDEN, LONGEST, Search, UNDECIDED, WIN, code, is_decided, of_code};
use crate::search::Bound;
use crate::search::value::narrow::to_table;

/// The least depth at which a node without a table move is reduced.
const UNKNOWN: i32 = 3;

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
            return self.quiesce(PV, alpha, beta, ply);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        // Nobody is mated before this node, nor mates before the next move (mate distance pruning).
        (alpha, beta) = (alpha.max(ply as i32 - WIN), beta.min(WIN - ply as i32 - 1));
        if alpha >= beta {
            return alpha;
        }
        let known = self.table.get(self.path.key());
        let whole = self.steps[ply as usize].excluded == 0;
        if let Some(entry) = known
            && !PV
            && whole
            && let Some(value) = self.probe(&entry, depth, (alpha, beta), ply)
        {
            return value;
        }
        let mut node = self.evaluated(PV, depth, (alpha, beta), ply, known);
        (node.cut, node.whole) = (cut, whole);
        self.memory.history.forget_killers(ply + 2);
        self.steps[ply as usize + 1].refuted = 0;
        if !PV
            && whole
            && let Some(value) = self.prune_node(&mut node)
        {
            return value;
        }
        let table_move = known.map_or(0, |entry| entry.best);
        // Without a table move, a shallower search finds one for the next time (internal iterative reduction).
        if self.techniques.internal_reduction && table_move == 0 && (PV || cut) && node.depth >= UNKNOWN {
            node.depth -= 2;
        }
        let (value, best) = self.try_moves(&node, table_move);
        self.record_best(best, ply);
        if whole && !self.stopped {
            let bound = match value {
                _ if value >= beta => Bound::Lower,
                _ if value > alpha && PV => Bound::Exact,
                _ => Bound::Upper,
            };
            self.store(&node, value, bound, best);
            self.learn_correction(&node, value, bound, best);
        }
        value
    }

    /// The value if the game or the line is over, below the root.
    #[inline]
    pub(super) fn ended(&self, ply: u32) -> Option<i32> {
        if ply == 0 {
            return None;
        }
        let too_long = || (ply >= LONGEST).then(|| self.corrected(self.path.evaluate()));
        self.path.ended(ply).or_else(too_long)
    }

    /// The table's value of a node, if it was searched as deep and decides the window.
    #[inline]
    fn probe(&mut self, entry: &Entry, depth: i32, (alpha, beta): (i32, i32), ply: u32) -> Option<i32> {
        let value = entry.value_at(ply);
        let as_deep = i32::from(entry.depth) >= depth || is_decided(value);
        if !as_deep || !entry.is_conclusive(value, alpha, beta) {
            return None;
        }
        self.record_best(entry.best, ply);
        self.confirm(entry, value >= beta, depth, ply);
        Some(value)
    }

    /// A node with its static evaluation.
    #[inline]
    fn evaluated(&mut self, pv: bool, depth: i32, window: (i32, i32), ply: u32, known: Option<Entry>) -> Node {
        let mut node = Node::new(pv, depth, window, ply, known);
        let in_check = self.path.in_check();
        node.raw = self.raw(known, in_check);
        node.static_eval = (!in_check).then(|| self.corrected(node.raw));
        self.steps[ply as usize].static_eval = node.static_eval;
        node.guess = node.static_eval.map_or(0, |static_eval| refined(static_eval, known, node.known_value));
        node.improving = self.is_improving(ply);
        node
    }

    /// Tries a node's moves, best first. Returns its value and the code of the best move.
    fn try_moves(&mut self, node: &Node, table_move: u16) -> (i32, u16) {
        let (ply, excluded) = (node.ply, self.steps[node.ply as usize].excluded);
        let killers = self.memory.history.killers(ply);
        let mut picker = Picker::new(&self.memory.stack, table_move, killers, self.before(ply), Wanted::All);
        let mut tried = Tried::new(node.alpha);
        while let Some(choice) = picker.next(&self.path, &self.memory.history, &mut self.memory.stack) {
            let code = code(choice.step);
            if code == excluded {
                continue;
            }
            tried.number += 1;
            let checks = self.path.board.gives_check(choice.step);
            let reduction = self.reduction(node, tried.number, &choice, tried.floor, checks);
            // A move is pruned only if another one does not lose, so that no loss is claimed wrongly.
            if tried.best > -UNDECIDED && self.is_futile(node, &choice, reduction, checks, &tried, &mut picker) {
                tried.left_out = true;
                continue;
            }
            let mut extended = 0;
            if code == table_move && node.whole {
                match self.singular_search(node, &choice) {
                    SingularResult::Extend(plies) => extended = plies,
                    SingularResult::MultiCut(value) => {
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
            let value = self.search_move(node, &choice, (node.depth - 1 + extended, reduction), &tried);
            self.path.take_back();
            if self.stopped || tried.add(choice, code, value, node.beta) {
                break;
            }
        }
        picker.finish(&mut self.memory.stack);
        if self.stopped { (0, 0) } else { self.conclude(node, &tried) }
    }

    /// A node's value and the code of its best move, once its moves are tried.
    #[inline]
    fn conclude(&mut self, node: &Node, tried: &Tried) -> (i32, u16) {
        if tried.number == 0 {
            return (if node.whole { node.ply as i32 - WIN } else { node.alpha }, 0);
        }
        if tried.best >= node.beta {
            self.steps[node.ply as usize].refuted += 1;
            self.learn(node, tried);
        }
        (if tried.left_out { tried.best.max(-UNDECIDED) } else { tried.best }, tried.best_code)
    }

    /// The value of the position after a move, for the side that moved: with reduced depth and a null window at first, and
    /// again if it exceeds the floor.
    fn search_move(
        &mut self,
        node: &Node,
        choice: &ScoredMove,
        (mut depth, reduction): (i32, i32),
        tried: &Tried,
    ) -> i32 {
        let Tried { number, floor, best, .. } = *tried;
        let (beta, next) = (node.beta, node.ply + 1);
        let mut value = floor;
        let full = if node.depth >= 2 && number > 1 && reduction > 0 {
            let less = (depth - reduction).clamp(1, depth.max(1));
            value = -self.visit::<false>(less, -floor - 1, -floor, next, true);
            if value > floor && less < depth && !self.stopped {
                // A large surprise is searched deeper, a small one less deep.
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

    /// Learns from the move that refuted a node and from those that did not.
    fn learn(&mut self, node: &Node, tried: &Tried) {
        if !self.techniques.history {
            return;
        }
        let Some(step) = of_code(tried.best_code) else { return };
        let (board, before) = (&self.path.board, self.before(node.ply));
        let (side, slot) = (board.turn(), super::history::slot(board, step));
        let victim = board.man(step.to).map(|man| man.kind() as usize);
        let bonus = bonus(node.depth);
        let history = &mut self.memory.history;
        match victim {
            Some(victim) => history.learn_capture(slot, victim, bonus),
            None => {
                history.learn_killer(node.ply, tried.best_code);
                history.learn_quiet(side, (step, slot), before, bonus);
                for choice in tried.quiet.all() {
                    history.learn_quiet(side, (choice.step, choice.slot.into()), before, -bonus);
                }
            }
        }
        for choice in tried.captures.all() {
            if let Some(victim) = choice.victim {
                history.learn_capture(choice.slot.into(), victim as usize, -bonus);
            }
        }
    }

    /// Keeps the best move of the position searched.
    #[inline]
    pub(super) fn record_best(&mut self, best: u16, ply: u32) {
        if ply == 0 && best != 0 {
            self.best = best;
        }
    }

    /// Learns that the table move refutes again.
    fn confirm(&mut self, entry: &Entry, refutes: bool, depth: i32, ply: u32) {
        let Some(step) = of_code(entry.best) else { return };
        let board = &self.path.board;
        if refutes && self.techniques.history && board.man(step.to).is_none() && board.man(step.from).is_some() {
            let slot = super::history::slot(board, step);
            let (side, before) = (board.turn(), self.before(ply));
            self.memory.history.learn_quiet(side, (step, slot), before, bonus(depth) / 2);
        }
    }

    /// Stores the result of a node in the table.
    pub(super) fn store(&mut self, node: &Node, value: i32, bound: Bound, best: u16) {
        // A result by repetition holds on no other path.
        if self.stopped || value.abs() >= FORBIDDEN && !is_decided(value) {
            return;
        }
        let entry = Entry {
            value: to_table(value, node.ply) as i16,
            bound,
            depth: node.depth.clamp(0, 255) as u8,
            best,
            static_eval: node.raw as i16,
            principal: node.principal,
        };
        self.table.put(self.path.key(), entry);
    }

    /// A static evaluation, corrected by the past and by history.
    #[inline]
    pub(super) fn corrected(&self, raw: i32) -> i32 {
        self.path.damp(raw) + self.memory.history.correction(&self.path.board)
    }

    /// A position's uncorrected evaluation, from the table if it is there; [`Entry::NOTHING`] in check.
    #[inline]
    pub(super) fn raw(&self, known: Option<Entry>, in_check: bool) -> i32 {
        match known {
            _ if in_check => Entry::NOTHING.into(),
            Some(entry) if entry.static_eval != Entry::NOTHING => entry.static_eval.into(),
            _ => self.path.evaluate(),
        }
    }

    /// Learns by how much a search exceeded the static evaluation, if the best move is quiet.
    fn learn_correction(&mut self, node: &Node, value: i32, bound: Bound, best: u16) {
        let Some(static_eval) = node.static_eval else { return };
        let tactical = of_code(best).is_some_and(|step| self.path.board.man(step.to).is_some());
        let says = match bound {
            Bound::Exact => true,
            Bound::Lower => value > static_eval,
            Bound::Upper => value < static_eval,
        };
        if self.techniques.history && says && !tactical && value.abs() < FORBIDDEN {
            self.memory.history.learn_correction(&self.path.board, value - static_eval, node.depth);
        }
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, ply: u32) -> bool {
        let static_eval = |back: u32| ply.checked_sub(back).and_then(|ply| self.steps[ply as usize].static_eval);
        match (static_eval(0), static_eval(2).or_else(|| static_eval(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// A static evaluation, refined by the table entry.
#[inline]
pub(super) fn refined(static_eval: i32, known: Option<Entry>, value: i32) -> i32 {
    match known {
        Some(entry) if value.abs() < FORBIDDEN && entry.is_conclusive(value, static_eval, static_eval) => value,
        _ => static_eval,
    }
}

/// By how much history changes at this depth.
#[inline]
fn bonus(depth: i32) -> i32 {
    (220 * depth - 120).clamp(0, 2400)
}
