//! The recursion of Gomoku's search.

use std::sync::LazyLock;

use super::super::lines::At;
use super::super::shapes::{Kind, Points, Undo};
use super::known::Fives;
use super::moves::{Choice, Order, pick};
use super::{INFINITY, LONGEST, Search, WIN, WON, code, is_decided};
use crate::search::Bound;
use crate::search::alpha_beta::Entry;

/// The largest value that is no proven win.
const UNDECIDED: i32 = WON - 1;
/// Quiet moves whose history is lowered when a later one refutes.
const TRIED: usize = 32;
/// Positions that the search for fours may visit at the horizon.
const FOURS: u64 = 80;
/// The same where that decides whether a node is searched at all.
const RAZOR_FOURS: u64 = 200;
/// From so many plies on, whether the table's move is the only good one is worth finding out.
const SINGULAR: i32 = 6;
/// From so many plies on, a threat of the opponent's to win by fours is looked for, since then few moves are worth a search.
const ANSWERED: i32 = 3;
/// The answers to an open three that are tried at the horizon.
const ANSWERS: i32 = 3;
/// What a ply may be worth where a node is left for its value.
const MARGIN: i32 = 35;
/// The same where it is left because only fours can save it.
const RAZOR: i32 = 40;
/// The most plies at which a node is left for its value.
const PRUNED: i32 = 8;
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
struct Node {
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: u32,
    /// Value without search; none where there is a threat to answer.
    standing: Option<i32>,
    /// Whether that is more than two plies ago.
    improving: bool,
    /// Whether the node is expected to be refuted.
    cut: bool,
    last: Option<At>,
    /// What the table knows of it.
    known: Option<Entry>,
    /// The only moves that do not lose for certain, where the opponent threatens to win by fours.
    answers: Option<Points>,
    /// Within how many plies all others lose then.
    threat: u32,
}

impl<const LINES: usize, T: FnMut(u64) -> bool> Search<'_, LINES, T> {
    /// The value of the board for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft).
    pub fn visit<const PV: bool>(&mut self, depth: i32, mut alpha: i32, mut beta: i32, ply: u32, cut: bool) -> i32 {
        self.count(1);
        if self.stopped || self.board.is_full() {
            return 0;
        }
        let win_in = |plies: u32| WIN - (ply + plies) as i32;
        if self.board.has_five() {
            return win_in(1);
        }
        if ply >= LONGEST {
            return self.value();
        }
        // Nothing is won sooner than in three plies, nor lost sooner than in two.
        (alpha, beta) = (alpha.max(-win_in(2)), beta.min(win_in(3)));
        if alpha >= beta {
            return alpha;
        }
        let fives = self.board.fives();
        match fives {
            Fives::Lost => return -win_in(2),
            Fives::One(at) => {
                let undo = self.play(at);
                self.path[ply as usize].value = None;
                let value = -self.visit::<PV>(depth, -beta, -alpha, ply + 1, !cut);
                self.take_back(&undo);
                return value;
            }
            Fives::None if self.board.has_winning_four() => return win_in(3),
            Fives::None if self.board.double_three().is_some() => return win_in(5),
            Fives::None | Fives::Open => {}
        }
        let excluded = self.path[ply as usize].excluded;
        let known = self.table.get(self.board.key);
        if !PV
            && excluded == 0
            && let Some(entry) = known
            && let Some(value) = usable(entry, depth, alpha, beta, ply)
        {
            return value;
        }
        let threatened =
            self.board.count(self.board.turn.other(), Kind::WinningFour) > 0 || matches!(fives, Fives::Open);
        let mut depth = depth;
        if depth <= 0 {
            // A win by fours would only make it better still.
            if !threatened && !PV {
                let value = self.value();
                if value >= beta {
                    return value;
                }
            }
            if let Some(win) = self.fours(FOURS) {
                return self.won_by_fours(win, depth, ply);
            }
            if !threatened || !self.techniques.extensions || ply >= 2 * self.depth + 8 {
                return self.value();
            }
            // Whoever is threatened and behind already will hardly be better off for his answer.
            if !PV && self.techniques.pruning && self.value() <= alpha {
                return self.value();
            }
            depth = 1;
        }
        let standing = (!threatened).then(|| self.standing(known));
        self.path[ply as usize].value = standing;
        let improving = match (standing, ply.checked_sub(2).and_then(|before| self.path[before as usize].value)) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        };
        if let Some(standing) = standing
            && !PV
            && excluded == 0
            && !is_decided(alpha)
            && !is_decided(beta)
            && self.techniques.pruning
            && let Some(value) = self.cut(depth, standing, improving, (alpha, beta), ply)
        {
            return value;
        }
        let (mut answers, mut threat) = (None, 0);
        if !threatened && depth >= ANSWERED {
            answers = self.memory.vcf.answers(&mut self.board, FOURS);
            self.count(self.memory.vcf.nodes());
            threat = answers.map_or(0, |_| 1 + self.memory.vcf.line().count() as u32);
        }
        let table_move = known.map_or(0, |entry| entry.best);
        if table_move == 0 && depth >= 4 && self.techniques.internal_reduction {
            depth -= 1;
        }
        let last = self.line.last().copied();
        let node = Node { depth, alpha, beta, ply, standing, improving, cut, last, known, answers, threat };
        let (value, best) = self.try_moves::<PV>(&node, table_move);
        if !self.stopped && excluded == 0 {
            self.remember(value, best, depth, (alpha, beta), ply);
        }
        value
    }

    /// The value without search, or what the table knows better.
    fn standing(&mut self, known: Option<Entry>) -> i32 {
        let value = self.value();
        match known {
            Some(entry) if !is_decided(entry.value) => match entry.bound {
                Bound::Exact => entry.value,
                Bound::Lower => value.max(entry.value),
                Bound::Upper => value.min(entry.value),
            },
            _ => value,
        }
    }

    /// What can be said of a node without trying its moves. None of it is a proof but a win by fours.
    fn cut(&mut self, depth: i32, standing: i32, improving: bool, (alpha, beta): (i32, i32), ply: u32) -> Option<i32> {
        // So far above that a few plies will not lose it (reverse futility pruning).
        if depth <= PRUNED && standing - MARGIN * (depth - i32::from(improving)) >= beta {
            return Some(standing);
        }
        // So far below that only fours can save it (razoring).
        if depth <= PRUNED && standing + RAZOR * (depth + 2) < alpha {
            return Some(match self.fours(RAZOR_FOURS) {
                Some(win) => self.won_by_fours(win, depth, ply),
                None => standing,
            });
        }
        None
    }

    /// A win by fours within so many plies.
    fn won_by_fours(&mut self, (plies, first): (u32, At), depth: i32, ply: u32) -> i32 {
        let value = WIN - (ply + plies) as i32;
        if !self.stopped {
            self.remember(value, code(first), depth, (value - 1, value), ply);
        }
        value
    }

    fn remember(&self, value: i32, best: u16, depth: i32, (alpha, beta): (i32, i32), ply: u32) {
        let bound = match value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = if is_decided(value) { value + value.signum() * ply as i32 } else { value };
        let depth = depth.clamp(0, 255) as u8;
        self.table.put(self.board.key, Entry { value, bound, depth, complete: false, selective: false, best });
    }

    /// Tries a node's moves, best first. Returns the code of the best one too.
    fn try_moves<const PV: bool>(&mut self, node: &Node, table_move: u16) -> (i32, u16) {
        let begin = self.memory.stack.len();
        let excluded = self.path[node.ply as usize].excluded;
        let last = [node.last, self.line.len().checked_sub(2).map(|before| self.line[before])];
        let super::Memory { history, stack, .. } = &mut *self.memory;
        let certain = self.board.list(&Order { history, table_move, last, answers: node.answers }, stack);
        let count = self.memory.stack.len() - begin;
        let turn = self.board.turn;
        let (mut best, mut best_code, mut floor) = (-INFINITY, 0, node.alpha);
        let (mut number, mut left_out) = (0, !certain || excluded != 0);
        let mut tried = [At::new(0, 0); TRIED];
        // How early the best of the moves but the table's is tried.
        let mut top = None;
        for index in 0..count {
            let choice = pick(&mut self.memory.stack[begin..], index);
            let its_code = code(choice.at);
            if its_code == excluded || !self.board.allows(choice.at) {
                continue;
            }
            // A move is left out only where another one does not lose: so no loss is claimed that is none.
            if best > -WON && !PV && self.is_hopeless(node, &choice, number, floor) {
                left_out = true;
                continue;
            }
            let mut more = 0;
            if number == 0 && its_code == table_move && excluded == 0 {
                match self.single_out(node) {
                    Ok(extension) => more = extension,
                    Err(value) => {
                        self.memory.stack.truncate(begin);
                        return (value, table_move);
                    }
                }
            }
            if its_code != table_move {
                top.get_or_insert(choice.score);
            }
            let is_worse = top.is_some_and(|top| top - choice.score > WORSE);
            let undo = self.play(choice.at);
            let value = self.look::<PV>(node, &choice, (number, is_worse), floor, more);
            self.take_back(&undo);
            if self.stopped {
                break;
            }
            if (number as usize) < TRIED {
                tried[number as usize] = choice.at;
            }
            number += 1;
            if value > best {
                (best, best_code) = (value, its_code);
            }
            floor = floor.max(value);
            if value >= node.beta {
                let before = (number as usize - 1).min(TRIED);
                if !self.techniques.history {
                    break;
                }
                self.memory.history.learn(turn, node.last, choice.at, node.depth, &tried[..before]);
                break;
            }
        }
        self.memory.stack.truncate(begin);
        if number == 0 {
            // Nothing is legal but what lies far off, or nothing at all.
            return (if excluded == 0 { self.value() } else { node.alpha }, 0);
        }
        if node.answers.is_some() && best <= -WON {
            // One of the others may hold out longer.
            best = best.max((node.ply + node.threat) as i32 - WIN);
        }
        if left_out && best <= -WON {
            // What was left out might have saved it.
            best = -UNDECIDED;
        }
        (best, best_code)
    }

    /// Whether a move can be left out: one that comes late, or that cannot raise the value far enough.
    #[inline]
    fn is_hopeless(&self, node: &Node, choice: &Choice, number: i32, floor: i32) -> bool {
        if !self.techniques.pruning || number == 0 || is_decided(floor) || node.answers.is_some() {
            return false;
        }
        let depth = node.depth;
        let Some(standing) = node.standing else { return depth <= 1 && number >= ANSWERS };
        if choice.makes(Kind::Four) {
            return false;
        }
        let most = (3 + depth * depth * 3 / 5) / if node.improving { 1 } else { 2 };
        if number > most + 3 {
            return true;
        }
        !choice.makes(Kind::OpenThree) && depth <= 6 && standing + choice.worth + 70 * depth < floor
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
    fn look<const PV: bool>(
        &mut self,
        node: &Node,
        choice: &Choice,
        (number, is_worse): (i32, bool),
        floor: i32,
        more: i32,
    ) -> i32 {
        let ply = node.ply + 1;
        let depth = node.depth - 1 + more;
        if number == 0 {
            return -self.visit::<PV>(depth, -node.beta, -floor, ply, !PV && !node.cut);
        }
        let less = self.reduction::<PV>(node, choice, number, is_worse);
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
    fn reduction<const PV: bool>(&self, node: &Node, choice: &Choice, number: i32, is_worse: bool) -> i32 {
        if !self.techniques.reductions || node.depth < 2 {
            return 0;
        }
        let mut less = i32::from(REDUCTIONS[node.depth.min(63) as usize][number.min(63) as usize]);
        less += i32::from(!node.improving) + 2 * i32::from(node.cut) + i32::from(is_worse) - i32::from(PV);
        less -= 2 * i32::from(choice.makes(Kind::OpenThree));
        less -= self.memory.history.get(self.board.turn.other(), choice.at) / 4096;
        less.clamp(0, node.depth - 1)
    }

    #[inline]
    fn play(&mut self, at: At) -> Undo {
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
    fn take_back(&mut self, undo: &Undo) {
        self.board.take_back(undo, &mut self.memory.log);
        self.line.pop();
    }
}

/// What a table entry says here, if it says enough.
#[inline]
fn usable(entry: Entry, depth: i32, alpha: i32, beta: i32, ply: u32) -> Option<i32> {
    let decided = is_decided(entry.value);
    let value = if decided { entry.value - entry.value.signum() * ply as i32 } else { entry.value };
    let is_lower = entry.bound != Bound::Upper && value >= beta;
    let is_upper = entry.bound != Bound::Lower && value <= alpha;
    // Whoever wins, wins at any depth.
    let proves = decided && if value > 0 { is_lower } else { is_upper };
    let deep = i32::from(entry.depth) >= depth;
    ((deep && (entry.bound == Bound::Exact || is_lower || is_upper)) || proves).then_some(value)
}
