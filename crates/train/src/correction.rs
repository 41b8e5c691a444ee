//! Fitting a network that corrects the sum of weights (Adam with decoupled decay of weights: Kingma and Ba 2015, Loshchilov
//! and Hutter 2019; by backpropagation). The weights of the sum stay as they are. Gradients are summed in the order of the
//! positions, part by part, so that results do not depend on the threads.

use tesuji_core::learned::{LAYERS, NetworkInput, NetworkShape};
use tesuji_core::parallel;
use tesuji_core::rng::Rng;

use crate::adam::{Cell, Weights};
use crate::chances::Chances;
use crate::checkpoint::{self, Signature};
use crate::fit::{Data, Epoch, Fit, Fitted, Hear, Heard, Start, shuffle};
use crate::network::{Forward, Net, VALUES};
use crate::replay::Subject;
use crate::samples::{INTERRUPTED, Raw};

/// Positions of a batch, and of a part whose gradient is summed by one thread.
const BATCH: usize = 512;
const PART: usize = 64;
/// Games that are read at once.
const GAMES: usize = 512;
/// Batches until the rate is the full one.
const WARM: f64 = 200.0;
/// How fast the means of gradients and of their squares forget.
const DECAY: [f32; 2] = [0.9, 0.999];

/// A position that is learned from.
pub struct Example {
    pub seen: NetworkInput,
    /// The value without the network, and what the whole is to predict, for the side to move.
    pub value: f64,
    pub target: f64,
}

/// What is fitted, and from what.
pub struct Correction<'a> {
    pub subject: &'a Subject,
    pub shape: NetworkShape,
    pub data: Data<'a>,
    pub plan: &'a Fit,
    /// From values to points, as it suits the values without the network.
    pub curve: Chances,
}

impl Example {
    /// The value with the network.
    fn value<const WIDTH: usize, const HIDDEN: usize>(&self, forward: &Forward<WIDTH, HIDDEN>, curve: Chances) -> f64 {
        self.value + curve.spread * f64::from(self.seen.share * forward.output)
    }
}

impl Correction<'_> {
    /// Fits the network; all other weights stay what they are.
    ///
    /// # Errors
    /// See [`crate::fit::fit`].
    pub fn fit(&self, checkpoint: Option<&[u8]>, hear: &mut Hear<'_>) -> Result<Fitted, String> {
        match self.shape {
            NetworkShape { width: 16, hidden: 32, .. } => self.fit_net::<16, 32>(checkpoint, hear),
            NetworkShape { width: 32, hidden: 16, .. } => self.fit_net::<32, 16>(checkpoint, hear),
            NetworkShape { width, hidden, .. } => {
                Err(format!("no network of {width} and {hidden} numbers can be fitted"))
            }
        }
    }

    fn fit_net<const WIDTH: usize, const HIDDEN: usize>(
        &self,
        checkpoint: Option<&[u8]>,
        hear: &mut Hear<'_>,
    ) -> Result<Fitted, String> {
        let all: Vec<i32> = self.subject.weights.iter().map(|&weight| weight as i32).collect();
        let mut net = self.start::<WIDTH, HIDDEN>(&all);
        let mut cells = vec![Cell::default(); net.weights.len()];
        let (before, held_out) = self.error(&self.stored::<WIDTH, HIDDEN>(&all))?;
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
        let after = self.error(&self.stored::<WIDTH, HIDDEN>(&weights))?.0;
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
            std::iter::repeat_n(parts as f32 * if layer < VALUES { 1.0 } else { spread }, count)
        };
        self.shape.layers.iter().zip(&self.shape.parts).enumerate().flat_map(of_layer)
    }

    fn net<const WIDTH: usize, const HIDDEN: usize>(&self, weights: Vec<f32>) -> Net<WIDTH, HIDDEN> {
        Net::new(&self.shape, weights)
    }

    /// The network that is stored.
    fn stored<const WIDTH: usize, const HIDDEN: usize>(&self, all: &[i32]) -> Net<WIDTH, HIDDEN> {
        let weights = all[self.shape.first..].iter().zip(self.parts());
        self.net(weights.map(|(&weight, parts)| weight as f32 / parts).collect())
    }

    /// Where the fit starts: at the network in force, or at random.
    fn start<const WIDTH: usize, const HIDDEN: usize>(&self, all: &[i32]) -> Net<WIDTH, HIDDEN> {
        if self.plan.start == Start::Current {
            return self.stored(all);
        }
        let mut rng = Rng::new(self.plan.seed, 0);
        let mut uniform = || rng.share();
        // As good as normally distributed.
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let [rows, width] = [self.shape.rows, WIDTH].map(|count| 1.0 / (count as f64).sqrt());
        let deviations: [f64; LAYERS] = [0.25 * rows, 0.35 * width, 0.0, width, 0.0, 0.0, 0.3, 0.0, 0.0];
        let biases: [f64; LAYERS] = [0.0, 0.0, 0.2, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0];
        let mut weights = Vec::new();
        for ((&count, deviation), bias) in self.shape.layers.iter().zip(deviations).zip(biases) {
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
    fn error<const WIDTH: usize, const HIDDEN: usize>(&self, net: &Net<WIDTH, HIDDEN>) -> Result<(f64, u64), String> {
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
    fn learn<const WIDTH: usize, const HIDDEN: usize>(
        &self,
        net: &mut Net<WIDTH, HIDDEN>,
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
    fn step<const WIDTH: usize, const HIDDEN: usize>(
        &self,
        net: &mut Net<WIDTH, HIDDEN>,
        cells: &mut [Cell],
        batch: &[Example],
        rate: f32,
    ) -> f64 {
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
fn kept<const WIDTH: usize, const HIDDEN: usize>(net: &Net<WIDTH, HIDDEN>, cells: &[Cell]) -> Weights {
    let mut weights = Weights::new(net.weights.clone(), vec![0; net.weights.len()]);
    for (index, (&weight, &cell)) in net.weights.iter().zip(cells).enumerate() {
        weights.restore(index, weight, cell);
    }
    weights
}
