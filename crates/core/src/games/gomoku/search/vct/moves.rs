//! The moves of a search for threats: what the attacker tries, and what answers it.

use super::super::super::lines::At;
use super::super::super::shapes::{Class, Kind, Points};
use super::table::Numbers;
use super::{Attack, ScoredMove};

/// Proof numbers that are assumed after an open three, another three and an open two; one after a four. What is less of a
/// threat leaves more answers, and is often none. Tuned on every other problem of a public collection: half or twice as much
/// takes a tenth to a fifth more positions.
const AN_OPEN_THREE: u32 = 3;
const A_THREE: u32 = 8;
const A_TWO: u32 = 10;
/// Positions in which a threat to win by fours is looked for.
const FOURS: u64 = 120;
/// The most open fours of which the common answers are looked for.
const WINS: usize = 4;

impl<const LINES: usize, G: FnMut() -> bool> Attack<'_, LINES, G> {
    /// Lists the moves of a node. Where the defender is to move, returns within how many plies everything else loses: `None`
    /// where it is not threatened, and may do anything.
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
        // Only moves that are legal; at most a few of dozens are looked at.
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

    /// Fours and open threes; and other threes and open twos, which may threaten to win by fours. Where the opponent has an
    /// open three, only what stops it.
    fn list_attacks(&mut self) {
        let (own, other) = (self.board.turn, self.board.turn.other());
        let stops = (self.board.count(other, Kind::WinningFour) > 0).then(|| self.stops());
        let board = &*self.board;
        let stack = &mut self.vct.stack;
        let add = |at: At| {
            let kinds = board.kinds(own, at);
            let has = |classes: &[Class]| classes.iter().any(|&class| board.has_class(own, at, class));
            let proof = match () {
                () if kinds & Kind::Four.bit() != 0 => 1,
                () if kinds & Kind::OpenThree.bit() != 0 => AN_OPEN_THREE,
                () if has(&[Class::Three]) => A_THREE,
                () if has(&[Class::OpenTwo, Class::OpenTwoTwice, Class::OpenTwoWide]) => A_TWO,
                () => return,
            };
            let (score, quiet) = (board.priority(own, at).attack.into(), proof == A_TWO);
            stack.push(ScoredMove { at, score, assumed: Numbers::open(proof, 1), quiet });
        };
        match stops {
            Some(stops) => stops.iter().for_each(add),
            None => board.near(add),
        }
    }

    /// All answers to a threat that do not lose for certain.
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

    /// What can be done about the opponent's points for an open four or two fours: a stone on such a point, or on one of the
    /// fives that it leads to, for each of them; or a four of one's own, which may be made anywhere. Any other stone leaves the
    /// fives what they are, even in renju, where no stone of White's makes a foul of a point whose codes have none.
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
