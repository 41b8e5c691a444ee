//! What the codes show about a position without trying its moves, apart from a search for fours.

use super::super::lines::{Colour, Point};
use super::super::shapes::{Board, Kind};
use super::super::variant::Rule;
use super::{Proof, Search, Vcf, WIN, WON, is_decided, point};
use crate::rng::mix;
use crate::search::Bound;
use crate::search::plain::{Entry, Table};

/// A key part that separates entries of the search of late positions from those of the main search.
pub(super) const ENDING: u64 = mix(1 << 44);

/// How the opponent's fives can be stopped.
pub enum Fives {
    /// There are none.
    None,
    /// Only a stone here stops them.
    One(Point),
    /// They cannot be stopped.
    Lost,
    /// They can be stopped at several points; or Black has no legal move in renju, which is a draw.
    Open,
}

impl<const LINES: usize> Board<LINES> {
    /// A point where the side to move makes a winning five. In caro, too, codes show it: they see both ends of a run of five,
    /// and a longer run contains a five that has won already.
    pub fn winning_five(&self) -> Option<Point> {
        self.first(self.turn, Kind::Five)
    }

    /// A point where the side to move makes a four that cannot be stopped.
    pub fn winning_four(&mut self) -> Option<Point> {
        let turn = self.turn;
        match self.rule {
            // A four can be stopped at several points.
            Rule::Caro => self.points(turn, Kind::WinningFour).iter().find(|&at| self.cannot_be_stopped(at)),
            _ => self.first(turn, Kind::WinningFour),
        }
    }

    /// A point where the side to move makes two open threes that an opponent without a four cannot both stop: no reply lies on
    /// both lines, and none makes a four. The game lasts five plies, unless something wins sooner.
    pub fn double_three(&self) -> Option<Point> {
        let (own, other) = (self.turn, self.turn.other());
        let unstopped = self.rule != Rule::Caro && self.count(other, Kind::Four) + self.count(other, Kind::Five) == 0;
        self.first(own, Kind::DoubleThree).filter(|_| unstopped)
    }

    /// Whether a four of the side to move may win although one point stops it, because a stone there is a foul. Such a win is
    /// faster than two open threes.
    pub fn may_forbid(&self) -> bool {
        self.rule == Rule::Renju && self.turn == Colour::White && self.count(Colour::White, Kind::Four) > 0
    }

    /// A reply to a threatened open four when all replies lose, since the opponent has another one.
    pub fn losing_reply(&self) -> Option<Point> {
        let (own, other) = (self.turn, self.turn.other());
        if self.count(own, Kind::Four) > 0 || self.count(other, Kind::WinningFour) == 0 || self.rule == Rule::Caro {
            return None;
        }
        let replies = self.points(other, Kind::Four).or(self.points(other, Kind::WinningFour));
        let loses = |at| {
            let mut after = self.clone();
            after.put(at, &mut ());
            after.winning_four().is_some()
        };
        replies.iter().find(|&at| self.allows(at)).filter(|_| replies.iter().all(loses))
    }

    /// How the opponent's fives can be stopped.
    pub fn fives(&self) -> Fives {
        let other = self.turn.other();
        let count = self.count(other, Kind::Five);
        let Some(at) = self.first(other, Kind::Five) else { return Fives::None };
        match self.rule {
            Rule::Caro => {
                let mut stopped = false;
                match self.stops(|_| stopped = true) {
                    false => Fives::None,
                    true if stopped => Fives::Open,
                    true => Fives::Lost,
                }
            }
            _ if count > 1 => Fives::Lost,
            Rule::Renju if !self.allows(at) => match self.has_legal_move() {
                true => Fives::Lost,
                false => Fives::Open,
            },
            _ => Fives::One(at),
        }
    }
}

impl<const LINES: usize, T: FnMut(u64) -> bool> Search<'_, LINES, T> {
    /// A win of the side to move by fours: the most plies it takes, and its first move.
    pub(super) fn fours(&mut self, nodes: u64) -> Option<(u32, Point)> {
        let (found, nodes) = by_fours(&mut self.board, &mut self.memory.vcf, nodes);
        if nodes > 0 {
            self.count(nodes);
        }
        found
    }
}

/// A win of the side to move by fours (the most plies it takes, and its first move), and how many positions were visited.
pub fn by_fours<const LINES: usize>(board: &mut Board<LINES>, vcf: &mut Vcf, most: u64) -> (Option<(u32, Point)>, u64) {
    if board.count(board.turn, Kind::Four) == 0 || board.rule == Rule::Caro {
        return (None, 0);
    }
    (vcf.probe(board, most), vcf.nodes())
}

/// What the codes alone prove.
pub fn proven_by_codes<const LINES: usize>(board: &mut Board<LINES>) -> Option<Proof> {
    if let Some(at) = board.winning_five() {
        return Some(Proof::Win(1, at));
    }
    match board.fives() {
        Fives::Lost => Some(Proof::Loss(2)),
        Fives::None => board.winning_four().map(|at| Proof::Win(3, at)),
        _ => None,
    }
    .or_else(|| board.double_three().map(|at| Proof::Win(5, at)))
}

/// The table entry of a position in the search of late positions.
pub fn ending_entry<const LINES: usize>(board: &Board<LINES>, table: &Table) -> Option<Entry> {
    table.get(board.key ^ ENDING)
}

/// The proof that the table has for a position.
pub fn table_proof<const LINES: usize>(board: &Board<LINES>, table: &Table) -> Option<Proof> {
    let end = ending_entry(board, table).filter(|entry| is_decided(entry.value));
    let entry = end.or_else(|| table.get(board.key))?;
    match entry.bound {
        Bound::Lower | Bound::Exact if entry.value >= WON => {
            point(entry.best).map(|at| Proof::Win((WIN - entry.value) as u32, at))
        }
        Bound::Upper | Bound::Exact if entry.value <= -WON => Some(Proof::Loss((WIN + entry.value) as u32)),
        _ => None,
    }
}

/// The expected move, if the codes or the table have one.
pub fn expected<const LINES: usize>(board: &Board<LINES>, table: &Table) -> Option<Point> {
    let (own, other) = (board.turn, board.turn.other());
    let known = || {
        let entry = ending_entry(board, table).filter(|entry| entry.best != 0);
        entry.or_else(|| table.get(board.key)).and_then(|entry| point(entry.best))
    };
    let sure = board.winning_five().or_else(|| match board.rule {
        // Codes of the opponent are not verified.
        Rule::Caro if board.count(other, Kind::Five) > 0 => None,
        Rule::Caro => board.clone().winning_four(),
        _ => board.first(other, Kind::Five).or_else(|| board.first(own, Kind::WinningFour)),
    });
    let known = sure.or_else(|| board.double_three()).or_else(known).or_else(|| board.losing_reply());
    known.filter(|&at| board.lines.get(at).is_none() && board.allows(at))
}
