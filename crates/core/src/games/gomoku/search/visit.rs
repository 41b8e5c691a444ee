//! The recursion of Gomoku's search.

use super::super::lines::Point;
use super::super::shapes::{Kind, Points};
use super::known::Fives;
use super::tries::Node;
use super::{LONGEST, Search, WIN, code, is_decided};
use crate::search::Bound;
use crate::search::plain::Entry;
use crate::search::value::narrow::{from_table, to_table};

/// Positions that the search for fours may visit at the horizon.
const FOURS: u64 = 80;
/// The same where it decides whether a node is searched at all.
const RAZOR_FOURS: u64 = 200;
/// Margin per ply of reverse futility pruning.
const MARGIN: i32 = 35;
/// Margin per ply of razoring.
const RAZOR: i32 = 40;
/// The largest depth at which nodes are pruned by these margins.
const PRUNED: i32 = 8;

impl<const LINES: usize, T: FnMut(u64) -> bool> Search<'_, LINES, T> {
    /// The value of the board for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft).
    pub fn visit<const PV: bool>(&mut self, depth: i32, mut alpha: i32, mut beta: i32, ply: u32, cut: bool) -> i32 {
        self.count(1);
        if self.stopped || self.board.is_full() {
            return 0;
        }
        let win_in = |plies: u32| WIN - (ply + plies) as i32;
        if self.board.winning_five().is_some() {
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
        if let Some(value) = self.forced::<PV>(&fives, depth, (alpha, beta), ply, cut) {
            return value;
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
        if depth <= 0
            && let Some(value) = self.horizon::<PV>(threatened, depth, (alpha, beta), ply)
        {
            return value;
        }
        self.expand::<PV>(depth.max(1), (alpha, beta), ply, cut, (known, threatened))
    }

    /// The value of a node above the horizon that neither the codes nor the table decide.
    #[inline]
    fn expand<const PV: bool>(
        &mut self,
        mut depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
        cut: bool,
        (known, threatened): (Option<Entry>, bool),
    ) -> i32 {
        let excluded = self.path[ply as usize].excluded;
        let static_eval = (!threatened).then(|| self.static_eval(known));
        self.path[ply as usize].value = static_eval;
        let improving = self.is_improving(ply);
        if let Some(static_eval) = static_eval
            && !PV
            && excluded == 0
            && !is_decided(alpha)
            && !is_decided(beta)
            && self.techniques.pruning
            && let Some(value) = self.prune_node(depth, static_eval, improving, (alpha, beta), ply)
        {
            return value;
        }
        let (answers, threat) = if threatened { (None, 0) } else { self.answers() };
        let table_move = known.map_or(0, |entry| entry.best);
        if table_move == 0 && depth >= 4 && self.techniques.internal_reduction {
            depth -= 1;
        }
        let last = self.line.last().copied();
        let node = Node { depth, alpha, beta, ply, static_eval, improving, cut, last, known, answers, threat };
        let (value, best) = self.try_moves::<PV>(&node, table_move);
        if !self.stopped && excluded == 0 {
            self.store(value, best, depth, (alpha, beta), ply);
        }
        value
    }

    /// The value if the codes decide it, or leave one reply, which costs no depth.
    #[inline]
    fn forced<const PV: bool>(
        &mut self,
        fives: &Fives,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
        cut: bool,
    ) -> Option<i32> {
        let win_in = |plies: u32| WIN - (ply + plies) as i32;
        match *fives {
            Fives::Lost => Some(-win_in(2)),
            Fives::One(at) => {
                let undo = self.play(at);
                self.path[ply as usize].value = None;
                let value = -self.visit::<PV>(depth, -beta, -alpha, ply + 1, !cut);
                self.take_back(&undo);
                Some(value)
            }
            Fives::None if self.board.winning_four().is_some() => Some(win_in(3)),
            Fives::None if self.board.double_three().is_some() => Some(win_in(5)),
            Fives::None | Fives::Open => None,
        }
    }

    /// The value at the horizon; none if a threat has to be answered first.
    fn horizon<const PV: bool>(
        &mut self,
        threatened: bool,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<i32> {
        // A win by fours would only raise it.
        if !threatened && !PV {
            let value = self.value();
            if value >= beta {
                return Some(value);
            }
        }
        if let Some(win) = self.fours(FOURS) {
            return Some(self.won_by_fours(win, depth, ply));
        }
        if !threatened || !self.techniques.extensions || ply >= 2 * self.depth + 8 {
            return Some(self.value());
        }
        // A threatened side that is already behind hardly gains by its answer.
        (!PV && self.techniques.pruning).then(|| self.value()).filter(|&value| value <= alpha)
    }

    /// If the opponent threatens to win by fours: the moves worth searching, and within how many plies all others lose.
    #[inline]
    fn answers(&mut self) -> (Option<Points>, u32) {
        let answers = self.memory.vcf.answers(&mut self.board, FOURS);
        self.count(self.memory.vcf.nodes());
        (answers, answers.map_or(0, |_| 1 + self.memory.vcf.line().count() as u32))
    }

    /// Whether the side to move stands better than before its last move.
    #[inline]
    fn is_improving(&self, ply: u32) -> bool {
        let value = |back: u32| ply.checked_sub(back).and_then(|ply| self.path[ply as usize].value);
        match (value(0), value(2)) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// The static evaluation, refined by the table.
    fn static_eval(&mut self, known: Option<Entry>) -> i32 {
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

    /// The value of a node pruned before its moves are tried. Only a win by fours is a proof.
    fn prune_node(
        &mut self,
        depth: i32,
        static_eval: i32,
        improving: bool,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<i32> {
        // So far above the window that a few plies will not lose it (reverse futility pruning).
        if depth <= PRUNED && static_eval - MARGIN * (depth - i32::from(improving)) >= beta {
            return Some(static_eval);
        }
        // So far below the window that only fours can save it (razoring).
        if depth <= PRUNED && static_eval + RAZOR * (depth + 2) < alpha {
            return Some(match self.fours(RAZOR_FOURS) {
                Some(win) => self.won_by_fours(win, depth, ply),
                None => static_eval,
            });
        }
        None
    }

    /// The value of a win by fours, which the table remembers.
    fn won_by_fours(&mut self, (plies, first): (u32, Point), depth: i32, ply: u32) -> i32 {
        let value = WIN - (ply + plies) as i32;
        if !self.stopped {
            self.store(value, code(first), depth, (value - 1, value), ply);
        }
        value
    }

    fn store(&self, value: i32, best: u16, depth: i32, (alpha, beta): (i32, i32), ply: u32) {
        let bound = match value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let (value, depth) = (to_table(value, ply), depth.clamp(0, 255) as u8);
        self.table.put(self.board.key, Entry { value, bound, depth, complete: false, selective: false, best });
    }
}

/// The value of a table entry, if it is conclusive here.
#[inline]
fn usable(entry: Entry, depth: i32, alpha: i32, beta: i32, ply: u32) -> Option<i32> {
    let decided = is_decided(entry.value);
    let value = from_table(entry.value, ply);
    let is_lower = entry.bound != Bound::Upper && value >= beta;
    let is_upper = entry.bound != Bound::Lower && value <= alpha;
    // A proof holds at any depth.
    let proves = decided && if value > 0 { is_lower } else { is_upper };
    let deep = i32::from(entry.depth) >= depth;
    ((deep && (entry.bound == Bound::Exact || is_lower || is_upper)) || proves).then_some(value)
}
