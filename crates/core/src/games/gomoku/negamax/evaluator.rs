//! What Gomoku tells the generic alpha-beta search: it answers for every move of the root by a search of its own.

use std::sync::Arc;

use super::super::lines::At;
use super::super::opening::Phase;
use super::super::search::{Memory, Order, Search, WIN, WON, code};
use super::super::shapes::Kind;
use super::super::variant::{LARGEST, Rule};
use super::super::watched::Watched;
use super::super::{Move, search};
use super::threat::Threat;
use crate::position::Position;
use crate::search::Outlook;
use crate::search::plain::{Evaluator, Known, Part, Question, Table};

/// Codes of points, and a search over them.
#[derive(Debug, Default)]
pub struct ThreatEvaluator {
    /// What the workers of a search share.
    table: Option<Arc<Table>>,
    /// What this one remembers; none before it is used.
    memory: Option<Box<Memory>>,
    /// Bytes of its table of fours.
    fours: u64,
    /// What the opponent threatens at the root.
    threat: Option<Threat>,
}

impl Clone for ThreatEvaluator {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), memory: None, fours: self.fours, threat: self.threat.clone() }
    }
}

/// The part of a search's memory that the search for fours takes for its table, and the most of it.
const SHARE: u64 = 8;
const MOST_BYTES: u64 = 1 << 20;
/// Positions that a search for fours may visit where nothing but proofs is asked for, by the depth that is left.
const NODES: [u64; 8] = [40, 60, 100, 160, 240, 400, 600, 1000];
/// What a step away from the centre costs the first stone, and one away from the first stone the second.
const A_STEP: i32 = 20;

impl<const LINES: usize> Evaluator<Watched<LINES>> for ThreatEvaluator {
    const EVALUATES: bool = true;
    const MARGIN: i32 = 70;
    const WINDOW: i32 = 40;
    const SLOTS: usize = (LARGEST * LARGEST) as usize;
    const RECALLS: bool = true;
    const FORCES: bool = true;
    const PERFECTS: bool = false;

    fn root_moves(depth: u32) -> Option<u32> {
        Some(11 + depth * depth)
    }

    fn begin(&mut self, root: &Watched<LINES>, memory: u64) -> u64 {
        self.threat = root.is_settled().then(|| Threat::find(&root.board)).flatten();
        self.fours = (memory / SHARE).min(MOST_BYTES);
        let rest = memory.saturating_sub(self.fours);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(rest / 8 * 7)));
        table.grow_older();
        table.bytes() + self.fours
    }

    fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes()) + self.fours
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn value(&self, position: &Watched<LINES>) -> i32 {
        let value = position.board.value();
        let value = match position.game.phase {
            Phase::Play { .. } => value,
            // Whoever chooses takes the better side.
            Phase::Choose => value.abs(),
            // Whatever stands there, the next to choose will have the better of it.
            Phase::Place | Phase::Opening => 0,
        };
        value * i32::from(position.turn().sign())
    }

    fn outlook(&self, position: &Watched<LINES>, value: i32) -> Outlook {
        let size = f64::from(position.game.size());
        outlook(value, position.board.stones, size * size)
    }

    fn priority(&self, position: &Watched<LINES>, mv: Move) -> i32 {
        let Move::Stone { at, .. } = mv else { return 0 };
        position.board.worth(at) - position.game.remoteness(mv)
    }

    fn handicap(&self, root: &Watched<LINES>, mv: Move) -> i32 {
        root.game.remoteness(mv) * A_STEP
    }

    fn moves(&self, position: &Watched<LINES>, part: Part, found: &mut impl FnMut(Move)) -> bool {
        if part == Part::Tactical {
            return true;
        }
        if !position.is_settled() {
            position.moves().for_each(found);
            return true;
        }
        let board = &position.board;
        let other = board.turn.other();
        if board.rule != Rule::Caro && board.count(other, Kind::Five) == 1 {
            let five = board.first(other, Kind::Five).filter(|&at| board.allows(at));
            if let Some(at) = five {
                found(stone(at));
                return true;
            }
        }
        let mut choices = Vec::new();
        let history = search::History::default();
        let certain =
            board.list(&Order { history: &history, table_move: 0, last: [None; 2], answers: None }, &mut choices);
        let legal = choices.into_iter().map(|choice| choice.at).filter(|&at| board.allows(at));
        let mut any = false;
        legal.for_each(|at| {
            any = true;
            found(stone(at));
        });
        if !any {
            position.moves().for_each(found);
        }
        certain || !any
    }

    fn is_forced(&self, position: &Watched<LINES>) -> bool {
        position.is_settled() && position.board.count(position.board.turn.other(), Kind::Five) > 0
    }

    fn solve(
        &mut self,
        position: &Watched<LINES>,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<Move>> {
        if !position.is_settled() {
            return None;
        }
        if let Some(threat) = &self.threat
            && !question.exact
            && threat.is_left(&position.board)
        {
            return Some(Known::Win { plies: threat.plies, mv: stone(threat.first) });
        }
        // Who asks has counted the position itself.
        let mut counted = 1;
        let tick = |nodes: u64| {
            let again = nodes.min(counted);
            counted -= again;
            tick(nodes - again)
        };
        let Self { table, memory, fours, .. } = self;
        let memory = memory.get_or_insert_with(|| Box::new(Memory::new(*fours)));
        let mut search = Search::new(position.board.clone(), (table.as_ref()?, memory), question.techniques, tick);
        if question.exact {
            let nodes = NODES[(question.depth as usize).min(NODES.len() - 1)];
            return search.known(nodes).map(known);
        }
        if question.depth >= position.board.lines.count_open() {
            let (value, at) = search.finish(window(question.window))?;
            let mv = at.map(stone);
            return match value {
                WON.. => Some(Known::Win { plies: (WIN - value) as u32, mv: mv? }),
                _ if value <= -WON => Some(Known::Loss { plies: (WIN + value) as u32 }),
                _ => Some(Known::Draw { mv }),
            };
        }
        // A move far from all others is seldom a good one.
        let depth = if position.is_remote { question.depth / 2 } else { question.depth };
        let value = search.run(depth, window(question.window))?;
        let mv = search::expected(&position.board, search.table);
        match value {
            WON.. => Some(Known::Win { plies: (WIN - value) as u32, mv: stone(mv?) }),
            _ if value <= -WON => Some(Known::Loss { plies: (WIN + value) as u32 }),
            _ => Some(Known::Value { value, mv: mv.map(stone) }),
        }
    }

    fn expected(&self, position: &Watched<LINES>) -> Option<Move> {
        if !position.is_settled() {
            return None;
        }
        search::expected(&position.board, self.table.as_ref()?).map(stone)
    }

    fn remembered(&self, position: &Watched<LINES>) -> Option<Known<Move>> {
        if !position.is_settled() {
            return None;
        }
        let mut board = position.board.clone();
        search::sure(&mut board).or_else(|| search::remembered(&board, self.table.as_ref()?)).map(known)
    }

    fn code(&self, mv: Move) -> u16 {
        match mv {
            Move::Stone { at, .. } => code(at),
            Move::Take(colour) => CHOICES + colour as u16,
            Move::Place => CHOICES + 2,
        }
    }

    fn recall(&self, position: &Watched<LINES>, code: u16) -> Option<Move> {
        if position.game.is_placing() {
            let at = search::point(code)?;
            let free = u32::from(at.column).max(at.row.into()) < position.game.size();
            return (free && position.game.lines.get(at).is_none() && position.game.allows(at)).then(|| stone(at));
        }
        position.moves().find(|&mv| Evaluator::<Watched<LINES>>::code(self, mv) == code)
    }

    fn slot(&self, _: &Watched<LINES>, mv: Move) -> usize {
        match mv {
            Move::Stone { at, .. } => usize::from(code(at)) - 1,
            Move::Take(_) | Move::Place => 0,
        }
    }
}

/// The chances that a value promises which a search has found after so many stones on a board of so many points: the later, the
/// less a lead says, and the fuller the board, the more games are drawn. Fitted to self-played games (docs/strength.md).
fn outlook(value: i32, stones: u32, points: f64) -> Outlook {
    let width = 170.0 + 7.0 * f64::from(stones.min(25));
    // About 1 / 17 a stone on a board of 15.
    let even = 6.0 * (13.2 * (f64::from(stones) / points - 0.044)).exp();
    Outlook::logistic(value, even.min(4000.0) as i32, width)
}

/// The first code that is no point's.
const CHOICES: u16 = 1 + (LARGEST * LARGEST) as u16;

/// A move that is no foul.
fn stone(at: At) -> Move {
    Move::Stone { at, foul: None }
}

/// What the search knows without searching, or by fours.
fn known(known: search::Proof) -> Known<Move> {
    match known {
        search::Proof::Win(plies, at) => Known::Win { plies, mv: stone(at) },
        search::Proof::Loss(plies) => Known::Loss { plies },
    }
}

/// A window in values of Gomoku's own search: wins and losses of any distance lie inside or outside together.
fn window((alpha, beta): (i32, i32)) -> (i32, i32) {
    let undecided = WON - 1;
    let alpha = if alpha <= -WON { -search::INFINITY } else { alpha.min(undecided) };
    let beta = if beta >= WON { search::INFINITY } else { beta.max(-undecided) };
    (alpha, beta)
}

#[cfg(test)]
mod tests {
    use super::outlook;

    #[test]
    fn leads_are_chances_and_full_boards_draws() {
        for stones in [0, 10, 40, 120, 224] {
            let values: Vec<f64> = (-20..=20).map(|value| outlook(value * 50, stones, 225.0).value()).collect();
            assert!(values.is_sorted(), "with {stones} stones: {values:?}");
            let (ahead, behind) = (outlook(90, stones, 225.0), outlook(-90, stones, 225.0));
            assert!((ahead.win - behind.loss).abs() < 1e-9 && (ahead.draw - behind.draw).abs() < 1e-9);
        }
        // Before that the width grows too, and hardly any game is drawn.
        let draws: Vec<f64> = (25..225).map(|stones| outlook(0, stones, 225.0).draw).collect();
        assert!(draws.is_sorted() && draws[0] < 0.1 && draws[199] > 0.9, "{draws:?}");
        // The later, the less a lead says; a larger board fills later.
        assert!(outlook(200, 60, 225.0).value() < outlook(200, 10, 225.0).value());
        assert!(outlook(0, 100, 361.0).draw < outlook(0, 100, 225.0).draw);
    }
}
