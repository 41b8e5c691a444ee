//! Adjudication of a repeated position: perpetual check, perpetual chase, or a draw.
//!
//! The rules are the Asian rules as computer programs apply them: at the third occurrence of a position with the same side to
//! move, the moves since the first occurrence are adjudicated. This code is not optimized, since repetitions are rare.

use super::board::Board;
use super::piece::{Kind, Man, SQUARES, Square, Step};
use crate::bits::Bits;
use crate::position::Side;

/// How often a position must occur to be adjudicated.
pub const OCCURRENCES: u32 = 3;

/// A move since the last irreversible one (a capture, or a pawn's step forward).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The key of the position before the move.
    pub key: u64,
    /// The move.
    pub step: Step,
    /// Whether it gave check.
    pub check: bool,
}

/// Why a repeated position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepetitionEnd {
    /// One side, the offender, checked with every move.
    PerpetualCheck(Side),
    /// One side, the offender, chased the same pieces with every move; the set has the squares where they stand now.
    PerpetualChase(Side, u128),
    /// Neither side broke a rule, or both did.
    Repetition,
}

/// How often the current position has occurred, this time included.
#[inline]
pub fn occurrences(board: &Board, past: &[Past]) -> u32 {
    // The same side was to move an even number of plies ago, and nothing recurs after two.
    let earlier = past.iter().rev().skip(3).step_by(2);
    1 + earlier.filter(|past| past.key == board.key()).count() as u32
}

/// How many plies ago the current position occurred last, if it has occurred before.
pub fn length(board: &Board, past: &[Past]) -> Option<u32> {
    past.iter().rev().position(|past| past.key == board.key()).map(|index| index as u32 + 1)
}

/// Adjudicates a repeated position by the moves since its first occurrence.
pub fn adjudicate(board: &Board, past: &[Past]) -> RepetitionEnd {
    let first = past.iter().position(|past| past.key == board.key()).unwrap_or(past.len());
    let moves = &past[first..];
    let last_mover = board.turn().other();
    let checked = |side: Side| {
        let own = moves.iter().rev().skip(usize::from(side != last_mover)).step_by(2);
        own.fold(!moves.is_empty(), |all, past| all && past.check)
    };
    match (checked(Side::First), checked(Side::Second)) {
        (true, false) => return RepetitionEnd::PerpetualCheck(Side::First),
        (false, true) => return RepetitionEnd::PerpetualCheck(Side::Second),
        (true, true) => return RepetitionEnd::Repetition,
        (false, false) => {}
    }
    match chased_with_every_move(board, moves) {
        [0, 0] => RepetitionEnd::Repetition,
        [pieces, 0] => RepetitionEnd::PerpetualChase(Side::First, pieces),
        [0, pieces] => RepetitionEnd::PerpetualChase(Side::Second, pieces),
        _ => RepetitionEnd::Repetition,
    }
}

/// For each side, the squares of the enemy pieces that it chased with every one of its moves.
fn chased_with_every_move(board: &Board, moves: &[Past]) -> [u128; 2] {
    let mut board = board.clone();
    for past in moves.iter().rev() {
        // No captures lie between two occurrences of a position.
        board.unmake(past.step, None);
    }
    // Pieces are named by their squares at the start of the loop.
    let mut names: [u8; SQUARES] = std::array::from_fn(|index| index as u8);
    let mut chased = [u128::MAX; 2];
    for past in moves {
        let mover = board.turn();
        let before = threats(&board, mover, &names, false);
        board.make(past.step);
        names.swap(past.step.from.index(), past.step.to.index());
        let mut targets = 0;
        for threat in threats(&board, mover, &names, past.check) {
            if !before.contains(&threat) {
                targets |= 1 << threat.target;
            }
        }
        chased[mover.index()] &= targets;
    }
    chased.map(|pieces| {
        let stands = |square: &u32| pieces.has(names[*square as usize].into());
        (0..SQUARES as u32).filter(stands).fold(0, |set, square| set | 1 << square)
    })
}

/// An attack that counts as a chase; both pieces by name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Threat {
    chaser: u8,
    target: u8,
}

/// All threats of a side, as if it were to move. `check` is whether it gives check.
fn threats(board: &Board, by: Side, names: &[u8; SQUARES], check: bool) -> Vec<Threat> {
    let passed;
    let board = if board.turn() == by {
        board
    } else {
        passed = board.passed();
        &passed
    };
    let mut threats = Vec::new();
    for from in board.side(by).iter().map(Square::from_index) {
        let Some(chaser) = board.man(from).filter(|man| !matches!(man.kind(), Kind::General | Kind::Pawn)) else {
            continue;
        };
        let captures = board.targets(from, chaser) & board.side(by.other());
        for to in captures.iter().map(Square::from_index) {
            let Some(target) = board.man(to) else { continue };
            if is_threat(board, chaser, target, Step { from, to }, check) {
                threats.push(Threat { chaser: names[from.index()], target: names[to.index()] });
            }
        }
    }
    threats
}

/// Whether a capture, by the side to move, is a threat in the sense of the chasing rule.
fn is_threat(board: &Board, chaser: Man, target: Man, capture: Step, check: bool) -> bool {
    let may_be_chased = match target.kind() {
        Kind::General => false,
        Kind::Pawn => capture.to.is_across(target.side()),
        _ => true,
    };
    if !may_be_chased || !board.is_safe(capture) {
        return false;
    }
    let by_a_lesser = match chaser.kind() {
        Kind::Horse | Kind::Cannon => target.kind() == Kind::Rook,
        Kind::Advisor | Kind::Elephant => matches!(target.kind(), Kind::Rook | Kind::Cannon | Kind::Horse),
        _ => false,
    };
    if by_a_lesser {
        return true;
    }
    let captures_back = Step { from: capture.to, to: capture.from };
    if chaser.kind() == target.kind() && board.passed().is_legal(captures_back) {
        return false;
    }
    !is_protected(board, capture, check)
}

/// Whether the captured piece is protected: whether the other side can legally recapture. If the other side is in check, a
/// legal recapture would have to answer the check too; but a check does not remove protection, so a pseudo-legal recapture is
/// enough.
fn is_protected(board: &Board, capture: Step, check: bool) -> bool {
    let mut board = board.clone();
    board.make(capture);
    let recaptures = |from: Square| {
        let reaches = |man| board.targets(from, man).has(capture.to.index() as u32);
        if check { board.man(from).is_some_and(reaches) } else { board.is_legal(Step { from, to: capture.to }) }
    };
    board.side(board.turn()).iter().map(Square::from_index).any(recaptures)
}
