//! Static evaluation: piece-square terms, mobility, combinations of material, danger to the generals, threats, and drawn
//! endings, corrected by a small network.
//!
//! All terms are linear and have two weights, for the opening and for the ending; a position lies in between by the rooks,
//! horses and cannons left. `crates/train` fits the weights to self-played games (docs/learning.md). The unit is a hundredth of
//! an uncrossed pawn.

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
use network::{Network, OtherTerms, Views};
use sight::Sight;

pub use network::{SHAPE, input as network_input};

/// The first weight of the network, after the weights of both phases of each term, the opening's first.
const NETWORK: usize = 2 * TERMS;
/// The features that the weights belong to.
pub const FEATURES: Features =
    Features { name: "terms-3", count: NETWORK + network::COUNT, unit: "a hundredth of an uncrossed pawn" };
/// The counts of a position's terms are in parts of one: this many make one.
pub const PARTS: i32 = PHASES * endings::WHOLE;
/// Phases from the ending to the opening: a rook counts two, a horse or a cannon one.
const PHASES: i32 = 16;

/// The weights, ready for use.
pub struct Evaluation {
    /// Weights of both phases in one word, so that one sum adds both: the ending's in the upper half.
    packed: [i32; TERMS],
    network: Network,
}

static EVALUATION: LazyLock<Evaluation> = LazyLock::new(|| Evaluation::new(&all_weights()));

/// Sums over the men on their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The piece-square terms of both phases, for the first player.
    placed: i32,
    /// The network's views of them.
    views: Views,
}

impl Evaluation {
    /// The evaluation in use.
    pub fn get() -> &'static Self {
        &EVALUATION
    }

    fn new(weights: &[i32]) -> Self {
        let packed = std::array::from_fn(|term| weights[term] + (weights[TERMS + term] << 16));
        Self { packed, network: Network::new(&weights[NETWORK..]) }
    }

    /// The sums of a board, computed from scratch.
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

    /// The sums after a man has moved, with or without a capture.
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
        let mut present = OtherTerms::default();
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

/// The value of a packed sum of terms for the first player, and the factor applied to it for endings near a draw.
#[inline]
fn weighed(board: &Board, sum: i32) -> (i32, i32) {
    // A negative lower half borrows from the upper one.
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

/// Calls `add` with all terms but piece-square terms: the side that has each, and how often.
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

/// Calls `add` with all terms: the side that has each, and how often.
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

/// Calls `add` with each weight that counts in a position, and its count in [`PARTS`].
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

/// Small enough to be embedded in every program.
const EMBEDDED: &[u8] = include_bytes!("weights.bin");

/// All weights in use.
pub fn all_weights() -> Vec<i32> {
    weights::current(Xiangqi::NAME, &FEATURES, EMBEDDED)
}

#[cfg(test)]
mod tests;
