//! What has to be answered: the opponent's fours, and the points where it would make two fives at once.

use smallvec::SmallVec;

use super::super::lines::{At, Colour};
use super::super::variant::Rule;
use super::super::{Move, renju};
use super::watched::Watched;
use super::windows::Fives;

/// A point where the opponent's next stone makes two fives possible or more, and the first of these.
struct Threat {
    at: At,
    fives: SmallVec<[At; 3]>,
}

/// Boards fuller than this are nearly over: that Black has nothing legal left in renju, which is a draw, is not ruled out.
const NEARLY_FULL: u32 = 2;

/// The points that answer a threat.
type Answers = SmallVec<[At; 16]>;

impl<const LINES: usize> Watched<LINES> {
    /// Calls `found` with the legal moves that answer what the opponent threatens, if it threatens a five or two at once.
    /// `None`: there is no such threat. Else whether every other move loses for certain, and none of these does so sooner.
    pub(super) fn answers(&self, found: &mut impl FnMut(Move)) -> Option<bool> {
        let (own, other) = self.colours();
        let lines = &self.game.lines;
        let legal = |at: At| self.game.allows(at);
        let certain = u32::from(self.game.stones) * NEARLY_FULL < self.game.size() * self.game.size();
        match self.windows.fives(lines, other) {
            Fives::None => {}
            Fives::One(at) | Fives::Many(at, _) if legal(at) => {
                found(Move::Stone { at, foul: None });
                return Some(certain);
            }
            Fives::One(_) | Fives::Many(..) => return None,
        }
        let threats = self.threats(other);
        if threats.is_empty() {
            return None;
        }
        let mut answers = common(&threats);
        // A four of one's own has to be answered first.
        self.windows.each_four(lines, own, |at, _| {
            if !answers.contains(&at) {
                answers.push(at);
            }
        });
        answers.retain(|at| legal(*at));
        if answers.is_empty() {
            return None;
        }
        answers.into_iter().for_each(|at| found(Move::Stone { at, foul: None }));
        // Whether a point is forbidden for Black may change with any stone.
        Some(certain && !(self.game.rule == Rule::Renju && other == Colour::Black))
    }

    /// The points where a colour, had it the move, would make two fives at once possible.
    fn threats(&self, colour: Colour) -> SmallVec<[Threat; 8]> {
        let mut threats: SmallVec<[Threat; 8]> = SmallVec::new();
        self.windows.each_four(&self.game.lines, colour, |at, five| {
            match threats.iter_mut().find(|threat| threat.at == at) {
                Some(threat) if !threat.fives.contains(&five) => threat.fives.push(five),
                Some(_) => {}
                None => threats.push(Threat { at, fives: SmallVec::from_slice(&[five]) }),
            }
        });
        let restricted = self.game.rule == Rule::Renju && colour == Colour::Black;
        threats.retain(|threat| {
            threat.fives.len() > 1 && (!restricted || renju::foul(&self.game.lines, threat.at).is_none())
        });
        threats
    }
}

/// The points that answer every threat: its own, and where it makes only two fives, either of these.
fn common(threats: &[Threat]) -> Answers {
    let answers = |threat: &Threat| -> Answers {
        let fives = if threat.fives.len() == 2 { &threat.fives[..] } else { &[] };
        std::iter::once(threat.at).chain(fives.iter().copied()).collect()
    };
    let Some((first, others)) = threats.split_first() else { return Answers::new() };
    let mut common = answers(first);
    for threat in others {
        let answers = answers(threat);
        common.retain(|at| answers.contains(at));
    }
    common
}
