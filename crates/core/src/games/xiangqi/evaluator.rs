//! The evaluator of Xiangqi's alpha-beta search: the evaluation, captures by what they win, and what a null move would be.

use super::exchange::{self, WORTH};
use super::piece::{Kind, SQUARES, Square, Step};
use super::repetition::{self, Rule};
use super::{Xiangqi, evaluation};
use crate::bits::Bits;
use crate::search::Outlook;
use crate::search::alpha_beta::{Evaluator, Part};

/// The evaluation, and the order of captures.
#[derive(Clone, Copy, Debug, Default)]
pub struct XiangqiEvaluator;

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
    // Far beyond any advantage, and no proof: the loop has not been closed as often as the rules ask.
    const FORBIDDEN: i32 = 20_000;

    fn value(&self, position: &Xiangqi) -> i32 {
        let value = evaluation::value(&position.board);
        // The nearer the draw without captures, the less an advantage is worth.
        let quiet = position.quiet;
        value - value * quiet.plies.min(quiet.limit) as i32 / (2 * quiet.limit.max(1) as i32)
    }

    fn outlook(&self, _: &Xiangqi, value: i32) -> Outlook {
        // Fitted to self-played games (docs/strength.md).
        Outlook::logistic(value, 490, 392.0)
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
        (mv.from.index() * SQUARES + mv.to.index() + 1) as u16
    }

    fn recall(&self, position: &Xiangqi, code: u16) -> Option<Step> {
        let index = u32::from(code.checked_sub(1)?);
        let squares = SQUARES as u32;
        let step = Step { from: Square::from_index(index / squares), to: Square::from_index(index % squares) };
        (index < squares * squares && position.board.is_legal_knowing(&position.safety, step)).then_some(step)
    }

    fn slot(&self, position: &Xiangqi, mv: Step) -> usize {
        position.board.man(mv.from).map_or(0, |man| man.kind() as usize) * SQUARES + mv.to.index()
    }
}
