//! How the moves of a node are tried: which ones, in which order, and how deep.

use std::sync::LazyLock;

use super::super::lines::At;
use super::super::shapes::{Kind, Points, Undo};
use super::moves::{Order, ScoredMove, TAKEN, key, pick};
use super::{INFINITY, Search, UNDECIDED, WIN, WON, code, is_decided};
use crate::search::Bound;
use crate::search::plain::Entry;

/// Quiet moves whose history is lowered when a later one refutes.
const TRIED: usize = 32;
/// From so many plies on, whether the table's move is the only good one is worth finding out.
const SINGULAR: i32 = 6;
/// The answers to an open three that are tried at the horizon.
const ANSWERS: i32 = 3;
/// How much worse than the best one, by the order of moves, one is that is searched a ply less deep still.
const WORSE: i32 = 250;

/// By depth and number of moves tried: how many plies less deep the next one is searched at first.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| {
            let plies = 0.5 + (depth.max(1) as f64).ln() * (tried.max(1) as f64).ln();
            plies.max(0.0) as u8
        })
    })
});

/// A node, as its moves are tried.
pub(super) struct Node {
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: u32,
    /// Value without search; none where there is a threat to answer.
    pub standing: Option<i32>,
    /// Whether that is more than two plies ago.
    pub improving: bool,
    /// Whether the node is expected to be refuted.
    pub cut: bool,
    pub last: Option<At>,
    /// What the table knows of it.
    pub known: Option<Entry>,
    /// The only moves that do not lose for certain, where the opponent threatens to win by fours.
    pub answers: Option<Points>,
    /// Within how many plies all others lose then.
    pub threat: u32,
}

/// What the moves tried so far have found.
struct Tried {
    number: i32,
    /// The first of them.
    moves: [At; TRIED],
    best: i32,
    best_code: u16,
    /// What the next move has to exceed.
    floor: i32,
    left_out: bool,
    /// How early the best of the moves but the table's is tried.
    top: Option<i32>,
}

impl Tried {
    #[inline]
    fn new(alpha: i32, left_out: bool) -> Self {
        let moves = [At::new(0, 0); TRIED];
        Self { number: 0, moves, best: -INFINITY, best_code: 0, floor: alpha, left_out, top: None }
    }

    /// Takes in a move's value.
    #[inline]
    fn add(&mut self, at: At, value: i32) {
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
    /// Tries a node's moves, best first. Returns the code of the best one too.
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
            // A move is left out only where another one does not lose: so no loss is claimed that is none.
            if tried.best > -WON && !PV && self.is_hopeless(node, &choice, tried.floor) {
                tried.left_out = true;
                continue;
            }
            let mut more = 0;
            if tried.number == 0 && its_code == table_move && excluded == 0 {
                match self.single_out(node) {
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

    /// Lists a node's moves on the stack, and the keys that they are picked by. Returns whether all others lose for certain.
    #[inline]
    fn list_moves(&mut self, node: &Node, table_move: u16) -> bool {
        if node.standing.is_none() {
            // Else each reply's value would follow this stone as well as its own.
            self.memory.values.follow(&self.board, self.line.len(), &self.memory.log);
        }
        let begin = self.memory.stack.len();
        let last = [node.last, self.line.len().checked_sub(2).map(|before| self.line[before])];
        let super::Memory { history, stack, keys, .. } = &mut *self.memory;
        let certain = self.board.list(&Order { history, table_move, last, answers: node.answers }, stack);
        // What nodes beneath left is overwritten.
        keys.truncate(begin);
        keys.extend(stack[begin..].iter().enumerate().map(|(index, choice)| key(choice.score, index)));
        certain
    }

    /// Learns from a refutation, and from the moves that did not refute.
    #[inline]
    fn learn(&mut self, node: &Node, at: At, tried: &Tried) {
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
            // Nothing is legal but what lies far off, or nothing at all.
            return (if excluded == 0 { self.value() } else { node.alpha }, 0);
        }
        if node.answers.is_some() && best <= -WON {
            // One of the others may hold out longer.
            best = best.max((node.ply + node.threat) as i32 - WIN);
        }
        if tried.left_out && best <= -WON {
            // What was left out might have saved it.
            best = -UNDECIDED;
        }
        (best, tried.best_code)
    }

    /// Whether moves may be left out without a look at what they are worth here.
    #[inline]
    fn may_prune(&self, node: &Node, floor: i32) -> bool {
        self.techniques.pruning && !is_decided(floor) && node.answers.is_none()
    }

    /// Whether so many moves have been tried that of the others only fours are.
    #[inline]
    fn is_late(&self, node: &Node, number: i32, floor: i32) -> bool {
        let depth = node.depth;
        let most = match node.standing {
            Some(_) => (3 + depth * depth * 3 / 5) / if node.improving { 1 } else { 2 } + 4,
            None if depth <= 1 => ANSWERS,
            None => return false,
        };
        number >= most && self.may_prune(node, floor)
    }

    /// Leaves out what has not been tried yet, but fours where nothing has to be answered. Returns whether anything was.
    fn keep_fours(&mut self, begin: usize, node: &Node) -> bool {
        let super::Memory { stack, keys, .. } = &mut *self.memory;
        let mut left_out = false;
        for (key, choice) in keys[begin..].iter_mut().zip(&stack[begin..]) {
            if *key != TAKEN && !(node.standing.is_some() && choice.makes(Kind::Four)) {
                *key = TAKEN;
                left_out = true;
            }
        }
        left_out
    }

    /// Whether a move cannot raise the value far enough (futility pruning).
    #[inline]
    fn is_hopeless(&self, node: &Node, choice: &ScoredMove, floor: i32) -> bool {
        let Some(standing) = node.standing else { return false };
        // Nothing is worth less than nothing.
        let least = standing + 70 * node.depth;
        node.depth <= 6
            && least < floor
            && !choice.makes(Kind::Four)
            && !choice.makes(Kind::OpenThree)
            && self.may_prune(node, floor)
            && least + self.board.worth(choice.at) < floor
    }

    /// How many plies deeper the table's move is searched: one where a shallower search finds all others clearly worse
    /// (singular extension; Anantharaman, Campbell and Hsu 1990). Where it finds another one good enough, that refutes the
    /// node.
    fn single_out(&mut self, node: &Node) -> Result<i32, i32> {
        let Node { depth, beta, ply, cut, .. } = *node;
        let known = node.known.filter(|entry| {
            entry.bound != Bound::Upper && i32::from(entry.depth) + 3 >= depth && !is_decided(entry.value)
        });
        let (Some(entry), true) =
            (known, self.techniques.extensions && depth >= SINGULAR && ply < 2 * self.depth && node.standing.is_some())
        else {
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

    /// The value of the move that has just been played, searched as deep as it deserves.
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

    /// How many plies less deep a move is searched at first.
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
    pub(super) fn play(&mut self, at: At) -> Undo {
        self.memory.values.play(self.line.len(), self.memory.log.len());
        self.line.push(at);
        // The memory comes while the points around the stone are brought up to date.
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
