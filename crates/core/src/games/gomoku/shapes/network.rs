//! A small network that corrects the sum of weights: it sees combinations on a point, and in a region of the board.
//!
//! An empty point has a vector for each colour: the sum over the pairs of classes in its own code and in the other colour's,
//! clamped between 0 and [`ONE`]. So a point with something for both colours adds up differently from two points with something
//! for one each. Vectors are summed by region (`regions.rs`), and each region's sums pass through the same local layer: threats
//! close together mean more than as many far apart. The sums of all regions and of their local layers' outputs lead through a
//! hidden layer to the value. The network also sees the set of threats and the number of stones: late in the game the same
//! points promise less. All arithmetic is on integers, so a position has the same value on every machine.

use std::sync::LazyLock;

use super::super::Gomoku;
use super::super::lines::Colour;
use super::board::Board;
use super::codes::{ALL as ALL_CODES, CODES};
use super::evaluation::{NETWORK, THREATS, all_weights, network_weights};
use super::points::cell;
use super::regions::{region_of, regions_of};
use crate::layer::Layer;
use crate::learned::{LAYERS as COUNTED, NetworkInput, NetworkShape, OUTWARD_SHARE, count_weights};
use crate::position::{Position, Side};

/// Width of a point's vector for a colour.
const WIDTH: usize = 16;
/// Widths of the local layer and of the hidden layer.
const LOCAL: usize = 8;
const HIDDEN: usize = 32;
/// Inputs of the hidden layer: both colours' sums, and the local layers' outputs from both colours' views.
const INPUTS: usize = 2 * (WIDTH + LOCAL);
/// Pairs of classes of a point in a view, from both codes.
const ROWS: usize = 12;
/// Pairs of classes; a code has the six of its four classes.
const PAIRS: usize = super::classes::Class::COUNT * (super::classes::Class::COUNT + 1) / 2;
/// Bits of a set of threats.
const SETS: usize = 2 * THREATS.len();
/// Numbers of stones at which the next stage of a game begins.
const STAGES: [u32; 6] = [16, 24, 32, 44, 60, 90];
/// Binary features: threats, and stages that have begun.
const FLAGS: usize = SETS + STAGES.len();
/// Weights in order: pairs of classes of the own code and of the other; the local layer and its biases; the hidden layer, its
/// biases and what threats and stages add to them; the last layer, what threats and stages add to the value, and its bias.
const LAYERS: [usize; COUNTED] =
    [2 * PAIRS * WIDTH, LOCAL * 2 * WIDTH, LOCAL, HIDDEN * INPUTS, HIDDEN, FLAGS * HIDDEN, HIDDEN, FLAGS, 1];
/// The fixed-point scale of each layer's weights, in parts of one.
const PARTS: [i32; COUNTED] = [8 * ONE, 1024, 1024, 512, 1024, 1024, 16, 16, 16];
/// How many weights there are.
pub const COUNT: usize = count_weights(LAYERS);

/// The most that a point adds to a sum. All points of the largest board add up to less than 2^16.
const ONE: i32 = 127;
/// As an input of the local layer, a sum of `LOCAL_SHARE` times [`ONE`] is one.
const LOCAL_SHARE: i32 = 4;
/// One in the local layer, before and after the shift.
const LOCAL_ONE: i32 = PARTS[1] * LOCAL_SHARE * ONE;
const LOCAL_SHORTENED: u32 = 9;
const LOCAL_MOST: i32 = LOCAL_ONE >> LOCAL_SHORTENED;
/// As an input of the hidden layer, a sum of `SHARE` times [`ONE`] is one; sums are halved to fit 16 bits. The outputs of local
/// layers are divided by [`OUTWARD_SHARE`].
const SHARE: i32 = 16;
const INPUT_ONE: i32 = SHARE * ONE / 2;
const _: () = assert!(LOCAL_MOST == INPUT_ONE, "one is the same in both");
const OUTWARD_BITS: u32 = OUTWARD_SHARE.ilog2();
const _: () = assert!(1 << OUTWARD_BITS == OUTWARD_SHARE, "a shift divides by it");
/// One in the hidden layer, before and after the shift.
const HIDDEN_ONE: i32 = PARTS[3] * INPUT_ONE;
const SHORTENED: u32 = 9;
const OUTPUT_ONE: i32 = HIDDEN_ONE >> SHORTENED;

/// The sums of a region's points, for Black, then for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Vectors([i16; 2 * WIDTH]);

impl Default for Vectors {
    fn default() -> Self {
        Self([0; 2 * WIDTH])
    }
}

/// The output of a region's local layer, from Black's view, then from White's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Local([i16; 2 * LOCAL]);

/// What a code adds to a point's vectors: to its own colour's, then to the other colour's.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Both([i16; 2 * WIDTH]);

/// The network.
#[derive(Debug)]
pub struct Network {
    codes: Vec<Both>,
    /// For Black's outputs, then for White's.
    local: Layer<WIDTH, { 2 * LOCAL / 8 }>,
    local_biases: [i32; 2 * LOCAL],
    hidden: Layer<{ INPUTS / 2 }, { HIDDEN / 8 }>,
    /// The biases of the hidden layer and of the value, in each stage of a game.
    biases: [([i32; HIDDEN], i32); STAGES.len() + 1],
    /// What each kind of threat adds to the hidden layer and to the value.
    threats: [([i32; HIDDEN], i32); SETS],
    output: [i32; HIDDEN],
}

static CURRENT: LazyLock<Network> = LazyLock::new(|| Network::new(network_weights(&all_weights())));

impl Network {
    /// The network in use, for all rules.
    pub fn get() -> &'static Self {
        &CURRENT
    }

    fn new(weights: &[i32]) -> Self {
        let mut rest = weights;
        let [pairs, local, local_biases, hidden, biases, flags, output, direct, bias] = LAYERS.map(|count| {
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
            // Rounded; the sum of two fits 16 bits.
            sums.map(|sum| ((sum + 4) >> 3).clamp(-8000, 8000) as i16)
        };
        let both = |code: usize| {
            let (own, other) = (vector(code, 0), vector(code, 1));
            Both(std::array::from_fn(|index| if index < WIDTH { own[index] } else { other[index - WIDTH] }))
        };
        let of_bias = |weight: i32| weight * (HIDDEN_ONE / PARTS[4]);
        let flag = |flag: usize| {
            let to_hidden: [i32; HIDDEN] = std::array::from_fn(|to| of_bias(flags[HIDDEN * flag + to]));
            (to_hidden, direct[flag] * OUTPUT_ONE)
        };
        let at_first = (std::array::from_fn(|to| of_bias(biases[to])), bias[0] * OUTPUT_ONE);
        // A stage that has begun stays on.
        let in_stage = |stage: usize| {
            (0..stage).map(|begun| flag(SETS + begun)).fold(at_first, |(hidden, value), (to_hidden, to_value)| {
                (std::array::from_fn(|to| hidden[to] + to_hidden[to]), value + to_value)
            })
        };
        Self {
            codes: (0..CODES).map(both).collect(),
            // White's view is the same with the colours swapped.
            local: Layer::new(|to, from| {
                let changed = to / LOCAL * WIDTH;
                local[2 * WIDTH * (to % LOCAL) + (from + changed) % (2 * WIDTH)] as i16
            }),
            local_biases: std::array::from_fn(|to| local_biases[to % LOCAL] * (LOCAL_ONE / PARTS[2])),
            hidden: Layer::new(|to, from| hidden[INPUTS * to + from] as i16),
            biases: std::array::from_fn(in_stage),
            threats: std::array::from_fn(flag),
            output: std::array::from_fn(|from| output[from]),
        }
    }

    /// The vectors of a point, from its codes for Black and White.
    #[inline(always)]
    fn point(&self, [black, white]: [u16; 2]) -> [i16; 2 * WIDTH] {
        let (black, white) = (&self.codes[usize::from(black)].0, &self.codes[usize::from(white)].0);
        let mut point = [0; 2 * WIDTH];
        for index in 0..WIDTH {
            point[index] = (black[index] + white[WIDTH + index]).clamp(0, ONE as i16);
            point[WIDTH + index] = (white[index] + black[WIDTH + index]).clamp(0, ONE as i16);
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

    /// Replaces a point's codes.
    #[inline(always)]
    pub fn exchange(&self, sums: &mut Vectors, before: [u16; 2], now: [u16; 2]) {
        let (before, now) = (self.point(before), self.point(now));
        for index in 0..2 * WIDTH {
            sums.0[index] = sums.0[index].wrapping_add(now[index].wrapping_sub(before[index]));
        }
    }

    /// The output of a region's local layer.
    #[inline]
    pub fn local(&self, sums: &Vectors) -> Local {
        let numbers = self.local.apply(sums.0, self.local_biases);
        Local(numbers.map(|number| (number >> LOCAL_SHORTENED).clamp(0, LOCAL_MOST) as i16))
    }

    /// The correction of the value for the side to move, from each region's sums and the output of its local layer.
    #[inline]
    pub fn value(&self, (vectors, local): (&[Vectors], &[Local]), to_move: Colour, threats: usize, stones: u32) -> i32 {
        let (mut sums, mut locals) = ([0u16; 2 * WIDTH], [0i16; 2 * LOCAL]);
        for region in vectors {
            sums.iter_mut().zip(region.0).for_each(|(sum, more)| *sum = sum.wrapping_add(more as u16));
        }
        for region in local {
            locals.iter_mut().zip(region.0).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
        }
        let (own, other) = if to_move == Colour::Black { (0, 1) } else { (1, 0) };
        let mut input = [0i16; INPUTS];
        for index in 0..WIDTH {
            input[index] = (sums[WIDTH * own + index] >> 1) as i16;
            input[WIDTH + index] = (sums[WIDTH * other + index] >> 1) as i16;
        }
        for index in 0..LOCAL {
            input[2 * WIDTH + index] = locals[LOCAL * own + index] >> OUTWARD_BITS;
            input[2 * WIDTH + LOCAL + index] = locals[LOCAL * other + index] >> OUTWARD_BITS;
        }
        let (mut hidden, mut value) = self.biases[stage(stones)];
        for bit in super::super::lines::bits(threats as u32) {
            let (to_hidden, to_value) = &self.threats[bit as usize];
            hidden.iter_mut().zip(to_hidden).for_each(|(sum, more)| *sum += more);
            value += to_value;
        }
        let hidden = self.hidden.apply(input, hidden).map(|number| (number >> SHORTENED).clamp(0, OUTPUT_ONE));
        value += hidden.iter().zip(self.output).map(|(number, output)| number * output).sum::<i32>();
        value / (OUTPUT_ONE * PARTS[6])
    }
}

/// The number of stages that have begun with this many stones.
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

/// The layout of its weights, for learning.
pub const SHAPE: NetworkShape = NetworkShape {
    first: NETWORK,
    layers: LAYERS,
    parts: PARTS,
    width: WIDTH,
    hidden: HIDDEN,
    local: LOCAL,
    rows: ROWS,
    share: SHARE,
    local_share: LOCAL_SHARE,
};

/// Its input for a position, for learning.
pub fn input<const LINES: usize>(position: &Gomoku<LINES>) -> NetworkInput {
    let board = Board::new(position);
    let (own, other) = (board.turn, board.turn.other());
    let view = |codes: [u16; 2], first: Colour| {
        let [one, two] = [first, first.other()].map(|colour| each_pair(codes[colour as usize].into()));
        one.chain(two.map(|pair| PAIRS + pair)).map(|row| row as u16)
    };
    let mut points: Vec<(usize, [u16; 2])> =
        board.lines.empty_points().map(|at| (region_of(cell(at)), board.codes_at(at))).collect();
    points.sort_unstable();
    let kinds = || points.chunk_by(|one, another| one == another);
    let mut regions = vec![0; regions_of(board.lines.size.into())];
    kinds().for_each(|equal| regions[equal[0].0] += 1);
    NetworkInput {
        is_first: position.turn() == Side::First,
        features: board.threats(own) as u32 | ((1 << stage(board.stones)) - 1) << SETS,
        rows: kinds()
            .flat_map(|equal| [own, other].into_iter().flat_map(move |first| view(equal[0].1, first)))
            .collect(),
        share: 1.0,
        points: kinds().map(|equal| (ROWS as u16, equal.len() as u16)).collect(),
        regions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::shapes::regions::MOST_REGIONS;
    use crate::games::gomoku::variant::LARGEST;

    /// No sum overflows on any board.
    #[test]
    fn nothing_overflows() {
        let network = Network::get();
        let most = i64::from(LARGEST) * i64::from(LARGEST) * i64::from(ONE);
        assert!(most <= i64::from(u16::MAX));
        let most_of_region = 25 * i64::from(ONE);
        for (to, bias) in network.local_biases.iter().enumerate() {
            let products: i64 =
                network.local.weights_to(to).iter().map(|&weight| i64::from(weight).abs() * most_of_region).sum();
            assert!(products + i64::from(*bias).abs() < i64::from(i32::MAX));
        }
        assert!(MOST_REGIONS as i32 * LOCAL_MOST <= i16::MAX.into());
        let most_local = MOST_REGIONS as i64 * i64::from(LOCAL_MOST) / i64::from(OUTWARD_SHARE);
        for to in 0..HIDDEN {
            let weights = network.hidden.weights_to(to);
            let most = |input: usize| if input < 2 * WIDTH { most / 2 } else { most_local };
            let products = weights.iter().enumerate().map(|(input, &weight)| i64::from(weight).abs() * most(input));
            let products: i64 = products.sum();
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
