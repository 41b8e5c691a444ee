//! The moves of the search for threats: the attacker's, and the answers to them.

use super::super::super::lines::Point;
use super::super::super::shapes::{Class, Kind, Points};
use super::table::Numbers;
use super::{Attack, ScoredMove};

/// Proof numbers assumed after an open three, another three and an open two; after a four it is 1. A weaker threat leaves more
/// answers, and often is not one. Tuned on every other problem of a public collection: half or twice as much takes a tenth to a
/// fifth more positions.
const OPEN_THREE_PROOF: u32 = 3;
const THREE_PROOF: u32 = 8;
const TWO_PROOF: u32 = 10;
/// Positions that the search for a threat to win by fours may visit.
const FOURS: u64 = 120;
/// The most open fours whose common answers are computed.
const WINS: usize = 4;

impl<const LINES: usize, G: FnMut() -> bool> Attack<'_, LINES, G> {
    /// Lists the moves of a node. For the defender, returns within how many plies all other moves lose, or `None` if there is
    /// no threat to answer.
    pub(super) fn list(&mut self) -> Option<u32> {
        let begin = self.vct.stack.len();
        let (own, other) = (self.board.turn, self.board.turn.other());
        let plies = match self.board.first(other, Kind::Five) {
            Some(at) => {
                self.vct.stack.push(ScoredMove { at, score: 0, assumed: Numbers::open(1, 1), quiet: false });
                Some(2)
            }
            None if own == self.attacker => {
                self.list_attacks();
                Some(0)
            }
            None => self.list_answers(),
        };
        // Drops illegal moves; of dozens, at most a few need a closer check.
        let mut index = begin;
        while index < self.vct.stack.len() {
            if self.board.allows(self.vct.stack[index].at) {
                index += 1;
            } else {
                self.vct.stack.swap_remove(index);
            }
        }
        self.vct.stack[begin..].sort_unstable_by_key(|choice| (-choice.score, choice.at.row, choice.at.column));
        plies
    }

    /// Lists fours and open threes, and other threes and open twos, which may threaten to win by fours. If the opponent has an
    /// open three, lists only moves that stop it.
    fn list_attacks(&mut self) {
        let (own, other) = (self.board.turn, self.board.turn.other());
        let stops = (self.board.count(other, Kind::WinningFour) > 0).then(|| self.stops());
        let board = &*self.board;
        let stack = &mut self.vct.stack;
        let add = |at: Point| {
            let kinds = board.kinds(own, at);
            let has = |classes: &[Class]| classes.iter().any(|&class| board.has_class(own, at, class));
            let proof = match () {
                () if kinds & Kind::Four.bit() != 0 => 1,
                () if kinds & Kind::OpenThree.bit() != 0 => OPEN_THREE_PROOF,
                () if has(&[Class::Three]) => THREE_PROOF,
                () if has(&[Class::OpenTwo, Class::OpenTwoTwice, Class::OpenTwoWide]) => TWO_PROOF,
                () => return,
            };
            let (score, quiet) = (board.priority(own, at).attack.into(), proof == TWO_PROOF);
            stack.push(ScoredMove { at, score, assumed: Numbers::open(proof, 1), quiet });
        };
        match stops {
            Some(stops) => stops.iter().for_each(add),
            None => board.near(add),
        }
    }

    /// Lists all answers to a threat that do not lose for certain.
    fn list_answers(&mut self) -> Option<u32> {
        let other = self.board.turn.other();
        let (answers, plies) = if self.board.count(other, Kind::WinningFour) > 0 {
            (self.stops(), 4)
        } else {
            let answers = self.vct.vcf.answers(self.board, FOURS);
            self.vct.nodes += self.vct.vcf.nodes();
            (answers?, 1 + self.vct.vcf.line().count() as u32)
        };
        let score = |at| self.board.priority(other, at).defence.into();
        let choice = |at| ScoredMove { at, score: score(at), assumed: Numbers::open(1, 1), quiet: false };
        self.vct.stack.extend(answers.iter().map(choice));
        Some(plies)
    }

    /// The answers to the opponent's points for an open four or two fours: a stone on the point, or on one of the fives that it
    /// leads to, common to all such points; or a four, which may be made anywhere. Any other stone leaves the fives as they
    /// are, even in renju, where no white stone makes a foul of a point whose codes have none.
    fn stops(&mut self) -> Points {
        let (own, other) = (self.board.turn, self.board.turn.other());
        let wins = *self.board.points(other, Kind::WinningFour);
        let mut common: Option<Points> = None;
        self.board.pass();
        for at in wins.iter().take(WINS) {
            let undo = self.board.try_move(at, &mut self.vct.log);
            let mut stops = *self.board.points(other, Kind::Five);
            self.board.take_back(&undo, &mut self.vct.log);
            stops.add(at);
            if let Some(common) = &common {
                stops.retain(|at| common.has(at));
            }
            common = Some(stops);
        }
        self.board.pass();
        common.unwrap_or_default().or(self.board.points(own, Kind::Four))
    }
}
