//! What Xiangqi tells the generic alpha-beta search: the evaluation, captures by what they win, what a null move would be; and
//! it answers for every move of the root by a search of its own.

use std::sync::{Arc, Mutex, PoisonError};

use super::exchange::{self, WORTH};
use super::piece::{Kind, SQUARES, Square, Step};
use super::repetition::{self, Rule};
use super::search::{self, INFINITY, Memory, Path, Search, Table, WIN, WON, damped};
use super::{Xiangqi, evaluation};
use crate::bits::Bits;
use crate::position::Position;
use crate::search::plain::{Evaluator, Known, Part, Question};
use crate::search::{Bound, Outlook};

/// The evaluation, and a search with it.
#[derive(Debug, Default)]
pub struct XiangqiEvaluator {
    /// What the workers of a search share.
    table: Option<Arc<Table>>,
    /// What this worker remembers; none before it is used.
    memory: Option<Memory>,
    /// What workers before remembered, for those to come: it lives through a game.
    left: Arc<Mutex<Vec<Memory>>>,
}

impl Clone for XiangqiEvaluator {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), memory: None, left: Arc::clone(&self.left) }
    }
}

impl Drop for XiangqiEvaluator {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.left.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        }
    }
}

impl XiangqiEvaluator {
    /// What this worker remembers.
    fn memory<'a>(memory: &'a mut Option<Memory>, left: &Mutex<Vec<Memory>>) -> &'a mut Memory {
        memory.get_or_insert_with(|| {
            let mut memory = left.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
            memory.begin();
            memory
        })
    }
}

impl Evaluator<Xiangqi> for XiangqiEvaluator {
    const EVALUATES: bool = true;
    const MARGIN: i32 = 180;
    const WINDOW: i32 = 40;
    const TACTICAL: bool = true;
    const SLOTS: usize = 7 * SQUARES;
    const PRIORITY: i32 = 16;
    const RECALLS: bool = true;
    const PASSES: bool = true;
    const FORCES: bool = true;
    const SEARCHES: bool = true;
    const FORBIDDEN: i32 = search::FORBIDDEN;

    fn begin(&mut self, _: &Xiangqi, memory: u64) -> u64 {
        let table = self.table.get_or_insert_with(|| Arc::new(Table::new(memory / 8 * 7)));
        table.begin();
        table.bytes()
    }

    fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.entries())
    }

    fn value(&self, position: &Xiangqi) -> i32 {
        // The nearer the draw without captures, the less an advantage is worth.
        damped(evaluation::value(&position.board), &position.quiet) * i32::from(position.turn().sign())
    }

    fn solve(
        &mut self,
        position: &Xiangqi,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<Step>> {
        if question.exact {
            return None;
        }
        let table = self.table.as_ref()?;
        let memory = Self::memory(&mut self.memory, &self.left);
        let mut search = Search::new(Path::new(position), (table, memory), question.techniques, tick);
        let value = search.run(question.depth, window(question.window))?;
        match (value, search.best()) {
            (WON.., Some(mv)) => Some(Known::Win { plies: (WIN - value) as u32, mv }),
            _ if value <= -WON => Some(Known::Loss { plies: (WIN + value) as u32 }),
            (_, mv) => Some(Known::Value { value: value.min(WON - 1), mv }),
        }
    }

    fn expected(&self, position: &Xiangqi) -> Option<Step> {
        let best = self.table.as_ref()?.get(position.key())?.best;
        search::of_code(best).filter(|&step| position.board.is_legal_knowing(&position.safety, step))
    }

    fn remembered(&self, position: &Xiangqi) -> Option<Known<Step>> {
        let entry = self.table.as_ref()?.get(position.key())?;
        let value = i32::from(entry.value);
        match entry.bound {
            Bound::Lower | Bound::Exact if value >= WON => {
                search::of_code(entry.best).map(|mv| Known::Win { plies: (WIN - value) as u32, mv })
            }
            Bound::Upper | Bound::Exact if value <= -WON => Some(Known::Loss { plies: (WIN + value) as u32 }),
            _ => None,
        }
    }

    fn outlook(&self, _: &Xiangqi, value: i32) -> Outlook {
        outlook(value)
    }

    fn priority(&self, position: &Xiangqi, mv: Step) -> i32 {
        // Out of a pawn's or a lesser piece's reach is better than into it; all else is left to history.
        let Some(man) = position.board.man(mv.from) else { return 0 };
        i32::from(man.kind() == Kind::Rook && mv.to.is_across(man.side()))
    }

    fn moves(&self, position: &Xiangqi, part: Part, found: &mut impl FnMut(Step)) -> bool {
        let board = &position.board;
        let enemy = board.side(board.turn().other());
        let moves = board.legal_moves(&position.safety, if part == Part::Tactical { enemy } else { !enemy });
        for &(from, targets) in moves.pieces() {
            targets.iter().for_each(|to| found(Step { from, to: Square::from_index(to) }));
        }
        true
    }

    fn is_tactical(&self, position: &Xiangqi, mv: Step) -> bool {
        position.board.man(mv.to).is_some()
    }

    fn gain(&self, position: &Xiangqi, mv: Step) -> i32 {
        let board = &position.board;
        let worth = |square| board.man(square).map_or(0, |man| WORTH[man.kind() as usize]);
        let (won, risked) = (worth(mv.to), worth(mv.from));
        let gain = won - risked / 16;
        if won >= risked && won > WORTH[Kind::Pawn as usize] {
            // Even if it is taken back.
            return gain;
        }
        let balance = exchange::balance(board, mv);
        if balance < 0 { balance } else { gain }
    }

    fn is_forced(&self, position: &Xiangqi) -> bool {
        position.safety.in_check
    }

    fn threatens(&self, position: &Xiangqi, mv: Step) -> bool {
        position.board.gives_check(mv)
    }

    fn repeated(&self, position: &Xiangqi, plies: u32) -> Option<i32> {
        let Xiangqi { board, past, .. } = position;
        // A loop that began in the game and not in the search ends nothing before its third time: the offender may turn off.
        let within = position.occurrences > 1 && repetition::length(board, past).is_some_and(|length| length <= plies);
        within.then(|| match repetition::adjudicate(board, past) {
            Rule::PerpetualCheck(side) | Rule::PerpetualChase(side, _) => {
                -<Self as Evaluator<Xiangqi>>::FORBIDDEN * i32::from(side.sign())
            }
            Rule::Repetition => 0,
        })
    }

    fn pass(&self, position: &Xiangqi) -> Option<Xiangqi> {
        let board = &position.board;
        let strong = [Kind::Rook, Kind::Horse, Kind::Cannon].map(|kind| board.set(board.turn(), kind));
        (!position.safety.in_check && strong.iter().any(|&set| set != 0)).then(|| position.passed())
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

/// The chances where a position is worth so much to the first player: fitted to self-played games (docs/strength.md).
#[inline]
pub(super) fn outlook(value: i32) -> Outlook {
    Outlook::logistic(value, 213, 180.0)
}

/// A window in values of Xiangqi's own search: wins and losses of any distance lie inside or outside together.
fn window((alpha, beta): (i32, i32)) -> (i32, i32) {
    let undecided = WON - 1;
    let alpha = if alpha <= -WON { -INFINITY } else { alpha.min(undecided) };
    let beta = if beta >= WON { INFINITY } else { beta.max(-undecided) };
    (alpha, beta)
}
