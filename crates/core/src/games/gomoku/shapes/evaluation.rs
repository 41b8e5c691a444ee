//! Static evaluation: the sum of the weights of the codes of all empty points, for both colours, and a weight for the set of
//! threats of both. All weights are learned (docs/learning.md), in units specific to this evaluation.

use std::sync::{Arc, LazyLock};

use super::super::Gomoku;
use super::super::lines::Colour;
use super::super::opening::Phase;
use super::super::variant::{LARGEST, Rule};
use super::board::Board;
use super::codes::{ALL as ALL_CODES, CODES, Kind, Priority, Worth, kinds, priority};
use super::network;
use super::ordering::{ORDERING, Ordering};
use crate::games::Game;
use crate::position::Position;
use crate::weights::{self, Features};

/// The threats that count: each set of them, the side to move's and the other side's, has a weight.
pub(super) const THREATS: [Kind; 5] =
    [Kind::WinningFour, Kind::FourThree, Kind::Four, Kind::DoubleThree, Kind::OpenThree];
const THREAT_SETS: usize = 1 << (2 * THREATS.len());
/// Weights per colour to move: of its own codes, of the other colour's, and of threats.
const COLOUR: usize = 2 * CODES + THREAT_SETS;
/// Sets of weights: one per rule, and in renju, where the rules differ by colour, one per colour.
const SETS: usize = 5;
/// Weights of the evaluation; the weights of move ordering, in as many sets, and those of the network follow.
pub const VALUES: usize = SETS * COLOUR;
/// Points of the largest board.
const CELLS: usize = (LARGEST * LARGEST) as usize;
/// The limit of static values, less than a proven win.
const MAX_VALUE: i32 = 20_000;

/// The features that the weights belong to.
pub const FEATURES: Features =
    Features { name: "codes-5", count: NETWORK + network::COUNT, unit: "a hundredth of a logit" };

/// Small enough to be embedded in every program.
const EMBEDDED: &[u8] = include_bytes!("weights.bin");

/// The first weight of the network.
pub const NETWORK: usize = VALUES + SETS * ORDERING;

/// The weights of the network among all.
pub(super) fn network_weights(all: &[i32]) -> &[i32] {
    &all[NETWORK..]
}

/// Limits a value to less than a proven win.
#[inline]
pub(super) fn bounded(value: i32) -> i32 {
    value.clamp(-MAX_VALUE, MAX_VALUE)
}

/// All weights in use.
pub fn all_weights() -> Vec<i32> {
    weights::current(Gomoku::<88>::NAME, &FEATURES, EMBEDDED)
}

/// The number of the set of weights when this colour is to move.
pub(super) fn set(rule: Rule, to_move: Colour) -> usize {
    match (rule, to_move) {
        (Rule::Freestyle, _) => 0,
        (Rule::Standard, _) => 1,
        (Rule::Caro, _) => 2,
        (Rule::Renju, Colour::Black) => 3,
        (Rule::Renju, Colour::White) => 4,
    }
}

/// The weights of a rule's codes and threats.
#[derive(Debug)]
pub struct Evaluation {
    /// By colour and code. Where both colours have the same rules they share their tables, so that caches hold them once.
    worths: [Arc<[Worth]>; 2],
    kinds: [Arc<[u8]>; 2],
    priorities: [Arc<[Priority]>; 2],
    ordering: Ordering,
    /// By colour to move.
    threats: [Vec<i16>; 2],
}

static ALL: LazyLock<[Evaluation; 4]> = LazyLock::new(|| {
    let weights = all_weights();
    [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro].map(|rule| Evaluation::new(rule, &weights))
});

impl Evaluation {
    /// The evaluation of a rule.
    pub fn of(rule: Rule) -> &'static Self {
        &ALL[match rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 2,
            Rule::Caro => 3,
        }]
    }

    fn new(rule: Rule, weights: &[i32]) -> Self {
        let colours = [Colour::Black, Colour::White];
        let weights_of = |to_move| &weights[set(rule, to_move) * COLOUR..][..COLOUR];
        let restricted = |colour| rule == Rule::Renju && colour == Colour::Black;
        let worths = by_colour(rule, |colour, code| {
            let (own, other) = (weights_of(colour), weights_of(colour.other()));
            Worth { to_move: own[code] as i16, waiting: other[CODES + code] as i16 }
        });
        let kinds = by_colour(rule, |colour, code| kinds(ALL_CODES.classes(code), restricted(colour)));
        let priorities = by_colour(rule, |colour, code| priority(ALL_CODES.classes(code), restricted(colour)));
        let threats =
            colours.map(|colour| weights_of(colour)[2 * CODES..].iter().map(|&weight| weight as i16).collect());
        Self { worths, kinds, priorities, threats, ordering: Ordering::new(rule, &weights[VALUES..NETWORK]) }
    }

    /// The worth of a code for a colour.
    #[inline]
    pub fn worth(&self, colour: Colour, code: u16) -> Worth {
        self.worths[colour as usize][usize::from(code)]
    }

    /// The kinds of threat of a code for a colour, as bits.
    #[inline]
    pub fn kinds(&self, colour: Colour, code: u16) -> u8 {
        self.kinds[colour as usize][usize::from(code)]
    }

    /// How early to try a move on a point of this code.
    #[inline]
    pub fn priority(&self, colour: Colour, code: u16) -> Priority {
        self.priorities[colour as usize][usize::from(code)]
    }

    /// The move ordering.
    #[inline]
    pub fn ordering(&self) -> &Ordering {
        &self.ordering
    }

    /// The value for the side to move, from the sum of its codes' weights and the set of threats.
    #[inline]
    pub fn value(&self, to_move: Colour, sum: i32, threats: usize) -> i32 {
        bounded(sum + i32::from(self.threats[to_move as usize][threats]))
    }
}

/// A table by code for each colour.
fn by_colour<T>(rule: Rule, of: impl Fn(Colour, usize) -> T) -> [Arc<[T]>; 2] {
    let table = |colour| (0..CODES).map(|code| of(colour, code)).collect::<Arc<[T]>>();
    let black = table(Colour::Black);
    let white = if rule == Rule::Renju { table(Colour::White) } else { black.clone() };
    [black, white]
}

/// The number of a set of threats, from the counts of points of each kind for the side to move and for the other side.
#[inline]
pub fn threat_set(own: &[u16; Kind::COUNT], other: &[u16; Kind::COUNT]) -> usize {
    let bits = |counts: &[u16; Kind::COUNT], first: usize| {
        let bit = |(index, kind): (usize, &Kind)| usize::from(counts[*kind as usize] > 0) << (first + index);
        THREATS.iter().enumerate().map(bit).sum::<usize>()
    };
    bits(own, 0) | bits(other, THREATS.len())
}

/// Calls `add` with a position's features and how often each counts for the first player.
pub fn each_term<const LINES: usize>(position: &Gomoku<LINES>, add: &mut dyn FnMut(usize, i32)) {
    if !matches!(position.phase, Phase::Play { .. }) {
        return;
    }
    let board = Board::new(position);
    let own = position.colour();
    let first = set(position.rule, own) * COLOUR;
    let sign = i32::from(position.turn().sign());
    // Most points share a few codes, which count several times.
    let mut features: Vec<usize> = Vec::with_capacity(2 * CELLS);
    board.lines.empty_points().for_each(|at| {
        let codes = board.codes_at(at);
        features.push(first + usize::from(codes[own as usize]));
        features.push(first + CODES + usize::from(codes[own.other() as usize]));
    });
    features.sort_unstable();
    features.chunk_by(|a, b| a == b).for_each(|equal| add(equal[0], sign * equal.len() as i32));
    add(first + 2 * CODES + board.threats(own), sign);
}

/// Whether a position can be evaluated without search: nobody can make a five, and the side to move cannot make a four that
/// cannot be stopped.
pub fn is_quiet<const LINES: usize>(position: &Gomoku<LINES>) -> bool {
    if !matches!(position.phase, Phase::Play { .. }) {
        return false;
    }
    let board = Board::new(position);
    let (own, other) = (board.turn, board.turn.other());
    board.count(own, Kind::Five) + board.count(other, Kind::Five) + board.count(own, Kind::WinningFour) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::GomokuVariant;
    use crate::games::gomoku::variant::Opening;
    use crate::rng::Rng;

    #[test]
    fn the_weights_in_the_program_are_these_features() {
        let read = weights::read(EMBEDDED, Gomoku::<88>::NAME, &FEATURES);
        assert_eq!(read.map(|all| all.len()), Ok(FEATURES.count));
    }

    /// Learning and play agree: the value of a position is the sum of the weights of its features.
    #[test]
    fn values_are_sums_of_features() {
        let all = all_weights();
        let mut rng = Rng::new(9, 0);
        for game in 0..40 {
            let name = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro][game % 4];
            let variant = GomokuVariant { name, size: 15, opening: Opening::Free };
            let mut position = Gomoku::<130>::start(&variant);
            for _ in 0..4 + game {
                if position.outcome().is_none() {
                    position.play(position.random_near_move(&mut rng));
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let mut sum = 0;
            each_term(&position, &mut |feature, count| sum += all[feature] * count);
            assert_eq!(
                Board::new(&position).value() * i32::from(position.turn().sign()),
                sum.clamp(-MAX_VALUE, MAX_VALUE)
            );
        }
    }
}
