//! The line of play of a proven win.

use super::super::super::lines::Point;
use super::super::super::shapes::Kind;
use super::table::INFINITE;
use super::{Attack, stone_key};

/// Positions that a repeated search for a known win by fours may visit.
const FOURS: u64 = 2_000;

impl<const LINES: usize, G: FnMut() -> bool> Attack<'_, LINES, G> {
    /// The line of play from a position proven to be won within `plies` plies: the attacker takes the shortest known way, the
    /// defender the longest. Entries missing from the table are searched again; the line ends if no budget is left for that, or
    /// if the win found takes longer.
    pub(super) fn line(&mut self, plies: u32) -> Vec<Point> {
        let mut line = Vec::new();
        while line.len() < plies as usize {
            let (turn, other) = (self.board.turn, self.board.turn.other());
            let attacks = turn == self.attacker;
            let five = self.board.first(turn, Kind::Five);
            let four = || self.board.first(turn, Kind::WinningFour);
            let win = five.or_else(four).or_else(|| self.board.double_three()).filter(|_| attacks);
            let at = match self.board.first(other, Kind::Five) {
                _ if five.is_some() => five,
                Some(at) if self.board.allows(at) => Some(at),
                Some(_) => self.anything(),
                None if win.is_some() => win,
                None if attacks && let Some((more, _)) = self.vct.vcf.probe(self.board, FOURS) => {
                    let fits = line.len() as u32 + more <= plies;
                    line.extend(self.vct.vcf.line().filter(|_| fits));
                    break;
                }
                // The win after two open threes is known without searching the replies.
                None => self.best().or_else(|| self.board.losing_reply()),
            };
            let Some(at) = at else { break };
            line.push(at);
            if five.is_some() {
                break;
            }
            self.board.put(at, &mut ());
        }
        line
    }

    /// The attacker's shortest continuation, or the defender's longest resistance.
    fn best(&mut self) -> Option<Point> {
        if !self.get(self.board.key)?.is_won() {
            return None;
        }
        let attacks = self.board.turn == self.attacker;
        let begin = self.vct.stack.len();
        self.list()?;
        let choices = self.vct.stack.split_off(begin);
        let mut found = None;
        for choice in &choices {
            let key = self.board.key ^ stone_key(choice.at, self.board.turn);
            if !attacks && self.get(key).is_none_or(|known| !known.is_won()) {
                // Proven, but no longer in the table.
                self.after(choice.at, |attack| attack.visit(INFINITE, INFINITE, 0));
            }
            let Some(known) = self.get(key).filter(|known| known.is_won()) else { continue };
            let better = |&(plies, _): &(u32, Point)| if attacks { known.plies < plies } else { known.plies > plies };
            if found.as_ref().is_none_or(better) {
                found = Some((known.plies, choice.at));
            }
        }
        match found {
            Some((_, at)) => Some(at),
            // No answer stops the threat.
            None if choices.is_empty() && !attacks => self.anything(),
            None => None,
        }
    }

    /// Any legal move.
    fn anything(&self) -> Option<Point> {
        self.board.lines.empty_points().find(|&at| self.board.allows(at))
    }
}
