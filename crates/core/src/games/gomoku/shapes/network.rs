//! A small network that corrects the sum of weights: it sees what goes together on a point.
//!
//! An empty point has a vector for each colour: what the pairs of classes in its own code and in the other colour's add up to,
//! cut off at 0 and [`ONE`]. So a point with something for both counts for another sum than two points with one each. The
//! vectors of all points are summed, which a stone changes at few points; two layers behind lead to the value. They know also
//! which threats there are, and how many stones: late in a game the same points promise less. Everything is whole numbers: the
//! value of a position is the same on every machine.

use std::sync::LazyLock;

use super::super::Gomoku;
use super::super::lines::Colour;
use super::board::Board;
use super::codes::{ALL as ALL_CODES, CODES};
use super::evaluation::{NETWORK, THREATS, all_weights, network_weights};
use crate::learning::{HIDDEN, LAYERS as COUNTED, NetworkTerms, Seen, Shape, count_weights};
use crate::position::{Position, Side};

/// Numbers of a point's vector for a colour.
const WIDTH: usize = 16;
/// Pairs of classes that a point has in a view, of both codes.
const ROWS: usize = 12;
/// Pairs of classes; a code has the six of its four classes.
const PAIRS: usize = super::classes::Class::COUNT * (super::classes::Class::COUNT + 1) / 2;
/// Bits of a set of threats.
const SETS: usize = 2 * THREATS.len();
/// Numbers of stones from which on a game is in its next stage.
const STAGES: [u32; 6] = [16, 24, 32, 44, 60, 90];
/// Features that hold or do not: threats, and stages that have begun.
const FLAGS: usize = SETS + STAGES.len();
/// Weights in their order: pairs of classes of the own code and of the other; the hidden layer, its biases and what threats and
/// stages add to them; the last layer, what threats and stages add to the value, and its bias.
const LAYERS: [usize; COUNTED] = [2 * PAIRS * WIDTH, HIDDEN * 2 * WIDTH, HIDDEN, FLAGS * HIDDEN, HIDDEN, FLAGS, 1];
/// What a weight of each stands for, as parts of one.
const PARTS: [i32; COUNTED] = [8 * ONE, 512, 1024, 1024, 16, 16, 16];
/// How many weights there are.
pub const COUNT: usize = count_weights(LAYERS);

/// The most that a point adds to a sum. On the largest board all points add up to less than 2^16.
const ONE: i32 = 127;
/// Sums go into the hidden layer as sixteenths of [`ONE`], halved so that they are numbers of 16 bits.
const SHARE: i32 = 16;
/// One in the hidden layer, before and after it is shortened.
const HIDDEN_ONE: i32 = PARTS[1] * SHARE * ONE / 2;
const SHORTENED: u32 = 9;
const OUTPUT_ONE: i32 = HIDDEN_ONE >> SHORTENED;

/// What all points add up to, for Black and then for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Vectors([u16; 2 * WIDTH]);

impl Default for Vectors {
    fn default() -> Self {
        Self([0; 2 * WIDTH])
    }
}

/// What a code adds to a point's vectors: to that of its own colour, and then to the other colour's.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Both([i16; 2 * WIDTH]);

/// The network.
#[derive(Debug)]
pub struct Network {
    codes: Vec<Both>,
    hidden: [[i16; 2 * WIDTH]; HIDDEN],
    /// What the hidden layer begins with, and the value, in each stage of a game.
    biases: [([i32; HIDDEN], i32); STAGES.len() + 1],
    /// What each kind of threat adds to the hidden layer, and to the value.
    threats: [([i32; HIDDEN], i32); SETS],
    output: [i32; HIDDEN],
}

static IN_FORCE: LazyLock<Network> = LazyLock::new(|| Network::new(network_weights(&all_weights())));

impl Network {
    /// The network in force, for all rules.
    pub fn get() -> &'static Self {
        &IN_FORCE
    }

    fn new(weights: &[i32]) -> Self {
        let mut rest = weights;
        let [pairs, hidden, biases, flags, output, direct, bias] = LAYERS.map(|count| {
            let (these, others) = rest.split_at(count);
            rest = others;
            these
        });
        let vector = |code: usize, side: usize| -> [i16; WIDTH] {
            let mut sums = [0; WIDTH];
            for pair in each_pair(code) {
                let weights = &pairs[(side * PAIRS + pair) * WIDTH..][..WIDTH];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
            // Rounded; two of them do not leave 16 bits.
            sums.map(|sum| ((sum + 4) >> 3).clamp(-8000, 8000) as i16)
        };
        let both = |code: usize| {
            let (own, other) = (vector(code, 0), vector(code, 1));
            Both(std::array::from_fn(|index| if index < WIDTH { own[index] } else { other[index - WIDTH] }))
        };
        let of_bias = |weight: i32| weight * (HIDDEN_ONE / PARTS[2]);
        let flag = |flag: usize| {
            let to_hidden: [i32; HIDDEN] = std::array::from_fn(|to| of_bias(flags[HIDDEN * flag + to]));
            (to_hidden, direct[flag] * OUTPUT_ONE)
        };
        let at_first = (std::array::from_fn(|to| of_bias(biases[to])), bias[0] * OUTPUT_ONE);
        // A stage that has begun does not end.
        let in_stage = |stage: usize| {
            (0..stage).map(|begun| flag(SETS + begun)).fold(at_first, |(hidden, value), (to_hidden, to_value)| {
                (std::array::from_fn(|to| hidden[to] + to_hidden[to]), value + to_value)
            })
        };
        Self {
            codes: (0..CODES).map(both).collect(),
            hidden: std::array::from_fn(|to| std::array::from_fn(|from| hidden[2 * WIDTH * to + from] as i16)),
            biases: std::array::from_fn(in_stage),
            threats: std::array::from_fn(flag),
            output: std::array::from_fn(|from| output[from]),
        }
    }

    /// The vectors of a point with these codes of Black and White.
    #[inline(always)]
    fn point(&self, [black, white]: [u16; 2]) -> [u16; 2 * WIDTH] {
        let (black, white) = (&self.codes[usize::from(black)].0, &self.codes[usize::from(white)].0);
        let mut point = [0; 2 * WIDTH];
        for index in 0..WIDTH {
            point[index] = (black[index] + white[WIDTH + index]).clamp(0, ONE as i16) as u16;
            point[WIDTH + index] = (white[index] + black[WIDTH + index]).clamp(0, ONE as i16) as u16;
        }
        point
    }

    #[inline(always)]
    pub fn add(&self, sums: &mut Vectors, codes: [u16; 2]) {
        let point = self.point(codes);
        sums.0.iter_mut().zip(point).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
    }

    #[inline(always)]
    pub fn subtract(&self, sums: &mut Vectors, codes: [u16; 2]) {
        let point = self.point(codes);
        sums.0.iter_mut().zip(point).for_each(|(sum, less)| *sum = sum.wrapping_sub(less));
    }

    /// What is to be added to the value for the side to move.
    #[inline]
    pub fn value(&self, sums: &Vectors, to_move: Colour, threats: usize, stones: u32) -> i32 {
        let (own, other) = if to_move == Colour::Black { (0, WIDTH) } else { (WIDTH, 0) };
        let mut input = [0i16; 2 * WIDTH];
        for index in 0..WIDTH {
            input[index] = (sums.0[own + index] >> 1) as i16;
            input[WIDTH + index] = (sums.0[other + index] >> 1) as i16;
        }
        let (mut hidden, mut value) = self.biases[stage(stones)];
        for bit in super::super::lines::bits(threats as u32) {
            let (to_hidden, to_value) = &self.threats[bit as usize];
            hidden.iter_mut().zip(to_hidden).for_each(|(sum, more)| *sum += more);
            value += to_value;
        }
        for ((sum, weights), output) in hidden.iter().zip(&self.hidden).zip(self.output) {
            let products = weights.iter().zip(&input).map(|(&weight, &number)| i32::from(weight) * i32::from(number));
            value += output * ((sum + products.sum::<i32>()) >> SHORTENED).clamp(0, OUTPUT_ONE);
        }
        value / (OUTPUT_ONE * PARTS[4])
    }
}

/// How many stages have begun with so many stones.
#[inline]
fn stage(stones: u32) -> usize {
    STAGES.iter().map(|&from| usize::from(stones >= from)).sum()
}

/// The pairs of classes of a code, by number.
pub fn each_pair(code: usize) -> impl Iterator<Item = usize> {
    let mut classes = ALL_CODES.classes(code).map(|class| class as usize);
    classes.sort_unstable();
    (1..4).flat_map(move |high| (0..high).map(move |low| classes[low] + classes[high] * (classes[high] + 1) / 2))
}

/// What is fitted of it.
pub fn terms<const LINES: usize>() -> NetworkTerms<Gomoku<LINES>> {
    NetworkTerms {
        shape: Shape { first: NETWORK, layers: LAYERS, parts: PARTS, width: WIDTH, rows: ROWS, share: SHARE },
        look,
    }
}

/// What it sees of a position, as it is learned.
fn look<const LINES: usize>(position: &Gomoku<LINES>) -> Seen {
    let board = Board::new(position);
    let (own, other) = (board.turn, board.turn.other());
    let mut codes: Vec<[u16; 2]> = board.lines.empty_points().map(|at| board.codes_at(at)).collect();
    codes.sort_unstable();
    let view = |codes: [u16; 2], first: Colour| {
        let [one, two] = [first, first.other()].map(|colour| each_pair(codes[colour as usize].into()));
        one.chain(two.map(|pair| PAIRS + pair)).map(|row| row as u16)
    };
    let kinds = || codes.chunk_by(|one, another| one == another);
    Seen {
        is_first: position.turn() == Side::First,
        features: board.threats(own) as u32 | ((1 << stage(board.stones)) - 1) << SETS,
        rows: kinds().flat_map(|equal| [own, other].into_iter().flat_map(move |first| view(equal[0], first))).collect(),
        share: 1.0,
        points: kinds().map(|equal| (ROWS as u16, equal.len() as u16)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::variant::LARGEST;

    /// No sum leaves the bits that it has, whatever stands on the board.
    #[test]
    fn nothing_overflows() {
        let network = Network::get();
        let most = i64::from(LARGEST * LARGEST) * i64::from(ONE);
        assert!(most <= i64::from(u16::MAX));
        for (to, weights) in network.hidden.iter().enumerate() {
            let products: i64 = weights.iter().map(|&weight| i64::from(weight).abs() * (most / 2)).sum();
            let threats: i64 = network.threats.iter().map(|(threat, _)| i64::from(threat[to]).abs()).sum();
            let bias =
                network.biases.iter().map(|(bias, _)| i64::from(bias[to]).abs()).max().expect("there are stages");
            assert!(products + threats + bias < i64::from(i32::MAX), "{to}");
        }
        let outputs: i64 = network.output.iter().map(|&weight| i64::from(weight).abs() * i64::from(OUTPUT_ONE)).sum();
        let threats: i64 = network.threats.iter().map(|(_, threat)| i64::from(*threat).abs()).sum();
        let bias = network.biases.iter().map(|(_, bias)| i64::from(*bias).abs()).max().expect("there are stages");
        assert!(outputs + threats + bias < i64::from(i32::MAX));
    }
}
