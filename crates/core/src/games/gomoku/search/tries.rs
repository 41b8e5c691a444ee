//! How a node's moves are tried: selection, order and depth.

use std::sync::LazyLock;

use super::super::lines::Point;
use super::super::shapes::{Kind, Points, Undo};
use super::moves::{Order, ScoredMove, TAKEN, key, pick};
use super::{INFINITY, Search, UNDECIDED, WIN, WON, code, is_decided};
use crate::search::Bound;
use crate::search::plain::Entry;

/// The most moves whose history is lowered when a later one refutes.
const TRIED: usize = 32;
/// The least depth at which the table move is tested for being the only good one.
const SINGULAR: i32 = 6;
/// The most answers to an open three tried at the horizon.
const ANSWERS: i32 = 3;
/// Moves whose ordering score is this much below the best one's are reduced by one more ply.
const WORSE: i32 = 250;

/// The reduction of the next move's first search in plies, by depth and number of moves tried.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| {
            let plies = 0.5 + (depth.max(1) as f64).ln() * (tried.max(1) as f64).ln();
            plies.max(0.0) as u8
        })
    })
});

/// A node whose moves are being tried.
pub(super) struct Node {
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: u32,
    /// Its static evaluation; none if there is a threat to answer.
    pub static_eval: Option<i32>,
    /// Whether that is higher than two plies ago.
    pub improving: bool,
    /// Whether it is expected to be refuted.
    pub cut: bool,
    pub last: Option<Point>,
    /// Its table entry.
    pub known: Option<Entry>,
    /// If the opponent threatens to win by fours: the only moves that do not lose for certain.
    pub answers: Option<Points>,
    /// The most plies in which all other moves then lose.
    pub threat: u32,
}

/// The results of the moves tried so far.
struct Tried {
    number: i32,
    /// The first of them.
    moves: [Point; TRIED],
    best: i32,
    best_code: u16,
    /// The value that the next move has to exceed.
    floor: i32,
    left_out: bool,
    /// The ordering score of the best move other than the table move.
    top: Option<i32>,
}

impl Tried {
    #[inline]
    fn new(alpha: i32, left_out: bool) -> Self {
        let moves = [Point::new(0, 0); TRIED];
        Self { number: 0, moves, best: -INFINITY, best_code: 0, floor: alpha, left_out, top: None }
    }

    /// Records a move's value.
    #[inline]
    fn add(&mut self, at: Point, value: i32) {
        if let Some(place) = self.moves.get_mut(self.number as usize) {
            *place = at;
        }
        self.number += 1;
        if value > self.best {
            (self.best, self.best_code) = (value, code(at));
        }
        self.floor = self.floor.max(value);
    }
}

impl<const LINES: usize, T: FnMut(u64) -> bool> Search<'_, LINES, T> {
    /// Tries a node's moves, best first. Returns its value and the code of the best move.
    pub(super) fn try_moves<const PV: bool>(&mut self, node: &Node, table_move: u16) -> (i32, u16) {
        let begin = self.memory.stack.len();
        let excluded = self.path[node.ply as usize].excluded;
        let certain = self.list_moves(node, table_move);
        let end = self.memory.stack.len();
        let mut tried = Tried::new(node.alpha, !certain || excluded != 0);
        let mut few = false;
        while let Some(index) = pick(&mut self.memory.keys[begin..end]) {
            let choice = self.memory.stack[begin + index];
            let its_code = code(choice.at);
            if its_code == excluded || !self.board.allows(choice.at) {
                continue;
            }
            // A move is pruned only if another one does not lose, so that no loss is claimed wrongly.
            if tried.best > -WON && !PV && self.is_futile(node, &choice, tried.floor) {
                tried.left_out = true;
                continue;
            }
            let mut more = 0;
            if tried.number == 0 && its_code == table_move && excluded == 0 {
                match self.singular_extension(node) {
                    Ok(extension) => more = extension,
                    Err(value) => {
                        self.memory.stack.truncate(begin);
                        return (value, table_move);
                    }
                }
            }
            if its_code != table_move {
                tried.top.get_or_insert(choice.score);
            }
            let undo = self.play(choice.at);
            let value = self.search_move::<PV>(node, &choice, &tried, more);
            self.take_back(&undo);
            if self.stopped {
                break;
            }
            tried.add(choice.at, value);
            if value >= node.beta {
                self.learn(node, choice.at, &tried);
                break;
            }
            if !few && tried.best > -WON && !PV && self.is_late(node, tried.number, tried.floor) {
                few = true;
                tried.left_out |= self.keep_fours(begin, node);
            }
        }
        self.memory.stack.truncate(begin);
        self.conclude(node, excluded, &tried)
    }

    /// Lists a node's moves on the stack, with their sort keys. Returns whether all others lose for certain.
    #[inline]
    fn list_moves(&mut self, node: &Node, table_move: u16) -> bool {
        if node.static_eval.is_none() {
            // Otherwise the value of each reply would have to account for this stone as well as its own.
            self.memory.values.follow(&self.board, self.line.len(), &self.memory.log);
        }
        let begin = self.memory.stack.len();
        let last = [node.last, self.line.len().checked_sub(2).map(|before| self.line[before])];
        let super::Memory { history, stack, keys, .. } = &mut *self.memory;
        let certain = self.board.list(&Order { history, table_move, last, answers: node.answers }, stack);
        // Overwrites the keys left by nodes below.
        keys.truncate(begin);
        keys.extend(stack[begin..].iter().enumerate().map(|(index, choice)| key(choice.score, index)));
        certain
    }

    /// Learns from a refutation, and from the moves that did not refute.
    #[inline]
    fn learn(&mut self, node: &Node, at: Point, tried: &Tried) {
        if self.techniques.history {
            let before = (tried.number as usize - 1).min(TRIED);
            self.memory.history.learn(self.board.turn, node.last, at, node.depth, &tried.moves[..before]);
        }
    }

    /// A node's value and the code of its best move, once its moves are tried.
    #[inline]
    fn conclude(&mut self, node: &Node, excluded: u16, tried: &Tried) -> (i32, u16) {
        let mut best = tried.best;
        if tried.number == 0 {
            // The only legal moves lie far off, or there are none.
            return (if excluded == 0 { self.value() } else { node.alpha }, 0);
        }
        if node.answers.is_some() && best <= -WON {
            // One of the others may hold out longer.
            best = best.max((node.ply + node.threat) as i32 - WIN);
        }
        if tried.left_out && best <= -WON {
            // A pruned move might not lose.
            best = -UNDECIDED;
        }
        (best, tried.best_code)
    }

    /// Whether the node allows pruning at all.
    #[inline]
    fn may_prune(&self, node: &Node, floor: i32) -> bool {
        self.techniques.pruning && !is_decided(floor) && node.answers.is_none()
    }

    /// Whether so many moves have been tried that only fours remain to be tried (late move pruning).
    #[inline]
    fn is_late(&self, node: &Node, number: i32, floor: i32) -> bool {
        let depth = node.depth;
        let most = match node.static_eval {
            Some(_) => (3 + depth * depth * 3 / 5) / if node.improving { 1 } else { 2 } + 4,
            None if depth <= 1 => ANSWERS,
            None => return false,
        };
        number >= most && self.may_prune(node, floor)
    }

    /// Prunes the moves not tried yet, except fours where there is no threat to answer. Returns whether any were pruned.
    fn keep_fours(&mut self, begin: usize, node: &Node) -> bool {
        let super::Memory { stack, keys, .. } = &mut *self.memory;
        let mut left_out = false;
        for (key, choice) in keys[begin..].iter_mut().zip(&stack[begin..]) {
            if *key != TAKEN && !(node.static_eval.is_some() && choice.makes(Kind::Four)) {
                *key = TAKEN;
                left_out = true;
            }
        }
        left_out
    }

    /// Whether a move cannot raise the value far enough (futility pruning).
    #[inline]
    fn is_futile(&self, node: &Node, choice: &ScoredMove, floor: i32) -> bool {
        let Some(static_eval) = node.static_eval else { return false };
        // The worth of a move is never negative.
        let least = static_eval + 70 * node.depth;
        node.depth <= 6
            && least < floor
            && !choice.makes(Kind::Four)
            && !choice.makes(Kind::OpenThree)
            && self.may_prune(node, floor)
            && least + self.board.worth(choice.at) < floor
    }

    /// The extension of the table move: one ply if a shallower search finds all others clearly worse (singular extension;
    /// Anantharaman, Campbell and Hsu 1990). If it finds another one good enough, that refutes the node.
    fn singular_extension(&mut self, node: &Node) -> Result<i32, i32> {
        let Node { depth, beta, ply, cut, .. } = *node;
        let known = node.known.filter(|entry| {
            entry.bound != Bound::Upper && i32::from(entry.depth) + 3 >= depth && !is_decided(entry.value)
        });
        let (Some(entry), true) = (
            known,
            self.techniques.extensions && depth >= SINGULAR && ply < 2 * self.depth && node.static_eval.is_some(),
        ) else {
            return Ok(0);
        };
        let limit = entry.value - 2 * depth;
        self.path[ply as usize].excluded = entry.best;
        let value = self.visit::<false>((depth - 1) / 2, limit - 1, limit, ply, cut);
        self.path[ply as usize].excluded = 0;
        match value {
            _ if self.stopped => Ok(0),
            value if value < limit => Ok(1),
            _ if limit >= beta && !is_decided(beta) => Err(limit),
            _ => Ok(0),
        }
    }

    /// The value of the move just played: searched with reduced depth and a null window at first, and again if it exceeds the
    /// floor.
    #[inline]
    fn search_move<const PV: bool>(&mut self, node: &Node, choice: &ScoredMove, tried: &Tried, more: i32) -> i32 {
        let (floor, ply) = (tried.floor, node.ply + 1);
        let depth = node.depth - 1 + more;
        if tried.number == 0 {
            return -self.visit::<PV>(depth, -node.beta, -floor, ply, !PV && !node.cut);
        }
        let less = self.reduction::<PV>(node, choice, tried);
        let mut value = -self.visit::<false>(depth - less, -floor - 1, -floor, ply, true);
        if less > 0 && value > floor && !self.stopped {
            value = -self.visit::<false>(depth, -floor - 1, -floor, ply, !node.cut);
        }
        if PV && value > floor && value < node.beta && !self.stopped {
            value = -self.visit::<true>(depth, -node.beta, -floor, ply, false);
        }
        value
    }

    /// The reduction of a move's first search, in plies.
    #[inline]
    fn reduction<const PV: bool>(&self, node: &Node, choice: &ScoredMove, tried: &Tried) -> i32 {
        if !self.techniques.reductions || node.depth < 2 {
            return 0;
        }
        let mut less = i32::from(REDUCTIONS[node.depth.min(63) as usize][tried.number.min(63) as usize]);
        let is_worse = tried.top.is_some_and(|top| top - choice.score > WORSE);
        less += i32::from(!node.improving) + 2 * i32::from(node.cut) + i32::from(is_worse) - i32::from(PV);
        less -= 2 * i32::from(choice.makes(Kind::OpenThree));
        less -= self.memory.history.get(self.board.turn.other(), choice.at) / 4096;
        less.clamp(0, node.depth - 1)
    }

    #[inline]
    pub(super) fn play(&mut self, at: Point) -> Undo {
        self.memory.values.play(self.line.len(), self.memory.log.len());
        self.line.push(at);
        // Prefetches the table entry while the points around the stone are updated.
        let key = self.board.key_after(at);
        self.table.prefetch(key);
        let undo = self.board.try_move(at, &mut self.memory.log);
        debug_assert_eq!(self.board.key, key);
        undo
    }

    #[inline]
    pub(super) fn take_back(&mut self, undo: &Undo) {
        self.board.take_back(undo, &mut self.memory.log);
        self.line.pop();
    }
}
