//! The evaluator of alpha-beta search: windows for the value, the points near stones for moves, the answers to a threat where
//! there is one, and at every node a search for a win by fours.

use super::super::lines::At;
use super::super::patterns::{PatternEvaluator, standing_value};
use super::super::variant::LARGEST;
use super::super::{Gomoku, Move};
use super::vcf::{Vcf, VcfAnswer};
use super::watched::Watched;
use super::windows::Fives;
use crate::position::Position;
use crate::search::Outlook;
use crate::search::alpha_beta::{Evaluator, Known, Part, Question};

/// Windows, near points and fours.
#[derive(Clone, Debug)]
pub struct ThreatEvaluator {
    vcf: Vcf,
}

impl Default for ThreatEvaluator {
    fn default() -> Self {
        Self { vcf: Vcf::new(0) }
    }
}

/// The part of a search's memory that the search for fours takes for its table, and the most of it.
const SHARE: u64 = 8;
const MOST_BYTES: u64 = 2 << 20;
/// The most fours in a win that is looked for inside the search.
const FOURS: u8 = 40;
/// Positions that a search for fours may visit, by the depth that is left below the node.
const NODES: [u64; 8] = [40, 60, 100, 160, 240, 400, 600, 1000];
/// What a step away from the centre costs the first stone, and one away from the first stone the second.
const A_STEP: i32 = 20;
/// Positions that are visited again for the line of a report.
const LINE_NODES: u64 = 20_000;

impl<const LINES: usize> Evaluator<Watched<LINES>> for ThreatEvaluator {
    const EVALUATES: bool = true;
    const MARGIN: i32 = 150;
    const WINDOW: i32 = 60;
    const SLOTS: usize = (LARGEST * LARGEST) as usize;
    const RECALLS: bool = true;
    const FORCES: bool = true;

    fn begin(&mut self, _: &Watched<LINES>, memory: u64) -> u64 {
        self.vcf = Vcf::new((memory / SHARE).min(MOST_BYTES));
        self.vcf.bytes()
    }

    fn bytes(&self) -> u64 {
        self.vcf.bytes()
    }

    fn value(&self, position: &Watched<LINES>) -> i32 {
        if !position.forces() {
            return PatternEvaluator.value(&position.game);
        }
        let (own, other) = position.colours();
        let (windows, lines) = (&position.windows, &position.game.lines);
        let fives = |colour| match windows.fives(lines, colour) {
            Fives::None => 0,
            Fives::One(_) => 1,
            Fives::Many(..) => 2,
        };
        let value = standing_value(windows.worth(own) - windows.worth(other), fives(own), fives(other));
        value * i32::from(position.turn().sign())
    }

    fn outlook(&self, _: &Watched<LINES>, value: i32) -> Outlook {
        // Fitted to self-played games (docs/strength.md).
        Outlook::logistic(value, 0, 122.0)
    }

    fn priority(&self, position: &Watched<LINES>, mv: Move) -> i32 {
        PatternEvaluator.priority(&position.game, mv)
    }

    fn handicap(&self, root: &Watched<LINES>, mv: Move) -> i32 {
        root.game.remoteness(mv) * A_STEP
    }

    fn moves(&self, position: &Watched<LINES>, part: Part, found: &mut impl FnMut(Move)) -> bool {
        if part == Part::Tactical {
            return true;
        }
        if !position.forces() {
            position.moves().for_each(found);
            return true;
        }
        if let Some(certain) = position.answers(found) {
            return certain;
        }
        let mut any = false;
        position.near(|mv| {
            any = true;
            found(mv);
        });
        if !any {
            position.moves().for_each(found);
        }
        !any
    }

    fn is_forced(&self, position: &Watched<LINES>) -> bool {
        let (_, other) = position.colours();
        position.forces() && position.windows.fives(&position.game.lines, other) != Fives::None
    }

    fn solve(
        &mut self,
        position: &Watched<LINES>,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<Move>> {
        if !position.forces() {
            return None;
        }
        let (own, _) = position.colours();
        if let Fives::One(at) | Fives::Many(at, _) = position.windows.fives(&position.game.lines, own) {
            return Some(Known::Win { plies: 1, mv: stone(at) });
        }
        if position.cannot_stop_five() {
            return Some(Known::Loss { plies: 2 });
        }
        if !position.windows.has_four(own) {
            return None;
        }
        let nodes = NODES[(question.depth as usize).min(NODES.len() - 1)];
        let line = self.fours(position, nodes)?;
        tick(self.vcf.nodes()).then_some(())?;
        Some(Known::Win { plies: line.len() as u32, mv: stone(line[0]) })
    }

    fn expected(&self, position: &Watched<LINES>) -> Option<Move> {
        if !position.forces() {
            return None;
        }
        let (own, other) = position.colours();
        let fives = |colour| position.windows.fives(&position.game.lines, colour);
        if let Fives::One(at) | Fives::Many(at, _) = fives(own) {
            return Some(stone(at));
        }
        let line = Self { vcf: Vcf::new(1 << 16) }.fours(position, LINE_NODES);
        if let Some(line) = line {
            return Some(stone(line[0]));
        }
        match fives(other) {
            Fives::One(at) | Fives::Many(at, _) if position.game.allows(at) => Some(stone(at)),
            _ => None,
        }
    }

    fn code(&self, mv: Move) -> u16 {
        match mv {
            Move::Stone { at, .. } => 1 + slot(at) as u16,
            Move::Take(colour) => 1 + Self::choice(0) + colour as u16,
            Move::Place => 1 + Self::choice(2),
        }
    }

    fn recall(&self, position: &Watched<LINES>, code: u16) -> Option<Move> {
        let place = u32::from(code).checked_sub(1)?;
        let at = At::new(place % LARGEST, place / LARGEST);
        if position.game.is_placing() {
            let size = position.game.size();
            let free = place < LARGEST * LARGEST && u32::from(at.column).max(at.row.into()) < size;
            return (free && position.game.lines.get(at).is_none() && position.game.allows(at)).then(|| stone(at));
        }
        position.moves().find(|&mv| Evaluator::<Watched<LINES>>::code(self, mv) == code)
    }

    fn slot(&self, _: &Watched<LINES>, mv: Move) -> usize {
        match mv {
            Move::Stone { at, .. } => slot(at),
            Move::Take(_) | Move::Place => 0,
        }
    }
}

/// A move that is no foul.
fn stone(at: At) -> Move {
    Move::Stone { at, foul: None }
}

fn slot(at: At) -> usize {
    usize::from(at.row) * LARGEST as usize + usize::from(at.column)
}

impl ThreatEvaluator {
    /// The codes of choices lie behind those of points.
    const fn choice(number: u16) -> u16 {
        (LARGEST * LARGEST) as u16 + number
    }

    /// A win by fours, if one is found in so many positions.
    fn fours<const LINES: usize>(&mut self, position: &Watched<LINES>, nodes: u64) -> Option<Vec<At>> {
        let Gomoku { lines, key, .. } = &position.game;
        let (own, _) = position.colours();
        match self.vcf.search((lines, &position.windows), own, *key, (FOURS, nodes), &mut || true) {
            VcfAnswer::Win(line) => Some(line),
            VcfAnswer::None | VcfAnswer::Unknown => None,
        }
    }
}

impl<const LINES: usize> Watched<LINES> {
    /// Whether the opponent makes five with its next stone whatever is played, and the side to move has no five itself.
    fn cannot_stop_five(&self) -> bool {
        let (_, other) = self.colours();
        match self.windows.fives(&self.game.lines, other) {
            Fives::None => false,
            Fives::Many(..) => true,
            // Black may be forbidden to stop it. (Where nothing at all is legal the game has ended.)
            Fives::One(at) => !self.game.allows(at),
        }
    }
}
