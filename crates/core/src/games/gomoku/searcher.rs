//! Gomoku's searcher for the root of alpha-beta. [`Plain`] searches proofs at full width; the choices of an opening are
//! searched here.

use std::sync::Arc;

use super::Move;
use super::coded_position::CodedPosition;
use super::lines::Point;
use super::negamax::Threat;
use super::opening::Phase;
use super::search::{self, Memory, Order, Search, by_fours, code};
use super::shapes::Kind;
use super::variant::{LARGEST, Rule};
use crate::position::Position;
use crate::search::Outlook;
use crate::search::plain::{Evaluator, Plain, Proof, Table};
use crate::search::searcher::{After, Counter, Scope, Searcher, value_after};
use crate::search::techniques::Techniques;
use crate::search::value::{INFINITY, SearchValue, ended, narrow, win_at};
use crate::sorting;

/// Gomoku's search, with a table shared by its workers.
#[derive(Debug, Default)]
pub struct GomokuSearcher {
    /// None before the first search.
    table: Option<Arc<Table>>,
    /// The opponent's threat at the root.
    threat: Option<Threat>,
    proofs: Plain<Fours>,
}

impl Clone for GomokuSearcher {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), threat: self.threat.clone(), proofs: self.proofs.clone() }
    }
}

/// The fraction (1 / `SHARE`) of a search's memory for the table of the search for fours, and its most bytes.
const SHARE: u64 = 8;
const MOST_BYTES: u64 = 1 << 20;
/// The fraction (1 / `PROOFS`) of the remaining memory for proofs.
const PROOFS: u64 = 8;
/// Positions that a search for fours may visit in a search for proofs only, by the remaining depth.
const NODES: [u64; 8] = [40, 60, 100, 160, 240, 400, 600, 1000];
/// Handicap per step away from the centre for the first stone, and away from the first stone for the second.
const STEP_HANDICAP: i32 = 20;

impl GomokuSearcher {
    /// The value once the colours are settled.
    fn settled<const LINES: usize>(
        &mut self,
        position: &CodedPosition<LINES>,
        scope: &Scope,
        counter: &mut Counter<'_, Move>,
    ) -> SearchValue {
        let Scope { depth, window, ply, techniques, .. } = *scope;
        if let Some(threat) = self.threat.as_ref().filter(|threat| threat.is_left(&position.board)) {
            counter.count(1);
            return SearchValue::selective(win_at(ply + threat.plies));
        }
        let depth = depth + u32::from(techniques.extensions && is_forced(position));
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(0)));
        let memory = self.proofs.evaluator.memory();
        let tick = |nodes| counter.count(nodes);
        let mut search = Search::new(position.board.clone(), (table, memory), techniques, tick);
        if depth >= position.board.lines.count_open() {
            return match search.finish(narrow::window(window)) {
                Some((value, _)) if narrow::is_decided(value) => narrow::found(value, ply),
                Some(_) => SearchValue::complete(0),
                None => SearchValue::guess(0),
            };
        }
        // A move far from all other stones is seldom a good one.
        let depth = if position.is_remote { depth / 2 } else { depth };
        search.run(depth, narrow::window(window)).map_or(SearchValue::guess(0), |value| narrow::found(value, ply))
    }

    /// The value during the opening, while stones are placed for it or a colour is chosen: all moves are tried.
    fn unsettled<const LINES: usize>(
        &mut self,
        position: &CodedPosition<LINES>,
        scope: &Scope,
        counter: &mut Counter<'_, Move>,
    ) -> SearchValue {
        counter.count(1);
        if scope.depth == 0 {
            return SearchValue::guess(position.value() * i32::from(position.turn().sign()));
        }
        let mut moves: Vec<Move> = position.moves().collect();
        sorting::by_key(&mut moves, |&mv| [-i64::from(position.priority(mv)), 0]);
        let (mut floor, beta) = scope.window;
        let mut best = SearchValue::guess(-INFINITY);
        for mv in moves {
            let after = After::new(position, mv);
            let scope = |window| Scope { depth: scope.depth - 1, window, ply: scope.ply + 1, ..*scope };
            let found = match after.same {
                true => self.value(&after, &scope((floor, beta)), counter),
                false => self.value(&after, &scope((-beta, -floor)), counter).turned(),
            };
            if counter.stop.is_some() {
                break;
            }
            best =
                SearchValue { selective: best.selective | found.selective, value: best.value.max(found.value), ..best };
            floor = floor.max(best.value);
            if best.value >= beta {
                break;
            }
        }
        best
    }
}

impl<const LINES: usize> Searcher<CodedPosition<LINES>> for GomokuSearcher {
    const SUPPORTED: Techniques = Techniques {
        aspiration: true,
        reductions: true,
        internal_reduction: true,
        pruning: true,
        extensions: true,
        history: true,
        ..Techniques::NONE
    };
    const EVALUATES: bool = true;
    const WINDOW: i32 = 40;
    const MARGIN: i32 = 70;
    const REFINES_DISTANCES: bool = false;

    fn root_moves(depth: u32) -> Option<u32> {
        Some(11 + depth * depth)
    }

    fn begin(&mut self, root: &CodedPosition<LINES>, memory: u64) -> u64 {
        self.threat = root.is_settled().then(|| Threat::find(&root.board)).flatten();
        let fours = (memory / SHARE).min(MOST_BYTES);
        self.proofs.evaluator.bytes = fours;
        let rest = memory.saturating_sub(fours);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(rest / PROOFS * (PROOFS - 1))));
        table.next_age();
        fours + table.bytes() + self.proofs.begin(root, rest.saturating_sub(table.bytes()))
    }

    fn begin_iteration(&self) {
        Searcher::<CodedPosition<LINES>>::begin_iteration(&self.proofs);
    }

    fn used_bytes(&self) -> u64 {
        let table = self.table.as_ref().map_or(0, |table| table.used_bytes());
        self.proofs.evaluator.bytes + table + Searcher::<CodedPosition<LINES>>::used_bytes(&self.proofs)
    }

    fn entries(&self) -> u64 {
        let table = self.table.as_ref().map_or(0, |table| table.entries());
        table + Searcher::<CodedPosition<LINES>>::entries(&self.proofs)
    }

    fn outlook(&self, root: &CodedPosition<LINES>, value: i32) -> Outlook {
        let size = f64::from(root.game.size());
        outlook(value, root.board.stones, size * size)
    }

    fn priority(&self, root: &CodedPosition<LINES>, mv: Move) -> i32 {
        root.priority(mv)
    }

    fn static_move_value(&self, root: &CodedPosition<LINES>, mv: Move) -> i32 {
        value_after(root, mv, CodedPosition::value)
    }

    fn handicap(&self, root: &CodedPosition<LINES>, mv: Move) -> i32 {
        root.game.remoteness(mv) * STEP_HANDICAP
    }

    fn may_reduce(&self, root: &CodedPosition<LINES>, _: Move) -> bool {
        !is_forced(root)
    }

    fn play(&mut self, parent: &CodedPosition<LINES>, mv: Move, ply: u32) -> After<CodedPosition<LINES>> {
        self.proofs.play(parent, mv, ply)
    }

    fn value(
        &mut self,
        after: &After<CodedPosition<LINES>>,
        scope: &Scope,
        counter: &mut Counter<'_, Move>,
    ) -> SearchValue {
        let position = &after.position;
        if scope.proves {
            return self.proofs.value(after, scope, counter);
        }
        if let Some(found) = ended(position, scope.window.0, scope.ply) {
            counter.count(1);
            return found;
        }
        match position.is_settled() {
            true => self.settled(position, scope, counter),
            false => self.unsettled(position, scope, counter),
        }
    }

    fn expected(&self, position: &CodedPosition<LINES>) -> Option<Move> {
        if !position.is_settled() {
            return None;
        }
        let threat = self.threat.as_ref().filter(|threat| threat.is_left(&position.board));
        let first = threat.map(|threat| threat.first);
        first.or_else(|| search::expected(&position.board, self.table.as_ref()?)).map(stone)
    }

    fn exact_move(&self, position: &CodedPosition<LINES>, wins: bool, plies: u32) -> Option<Move> {
        self.proofs.exact_move(position, wins, plies)
    }

    fn ends_within(&self, position: &CodedPosition<LINES>, wins: bool) -> Option<u32> {
        let proof = || {
            let mut board = position.is_settled().then(|| position.board.clone())?;
            search::proven_by_codes(&mut board).or_else(|| search::table_proof(&board, self.table.as_ref()?))
        };
        let known = proof().and_then(|proof| match proof {
            search::Proof::Win(plies, _) => wins.then_some(plies),
            search::Proof::Loss(plies) => (!wins).then_some(plies),
        });
        self.proofs.ends_within(position, wins).into_iter().chain(known).min()
    }

    fn candidates(&self, position: &CodedPosition<LINES>, found: &mut impl FnMut(Move)) -> bool {
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
}

/// Whether a five has to be stopped.
fn is_forced<const LINES: usize>(position: &CodedPosition<LINES>) -> bool {
    position.is_settled() && position.board.count(position.board.turn.other(), Kind::Five) > 0
}

/// Wins by fours, for proofs.
#[derive(Debug, Default)]
struct Fours {
    /// The worker's memory for both searches; none before it is used.
    memory: Option<Box<Memory>>,
    /// Bytes of its table of fours.
    bytes: u64,
}

impl Clone for Fours {
    fn clone(&self) -> Self {
        Self { memory: None, bytes: self.bytes }
    }
}

impl Fours {
    fn memory(&mut self) -> &mut Memory {
        self.memory.get_or_insert_with(|| Box::new(Memory::new(self.bytes)))
    }
}

impl<const LINES: usize> Evaluator<CodedPosition<LINES>> for Fours {
    const SLOTS: usize = (LARGEST * LARGEST) as usize;

    fn priority(&self, position: &CodedPosition<LINES>, mv: Move) -> i32 {
        position.priority(mv)
    }

    fn proof(
        &mut self,
        position: &CodedPosition<LINES>,
        depth: u32,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Proof<Move>> {
        if !position.is_settled() {
            return None;
        }
        let mut board = position.board.clone();
        let proof = match search::proven_by_codes(&mut board) {
            Some(proof) => proof,
            None => {
                let most = NODES[(depth as usize).min(NODES.len() - 1)];
                let (found, nodes) = by_fours(&mut board, &mut self.memory().vcf, most);
                // The position itself has been counted.
                tick(nodes.saturating_sub(1));
                let (plies, at) = found?;
                search::Proof::Win(plies, at)
            }
        };
        Some(match proof {
            search::Proof::Win(plies, at) => Proof::Win { plies, mv: stone(at) },
            search::Proof::Loss(plies) => Proof::Loss { plies },
        })
    }

    fn code(&self, mv: Move) -> u16 {
        match mv {
            Move::Stone { at, .. } => code(at),
            Move::Take(colour) => CHOICES + colour as u16,
            Move::Place => CHOICES + 2,
        }
    }

    fn recall(&self, position: &CodedPosition<LINES>, code: u16) -> Option<Move> {
        if position.game.is_placing() {
            let at = search::point(code)?;
            let free = u32::from(at.column).max(at.row.into()) < position.game.size();
            return (free && position.game.lines.get(at).is_none() && position.game.allows(at)).then(|| stone(at));
        }
        position.moves().find(|&mv| Evaluator::<CodedPosition<LINES>>::code(self, mv) == code)
    }

    fn slot(&self, _: &CodedPosition<LINES>, mv: Move) -> usize {
        match mv {
            Move::Stone { at, .. } => usize::from(code(at)) - 1,
            Move::Take(_) | Move::Place => 0,
        }
    }
}

impl<const LINES: usize> CodedPosition<LINES> {
    /// The static evaluation for the first player.
    pub(super) fn value(&self) -> i32 {
        let value = self.board.value();
        let value = match self.game.phase {
            Phase::Play { .. } => value,
            // The side that chooses takes the better colour.
            Phase::Choose => value.abs(),
            // The side that chooses next will take the better colour in any case.
            Phase::Place | Phase::Opening => 0,
        };
        value * i32::from(self.turn().sign())
    }

    /// How early to try a move: the largest first.
    pub(super) fn priority(&self, mv: Move) -> i32 {
        let Move::Stone { at, .. } = mv else { return 0 };
        self.board.worth(at) - self.game.remoteness(mv)
    }
}

/// The chances at a value found by a search, from the number of stones and of points on the board: a lead means less late in
/// the game, and a fuller board means more draws. Fitted to self-played games (docs/measurements/gomoku.md).
fn outlook(value: i32, stones: u32, points: f64) -> Outlook {
    let width = 170.0 + 7.0 * f64::from(stones.min(25));
    // The exponent grows by about 1 / 17 per stone on a board of 15 x 15.
    let even = 6.0 * (13.2 * (f64::from(stones) / points - 0.044)).exp();
    Outlook::logistic(value, even.min(4000.0) as i32, width)
}

/// The first code after those of points.
const CHOICES: u16 = 1 + (LARGEST * LARGEST) as u16;

/// A legal move, fouls excluded.
fn stone(at: Point) -> Move {
    Move::Stone { at, foul: None }
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
        // Below 25 stones the width grows too, and hardly any game is drawn.
        let draws: Vec<f64> = (25..225).map(|stones| outlook(0, stones, 225.0).draw).collect();
        assert!(draws.is_sorted() && draws[0] < 0.1 && draws[199] > 0.9, "{draws:?}");
        // The later in the game, the less a lead means; a larger board fills later.
        assert!(outlook(200, 60, 225.0).value() < outlook(200, 10, 225.0).value());
        assert!(outlook(0, 100, 361.0).draw < outlook(0, 100, 225.0).draw);
    }
}
