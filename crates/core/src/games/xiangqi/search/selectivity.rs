//! Pruning, extensions and reductions. None of them is a proof: values that stem from them are never decided.

use std::sync::LazyLock;

use super::super::exchange::{WORTH, wins_at_least};
use super::moves::{Picker, ScoredMove, Wanted};
use super::node::{Node, Tried};
use super::table::Entry;
use super::{FORBIDDEN, Search, UNDECIDED, code, is_decided, of_code};
use crate::search::Bound;

/// Parts of a ply, in which reductions are counted.
const PLY: i32 = 1024;
/// Margin per ply of reverse futility pruning.
const MARGIN: i32 = 75;
/// The least depth at which the table move is tested for being the only good one.
const SINGULAR: i32 = 10;
/// The least depth at which a null-move cutoff is verified.
const VERIFIED: i32 = 14;
/// How far above the window a shallower search must be for a cutoff (ProbCut).
const PROBCUT: i32 = 130;

/// By depth or number of moves tried: factors whose product is the reduction of the next move.
static REDUCTIONS: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|number| (25.0 * (number.max(1) as f64).ln()) as i32));

/// The result of a search without the table move.
pub(super) enum SingularResult {
    /// The table move is extended by this many plies, or reduced if negative.
    Extend(i32),
    /// Another move is good enough too: a cutoff at this value.
    MultiCut(i32),
}

impl<T: FnMut(u64) -> bool> Search<'_, T> {
    /// The value of a node that can be pruned before its moves are tried.
    pub(super) fn prune_node(&mut self, node: &mut Node) -> Option<i32> {
        let Node { depth, alpha, beta, guess, ply, .. } = *node;
        let static_eval = node.static_eval?;
        if is_decided(alpha) || is_decided(beta) {
            return None;
        }
        if self.techniques.pruning {
            // So far below the window that only captures can save it (razoring).
            if guess < alpha - 300 - 160 * depth * depth {
                let value = self.quiesce(false, alpha, alpha + 1, ply);
                if value <= alpha && !is_decided(value) {
                    return Some(value);
                }
            }
            // So far above the window that a few plies will not lose it (reverse futility pruning).
            let margin = MARGIN * (depth - i32::from(node.improving));
            if !node.principal && depth <= 9 && guess - margin >= beta && guess.abs() < FORBIDDEN {
                return Some(beta + (guess - beta) / 3);
            }
        }
        if self.techniques.null_move
            && node.cut
            && depth >= 2
            && guess >= beta
            && static_eval >= beta - 12 * depth + 100
            && ply >= self.no_pass_until
            && beta.abs() < FORBIDDEN
            && self.path.is_strong()
            && let Some(value) = self.pass(node)
        {
            return Some(value);
        }
        if self.techniques.pruning { self.probcut(node) } else { None }
    }

    /// Cuts a node in which even a pass would be good enough (null-move pruning; Beal 1989).
    fn pass(&mut self, node: &Node) -> Option<i32> {
        let Node { depth, beta, ply, guess, .. } = *node;
        let less = 4 + depth / 3 + ((guess - beta) / 120).min(4);
        self.steps[ply as usize].slot = None;
        self.path.pass();
        let reply = -self.visit::<false>(depth - less, -beta, 1 - beta, ply + 1, false);
        self.path.take_pass_back();
        if self.stopped || reply < beta {
            return None;
        }
        let reply = reply.min(UNDECIDED);
        if self.no_pass_until > 0 || depth < VERIFIED {
            return Some(reply);
        }
        // Where every move loses (zugzwang), a pass proves nothing.
        self.no_pass_until = ply + 3 * (depth - less).max(0) as u32 / 4 + 1;
        let value = self.visit_again(depth - less, beta, ply);
        self.no_pass_until = 0;
        (value >= beta && !self.stopped).then_some(reply)
    }

    /// Searches the node again with reduced depth.
    fn visit_again(&mut self, depth: i32, beta: i32, ply: u32) -> i32 {
        self.visit::<false>(depth, beta - 1, beta, ply, false)
    }

    /// Cuts a node in which a capture wins so much in a shallower search that a deeper one is unlikely to differ (ProbCut; Buro
    /// 1995).
    fn probcut(&mut self, node: &Node) -> Option<i32> {
        let Node { depth, beta, ply, known, known_value, .. } = *node;
        let limit = beta + PROBCUT - 30 * i32::from(node.improving);
        let static_eval = node.static_eval?;
        let refuted = known.is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && known_value < limit);
        if depth < 5 || beta.abs() >= FORBIDDEN || limit >= FORBIDDEN || refuted {
            return None;
        }
        let table_move = known.map_or(0, |entry| entry.best);
        let wanted = Wanted::Winning(limit - static_eval);
        let mut picker = Picker::new(&self.memory.stack, table_move, [0; 2], [None; 2], wanted);
        let mut found = None;
        while let Some(choice) = picker.next(&self.path, &self.memory.history, &mut self.memory.stack) {
            self.steps[ply as usize].slot = Some(choice.slot.into());
            self.play(choice.step);
            let mut value = -self.quiesce(false, -limit, 1 - limit, ply + 1);
            if value >= limit && !self.stopped {
                value = -self.visit::<false>(depth - 4, -limit, 1 - limit, ply + 1, !node.cut);
            }
            self.path.take_back();
            if self.stopped {
                break;
            }
            if value >= limit {
                let shallower = Node { depth: depth - 3, raw: Entry::NOTHING.into(), ..*node };
                self.store(&shallower, value, Bound::Lower, code(choice.step));
                found = Some(if is_decided(value) { value } else { value - (limit - beta) });
                break;
            }
        }
        picker.finish(&mut self.memory.stack);
        found
    }

    /// The reduction of a move's first search in parts of a ply, before [`PLY`] divides it.
    fn parts(&self, node: &Node, number: i32, choice: &ScoredMove, floor: i32) -> i32 {
        let of = |number: i32| REDUCTIONS[number.clamp(0, 255) as usize];
        let wide = if node.beta - floor > 1 { 256 } else { 0 };
        let mut less = of(node.depth) * of(number) + 900 - wide;
        if !node.improving {
            less += of(node.depth) * of(number) / 4 + 300;
        }
        if node.principal {
            less -= 1300 + 500 * i32::from(node.pv);
        }
        if node.cut {
            less += 1700;
        }
        let expected = node.known.and_then(|entry| of_code(entry.best));
        if expected.is_some_and(|step| self.path.board.man(step.to).is_some()) {
            less += 800;
        }
        if self.steps[node.ply as usize + 1].refuted > 3 {
            less += 900;
        }
        let history = &self.memory.history;
        let merit = match choice.victim {
            Some(kind) => 4 * WORTH[kind as usize] + history.capture(choice.slot.into(), kind as usize),
            None => {
                let before = self.before(node.ply);
                2 * history.plain(self.path.turn(), choice.step) + history.after(choice.slot.into(), before) - 2000
            }
        };
        less - merit / 9
    }

    /// The reduction of a move's first search, in plies.
    pub(super) fn reduction(&self, node: &Node, number: i32, choice: &ScoredMove, floor: i32, checks: bool) -> i32 {
        if !self.techniques.reductions || number < 2 {
            return 0;
        }
        (self.parts(node, number, choice, floor) - 600 * i32::from(checks)) / PLY
    }

    /// Whether a move can be pruned: it comes late, has a poor history, cannot raise the value far enough, or gives something
    /// away.
    pub(super) fn is_futile(
        &self,
        node: &Node,
        choice: &ScoredMove,
        reduction: i32,
        checks: bool,
        tried: &Tried,
        picker: &mut Picker,
    ) -> bool {
        let Node { depth, ply, .. } = *node;
        let Tried { number, floor, .. } = *tried;
        if !self.techniques.pruning || ply == 0 || !self.path.is_strong() {
            return false;
        }
        if number >= (3 + 7 * depth * depth / 10) / (2 - i32::from(node.improving)) {
            picker.skips_quiet = true;
        }
        let left = (depth - 1 - reduction).max(0);
        let board = &self.path.board;
        let history = &self.memory.history;
        if choice.victim.is_some() || checks {
            let merit = choice.victim.map_or(0, |kind| history.capture(choice.slot.into(), kind as usize));
            if let (Some(kind), Some(static_eval)) = (choice.victim, node.static_eval)
                && !checks
                && left < 7
                && static_eval + 200 + 150 * left + WORTH[kind as usize] + merit / 60 <= floor
            {
                return true;
            }
            return !wins_at_least(board, choice.step, -(110 * depth + merit / 30).max(0));
        }
        let merit = history.after(choice.slot.into(), self.before(ply));
        if left < 6 && merit < -3500 * depth {
            return true;
        }
        let merit = merit + 2 * history.plain(board.turn(), choice.step);
        let left = (left + merit / 12_000).max(0);
        if let Some(static_eval) = node.static_eval
            && left < 11
            && static_eval + 80 + 65 * left <= floor
        {
            return true;
        }
        !wins_at_least(board, choice.step, -18 * left * left)
    }

    /// The extension of the table move: one or two plies if a shallower search finds all others clearly worse (singular
    /// extension; Anantharaman, Campbell and Hsu 1990), and a reduction if it does not but a cutoff is expected. If another one
    /// is good enough too, that refutes the node (multi-cut).
    pub(super) fn singular_search(&mut self, node: &Node, choice: &ScoredMove) -> SingularResult {
        let Node { depth, beta, ply, known_value, cut, .. } = *node;
        let known = node.known.filter(|entry| entry.bound != Bound::Upper && i32::from(entry.depth) + 3 >= depth);
        let deep = depth >= SINGULAR && ply > 0 && ply < 2 * self.depth;
        if !self.techniques.extensions || !deep || known.is_none() || known_value.abs() >= FORBIDDEN {
            return SingularResult::Extend(0);
        }
        let limit = known_value - depth / 2 - depth / 2 * i32::from(node.principal && !node.pv);
        self.steps[ply as usize].excluded = code(choice.step);
        let value = self.visit::<false>((depth - 1) / 2, limit - 1, limit, ply, cut);
        self.steps[ply as usize].excluded = 0;
        self.steps[ply as usize].static_eval = node.static_eval;
        match value {
            _ if self.stopped => SingularResult::Extend(0),
            value if value < limit => SingularResult::Extend(1 + i32::from(!node.pv && value < limit - 12)),
            value if value >= beta && value.abs() < FORBIDDEN && self.techniques.pruning => {
                SingularResult::MultiCut(value)
            }
            _ if known_value >= beta => SingularResult::Extend(-2),
            _ if cut => SingularResult::Extend(-2),
            _ => SingularResult::Extend(0),
        }
    }
}
