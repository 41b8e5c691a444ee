//! Xiangqi's searcher for the root of alpha-beta. [`Plain`] searches proofs at full width.

use std::sync::{Arc, Mutex, PoisonError};

use super::board::Board;
use super::exchange::{self, WORTH};
use super::piece::{Kind, SQUARES, Step};
use super::repetition::{self, RepetitionEnd};
use super::search::{self, FORBIDDEN, Memory, Path, Search, Table, WIN, WON, damped};
use super::{Xiangqi, evaluation};
use crate::position::Position;
use crate::search::plain::{Evaluator, Plain};
use crate::search::searcher::{After, Counter, Scope, Searcher, value_after};
use crate::search::techniques::Techniques;
use crate::search::value::{SearchValue, ended, narrow};
use crate::search::{Bound, Outlook};

/// The fraction (1 / `PROOFS`) of the memory for proofs.
const PROOFS: u64 = 8;

/// Xiangqi's search, with a table shared by its workers.
#[derive(Debug, Default)]
pub struct XiangqiSearcher {
    /// None before the first search.
    table: Option<Arc<Table>>,
    /// This worker's memory; none before it is used.
    memory: Option<Memory>,
    /// The memories of earlier workers, for later ones: they last through a game.
    left: Arc<Mutex<Vec<Memory>>>,
    proofs: Plain<Steps>,
}

impl Clone for XiangqiSearcher {
    fn clone(&self) -> Self {
        let Self { table, left, proofs, .. } = self;
        Self { table: table.clone(), memory: None, left: Arc::clone(left), proofs: proofs.clone() }
    }
}

impl Drop for XiangqiSearcher {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.left.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        }
    }
}

impl XiangqiSearcher {
    /// This worker's memory, taken from those left if there is none yet.
    fn memory<'a>(memory: &'a mut Option<Memory>, left: &Mutex<Vec<Memory>>) -> &'a mut Memory {
        memory.get_or_insert_with(|| {
            let mut memory = left.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
            memory.begin();
            memory
        })
    }
}

impl Searcher<Xiangqi> for XiangqiSearcher {
    const SUPPORTED: Techniques = Techniques {
        aspiration: true,
        quiescence: true,
        null_move: true,
        reductions: true,
        internal_reduction: true,
        pruning: true,
        extensions: true,
        history: true,
        ..Techniques::NONE
    };
    const EVALUATES: bool = true;
    const WINDOW: i32 = 40;
    const MARGIN: i32 = 180;

    fn begin(&mut self, root: &Xiangqi, memory: u64) -> u64 {
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(memory / PROOFS * (PROOFS - 1))));
        table.next_age();
        table.bytes() + self.proofs.begin(root, memory.saturating_sub(table.bytes()))
    }

    fn begin_iteration(&self) {
        Searcher::<Xiangqi>::begin_iteration(&self.proofs);
    }

    fn used_bytes(&self) -> u64 {
        let proofs = Searcher::<Xiangqi>::used_bytes(&self.proofs);
        self.table.as_ref().map_or(0, |table| table.used_bytes()) + proofs
    }

    fn entries(&self) -> u64 {
        let proofs = Searcher::<Xiangqi>::entries(&self.proofs);
        self.table.as_ref().map_or(0, |table| table.entries()) + proofs
    }

    fn outlook(&self, _: &Xiangqi, value: i32) -> Outlook {
        outlook(value)
    }

    fn priority(&self, root: &Xiangqi, mv: Step) -> i32 {
        Steps.priority(root, mv)
    }

    fn static_move_value(&self, root: &Xiangqi, mv: Step) -> i32 {
        let (gain, sign) = (gain(&root.board, mv), i32::from(root.turn().sign()));
        match root.board.man(mv.to) {
            Some(_) => value(root) * sign + gain,
            None => value_after(root, mv, |position| value(position) + sign * gain.min(0)),
        }
    }

    fn may_reduce(&self, root: &Xiangqi, mv: Step) -> bool {
        !root.safety.in_check && root.board.man(mv.to).is_none() && !root.board.gives_check(mv)
    }

    fn play(&mut self, parent: &Xiangqi, mv: Step, ply: u32) -> After<Xiangqi> {
        self.proofs.play(parent, mv, ply)
    }

    fn value(&mut self, after: &After<Xiangqi>, scope: &Scope, counter: &mut Counter<'_, Step>) -> SearchValue {
        if scope.proves {
            return self.proofs.value(after, scope, counter);
        }
        let (position, Scope { depth, window, ply, techniques, .. }) = (&after.position, *scope);
        counter.count(1);
        if let Some(found) = ended(position, window.0, ply).or_else(|| repeated(position, ply)) {
            return found;
        }
        let depth = depth + u32::from(techniques.extensions && position.safety.in_check);
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(0)));
        let memory = Self::memory(&mut self.memory, &self.left);
        let mut search = Search::new(Path::new(position), (table, memory), techniques, |nodes| counter.count(nodes));
        match search.run(depth, narrow::window(window)) {
            Some(value) if search.best().is_none() => narrow::found(value.min(narrow::UNDECIDED), ply),
            Some(value) => narrow::found(value, ply),
            None => SearchValue::guess(0),
        }
    }

    fn expected(&self, position: &Xiangqi) -> Option<Step> {
        let best = self.table.as_ref()?.get(position.key())?.best;
        search::of_code(best).filter(|&step| position.board.is_legal_knowing(&position.safety, step))
    }

    fn exact_move(&self, position: &Xiangqi, wins: bool, plies: u32) -> Option<Step> {
        self.proofs.exact_move(position, wins, plies)
    }

    fn ends_within(&self, position: &Xiangqi, wins: bool) -> Option<u32> {
        let entry = self.table.as_ref().and_then(|table| table.get(position.key()));
        let known = entry.and_then(|entry| match (entry.bound, i32::from(entry.value)) {
            (Bound::Lower | Bound::Exact, value) if wins && value >= WON => Some((WIN - value) as u32),
            (Bound::Upper | Bound::Exact, value) if !wins && value <= -WON => Some((WIN + value) as u32),
            _ => None,
        });
        self.proofs.ends_within(position, wins).into_iter().chain(known).min()
    }
}

/// Move ordering and move codes, for proofs.
#[derive(Clone, Copy, Debug, Default)]
struct Steps;

impl Evaluator<Xiangqi> for Steps {
    const SLOTS: usize = 7 * SQUARES;
    const PRIORITY: i32 = 16;

    fn priority(&self, position: &Xiangqi, mv: Step) -> i32 {
        // Rook moves across the river come first; all else is left to history.
        let Some(man) = position.board.man(mv.from) else { return 0 };
        i32::from(man.kind() == Kind::Rook && mv.to.is_across(man.side()))
    }

    fn code(&self, mv: Step) -> u16 {
        search::code(mv)
    }

    fn recall(&self, position: &Xiangqi, code: u16) -> Option<Step> {
        search::of_code(code).filter(|&step| position.board.is_legal_knowing(&position.safety, step))
    }

    fn slot(&self, position: &Xiangqi, mv: Step) -> usize {
        position.board.man(mv.from).map_or(0, |man| man.kind() as usize) * SQUARES + mv.to.index()
    }
}

/// The value of a position that repeats one within the last `plies` plies of the line, for the side to move: playing on would
/// only repeat the cycle. Repetitions of positions before the root are not scored: the repeating side can still deviate.
fn repeated(position: &Xiangqi, plies: u32) -> Option<SearchValue> {
    let Xiangqi { board, past, .. } = position;
    let within = position.occurrences > 1 && repetition::length(board, past).is_some_and(|length| length <= plies);
    let value = |rule| match rule {
        RepetitionEnd::PerpetualCheck(side) | RepetitionEnd::PerpetualChase(side, _) if side == position.turn() => {
            -FORBIDDEN
        }
        RepetitionEnd::PerpetualCheck(_) | RepetitionEnd::PerpetualChase(..) => FORBIDDEN,
        RepetitionEnd::Repetition => 0,
    };
    within.then(|| SearchValue { past: true, ..SearchValue::selective(value(repetition::adjudicate(board, past))) })
}

/// The static evaluation for the first player.
pub(super) fn value(position: &Xiangqi) -> i32 {
    // The nearer the draw without captures, the less an advantage is worth.
    damped(evaluation::value(&position.board), &position.capture_clock) * i32::from(position.turn().sign())
}

/// What a move wins at once; negative if it loses something.
fn gain(board: &Board, mv: Step) -> i32 {
    let worth = |square| board.man(square).map_or(0, |man| WORTH[man.kind() as usize]);
    let (won, risked) = (worth(mv.to), worth(mv.from));
    let gain = won - risked / 16;
    if won >= risked && won > WORTH[Kind::Pawn as usize] {
        // Even if it is recaptured.
        return gain;
    }
    let balance = exchange::balance(board, mv);
    if balance < 0 { balance } else { gain }
}

/// The first player's chances at a value, fitted to self-played games (docs/measurements/xiangqi.md).
#[inline]
pub(super) fn outlook(value: i32) -> Outlook {
    Outlook::logistic(value, 213, 180.0)
}
