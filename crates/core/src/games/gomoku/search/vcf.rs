//! Victory by continuous fours: a side makes four after four, each of which the opponent has to stop at one point, until one
//! cannot be stopped (or, against Black in renju, may not be).
//!
//! The tree is narrow, since each reply is forced, so it is searched to the end. [`Vcf::find`] allows one more four in each
//! iteration, so that the shortest win by fours is found first. Inside the main search, which calls it thousands of times a
//! second and mostly in vain, [`Vcf::probe`] searches depth first, with a small limit on positions. A search that failed
//! without a limit on fours need not be repeated; the table remembers this by position.

mod table;

use self::table::{Entry, Table};
use super::super::Gomoku;
use super::super::lines::{Colour, Point};
use super::super::shapes::{Board, Kind, Points, SavedPoint, Undo};
use super::super::variant::Rule;
use smallvec::SmallVec;

use crate::rng::mix;

/// The most fours in a win: more than a board of 22 x 22 has room for in a relevant line of play.
const MOST_FOURS: u8 = 120;
/// The table's entry for a probe that was stopped: more fours than any search allows.
const PROBED: u8 = MOST_FOURS + 1;
/// The largest distance from one four to the next in a probe; both must be in line.
const NEAR: i32 = 3;
/// The most ways to make a four tried in a position.
const MOST_WAYS: usize = 48;

/// What a search for fours found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VcfAnswer {
    /// A win: the line of play, by both sides, up to the five. No defence makes the game last longer.
    Win(Vec<Point>),
    /// There is none.
    None,
    /// Not known: there is none within the allowed fours, or the search was stopped.
    Unknown,
}

/// The result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VcfResult {
    Wins,
    /// No number of fours wins.
    Fails,
    /// The allowed fours do not win, or the search was stopped.
    Open,
}

/// A search for wins by fours alone, with a table of earlier searches, which must have been under the same variant. A clone
/// begins with an empty table.
#[derive(Debug)]
pub struct Vcf {
    table: Table,
    /// The winning line of play, from its end.
    line: Vec<Point>,
    log: Vec<SavedPoint>,
    nodes: u64,
}

impl Clone for Vcf {
    fn clone(&self) -> Self {
        Self::new(self.bytes())
    }
}

impl Vcf {
    /// A search whose table takes at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { table: Table::new(bytes), line: Vec::new(), log: Vec::new(), nodes: 0 }
    }

    /// Bytes of its table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Positions that the last search visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of play found by the last probe, by both sides, up to the five.
    pub fn line(&self) -> impl Iterator<Item = Point> {
        self.line.iter().rev().copied()
    }

    /// The answers of the side to move to its opponent's threat to win by fours, if a probe of at most `nodes` positions finds
    /// one: all other moves lose for certain. The answers are the points of the winning line, and the points where the side to
    /// move makes a four, at once or after some of the replies in the line. Any other stone leaves the fours as they are, and
    /// the replies without a threat.
    ///
    /// `None` for Black in renju, whose replies may be forbidden and whose stones may change that, and in caro.
    pub fn answers<const LINES: usize>(&mut self, board: &mut Board<LINES>, nodes: u64) -> Option<Points> {
        let (own, other) = (board.turn, board.turn.other());
        let restricted = board.rule == Rule::Caro || board.rule == Rule::Renju && own == Colour::Black;
        self.nodes = 0;
        if restricted || board.count(other, Kind::Four) == 0 {
            return None;
        }
        let mut answers = *board.points(own, Kind::Four);
        let free = board.lines;
        board.pass();
        if self.probe(board, nodes).is_none() {
            board.pass();
            return None;
        }
        let mut undone: SmallVec<[Undo; 32]> = SmallVec::new();
        let mut sure = true;
        for (number, &at) in self.line.iter().rev().enumerate() {
            answers.add(at);
            if board.lines.get(at).is_some() {
                break;
            }
            // A stone far from the line may make a foul of a point that only looks like one.
            sure &= number % 2 == 1 || !board.points(other, Kind::Foul).has(at);
            undone.push(board.try_move(at, &mut self.log));
            if number % 2 == 1 {
                answers = answers.or(board.points(own, Kind::Four));
            } else {
                // Each of several fives is stopped on its own point.
                answers = answers.or(board.points(other, Kind::Five));
            }
        }
        for undo in undone.iter().rev() {
            board.take_back(undo, &mut self.log);
        }
        board.pass();
        answers.retain(|at| free.get(at).is_none());
        sure.then_some(answers)
    }

    /// Searches for a win of the side to move by at most `fours` fours, in at most `nodes` positions. `may_continue` is called
    /// at each; the search stops when it returns false. In caro, and while colours are chosen, the answer is unknown.
    pub fn find<const LINES: usize>(
        &mut self,
        position: &Gomoku<LINES>,
        fours: u8,
        nodes: u64,
        may_continue: impl FnMut() -> bool,
    ) -> VcfAnswer {
        self.nodes = 0;
        if position.rule == Rule::Caro || !position.is_placing() {
            return VcfAnswer::Unknown;
        }
        let mut board = Board::new(position);
        let own = board.turn;
        if board.count(own, Kind::Four) + board.count(own, Kind::Five) == 0 {
            return VcfAnswer::None;
        }
        self.table.open();
        let mut attack = Attack::new(self, &mut board, nodes, may_continue);
        for allowed in 0..=fours.min(MOST_FOURS) {
            match attack.visit(None, allowed) {
                VcfResult::Wins => {
                    let mut line = std::mem::take(&mut self.line);
                    line.reverse();
                    return VcfAnswer::Win(line);
                }
                VcfResult::Fails => return VcfAnswer::None,
                VcfResult::Open if attack.stopped => return VcfAnswer::Unknown,
                VcfResult::Open => {}
            }
        }
        VcfAnswer::Unknown
    }

    /// A win of the side to move found within `nodes` positions: how many plies it takes, and its first move.
    pub fn probe<const LINES: usize>(&mut self, board: &mut Board<LINES>, nodes: u64) -> Option<(u32, Point)> {
        debug_assert!(board.rule != Rule::Caro);
        self.table.open();
        let key = board.key ^ SIDES[board.turn as usize];
        if self.table.get(key) == Some(Entry::NotWithin(PROBED)) {
            self.nodes = 0;
            return None;
        }
        let mut attack = Attack { is_probe: true, ..Attack::new(self, board, nodes, || true) };
        let found = attack.visit(None, PROBED);
        if attack.stopped {
            // Do not probe it again.
            self.table.put(key, Entry::NotWithin(PROBED));
        }
        let first = self.line.last().copied();
        first.filter(|_| found == VcfResult::Wins).map(|first| (self.line.len() as u32, first))
    }
}

/// Key parts of the side to move.
const SIDES: [u64; 2] = [mix(1 << 40), mix(1 << 41)];

struct Attack<'a, const LINES: usize, G> {
    vcf: &'a mut Vcf,
    board: &'a mut Board<LINES>,
    most: u64,
    may_continue: G,
    stopped: bool,
    /// Whether only fours near the previous one and in line with it are tried: on boards full of fours, the others mostly
    /// change only the order, and cost most of the positions.
    is_probe: bool,
}

impl<'a, const LINES: usize, G: FnMut() -> bool> Attack<'a, LINES, G> {
    fn new(vcf: &'a mut Vcf, board: &'a mut Board<LINES>, most: u64, may_continue: G) -> Self {
        vcf.nodes = 0;
        vcf.line.clear();
        Self { vcf, board, most, may_continue, stopped: false, is_probe: false }
    }

    /// Whether the side to move wins by at most `fours` fours. `last` is the previous four.
    fn visit(&mut self, last: Option<Point>, fours: u8) -> VcfResult {
        self.vcf.nodes += 1;
        let (own, other) = (self.board.turn, self.board.turn.other());
        if let Some(at) = self.board.first(own, Kind::Five) {
            self.vcf.line.push(at);
            return VcfResult::Wins;
        }
        if self.vcf.nodes > self.most || !(self.may_continue)() {
            self.stopped = true;
            return VcfResult::Open;
        }
        let only = match self.board.count(other, Kind::Five) {
            0 => None,
            1 => self.board.first(other, Kind::Five),
            _ => return VcfResult::Fails,
        };
        if self.board.count(own, Kind::Four) == 0 {
            return VcfResult::Fails;
        }
        if fours == 0 {
            return VcfResult::Open;
        }
        let key = self.board.key ^ SIDES[own as usize];
        let first = match self.vcf.table.get(key) {
            Some(Entry::NotWithin(u8::MAX)) => return VcfResult::Fails,
            Some(Entry::NotWithin(within)) if within >= fours => return VcfResult::Open,
            Some(Entry::Wins(_, at)) => Some(at),
            _ => None,
        };
        let result = self.try_fours(only, last, first, fours, key);
        match result {
            VcfResult::Fails => self.vcf.table.put(key, Entry::NotWithin(u8::MAX)),
            VcfResult::Open if !self.stopped => self.vcf.table.put(key, Entry::NotWithin(fours)),
            _ => {}
        }
        result
    }

    /// Tries the ways to make a four: immediate wins first, then those that also make a three, near the previous four.
    fn try_fours(
        &mut self,
        only: Option<Point>,
        last: Option<Point>,
        first: Option<Point>,
        fours: u8,
        key: u64,
    ) -> VcfResult {
        let own = self.board.turn;
        let mut ways = [(0, Point::new(0, 0)); MOST_WAYS];
        let mut count = 0;
        let mut result = VcfResult::Fails;
        for at in self.board.points(own, Kind::Four).iter() {
            if only.is_some_and(|only| only != at) {
                continue;
            }
            if count == MOST_WAYS {
                result = VcfResult::Open;
                break;
            }
            let near = last.map_or(0, |last| i32::from(distance(last, at)));
            if self.is_probe && (near > NEAR || last.is_some_and(|last| !is_in_line(last, at))) {
                result = VcfResult::Open;
                continue;
            }
            let early = if first == Some(at) { 1 << 16 } else { i32::from(self.board.priority(own, at).attack) };
            ways[count] = (8 * near - early, at);
            count += 1;
        }
        ways[..count].sort_unstable_by_key(|way| way.0);
        for &(_, at) in &ways[..count] {
            match self.try_four(at, fours) {
                VcfResult::Wins => {
                    self.vcf.table.put(key, Entry::Wins(fours, at));
                    return VcfResult::Wins;
                }
                VcfResult::Open => result = VcfResult::Open,
                VcfResult::Fails => {}
            }
            if self.stopped {
                return VcfResult::Open;
            }
        }
        result
    }

    /// Makes a four, plays the forced reply, and searches on.
    fn try_four(&mut self, at: Point, fours: u8) -> VcfResult {
        if !self.board.allows(at) {
            return VcfResult::Fails;
        }
        let own = self.board.turn;
        let undo = self.board.try_move(at, &mut self.vcf.log);
        let fives = {
            let mut fives = self.board.points(own, Kind::Five).iter();
            (fives.next(), fives.next())
        };
        let result = match fives {
            // What is a four for a code may lie beside the five that has to be stopped.
            (None, _) => VcfResult::Fails,
            (Some(five), Some(other)) if self.board.allows(five) => self.win([other, five, at]),
            (Some(five), Some(other)) if self.board.allows(other) => self.win([five, other, at]),
            (Some(five), _) if !self.board.allows(five) => {
                let lines = &self.board.lines;
                // Black may not stop the five: a win, if Black has another legal move, otherwise a draw.
                let other = lines.empty_points().find(|&other| self.board.is_legal_for_black(other));
                other.map_or(VcfResult::Fails, |other| self.win([five, other, at]))
            }
            // No four is left after the reply, which makes no new ones.
            (Some(five), _) if !self.leaves_fours(five) => VcfResult::Fails,
            (Some(five), _) => {
                let undo = self.board.try_move(five, &mut self.vcf.log);
                let result = self.visit(Some(at), if self.is_probe { fours } else { fours - 1 });
                self.board.take_back(&undo, &mut self.vcf.log);
                if result == VcfResult::Wins {
                    self.vcf.line.extend([five, at]);
                }
                result
            }
        };
        self.board.take_back(&undo, &mut self.vcf.log);
        result
    }

    /// Whether the side that has just made a four has another one after the reply at this point.
    #[inline]
    fn leaves_fours(&self, five: Point) -> bool {
        let own = self.board.turn.other();
        let stopped = self.board.points(own, Kind::Four).has(five);
        self.board.count(own, Kind::Four) > u32::from(stopped)
    }

    /// Records the end of a line of play, its last move first.
    fn win(&mut self, end: [Point; 3]) -> VcfResult {
        self.vcf.line.extend(end);
        VcfResult::Wins
    }
}

/// Whether two points lie in one row, column or diagonal.
#[inline]
fn is_in_line(one: Point, other: Point) -> bool {
    let (columns, rows) = (one.column.abs_diff(other.column), one.row.abs_diff(other.row));
    columns == 0 || rows == 0 || columns == rows
}

#[inline]
fn distance(one: Point, other: Point) -> u8 {
    one.column.abs_diff(other.column).max(one.row.abs_diff(other.row))
}
