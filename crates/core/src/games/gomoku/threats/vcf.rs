//! Victory by continuous fours: a side makes four after four, each of which its opponent has to stop at one point, until a four
//! leaves two points to stop (or, against Black in renju, one that is forbidden).
//!
//! The tree is narrow, since each reply is forced, and so it is searched to its end: depth first, with one more four allowed in
//! each iteration, so that the shortest win by fours is found first. What failed without a limit fails for ever, which the
//! table remembers by position. A position is known by the stones on the board, so the same stones in another order are not
//! searched again.

use super::super::lines::{At, Colour, Lines};
use super::super::variant::Rule;
use super::super::{Gomoku, renju, stone_key};
use super::table::{Known, Table};
use super::windows::{Fives, Undo, Windows};
use crate::rng::mix;

/// The most fours in a win: more than a board of 22 x 22 has room for in a line of play that matters.
const MOST_FOURS: u8 = 120;
/// Ways to make a four that are considered in one position.
const MOST_WAYS: usize = 64;

/// What a search for fours found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VcfAnswer {
    /// A win: the line of play, of both sides by turns, to the five. Whatever the opponent plays, the game lasts no longer.
    Win(Vec<At>),
    /// There is none.
    None,
    /// Not known: there is none within so many fours, or the search was stopped.
    Unknown,
}

/// How a position turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turnout {
    Wins,
    /// No number of fours wins.
    Fails,
    /// The fours that were allowed don't win, or the search was stopped.
    Open,
}

/// A way to make a four.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Where the stone goes.
    at: At,
    /// Where the five is made after it, if nobody stops it.
    five: At,
    /// Whether there is another such point.
    double: bool,
}

/// A search for wins by fours alone, and what it remembers of earlier searches, which must have been under the same variant.
/// A clone remembers nothing.
#[derive(Debug)]
pub struct Vcf {
    table: Table,
    ways: Vec<Way>,
    /// The line of play that wins, its end first.
    line: Vec<At>,
    nodes: u64,
    most_nodes: u64,
}

impl Clone for Vcf {
    fn clone(&self) -> Self {
        Self::new(self.bytes())
    }
}

impl Vcf {
    /// A search whose table takes at most so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { table: Table::new(bytes), ways: Vec::new(), line: Vec::new(), nodes: 0, most_nodes: 0 }
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

    /// Looks for a win of the side to move by at most `fours` fours, in at most so many positions. `go_on` is asked at each;
    /// when it says no, the search stops. In caro, and where colours are chosen, nothing is known.
    pub fn find<const LINES: usize>(
        &mut self,
        position: &Gomoku<LINES>,
        fours: u8,
        nodes: u64,
        mut go_on: impl FnMut() -> bool,
    ) -> VcfAnswer {
        if position.rule == Rule::Caro || !position.is_placing() {
            return VcfAnswer::Unknown;
        }
        let windows = Windows::new(&position.lines, position.rule);
        self.nodes = 0;
        if !windows.has_four(position.colour()) && windows.fives(&position.lines, position.colour()) == Fives::None {
            return VcfAnswer::None;
        }
        self.search((&position.lines, &windows), position.colour(), position.key, (fours, nodes), &mut go_on)
    }

    /// The same on a board and its windows, for a colour that is to move; `key` tells its stones from all others.
    pub(in super::super) fn search<const LINES: usize>(
        &mut self,
        (lines, windows): (&Lines<LINES>, &Windows<LINES>),
        colour: Colour,
        key: u64,
        (fours, nodes): (u8, u64),
        go_on: &mut impl FnMut() -> bool,
    ) -> VcfAnswer {
        debug_assert!(windows.rule() != Rule::Caro);
        self.table.open();
        self.line.clear();
        (self.nodes, self.most_nodes) = (0, nodes);
        let (lines, windows) = (*lines, windows.clone());
        let (attacker, defender) = (colour, colour.other());
        let mut attack = Attack { vcf: self, lines, windows, attacker, defender, go_on, stopped: false };
        for allowed in 0..=fours.min(MOST_FOURS) {
            match attack.visit(key ^ SIDES[colour as usize], allowed) {
                Turnout::Wins => {
                    let mut line = std::mem::take(&mut self.line);
                    line.reverse();
                    return VcfAnswer::Win(line);
                }
                Turnout::Fails => return VcfAnswer::None,
                Turnout::Open if attack.stopped => break,
                Turnout::Open => {}
            }
        }
        VcfAnswer::Unknown
    }
}

/// One search under way.
struct Attack<'a, const LINES: usize, F> {
    vcf: &'a mut Vcf,
    lines: Lines<LINES>,
    windows: Windows<LINES>,
    attacker: Colour,
    defender: Colour,
    go_on: &'a mut F,
    stopped: bool,
}

/// What tells the same stones with one attacker from those with the other.
const SIDES: [u64; 2] = [mix(1 << 32), mix(2 << 32)];

impl<const LINES: usize, F: FnMut() -> bool> Attack<'_, LINES, F> {
    /// Whether the attacker, who is to move, wins with so many fours.
    fn visit(&mut self, key: u64, fours: u8) -> Turnout {
        self.vcf.nodes += 1;
        if self.vcf.nodes > self.vcf.most_nodes || !(self.go_on)() {
            self.stopped = true;
            return Turnout::Open;
        }
        if let Fives::One(at) | Fives::Many(at, _) = self.windows.fives(&self.lines, self.attacker) {
            self.vcf.line.push(at);
            return Turnout::Wins;
        }
        let only = match self.windows.fives(&self.lines, self.defender) {
            Fives::None => None,
            Fives::One(at) => Some(at),
            Fives::Many(..) => return Turnout::Fails,
        };
        if !self.windows.has_four(self.attacker) {
            return Turnout::Fails;
        }
        if fours == 0 {
            return Turnout::Open;
        }
        let first = match self.vcf.table.get(key) {
            Some(Known::NotWithin(u8::MAX)) => return Turnout::Fails,
            Some(Known::NotWithin(within)) if within >= fours => return Turnout::Open,
            Some(Known::Wins(_, at)) => Some(at),
            _ => None,
        };
        let start = self.vcf.ways.len();
        self.list(only, first);
        let turnout = self.try_ways(start, key, fours);
        self.vcf.ways.truncate(start);
        match turnout {
            Turnout::Fails => self.vcf.table.put(key, Known::NotWithin(u8::MAX)),
            Turnout::Open if !self.stopped => self.vcf.table.put(key, Known::NotWithin(fours)),
            _ => {}
        }
        turnout
    }

    /// Lists the ways to make a four, those that win at once first.
    fn list(&mut self, only: Option<At>, first: Option<At>) {
        let start = self.vcf.ways.len();
        let ways = &mut self.vcf.ways;
        self.windows.each_four(&self.lines, self.attacker, |at, five| {
            if only.is_some_and(|only| only != at) {
                return;
            }
            if let Some(way) = ways[start..].iter_mut().find(|way| way.at == at) {
                way.double |= way.five != five;
            } else if ways.len() - start < MOST_WAYS {
                ways.push(Way { at, five, double: false });
            }
        });
        ways[start..].sort_by_key(|way| (!way.double, Some(way.at) != first));
    }

    /// Tries the ways listed from `start` on.
    fn try_ways(&mut self, start: usize, key: u64, fours: u8) -> Turnout {
        let mut turnout = if self.vcf.ways.len() - start < MOST_WAYS { Turnout::Fails } else { Turnout::Open };
        for index in start..self.vcf.ways.len() {
            let way = self.vcf.ways[index];
            match self.try_way(way, key, fours) {
                Turnout::Wins => {
                    self.vcf.table.put(key, Known::Wins(fours, way.at));
                    return Turnout::Wins;
                }
                Turnout::Open => turnout = Turnout::Open,
                Turnout::Fails => {}
            }
            if self.stopped {
                return Turnout::Open;
            }
        }
        turnout
    }

    /// Makes a four, has it stopped, and looks on.
    fn try_way(&mut self, way: Way, key: u64, fours: u8) -> Turnout {
        let Way { at, five, double } = way;
        let renju = self.windows.rule() == Rule::Renju;
        if renju && self.attacker == Colour::Black && renju::foul(&self.lines, at).is_some() {
            return Turnout::Fails;
        }
        let undo = self.put(at, self.attacker);
        let turnout = if double {
            // Both points at most are reached: one is stopped, the other makes the five.
            match self.windows.fives(&self.lines, self.attacker) {
                Fives::Many(stopped, made) => self.win([made, stopped, at]),
                Fives::One(_) | Fives::None => Turnout::Fails,
            }
        } else if renju && self.defender == Colour::Black && renju::foul(&self.lines, five).is_some() {
            self.cannot_stop(at, five)
        } else {
            let undo = self.put(five, self.defender);
            let key = key ^ stone_key(at, self.attacker) ^ stone_key(five, self.defender);
            let turnout = self.visit(key, fours - 1);
            self.take_back(five, self.defender, &undo);
            if turnout == Turnout::Wins {
                self.vcf.line.extend([five, at]);
            }
            turnout
        };
        self.take_back(at, self.attacker, &undo);
        turnout
    }

    #[inline]
    fn put(&mut self, at: At, colour: Colour) -> Undo {
        self.lines.put(at, colour);
        self.windows.put(&self.lines, at)
    }

    #[inline]
    fn take_back(&mut self, at: At, colour: Colour, undo: &Undo) {
        self.lines.take(at, colour);
        self.windows.take_back(&self.lines, at, undo);
    }

    /// Black may not stop the five: a win, if there is anything else that Black may play. Else the game is a draw.
    #[cold]
    fn cannot_stop(&mut self, at: At, five: At) -> Turnout {
        let lines = &self.lines;
        let other = lines.empty_points().find(|&other| renju::foul(lines, other).is_none());
        other.map_or(Turnout::Fails, |other| self.win([five, other, at]))
    }

    /// Notes the end of a line of play, its last move first.
    fn win(&mut self, end: [At; 3]) -> Turnout {
        self.vcf.line.extend(end);
        Turnout::Wins
    }
}
