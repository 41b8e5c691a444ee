//! What an unfinished position is worth: pieces and places, how free they are, what they are worth beside each other, what
//! threatens the general, what is attacked, and which endings are drawn; and what a small network corrects of that.
//!
//! All terms are linear and count twice, in the opening and in the ending; a position lies between both by the rooks,
//! horses and cannons that are left. `crates/train` has fitted the weights to self-played games (docs/learning.md). The
//! scale is a hundredth of an uncrossed pawn.

mod activity;
mod danger;
mod endings;
mod layout;
mod material;
mod network;
mod sight;
mod threats;

use std::sync::LazyLock;

use super::Xiangqi;
use super::board::Board;
use super::piece::{Kind, Man, Square, Step};
use crate::bits::Bits;
use crate::games::Game;
use crate::position::Side;
use crate::weights::{self, Features};
use layout::{TEMPO, TERMS};
use network::{Network, Present, Views};
use sight::Sight;

pub use network::{SHAPE, input as network_input};

/// The first weight of the network: before it stand those of both phases of each term, the opening's first.
const NETWORK: usize = 2 * TERMS;
/// What the weights are of.
pub const FEATURES: Features =
    Features { name: "terms-3", count: NETWORK + network::COUNT, unit: "a hundredth of an uncrossed pawn" };
/// Counts of a position's terms are in so many parts.
pub const PARTS: i32 = PHASES * endings::WHOLE;
/// Phases from the ending to the opening: a rook is two, a horse or a cannon one.
const PHASES: i32 = 16;

/// The weights, ready for use.
pub struct Evaluation {
    /// Weights of both phases in one word, so that one sum is both: the ending's in the upper half.
    packed: [i32; TERMS],
    network: Network,
}

static EVALUATION: LazyLock<Evaluation> = LazyLock::new(|| Evaluation::new(&all_weights()));

/// What the men add up to by where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The terms of both phases, for the first player.
    placed: i32,
    /// What the network sees of them.
    views: Views,
}

impl Evaluation {
    /// The evaluation in force.
    pub fn get() -> &'static Self {
        &EVALUATION
    }

    fn new(weights: &[i32]) -> Self {
        let packed = std::array::from_fn(|term| weights[term] + (weights[TERMS + term] << 16));
        Self { packed, network: Network::new(&weights[NETWORK..]) }
    }

    /// What the men on a board add up to.
    pub fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums { placed: 0, views: Views::EMPTY };
        for side in [Side::First, Side::Second] {
            for kind in Kind::ALL {
                for square in board.set(side, kind).iter() {
                    self.put(&mut sums, Man::new(side, kind), Square::from_index(square));
                }
            }
        }
        sums
    }

    fn put(&self, sums: &mut Sums, man: Man, square: Square) {
        let term = layout::placed(man.kind(), man.side(), square.index());
        sums.placed += i32::from(man.side().sign()) * self.packed[term];
        self.network.add(&mut sums.views, man.side(), term);
    }

    /// The sums after a man has moved, and perhaps taken another one.
    #[inline]
    pub fn moved(&self, sums: &Sums, man: Man, step: Step, captured: Option<Man>) -> Sums {
        let side = man.side();
        let [from, to] = [step.from, step.to].map(|square| layout::placed(man.kind(), side, square.index()));
        let more = i32::from(side.sign()) * (self.packed[to] - self.packed[from]);
        let mut next = Sums { placed: sums.placed + more, views: self.network.moved(&sums.views, side, from, to) };
        if let Some(captured) = captured {
            let term = layout::placed(captured.kind(), captured.side(), step.to.index());
            next.placed -= i32::from(captured.side().sign()) * self.packed[term];
            self.network.subtract(&mut next.views, captured.side(), term);
        }
        next
    }

    /// The value for the side to move, given the sums of the board.
    pub fn value(&self, board: &Board, sums: &Sums) -> i32 {
        let mut present = Present::default();
        let mut sum = sums.placed;
        other_terms(board, &mut |side, term, count| {
            sum += i32::from(side.sign()) * count * self.packed[term];
            present.add(side, term, count);
        });
        let (value, factor) = weighed(board, sum);
        let own = value * i32::from(board.turn().sign());
        own + self.network.value(&sums.views, &present, board.turn()) * factor / endings::WHOLE
    }
}

/// A sum of terms of both phases as it counts, for the first player; and what was left of it in an ending near a draw.
#[inline]
fn weighed(board: &Board, sum: i32) -> (i32, i32) {
    // The lower half borrows from the upper one where it is negative.
    let (opening, ending) = (i32::from(sum as i16), (sum + 0x8000) >> 16);
    let phase = phase(board);
    let value = opening * phase + ending * (PHASES - phase);
    let factor = endings::factor(board, phase, value);
    (value * factor / PARTS, factor)
}

/// The value for the side to move.
pub fn value(board: &Board) -> i32 {
    let evaluation = Evaluation::get();
    evaluation.value(board, &evaluation.sums(board))
}

/// From 0 (only pawns and guards are left) to 16 (as at the start).
#[inline]
fn phase(board: &Board) -> i32 {
    let count = |kind| (board.set(Side::First, kind) | board.set(Side::Second, kind)).count() as i32;
    (2 * count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon)).min(PHASES)
}

/// Calls `add` with the terms that are no places: who has them, and how often.
#[inline]
fn other_terms(board: &Board, add: &mut impl FnMut(Side, usize, i32)) {
    let sight = Sight::of(board);
    for side in [Side::First, Side::Second] {
        let add = &mut |term: usize, count: i32| add(side, term, count);
        activity::terms(&sight, side, add);
        material::terms(&sight, side, add);
        danger::terms(&sight, side, add);
        threats::terms(&sight, side, add);
    }
    add(board.turn(), TEMPO, 1);
}

/// Calls `add` with all terms: who has them, and how often.
fn each_term(board: &Board, add: &mut impl FnMut(Side, usize, i32)) {
    for side in [Side::First, Side::Second] {
        for kind in Kind::ALL {
            for square in board.set(side, kind).iter() {
                add(side, layout::placed(kind, side, square as usize), 1);
            }
        }
    }
    other_terms(board, add);
}

/// Calls `add` with each weight of a position's terms that counts, and how many parts of it count.
pub fn terms_of(position: &Xiangqi, add: &mut dyn FnMut(usize, i32)) {
    let board = &position.board;
    let packed = &Evaluation::get().packed;
    let (mut counts, mut sum) = ([0; TERMS], 0);
    each_term(board, &mut |side, term, count| {
        let count = i32::from(side.sign()) * count;
        counts[term] += count;
        sum += count * packed[term];
    });
    let (phase, factor) = (phase(board), weighed(board, sum).1);
    for (term, count) in counts.into_iter().enumerate().filter(|&(_, count)| count != 0) {
        add(term, count * phase * factor);
        add(TERMS + term, count * (PHASES - phase) * factor);
    }
}

/// So few bytes that every program carries them.
const EMBEDDED: &[u8] = include_bytes!("weights.bin");

/// All weights in force.
pub fn all_weights() -> Vec<i32> {
    weights::in_force(Xiangqi::NAME, &FEATURES, EMBEDDED)
}

#[cfg(test)]
mod tests;
