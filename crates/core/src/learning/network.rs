//! Fitting a small network that corrects the sum of weights (Adam with decoupled decay of weights: Kingma and
//! Ba 2015, Loshchilov and Hutter 2019; by backpropagation).
//!
//! A position is seen from both sides. In each view a point has a vector, the sum of the rows that it names, cut off at 0 and
//! 1; the vectors of all points are summed (a game may have a single point, the whole board). Both sums, and some yes-or-no
//! features, lead through a hidden layer to what is added to the value. The weights of the sum stay as they are. Gradients are
//! summed in the order of the positions, part by part, so that results do not depend on the threads.

use super::adam::{Cell, Weights};
use super::chances::Chances;
use super::checkpoint::{self, Signature};
use super::fit::{Data, Epoch, Fit, Fitted, Hear, Heard, Start, shuffle};
use super::replay::Subject;
use super::samples::{INTERRUPTED, Raw};
use crate::parallel;
use crate::rng::Rng;

/// Numbers of the hidden layer.
pub const HIDDEN: usize = 16;
/// Layers of weights: rows; the hidden layer, its biases and what features add to them; the last layer, what features add to
/// the value, and its bias.
pub const LAYERS: usize = 7;

/// How many weights layers of these sizes have.
#[must_use]
pub const fn count(layers: [usize; LAYERS]) -> usize {
    let (mut sum, mut layer) = (0, 0);
    while layer < LAYERS {
        sum += layers[layer];
        layer += 1;
    }
    sum
}

/// Positions of a batch, and of a part whose gradient is summed by one thread.
const BATCH: usize = 512;
const PART: usize = 64;
/// Games that are read at once.
const GAMES: usize = 512;
/// Batches until the rate is the full one.
const WARM: f64 = 200.0;
/// How fast the means of gradients and of their squares forget.
const DECAY: [f32; 2] = [0.9, 0.999];

/// How many weights a network has, and how they are stored.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The first of its weights, which come behind all others.
    pub first: usize,
    /// How many weights each layer has.
    pub layers: [usize; LAYERS],
    /// The parts of one that a weight of each layer counts; in the last three, parts of a value.
    pub parts: [i32; LAYERS],
    /// Numbers of a point's vector in a view: 16 or 32.
    pub width: usize,
    /// About how many rows a point names in a view.
    pub rows: usize,
    /// What sums are divided by on their way to the hidden layer.
    pub share: i32,
}

/// What a network sees of a position.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Whether the first player is to move.
    pub is_first: bool,
    /// The yes-or-no features that hold, as bits.
    pub features: u32,
    /// The rows that points name: of each point those of the view of the side to move, then as many of the other one's.
    pub rows: Vec<u16>,
    /// How much of the output counts.
    pub share: f32,
    /// Points: how many rows each has in a view, and how often there are such.
    pub points: Vec<(u16, u16)>,
}

impl Seen {
    /// Points with the rows of both views, and how often there are such.
    fn each_point(&self) -> impl Iterator<Item = ([&[u16]; 2], f32)> {
        let mut rest = self.rows.as_slice();
        self.points.iter().map(move |&(rows, count)| {
            let (own, others) = rest.split_at(rows.into());
            let (other, others) = others.split_at(rows.into());
            rest = others;
            ([own, other], f32::from(count))
        })
    }
}

/// A position that is learned from.
pub struct Example {
    pub seen: Seen,
    /// The value without the network, and what the whole is to predict, for the side to move.
    pub value: f64,
    pub target: f64,
}

/// The weights as numbers, layer by layer.
struct Net<const WIDTH: usize> {
    weights: Vec<f32>,
    /// Where each layer begins.
    begins: [usize; LAYERS],
    share: f32,
}

/// What a position leads to.
struct Forward<const WIDTH: usize> {
    sums: [[f32; WIDTH]; 2],
    hidden: [f32; HIDDEN],
    output: f32,
}

fn cut(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

fn is_inside(number: f32) -> bool {
    number > 0.0 && number < 1.0
}

fn bits(features: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| features >> bit & 1 == 1)
}

impl<const WIDTH: usize> Net<WIDTH> {
    /// A point's vector, before it is cut off.
    fn point(&self, rows: &[u16]) -> [f32; WIDTH] {
        let mut sum = [0.0; WIDTH];
        for &row in rows {
            let row = &self.weights[WIDTH * usize::from(row)..][..WIDTH];
            sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sum
    }

    /// The weights from a view's sums to a number of the hidden layer.
    fn to_hidden(&self, to: usize, view: usize) -> usize {
        self.begins[1] + (2 * to + view) * WIDTH
    }

    fn forward(&self, seen: &Seen) -> Forward<WIDTH> {
        let mut sums = [[0.0; WIDTH]; 2];
        for (views, count) in seen.each_point() {
            for (sum, rows) in sums.iter_mut().zip(views) {
                let point = self.point(rows);
                sum.iter_mut().zip(point).for_each(|(sum, number)| *sum += count * cut(number));
            }
        }
        let [_, _, biases, features, last, direct, bias] = self.begins;
        let mut output = self.weights[bias] + bits(seen.features).map(|bit| self.weights[direct + bit]).sum::<f32>();
        let hidden = std::array::from_fn(|to| {
            let mut sum = self.weights[biases + to];
            sum += bits(seen.features).map(|bit| self.weights[features + HIDDEN * bit + to]).sum::<f32>();
            for (view, numbers) in sums.iter().enumerate() {
                let weights = &self.weights[self.to_hidden(to, view)..][..WIDTH];
                sum += weights.iter().zip(numbers).map(|(weight, number)| weight * number).sum::<f32>() / self.share;
            }
            output += self.weights[last + to] * cut(sum);
            sum
        });
        Forward { sums, hidden, output }
    }

    /// Adds to the gradient what a position says, given the slope of its error by the output.
    fn backward(&self, seen: &Seen, forward: &Forward<WIDTH>, slope: f32, gradient: &mut [f32]) {
        let [_, _, biases, features, last, direct, bias] = self.begins;
        gradient[bias] += slope;
        bits(seen.features).for_each(|bit| gradient[direct + bit] += slope);
        let mut by_sums = [[0.0; WIDTH]; 2];
        for (to, &hidden) in forward.hidden.iter().enumerate() {
            gradient[last + to] += slope * cut(hidden);
            if !is_inside(hidden) {
                continue;
            }
            let slope = slope * self.weights[last + to];
            gradient[biases + to] += slope;
            bits(seen.features).for_each(|bit| gradient[features + HIDDEN * bit + to] += slope);
            for (view, (by_sum, sums)) in by_sums.iter_mut().zip(&forward.sums).enumerate() {
                let begin = self.to_hidden(to, view);
                for (index, (by_sum, sum)) in by_sum.iter_mut().zip(sums).enumerate() {
                    *by_sum += slope * self.weights[begin + index] / self.share;
                    gradient[begin + index] += slope * sum / self.share;
                }
            }
        }
        for (views, count) in seen.each_point() {
            for (rows, slopes) in views.into_iter().zip(by_sums) {
                let mut point = self.point(rows);
                for (number, slope) in point.iter_mut().zip(slopes) {
                    *number = if is_inside(*number) { count * slope } else { 0.0 };
                }
                for &row in rows {
                    let to = &mut gradient[WIDTH * usize::from(row)..][..WIDTH];
                    to.iter_mut().zip(point).for_each(|(sum, number)| *sum += number);
                }
            }
        }
    }
}

/// What is fitted, and from what.
pub struct Correction<'a> {
    pub subject: &'a Subject,
    pub shape: Shape,
    pub data: Data<'a>,
    pub plan: &'a Fit,
    /// From values to points, as it suits the values without the network.
    pub curve: Chances,
}

impl Example {
    /// The value with the network.
    fn value<const WIDTH: usize>(&self, forward: &Forward<WIDTH>, curve: Chances) -> f64 {
        self.value + curve.spread * f64::from(self.seen.share * forward.output)
    }
}

impl Correction<'_> {
    /// Fits the network; all other weights stay what they are.
    ///
    /// # Errors
    /// See [`super::fit::fit`].
    pub fn fit(&self, checkpoint: Option<&[u8]>, hear: &mut Hear<'_>) -> Result<Fitted, String> {
        match self.shape.width {
            16 => self.fit_wide::<16>(checkpoint, hear),
            32 => self.fit_wide::<32>(checkpoint, hear),
            width => Err(format!("a network {width} numbers wide: expected 16 or 32")),
        }
    }

    fn fit_wide<const WIDTH: usize>(&self, checkpoint: Option<&[u8]>, hear: &mut Hear<'_>) -> Result<Fitted, String> {
        let all: Vec<i32> = self.subject.weights.iter().map(|&weight| weight as i32).collect();
        let mut net = self.start::<WIDTH>(&all);
        let mut cells = vec![Cell::default(); net.weights.len()];
        let (before, held_out) = self.error(&self.stored::<WIDTH>(&all))?;
        let mut positions = 0;
        self.each(&self.data.training, &mut |examples| positions += examples.len() as u64)?;
        let signature = Signature { features: self.subject.features.to_owned(), plan: *self.plan, positions, held_out };
        let mut epochs = match checkpoint {
            Some(bytes) => {
                let mut kept = kept(&net, &cells);
                let epochs = checkpoint::restore(bytes, &signature, &mut kept)?;
                for (index, cell) in cells.iter_mut().enumerate() {
                    (net.weights[index], *cell) = (kept.get(index), kept.cell(index));
                }
                epochs
            }
            None => Vec::new(),
        };
        for number in epochs.len() as u32 + 1..=self.plan.epochs {
            let training = self.learn(&mut net, &mut cells, positions, number, hear)?;
            let validation = self.error(&net)?.0;
            epochs.push(Epoch { number, training, validation });
            let save = || checkpoint::save(&signature, &epochs, &kept(&net, &cells));
            if !hear(Heard::Done(&epochs[epochs.len() - 1], &save)) && number < self.plan.epochs {
                return Err(INTERRUPTED.to_owned());
            }
        }
        let mut weights = all;
        let to_store = &mut weights[self.shape.first..];
        for ((stored, weight), parts) in to_store.iter_mut().zip(&net.weights).zip(self.parts()) {
            *stored = (weight * parts).round() as i32;
        }
        let after = self.error(&self.stored::<WIDTH>(&weights))?.0;
        Ok(Fitted {
            weights,
            positions,
            held_out,
            features: net.weights.len(),
            errors: [before, after],
            chances: None,
            first: None,
            epochs,
            phases: Vec::new(),
        })
    }

    /// Parts of one that a stored weight counts, for each weight. The output is stored as a value, and learned as a logit.
    fn parts(&self) -> impl Iterator<Item = f32> {
        let spread = self.curve.spread as f32;
        let of_layer = move |(layer, (&count, &parts)): (usize, (&usize, &i32))| {
            std::iter::repeat_n(parts as f32 * if layer < 4 { 1.0 } else { spread }, count)
        };
        self.shape.layers.iter().zip(&self.shape.parts).enumerate().flat_map(of_layer)
    }

    fn net<const WIDTH: usize>(&self, weights: Vec<f32>) -> Net<WIDTH> {
        let mut end = 0;
        let begins = self.shape.layers.map(|count| {
            end += count;
            end - count
        });
        Net { weights, begins, share: self.shape.share as f32 }
    }

    /// The network that is stored.
    fn stored<const WIDTH: usize>(&self, all: &[i32]) -> Net<WIDTH> {
        let weights = all[self.shape.first..].iter().zip(self.parts());
        self.net(weights.map(|(&weight, parts)| weight as f32 / parts).collect())
    }

    /// Where the fit starts: at the network in force, or at random.
    fn start<const WIDTH: usize>(&self, all: &[i32]) -> Net<WIDTH> {
        if self.plan.start == Start::Current {
            return self.stored(all);
        }
        let mut rng = Rng::new(self.plan.seed, 0);
        let mut uniform = || rng.share();
        // As good as normally distributed.
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let deviations = [0.25 / (self.shape.rows as f64).sqrt(), 1.0 / (WIDTH as f64).sqrt(), 0.0, 0.0, 0.3, 0.0, 0.0];
        let mut weights = Vec::new();
        for (layer, (&count, deviation)) in self.shape.layers.iter().zip(deviations).enumerate() {
            let bias = if layer == 2 { 0.3 } else { 0.0 };
            weights.extend((0..count).map(|_| (deviation * normal() + bias) as f32));
        }
        self.net(weights)
    }

    fn each(&self, numbers: &[usize], visit: &mut dyn FnMut(&[Example])) -> Result<(), String> {
        for numbers in numbers.chunks(GAMES) {
            self.read(numbers)?.iter().for_each(|examples| visit(examples));
        }
        Ok(())
    }

    /// The used positions of some games.
    fn read(&self, numbers: &[usize]) -> Result<Vec<Vec<Example>>, String> {
        let (replay, selection, weights) = (self.data.replay, &self.data.selection, &self.subject.weights);
        let read = |raw: Raw| replay.examples(&raw, selection, weights);
        parallel::map(self.data.raws(numbers)?, read).into_iter().collect()
    }

    /// The mean error of the positions held out, and how many they are.
    fn error<const WIDTH: usize>(&self, net: &Net<WIDTH>) -> Result<(f64, u64), String> {
        let (mut error, mut count) = (0.0, 0);
        self.each(&self.data.validation, &mut |examples| {
            for example in examples {
                let value = example.value(&net.forward(&example.seen), self.curve);
                error += self.curve.error(value, example.target);
            }
            count += examples.len() as u64;
        })?;
        Ok((error / count.max(1) as f64, count))
    }

    /// Goes through all positions that are learned from. Returns their mean error.
    fn learn<const WIDTH: usize>(
        &self,
        net: &mut Net<WIDTH>,
        cells: &mut [Cell],
        positions: u64,
        epoch: u32,
        hear: &mut Hear<'_>,
    ) -> Result<f64, String> {
        let mut rng = Rng::new(self.plan.seed, epoch.into());
        let mut order = self.data.training.clone();
        shuffle(&mut order, &mut rng);
        let (mut done, mut error) = (0u64, 0.0);
        hear(Heard::Learning(epoch, done, positions));
        for numbers in order.chunks(GAMES) {
            let mut examples: Vec<Example> = self.read(numbers)?.into_iter().flatten().collect();
            shuffle(&mut examples, &mut rng);
            for batch in examples.chunks(BATCH) {
                let passed = f64::from(epoch - 1) + done as f64 / positions as f64;
                let warm = (passed * positions as f64 / BATCH as f64 / WARM).min(1.0);
                // Rates are told in thousandths of one.
                let rate = self.plan.rate / 1000.0 * (1.0 - passed / f64::from(self.plan.epochs)) * warm;
                error += self.step(net, cells, batch, rate as f32);
                done += batch.len() as u64;
            }
            if !hear(Heard::Learning(epoch, done, positions)) {
                return Err(INTERRUPTED.to_owned());
            }
        }
        Ok(error / done.max(1) as f64)
    }

    /// Learns from some positions. Returns the sum of their errors.
    fn step<const WIDTH: usize>(&self, net: &mut Net<WIDTH>, cells: &mut [Cell], batch: &[Example], rate: f32) -> f64 {
        let (now, curve, decay) = (&*net, self.curve, self.plan.decay as f32);
        let part = |examples: &[Example]| {
            let mut gradient = vec![0.0; now.weights.len()];
            let mut error = 0.0;
            for example in examples {
                let forward = now.forward(&example.seen);
                let value = example.value(&forward, curve);
                let points = curve.points(value);
                error += curve.error(value, example.target);
                let slope = (points - example.target) / (points * (1.0 - points)) * curve.slope(value);
                let slope = slope * curve.spread * f64::from(example.seen.share) / batch.len() as f64;
                now.backward(&example.seen, &forward, slope as f32, &mut gradient);
            }
            (gradient, error)
        };
        let parts: Vec<(Vec<f32>, f64)> = parallel::map(batch.chunks(PART).collect(), part);
        for (index, (weight, cell)) in net.weights.iter_mut().zip(cells).enumerate() {
            let gradient: f32 = parts.iter().map(|(gradient, _)| gradient[index]).sum();
            cell.touched += 1;
            cell.mean = DECAY[0] * cell.mean + (1.0 - DECAY[0]) * gradient;
            cell.square = DECAY[1] * cell.square + (1.0 - DECAY[1]) * gradient * gradient;
            let [mean, square] = DECAY.map(|decay| 1.0 - decay.powi(cell.touched.min(1 << 16) as i32));
            *weight -= rate * (decay * *weight + (cell.mean / mean) / ((cell.square / square).sqrt() + 1e-8));
        }
        parts.iter().map(|(_, error)| error).sum()
    }
}

/// Weights and moments, as a checkpoint has them.
fn kept<const WIDTH: usize>(net: &Net<WIDTH>, cells: &[Cell]) -> Weights {
    let mut weights = Weights::new(net.weights.clone(), vec![0; net.weights.len()]);
    for (index, (&weight, &cell)) in net.weights.iter().zip(cells).enumerate() {
        weights.restore(index, weight, cell);
    }
    weights
}
