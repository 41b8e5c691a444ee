//! What an unfinished position is worth: pieces and places, how free they are, what they are worth beside each other, what
//! threatens the general, what is attacked, and which endings are drawn.
//!
//! All terms are linear and count twice, in the opening and in the ending; a position lies between both by the rooks,
//! horses and cannons that are left. `tesuji fit xiangqi` has fitted the weights to self-played games (`weights.txt`;
//! docs/learning.md). The scale is a hundredth of an uncrossed pawn.

mod activity;
mod danger;
mod endings;
mod layout;
mod material;
mod sight;
mod threats;

use super::Xiangqi;
use super::board::Board;
use super::piece::{Kind, SQUARES};
use crate::bits::Bits;
use crate::position::Side;
use crate::weights::numbers;
use layout::{GROUPS, TEMPO, TERMS};
use sight::Sight;

/// Two phases of each term.
pub const WEIGHTS: usize = 2 * TERMS;
/// Counts of a position's terms are in so many parts.
pub const PARTS: i32 = PHASES * endings::WHOLE;
/// Phases from the ending to the opening: a rook is two, a horse or a cannon one.
const PHASES: i32 = 16;

/// The weights, those of the opening first.
const NUMBERS: [i32; WEIGHTS] = numbers(include_str!("weights.txt"));

/// Weights of both phases in one word, so that one sum is both: the ending's in the upper half.
static PACKED: [i32; TERMS] = {
    let mut packed = [0; TERMS];
    let mut term = 0;
    while term < TERMS {
        packed[term] = NUMBERS[term] + (NUMBERS[TERMS + term] << 16);
        term += 1;
    }
    packed
};

/// What a man adds to the value for the first player by standing on a square, of both phases; a board keeps the sum.
pub static PLACED: [[i32; SQUARES]; 14] = {
    let mut placed = [[0; SQUARES]; 14];
    let mut index = 0;
    while index < 14 * SQUARES {
        let (kind, second, square) = (index / (2 * SQUARES), !(index / SQUARES).is_multiple_of(2), index % SQUARES);
        let side = if second { Side::Second } else { Side::First };
        let term = layout::placed(Kind::ALL[kind], side, square);
        let weight = NUMBERS[term] + (NUMBERS[TERMS + term] << 16);
        placed[index / SQUARES][square] = if second { -weight } else { weight };
        index += 1;
    }
    placed
};

/// The value for the first player.
pub fn value(board: &Board) -> i32 {
    let mut sum = board.placed();
    other_terms(board, &mut |term, count| sum += count * PACKED[term]);
    // The lower half borrows from the upper one where it is negative.
    let (opening, ending) = (i32::from(sum as i16), (sum + 0x8000) >> 16);
    let phase = phase(board);
    let value = opening * phase + ending * (PHASES - phase);
    value * endings::factor(board, phase, value) / PARTS
}

/// From 0 (only pawns and guards are left) to 16 (as at the start).
#[inline]
fn phase(board: &Board) -> i32 {
    let count = |kind| (board.set(Side::First, kind) | board.set(Side::Second, kind)).count() as i32;
    (2 * count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon)).min(PHASES)
}

/// Calls `add` with the terms that are no places, and how often each counts: what the first player has, less what the second
/// has.
#[inline]
fn other_terms(board: &Board, add: &mut impl FnMut(usize, i32)) {
    let sight = Sight::of(board);
    for side in [Side::First, Side::Second] {
        let sign = i32::from(side.sign());
        let add = &mut |term: usize, count: i32| add(term, sign * count);
        activity::terms(&sight, side, add);
        material::terms(&sight, side, add);
        danger::terms(&sight, side, add);
        threats::terms(&sight, side, add);
    }
    add(TEMPO, i32::from(board.turn().sign()));
}

/// Calls `add` with each weight of a position that counts, and how many parts of it count.
pub fn terms_of(position: &Xiangqi, add: &mut dyn FnMut(usize, i32)) {
    let board = &position.board;
    let mut counts = [0; TERMS];
    for side in [Side::First, Side::Second] {
        for kind in Kind::ALL {
            for square in board.set(side, kind).iter() {
                counts[layout::placed(kind, side, square as usize)] += i32::from(side.sign());
            }
        }
    }
    other_terms(board, &mut |term, count| counts[term] += count);
    let phase = phase(board);
    let sum = |first: usize| counts.iter().zip(&NUMBERS[first..]).map(|(count, weight)| count * weight).sum::<i32>();
    let factor = endings::factor(board, phase, sum(0) * phase + sum(TERMS) * (PHASES - phase));
    for (term, count) in counts.into_iter().enumerate().filter(|&(_, count)| count != 0) {
        add(term, count * phase * factor);
        add(TERMS + term, count * (PHASES - phase) * factor);
    }
}

/// All weights, in their order.
pub fn all_weights() -> Vec<i32> {
    NUMBERS.to_vec()
}

/// Weights as the text of their file: all groups of terms, for the opening and then for the ending.
pub fn write(weights: &[i32]) -> String {
    let line = |row: &[i32]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let mut text = String::new();
    for (phase, weights) in ["opening", "ending"].into_iter().zip(weights.chunks(TERMS)) {
        let mut first = 0;
        for (name, count, width) in GROUPS {
            text += &format!("# {phase}: {name}\n");
            text += &weights[first..first + count].chunks(width).map(line).collect::<String>();
            first += count;
        }
    }
    text
}

#[cfg(test)]
mod tests;
