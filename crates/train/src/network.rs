//! The network that corrects the sum of weights, in floating point for fitting: its forward pass, and its gradient by
//! backpropagation.
//!
//! A position is encoded from the view of each side. In each view a point has a vector: the sum of the rows that it names,
//! clipped to the range from 0 to 1. The vectors of all points are summed (a game may have a single point, the whole board).
//! Both sums and some binary features pass through a hidden layer to the output, which is added to the value. A game may also
//! divide its points into regions. The sums of each region pass through a local layer, shared by all regions; its outputs, for
//! both sides, are summed over the regions and are inputs of the hidden layer too.

use tesuji_core::learned::{LAYERS, NetworkInput, NetworkShape, OUTWARD_SHARE};

/// The first layer whose weights are stored in units of the value.
pub const VALUES: usize = 6;
/// Factor of the local layer's outputs as inputs of the hidden layer.
const OUTWARD: f32 = 1.0 / OUTWARD_SHARE as f32;

/// Vectors in the view of the side to move, and in the opponent's.
type Both<const WIDTH: usize> = [[f32; WIDTH]; 2];

/// The points: the rows of both views, and the number of equal points.
fn each_point(input: &NetworkInput) -> impl Iterator<Item = ([&[u16]; 2], f32)> {
    let mut rest = input.rows.as_slice();
    input.points.iter().map(move |&(rows, count)| {
        let (own, others) = rest.split_at(rows.into());
        let (other, others) = others.split_at(rows.into());
        rest = others;
        ([own, other], f32::from(count))
    })
}

/// The number of points in each region; without regions, one region of all points.
fn sizes(input: &NetworkInput) -> Vec<usize> {
    match input.regions.as_slice() {
        [] => vec![input.points.len()],
        regions => regions.iter().map(|&points| points.into()).collect(),
    }
}

/// The weights, layer by layer.
pub struct Net<const WIDTH: usize, const HIDDEN: usize> {
    pub weights: Vec<f32>,
    /// The first weight of each layer.
    offsets: [usize; LAYERS],
    local: usize,
    share: f32,
    local_share: f32,
}

/// The activations of a forward pass.
pub struct Forward<const WIDTH: usize, const HIDDEN: usize> {
    /// Sums of the point vectors, by region.
    regions: Vec<Both<WIDTH>>,
    /// Outputs of the local layer before clipping, by region, for both sides.
    local: Vec<[f32; 2]>,
    /// Inputs of the hidden layer.
    input: Vec<f32>,
    hidden: [f32; HIDDEN],
    pub output: f32,
}

fn clip(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

fn is_unclipped(number: f32) -> bool {
    number > 0.0 && number < 1.0
}

fn bits(features: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| features >> bit & 1 == 1)
}

fn product(weights: &[f32], numbers: &[f32]) -> f32 {
    weights.iter().zip(numbers).map(|(weight, number)| weight * number).sum()
}

/// Adds a multiple of a vector.
fn add(sums: &mut [f32], vector: &[f32], times: f32) {
    sums.iter_mut().zip(vector).for_each(|(sum, number)| *sum += times * number);
}

impl<const WIDTH: usize, const HIDDEN: usize> Net<WIDTH, HIDDEN> {
    pub fn new(shape: &NetworkShape, weights: Vec<f32>) -> Self {
        let mut end = 0;
        let offsets = shape.layers.map(|count| {
            end += count;
            end - count
        });
        let NetworkShape { local, share, local_share, .. } = *shape;
        Self { weights, offsets, local, share: share as f32, local_share: local_share as f32 }
    }

    /// A point's vector, before clipping.
    fn point(&self, rows: &[u16]) -> [f32; WIDTH] {
        let mut sum = [0.0; WIDTH];
        rows.iter().for_each(|&row| add(&mut sum, &self.weights[WIDTH * usize::from(row)..][..WIDTH], 1.0));
        sum
    }

    /// Number of inputs of the hidden layer: both views' sums, and the local layer's outputs for both sides.
    fn inputs(&self) -> usize {
        2 * (WIDTH + self.local)
    }

    /// Index of the weights from a region's sums to output `to` of the local layer; view 0 is the side's own, 1 the opponent's.
    fn to_local(&self, to: usize, view: usize) -> usize {
        self.offsets[1] + (2 * to + view) * WIDTH
    }

    pub fn forward(&self, network_input: &NetworkInput) -> Forward<WIDTH, HIDDEN> {
        let mut points = each_point(network_input);
        let sum = |size: usize| {
            let mut sums = [[0.0; WIDTH]; 2];
            for (views, count) in points.by_ref().take(size) {
                sums.iter_mut().zip(views).for_each(|(sum, rows)| add(sum, &self.point(rows).map(clip), count));
            }
            sums
        };
        let regions: Vec<Both<WIDTH>> = sizes(network_input).into_iter().map(sum).collect();
        let mut input = vec![0.0; self.inputs()];
        let (sums, locals) = input.split_at_mut(2 * WIDTH);
        let mut local = Vec::with_capacity(self.local * regions.len());
        for region in &regions {
            add(sums, region.as_flattened(), 1.0 / self.share);
            for to in 0..self.local {
                let numbers = [0, 1].map(|side| {
                    let of = |view| product(&self.weights[self.to_local(to, view)..][..WIDTH], &region[side ^ view]);
                    self.weights[self.offsets[2] + to] + (of(0) + of(1)) / self.local_share
                });
                numbers.iter().enumerate().for_each(|(side, &number)| {
                    locals[side * self.local + to] += OUTWARD * clip(number);
                });
                local.push(numbers);
            }
        }
        let [_, _, _, to_hidden, biases, features, last, direct, bias] = self.offsets;
        let mut output =
            self.weights[bias] + bits(network_input.features).map(|bit| self.weights[direct + bit]).sum::<f32>();
        let hidden = std::array::from_fn(|to| {
            let mut sum = self.weights[biases + to];
            sum += bits(network_input.features).map(|bit| self.weights[features + HIDDEN * bit + to]).sum::<f32>();
            sum += product(&self.weights[to_hidden + to * input.len()..], &input);
            output += self.weights[last + to] * clip(sum);
            sum
        });
        Forward { regions, local, input, hidden, output }
    }

    /// Adds a position's contribution to the gradient. `slope` is the derivative of its error by the output.
    pub fn backward(
        &self,
        network_input: &NetworkInput,
        forward: &Forward<WIDTH, HIDDEN>,
        slope: f32,
        gradient: &mut [f32],
    ) {
        let [_, _, _, to_hidden, biases, features, last, direct, bias] = self.offsets;
        gradient[bias] += slope;
        bits(network_input.features).for_each(|bit| gradient[direct + bit] += slope);
        let inputs = forward.input.len();
        let mut by_input = vec![0.0; inputs];
        for (to, &hidden) in forward.hidden.iter().enumerate() {
            gradient[last + to] += slope * clip(hidden);
            if !is_unclipped(hidden) {
                continue;
            }
            let slope = slope * self.weights[last + to];
            gradient[biases + to] += slope;
            bits(network_input.features).for_each(|bit| gradient[features + HIDDEN * bit + to] += slope);
            let begin = to_hidden + to * inputs;
            add(&mut by_input, &self.weights[begin..][..inputs], slope);
            add(&mut gradient[begin..][..inputs], &forward.input, slope);
        }
        let (by_sums, by_locals) = by_input.split_at(2 * WIDTH);
        let mut points = each_point(network_input);
        for ((region, sums), size) in forward.regions.iter().enumerate().zip(sizes(network_input)) {
            let mut by_region = [[0.0; WIDTH]; 2];
            add(by_region.as_flattened_mut(), by_sums, 1.0 / self.share);
            let local = &forward.local[region * self.local..][..self.local];
            self.backward_local(sums, local, by_locals, &mut by_region, gradient);
            for (views, count) in points.by_ref().take(size) {
                for (rows, slopes) in views.into_iter().zip(by_region) {
                    let mut point = self.point(rows);
                    for (number, slope) in point.iter_mut().zip(slopes) {
                        *number = if is_unclipped(*number) { count * slope } else { 0.0 };
                    }
                    rows.iter().for_each(|&row| add(&mut gradient[WIDTH * usize::from(row)..][..WIDTH], &point, 1.0));
                }
            }
        }
    }

    /// The same for a region's path through the local layer. Also adds the derivatives by the region's sums to `by_region`.
    fn backward_local(
        &self,
        sums: &Both<WIDTH>,
        local: &[[f32; 2]],
        by_locals: &[f32],
        by_region: &mut Both<WIDTH>,
        gradient: &mut [f32],
    ) {
        for (to, numbers) in local.iter().enumerate() {
            for (side, _) in numbers.iter().enumerate().filter(|(_, number)| is_unclipped(**number)) {
                let slope = OUTWARD * by_locals[side * self.local + to];
                gradient[self.offsets[2] + to] += slope;
                for view in 0..2 {
                    let weights = self.to_local(to, view);
                    add(&mut gradient[weights..][..WIDTH], &sums[side ^ view], slope / self.local_share);
                    add(&mut by_region[side ^ view], &self.weights[weights..][..WIDTH], slope / self.local_share);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::learned::count_weights;
    use tesuji_core::rng::Rng;

    const ROWS: usize = 5;
    const FEATURES: usize = 3;

    fn shape(local: usize) -> NetworkShape {
        let layers = [ROWS * 2, local * 2 * 2, local, 3 * 2 * (2 + local), 3, FEATURES * 3, 3, FEATURES, 1];
        let parts = [1; LAYERS];
        NetworkShape { first: 0, layers, parts, width: 2, hidden: 3, local, rows: 2, share: 4, local_share: 4 }
    }

    /// Three points, the second of which counts twice.
    fn network_input(regions: Vec<u16>) -> NetworkInput {
        let rows = vec![0, 1, 2, 3, 4, 0, 1, 2, 3, 3, 0, 4];
        let points = vec![(2, 1), (2, 2), (2, 1)];
        NetworkInput { is_first: true, features: 0b101, rows, share: 1.0, points, regions }
    }

    /// The gradient agrees with finite differences of the output.
    #[test]
    fn gradients_are_slopes() {
        for (local, regions) in [(0, vec![]), (2, vec![2, 1])] {
            let (shape, network_input) = (shape(local), network_input(regions));
            let mut rng = Rng::new(3, 0);
            let weights: Vec<f32> =
                (0..count_weights(shape.layers)).map(|_| (0.4 * rng.unit_interval() - 0.1) as f32).collect();
            let output =
                |weights: &[f32]| f64::from(Net::<2, 3>::new(&shape, weights.to_vec()).forward(&network_input).output);
            let net = Net::<2, 3>::new(&shape, weights.clone());
            let mut gradient = vec![0.0; weights.len()];
            net.backward(&network_input, &net.forward(&network_input), 1.0, &mut gradient);
            let mut moved = 0;
            for index in 0..weights.len() {
                let mut beside = [weights.clone(), weights.clone()];
                beside[0][index] -= 1.0 / 256.0;
                beside[1][index] += 1.0 / 256.0;
                let slope = (output(&beside[1]) - output(&beside[0])) * 128.0;
                assert!((slope - f64::from(gradient[index])).abs() < 0.01, "{index}: {slope} {}", gradient[index]);
                moved += usize::from(slope != 0.0);
            }
            assert!(moved > weights.len() * 3 / 4, "{moved} of {} weights count", weights.len());
        }
    }
}
