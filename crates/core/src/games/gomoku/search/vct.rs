//! Victory by continuous threats: the attacker makes fours, open threes, and other moves that threaten to win by fours; the
//! defender may give any answer that does not lose for certain.
//!
//! - `moves`: the attacker's moves, and all answers that do not lose for certain.
//! - `line`: the line of play of a win.
//! - `table`: a transposition table by stones, so that the same stones in another order are not searched again.
//!
//! The search is depth-first proof-number search (df-pn; Nagai 2002): one move proves an attacker's node, all answers together
//! prove a defender's. A win is a proof, and its length an upper bound: the defender cannot make the game last longer.

mod line;
mod moves;
mod table;

use self::table::{INFINITE, Numbers, Table};
use super::super::lines::{Colour, Point};
use super::super::shapes::{Board, Kind, SavedPoint};
use super::super::variant::Rule;
use super::super::{Gomoku, stone_key};
use super::vcf::Vcf;
use crate::rng::mix;

/// Positions that the search for the attacker's win by fours may visit, once per node. (Without it, the search takes half as
/// much time again; with five times as many, a tenth more.)
const FOURS: u64 = 60;
/// A move is searched until its number exceeds that of the second best by this part (1 / `BEYOND`; Pawlewicz and Lew 2007).
/// Without it, the search takes half as many positions again.
const BEYOND: u32 = 4;
/// The longest line of play.
const LONGEST: u32 = 120;
/// Key parts of the attacking colour.
const SIDES: [u64; 2] = [mix(1 << 42), mix(1 << 43)];

/// A win by threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VctWin {
    /// The line of play, by both sides, up to the five or to the end of what the table remembers.
    pub line: Vec<Point>,
    /// The most plies until the game is over, against any defence.
    pub plies: u32,
}

/// A search for wins by threats.
#[derive(Debug)]
pub struct Vct {
    table: Table,
    log: Vec<SavedPoint>,
    stack: Vec<ScoredMove>,
    vcf: Vcf,
    nodes: u64,
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
struct ScoredMove {
    at: Point,
    score: i32,
    /// The numbers assumed for the position after it, before its first visit.
    assumed: Numbers,
    /// Whether it is not a threat by itself.
    quiet: bool,
}

impl Vct {
    /// A search whose tables take about `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self {
            table: Table::new(bytes / 8 * 7),
            log: Vec::new(),
            stack: Vec::new(),
            vcf: Vcf::new(bytes / 8),
            nodes: 0,
        }
    }

    /// Bytes of its tables.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.vcf.bytes()
    }

    /// Positions that the last search visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for a win of the side to move, in at most `nodes` positions. `may_continue` is called at each; the search stops
    /// when it returns false. In caro, and while colours are chosen, no win is found.
    pub fn find<const LINES: usize>(
        &mut self,
        position: &Gomoku<LINES>,
        nodes: u64,
        may_continue: impl FnMut() -> bool,
    ) -> Option<VctWin> {
        self.nodes = 0;
        if position.rule == Rule::Caro || !position.is_placing() {
            return None;
        }
        let mut board = Board::new(position);
        let attacker = board.turn;
        let mut attack = Attack { vct: self, board: &mut board, attacker, most: nodes, may_continue, stopped: false };
        attack.visit(INFINITE, INFINITE, 0);
        let root = attack.get(attack.board.key).filter(|root| root.is_won())?;
        let line = attack.line(root.plies);
        (!line.is_empty()).then_some(VctWin { plies: root.plies, line })
    }
}

struct Attack<'a, const LINES: usize, G> {
    vct: &'a mut Vct,
    board: &'a mut Board<LINES>,
    attacker: Colour,
    most: u64,
    may_continue: G,
    stopped: bool,
}

impl<const LINES: usize, G: FnMut() -> bool> Attack<'_, LINES, G> {
    fn key(&self, stones: u64) -> u64 {
        stones ^ SIDES[self.attacker as usize]
    }

    fn get(&self, stones: u64) -> Option<Numbers> {
        self.vct.table.get(self.key(stones))
    }

    fn put(&mut self, stones: u64, numbers: Numbers) {
        let key = self.key(stones);
        self.vct.table.put(key, numbers);
    }

    /// What is known of the position without trying moves, other than fours.
    fn known(&mut self) -> Option<Numbers> {
        let (own, other) = (self.board.turn, self.board.turn.other());
        let attacks = own == self.attacker;
        let result = |own_wins: bool, plies| if own_wins == attacks { Numbers::won(plies) } else { Numbers::LOST };
        if self.board.count(own, Kind::Five) > 0 {
            return Some(result(true, 1));
        }
        match self.board.count(other, Kind::Five) {
            0 if self.board.count(own, Kind::WinningFour) > 0 => return Some(result(true, 3)),
            0 => {}
            1 if self.board.first(other, Kind::Five).is_some_and(|at| self.board.allows(at)) => {}
            // The side to move loses, if it has a legal move.
            _ if self.board.has_legal_move() => return Some(result(false, 2)),
            _ => return Some(Numbers::LOST),
        }
        if attacks && self.board.double_three().is_some() {
            return Some(Numbers::won(5));
        }
        if !attacks || self.board.count(own, Kind::Four) == 0 {
            return None;
        }
        let win = self.vct.vcf.probe(self.board, FOURS);
        self.vct.nodes += self.vct.vcf.nodes();
        win.map(|(plies, _)| Numbers::won(plies))
    }

    /// Searches a position until its proof or disproof number reaches the limit.
    fn visit(&mut self, proof: u32, disproof: u32, ply: u32) {
        self.vct.nodes += 1;
        if self.vct.nodes > self.most || !(self.may_continue)() {
            self.stopped = true;
            return;
        }
        let key = self.board.key;
        if self.get(key).is_none()
            && let Some(known) = self.known()
        {
            self.put(key, known);
            return;
        }
        let begin = self.vct.stack.len();
        let listed = if ply < LONGEST { self.list() } else { None };
        let is_full = || self.vct.stack.len() == begin && !self.board.has_legal_move();
        let Some(elsewhere) = listed.filter(|_| !is_full()) else {
            // Not threatened, or a draw.
            self.vct.stack.truncate(begin);
            self.put(key, Numbers::LOST);
            return;
        };
        let attacks = self.board.turn == self.attacker;
        loop {
            let (found, next) =
                if attacks { self.sum_up_attacks(begin) } else { self.sum_up_answers(begin, elsewhere) };
            self.put(key, found);
            if found.proof >= proof || found.disproof >= disproof || found.is_known() || self.stopped {
                break;
            }
            let Some(Next { at, known, second }) = next else { break };
            // While this move stays about the best one, and within the limits.
            let beyond = second.saturating_add(1 + second / BEYOND);
            let rest = |limit: u32, all: u32, one: u32| limit.saturating_sub(all).saturating_add(one).min(INFINITE);
            let limits = match attacks {
                true => (proof.min(beyond), rest(disproof, found.disproof, known.disproof)),
                false => (rest(proof, found.proof, known.proof), disproof.min(beyond)),
            };
            self.after(at, |attack| attack.visit(limits.0, limits.1, ply + 1));
        }
        self.vct.stack.truncate(begin);
    }

    /// Plays a move, calls `act`, and takes the move back.
    fn after<R>(&mut self, at: Point, act: impl FnOnce(&mut Self) -> R) -> R {
        let undo = self.board.try_move(at, &mut self.vct.log);
        let result = act(self);
        self.board.take_back(&undo, &mut self.vct.log);
        result
    }

    /// The numbers of the position after a move, known or else assumed.
    #[inline]
    fn child(&self, choice: &ScoredMove) -> Numbers {
        self.get(self.board.key ^ stone_key(choice.at, self.board.turn)).unwrap_or(choice.assumed)
    }

    /// The numbers of an attacker's node, which needs one winning move, from the moves at `begin` and after, and the next move
    /// to search.
    fn sum_up_attacks(&self, begin: usize) -> (Numbers, Option<Next>) {
        let mut best = Best::default();
        let (mut disproof, mut quiet, mut plies) = (0u32, 0, u32::MAX);
        for choice in &self.vct.stack[begin..] {
            let known = self.child(choice);
            best.offer(choice.at, known, known.proof);
            if known.is_won() {
                plies = plies.min(known.plies);
            }
            // Of dozens of quiet moves hardly any is a threat: together they count as one (weak proof numbers; Ueda et al.
            // 2008).
            if choice.quiet {
                quiet = known.disproof.max(quiet);
            } else {
                disproof = disproof.saturating_add(known.disproof);
            }
        }
        let disproof = disproof.saturating_add(quiet);
        if best.least == 0 {
            return (Numbers::won(plies + 1), None);
        }
        (Numbers { proof: best.least, disproof: disproof.min(INFINITE - 1), plies: 0 }, best.next)
    }

    /// The numbers of a defender's node, where all answers have to be refuted, from the answers at `begin` and after, and the
    /// next one to search. Any other move loses within `elsewhere` plies.
    fn sum_up_answers(&self, begin: usize, elsewhere: u32) -> (Numbers, Option<Next>) {
        let mut best = Best::default();
        let (mut proof, mut plies) = (0u32, elsewhere);
        for choice in &self.vct.stack[begin..] {
            let known = self.child(choice);
            best.offer(choice.at, known, known.disproof);
            proof = proof.saturating_add(known.proof);
            if known.is_won() {
                plies = plies.max(1 + known.plies);
            }
        }
        match best.least {
            0 => (Numbers::LOST, None),
            _ if proof == 0 => (Numbers::won(plies), None),
            disproof => (Numbers { proof: proof.min(INFINITE - 1), disproof, plies: 0 }, best.next),
        }
    }
}

/// The most promising move of a node.
#[derive(Clone, Copy, Debug)]
struct Next {
    at: Point,
    /// The numbers of the position after it.
    known: Numbers,
    /// The proof or disproof number of the second best move.
    second: u32,
}

/// The most promising of the moves seen so far.
#[derive(Debug)]
struct Best {
    next: Option<Next>,
    least: u32,
}

impl Default for Best {
    fn default() -> Self {
        Self { next: None, least: INFINITE }
    }
}

impl Best {
    #[inline]
    fn offer(&mut self, at: Point, known: Numbers, number: u32) {
        match &mut self.next {
            Some(next) if number >= self.least => next.second = next.second.min(number),
            next => {
                let second = if next.is_some() { self.least } else { INFINITE };
                *next = Some(Next { at, known, second });
                self.least = number;
            }
        }
    }
}
