//! Victory by continuous threats: a side makes fours, open threes, and other moves after which it would win by fours; its
//! opponent may answer each by everything that does not lose for certain.
//!
//! - `moves`: what the attacker tries, and all answers that do not lose for certain.
//! - `line`: the line of play of a win that was found.
//! - `table`: what is remembered of positions, by their stones, so that the same stones in another order are not searched
//!   again.
//!
//! The tree is searched best first by proof numbers, depth first (Nagai 2002's df-pn): the attacker's node is proven by one
//! move, the defender's by all answers. What is found is a proof, and its length a limit: the defender cannot make the game
//! last longer.

mod line;
mod moves;
mod table;

use self::table::{INFINITE, Numbers, Table};
use super::super::lines::{At, Colour};
use super::super::shapes::{Board, Kind, Was};
use super::super::variant::Rule;
use super::super::{Gomoku, stone_key};
use super::vcf::Vcf;
use crate::rng::mix;

/// Positions in which the attacker's win by fours is looked for, once a node. (None: half as much time again; five times as
/// many: a tenth.)
const FOURS: u64 = 60;
/// A move is looked into until its number is this part larger than that of the next best (Pawlewicz and Lew 2007): with none,
/// it takes half as many positions again.
const BEYOND: u32 = 4;
/// The longest line of play.
const LONGEST: u32 = 120;
/// What tells the side that attacks.
const SIDES: [u64; 2] = [mix(1 << 42), mix(1 << 43)];

/// A win by threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VctWin {
    /// The line of play, of both sides by turns, to the five or as far as it is remembered.
    pub line: Vec<At>,
    /// Within how many plies the game is over, whatever the opponent plays.
    pub plies: u32,
}

/// A search for wins by threats.
#[derive(Debug)]
pub struct Vct {
    table: Table,
    log: Vec<Was>,
    stack: Vec<ScoredMove>,
    vcf: Vcf,
    nodes: u64,
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
struct ScoredMove {
    at: At,
    score: i32,
    /// What is assumed of the position after it before that is visited.
    assumed: Numbers,
    /// Whether it is no threat by itself.
    quiet: bool,
}

impl Vct {
    /// A search whose table takes about so many bytes.
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

    /// Bytes of its table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.vcf.bytes()
    }

    /// Positions that the last search visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of the side to move in at most so many positions. `go_on` is asked at each; when it says no, the search
    /// stops. In caro, and where colours are chosen, nothing is found.
    pub fn find<const LINES: usize>(
        &mut self,
        position: &Gomoku<LINES>,
        nodes: u64,
        go_on: impl FnMut() -> bool,
    ) -> Option<VctWin> {
        self.nodes = 0;
        if position.rule == Rule::Caro || !position.is_placing() {
            return None;
        }
        let mut board = Board::new(position);
        let attacker = board.turn;
        let mut attack = Attack { vct: self, board: &mut board, attacker, most: nodes, go_on, stopped: false };
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
    go_on: G,
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

    /// What is known of the position without trying a move, but for fours.
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
            // It loses, if it can move at all.
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

    /// Searches a position until as much is proven, or as much has to be, as the limits say (`proof`, `disproof`).
    fn visit(&mut self, proof: u32, disproof: u32, ply: u32) {
        self.vct.nodes += 1;
        if self.vct.nodes > self.most || !(self.go_on)() {
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
            // As far as this move stays about the best one, and no farther than the limits.
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

    /// Does something after a move, and takes that back.
    fn after<R>(&mut self, at: At, act: impl FnOnce(&mut Self) -> R) -> R {
        let undo = self.board.try_move(at, &mut self.vct.log);
        let result = act(self);
        self.board.take_back(&undo, &mut self.vct.log);
        result
    }

    /// What is known of the position after a move, or else assumed.
    #[inline]
    fn child(&self, choice: &ScoredMove) -> Numbers {
        self.get(self.board.key ^ stone_key(choice.at, self.board.turn)).unwrap_or(choice.assumed)
    }

    /// What the moves from `begin` on say of a node of the attacker, who needs one, and which of them to look at next.
    fn sum_up_attacks(&self, begin: usize) -> (Numbers, Option<Next>) {
        let mut best = Best::default();
        let (mut disproof, mut quiet, mut plies) = (0u32, 0, u32::MAX);
        for choice in &self.vct.stack[begin..] {
            let known = self.child(choice);
            best.offer(choice.at, known, known.proof);
            if known.is_won() {
                plies = plies.min(known.plies);
            }
            // Of dozens of quiet moves hardly any is a threat: together they count as one (Ueda et al. 2008's weak numbers).
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

    /// What the answers from `begin` on say of a node of the defender, all of which have to be refuted. Any other move loses
    /// within so many plies.
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
    at: At,
    /// What is known of the position after it.
    known: Numbers,
    /// The proof or disproof number of the next best.
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
    fn offer(&mut self, at: At, known: Numbers, number: u32) {
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
