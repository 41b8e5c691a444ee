//! Victory by continuous threats: a side makes fours, open threes, and other moves after which it would win by fours; its
//! opponent may answer each by everything that does not lose for certain.
//!
//! What does not lose for certain: after an open three, the points in `moves`; after a move that threatens to win by fours,
//! [`Vcf::answers`].
//!
//! The tree is searched best first by proof numbers, depth first (Nagai 2002's df-pn): the attacker's node is proven by one
//! move, the defender's by all answers. A position is known by its stones, so that the same stones in another order are not
//! searched again. What is found is a proof, and its length a limit: the defender cannot make the game last longer.

use super::super::lines::{At, Colour};
use super::super::shapes::{Board, Class, Kind, Was};
use super::super::variant::Rule;
use super::super::{Gomoku, stone_key};
use super::moves::{Choice, History, Order};
use super::vcf::Vcf;
use crate::rng::mix;

/// More than any sum of proof numbers that is not infinite.
const INFINITE: u32 = 1 << 30;
/// The longest line of play.
const LONGEST: u32 = 120;
/// Positions in which a threat to win by fours is looked for.
const FOURS: u64 = 120;
/// What tells the side that attacks.
const SIDES: [u64; 2] = [mix(1 << 42), mix(1 << 43)];

/// What is known of a position: how much has to be proven for the attacker's win, and for there being none.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
    /// Once it is proven: within how many plies the game is over.
    plies: u32,
}

impl Entry {
    const LOST: (u32, u32, u32) = (INFINITE, 0, 0);

    fn won(plies: u32) -> (u32, u32, u32) {
        (0, INFINITE, plies)
    }
}

/// A search for wins by threats.
#[derive(Debug)]
pub struct Vct {
    table: Vec<Entry>,
    log: Vec<Was>,
    stack: Vec<Choice>,
    history: History,
    vcf: Vcf,
    nodes: u64,
}

/// Entries looked at for a position.
const NEIGHBOURS: usize = 4;

impl Vct {
    /// A search whose table takes about so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let count = (bytes / size_of::<Entry>() as u64).max(64).next_power_of_two() / 2;
        let empty = Entry { key: 0, proof: 1, disproof: 1, plies: 0 };
        let history = History::default();
        Self {
            table: vec![empty; count as usize],
            log: Vec::new(),
            stack: Vec::new(),
            history,
            vcf: Vcf::new(bytes / 8),
            nodes: 0,
        }
    }

    /// Bytes of its table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val::<[_]>(&self.table) as u64
    }

    /// Positions that the last search visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of the side to move in at most so many positions. Returns its line of play, in which the defender
    /// holds out as long as possible; whatever it plays, the game lasts no longer. `go_on` is asked at each position; when it
    /// says no, the search stops. In caro, and where colours are chosen, nothing is found.
    pub fn find<const LINES: usize>(
        &mut self,
        position: &Gomoku<LINES>,
        nodes: u64,
        go_on: impl FnMut() -> bool,
    ) -> Option<Vec<At>> {
        self.nodes = 0;
        if position.rule == Rule::Caro || !position.is_placing() {
            return None;
        }
        let mut board = Board::new(position);
        let attacker = board.turn;
        let mut attack = Attack { vct: self, board: &mut board, attacker, most: nodes, go_on, stopped: false };
        attack.visit(INFINITE, INFINITE, 0);
        match attack.get(attack.board.key) {
            Some((0, _, plies)) => attack.line(plies),
            _ => None,
        }
    }

    fn place(&self, key: u64) -> std::ops::Range<usize> {
        let first = key as usize & (self.table.len() - 1) & !(NEIGHBOURS - 1);
        first..first + NEIGHBOURS
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

    fn get(&self, stones: u64) -> Option<(u32, u32, u32)> {
        let key = self.key(stones);
        let known = self.vct.table[self.vct.place(key)].iter().find(|entry| entry.key == key);
        known.map(|entry| (entry.proof, entry.disproof, entry.plies))
    }

    /// What is known of the position after a move, or else how it looks: a threat that leaves more answers is harder to prove.
    fn after(&self, choice: &Choice, turn: Colour) -> (u32, u32, u32) {
        let known = self.get(self.board.key ^ stone_key(choice.at, turn));
        known.unwrap_or_else(|| match () {
            () if turn != self.attacker || choice.makes(Kind::Four) => (1, 1, 0),
            () if choice.makes(Kind::OpenThree) => (2, 1, 0),
            () => (8, 1, 0),
        })
    }

    /// Keeps what is known of a position, in place of what is least proven.
    fn put(&mut self, stones: u64, (proof, disproof, plies): (u32, u32, u32)) {
        let key = self.key(stones);
        let place = self.vct.place(key);
        let entries = &mut self.vct.table[place];
        let worth = |entry: &Entry| match () {
            () if entry.key == key => 0,
            () if entry.key == 0 => 1,
            () if entry.proof != 0 && entry.disproof != 0 => 2 + entry.proof.min(entry.disproof),
            () => INFINITE,
        };
        if let Some(entry) = entries.iter_mut().min_by_key(|entry| worth(entry)) {
            *entry = Entry { key, proof, disproof, plies };
        }
    }

    /// The points that answer a threat to win by fours, if there is one: then they are put on the stack.
    fn answer_fours(&mut self) -> bool {
        let other = self.board.turn.other();
        let answers = self.vct.vcf.answers(self.board, FOURS);
        self.vct.nodes += self.vct.vcf.nodes();
        let Some(answers) = answers else { return false };
        let choice = |at| Choice { at, score: self.board.priority(other, at).defence.into(), worth: 0, kinds: 0 };
        self.vct.stack.extend(answers.iter().map(choice));
        true
    }

    /// What is known of the position without trying a move.
    fn known(&self) -> Option<(u32, u32, u32)> {
        let board = &self.board;
        let (own, other) = (board.turn, board.turn.other());
        let attacks = own == self.attacker;
        let result = |own_wins: bool, plies| if own_wins == attacks { Entry::won(plies) } else { Entry::LOST };
        if board.count(own, Kind::Five) > 0 {
            return Some(result(true, 1));
        }
        match board.count(other, Kind::Five) {
            0 if board.count(own, Kind::WinningFour) > 0 => return Some(result(true, 3)),
            0 => {}
            1 if board.first(other, Kind::Five).is_some_and(|at| board.allows(at)) => return None,
            // It loses, if it can move at all.
            _ if board.has_legal_move() => return Some(result(false, 2)),
            _ => return Some(Entry::LOST),
        }
        None
    }

    /// Lists the moves of a node. Returns false where a defender is not threatened, and may do anything.
    fn list(&mut self) -> bool {
        let begin = self.vct.stack.len();
        let listed = self.list_all();
        // Only moves that are legal; at most a few of dozens are looked at.
        let mut index = begin;
        while index < self.vct.stack.len() {
            if self.board.allows(self.vct.stack[index].at) {
                index += 1;
            } else {
                self.vct.stack.swap_remove(index);
            }
        }
        self.vct.stack[begin..].sort_unstable_by_key(|choice| -choice.score);
        listed
    }

    fn list_all(&mut self) -> bool {
        let board = &self.board;
        let (own, other) = (board.turn, board.turn.other());
        let stack = &mut self.vct.stack;
        if let Some(at) = board.first(other, Kind::Five) {
            stack.push(Choice { at, score: 0, worth: 0, kinds: 0 });
            return true;
        }
        if own == self.attacker {
            let threats = board.points(own, Kind::Four).or(board.points(own, Kind::OpenThree));
            let mut add = |at| {
                let score = i32::from(board.priority(own, at).attack);
                stack.push(Choice { at, score, worth: 0, kinds: board.kinds(own, at) });
            };
            threats.iter().for_each(&mut add);
            // A three that is no open one may still threaten to win by fours.
            if board.count(other, Kind::WinningFour) == 0 {
                board.near(|at| {
                    if !threats.has(at) && board.has_class(own, at, Class::Three) {
                        add(at);
                    }
                });
            }
        } else if board.count(other, Kind::WinningFour) > 0 {
            let order = Order { history: &self.vct.history, table_move: 0, last: [None; 2], answers: None };
            board.list(&order, stack);
        } else {
            return self.answer_fours();
        }
        true
    }

    /// Searches a position until as much is proven, or as much has to be, as the limits say (`proof`, `disproof`).
    fn visit(&mut self, proof: u32, disproof: u32, ply: u32) {
        self.vct.nodes += 1;
        if self.vct.nodes > self.most || !(self.go_on)() {
            self.stopped = true;
            return;
        }
        let key = self.board.key;
        if let Some(known) = self.known() {
            self.put(key, known);
            return;
        }
        if ply >= LONGEST {
            self.put(key, Entry::LOST);
            return;
        }
        let begin = self.vct.stack.len();
        if !self.list() || self.vct.stack.len() == begin && !self.board.has_legal_move() {
            // Not threatened, or a draw.
            self.put(key, Entry::LOST);
            return;
        }
        let turn = self.board.turn;
        let attacks = turn == self.attacker;
        loop {
            let (found, next) = self.sum_up(begin, turn, attacks);
            self.put(key, found);
            if found.0 >= proof || found.1 >= disproof || found.0 == 0 || found.1 == 0 || self.stopped {
                break;
            }
            let Some(Next { at, known, second }) = next else { break };
            // As far as this move stays the best one, and no farther than the limits.
            let limits = match attacks {
                true => (proof.min(second.saturating_add(1)), disproof.saturating_sub(found.1).saturating_add(known.1)),
                false => {
                    (proof.saturating_sub(found.0).saturating_add(known.0), disproof.min(second.saturating_add(1)))
                }
            };
            let mut log = std::mem::take(&mut self.vct.log);
            let undo = self.board.try_move(at, &mut log);
            self.vct.log = log;
            self.visit(limits.0.min(INFINITE), limits.1.min(INFINITE), ply + 1);
            let mut log = std::mem::take(&mut self.vct.log);
            self.board.take_back(&undo, &mut log);
            self.vct.log = log;
        }
        self.vct.stack.truncate(begin);
    }

    /// What the moves from `begin` on say of a node, and which of them to look at next.
    fn sum_up(&self, begin: usize, turn: Colour, attacks: bool) -> ((u32, u32, u32), Option<Next>) {
        let mut next: Option<Next> = None;
        let (mut least, mut sum, mut plies) = (INFINITE, 0u32, 0);
        let mut soonest = u32::MAX;
        for choice in &self.vct.stack[begin..] {
            let known = self.after(choice, turn);
            // One move is enough for the one side, all are needed for the other.
            let (one, all) = if attacks { (known.0, known.1) } else { (known.1, known.0) };
            sum = sum.saturating_add(all).min(INFINITE);
            if known.0 == 0 {
                plies = plies.max(known.2);
                soonest = soonest.min(known.2);
            }
            match &mut next {
                Some(next) if one >= least => next.second = next.second.min(one),
                next => {
                    let second = next.as_ref().map_or(INFINITE, |_| least);
                    *next = Some(Next { at: choice.at, known, second });
                    least = one;
                }
            }
        }
        let found = if attacks {
            (least, sum, if least == 0 { soonest.saturating_add(1) } else { 0 })
        } else {
            (sum, least, plies + 1)
        };
        (found, next)
    }

    /// The line of play of a proven win that takes at most so many plies. What the table has lost is searched again.
    fn line(&mut self, plies: u32) -> Option<Vec<At>> {
        let mut line = Vec::new();
        let mut left = plies;
        while left > 0 {
            let turn = self.board.turn;
            let other = turn.other();
            if let Some(at) = self.board.first(turn, Kind::Five) {
                line.push(at);
                return Some(line);
            }
            let at = match self.board.first(other, Kind::Five) {
                Some(at) if self.board.allows(at) => at,
                // It may not be stopped: anything else goes.
                Some(_) => self.board.lines.empty_points().find(|&at| self.board.allows(at))?,
                None => match self.board.first(turn, Kind::WinningFour) {
                    Some(at) => at,
                    None => self.best(left)?,
                },
            };
            line.push(at);
            self.board.put(at, &mut ());
            left -= 1;
        }
        None
    }

    /// The attacker's shortest way to go on, or the defender's longest resistance.
    fn best(&mut self, plies: u32) -> Option<At> {
        let begin = self.vct.stack.len();
        self.list();
        let choices = self.vct.stack.split_off(begin);
        let turn = self.board.turn;
        let mut proven: Vec<(u32, At)> = Vec::new();
        for choice in choices {
            let key = self.board.key ^ stone_key(choice.at, turn);
            let mut known = self.get(key).unwrap_or(Entry::LOST);
            if known.0 != 0 && turn != self.attacker {
                // Proven once, and lost since.
                let mut log = std::mem::take(&mut self.vct.log);
                let undo = self.board.try_move(choice.at, &mut log);
                self.vct.log = log;
                self.visit(INFINITE, INFINITE, 0);
                let mut log = std::mem::take(&mut self.vct.log);
                self.board.take_back(&undo, &mut log);
                self.vct.log = log;
                known = self.get(key).unwrap_or(Entry::LOST);
            }
            if known.0 == 0 {
                proven.push((known.2, choice.at));
            } else if turn != self.attacker {
                return None;
            }
        }
        let fits = proven.into_iter().filter(|&(left, _)| left < plies);
        let best = if turn == self.attacker { fits.min_by_key(|way| way.0) } else { fits.max_by_key(|way| way.0) };
        best.map(|(_, at)| at)
    }
}

/// The most promising move of a node.
struct Next {
    at: At,
    /// What is known of the position after it.
    known: (u32, u32, u32),
    /// The proof or disproof number of the next best.
    second: u32,
}
