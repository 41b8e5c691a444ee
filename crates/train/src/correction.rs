//! Fits the network that corrects the sum of weights, by backpropagation and Adam with decoupled weight decay (Kingma and Ba
//! 2015, Loshchilov and Hutter 2019). The weights of the sum do not change. Gradients are summed in the order of the positions,
//! part by part, so that results do not depend on the threads.

use tesuji_core::learned::{LAYERS, NetworkShape};
use tesuji_core::parallel;
use tesuji_core::rng::Rng;

use crate::adam::{Cell, Cells};
use crate::chances::Chances;
use crate::data::Data;
use crate::model::Model;
use crate::network::{Forward, Net, VALUES};
use crate::optimiser::{Schedule, optimise};
use crate::plan::{Fit, Fitted, OnProgress, Start};
use crate::replay::Replay;
use crate::samples::{Example, Raw, Selection};

/// Positions per batch, and per part whose gradient one thread sums.
const BATCH: usize = 512;
const PART: usize = 64;
/// Games read at once.
const GAMES: usize = 512;
/// Batches until the full learning rate is reached.
const WARMUP_BATCHES: f64 = 200.0;

/// Fits the network; all other weights are unchanged.
///
/// # Errors
/// See [`crate::fit::fit`].
pub fn fit(data: Data<'_>, checkpoint: Option<&[u8]>, report: &mut OnProgress<'_>) -> Result<Fitted, String> {
    let (curve, shape) = data.curve()?.zip(data.subject.network).ok_or("this game has no learned network")?;
    match shape {
        NetworkShape { width: 16, hidden: 32, .. } => fit_net::<16, 32>(&data, &shape, curve, checkpoint, report),
        NetworkShape { width: 32, hidden: 16, .. } => fit_net::<32, 16>(&data, &shape, curve, checkpoint, report),
        NetworkShape { width, hidden, .. } => {
            Err(format!("a network of {width} and {hidden} numbers cannot be fitted"))
        }
    }
}

fn fit_net<const WIDTH: usize, const HIDDEN: usize>(
    data: &Data<'_>,
    shape: &NetworkShape,
    curve: Chances,
    checkpoint: Option<&[u8]>,
    report: &mut OnProgress<'_>,
) -> Result<Fitted, String> {
    let Data { plan, positions, held_out, .. } = *data;
    let mut weights: Vec<i32> = data.subject.weights.iter().map(|&weight| weight as i32).collect();
    let stored = |all: &[i32]| Correction::<WIDTH, HIDDEN>::stored(all, shape, curve, plan);
    let before = stored(&weights);
    let mut model = match plan.start {
        Start::Current => stored(&weights),
        Start::Zero => Correction::at_random(shape, curve, plan),
    };
    // The plan's rate is in thousandths.
    let schedule = Schedule { games: GAMES, batch: BATCH, rate: plan.rate / 1000.0, warmup: WARMUP_BATCHES };
    let epochs = optimise(&mut model, data, schedule, checkpoint, report)?;
    let learned = &model.net.weights;
    for ((stored, weight), parts) in weights[shape.first..].iter_mut().zip(learned).zip(parts(shape, curve)) {
        *stored = (weight * parts).round() as i32;
    }
    let after = stored(&weights);
    let errors = data.means::<Correction<WIDTH, HIDDEN>, 2>(|examples, at| {
        [&before, &after].map(|model| model.error(examples, at))
    })?;
    Ok(Fitted { weights, positions, held_out, features: learned.len(), errors, epochs, ..Fitted::default() })
}

/// Stored units per 1.0, for each weight. The output is stored as a value but learned as a logit.
fn parts(shape: &NetworkShape, curve: Chances) -> impl Iterator<Item = f32> {
    let spread = curve.spread as f32;
    let of_layer = move |(layer, (&count, &parts)): (usize, (&usize, &i32))| {
        std::iter::repeat_n(parts as f32 * if layer < VALUES { 1.0 } else { spread }, count)
    };
    shape.layers.iter().zip(&shape.parts).enumerate().flat_map(of_layer)
}

/// The value of a position with the network.
fn corrected<const WIDTH: usize, const HIDDEN: usize>(
    example: &Example,
    forward: &Forward<WIDTH, HIDDEN>,
    curve: Chances,
) -> f64 {
    example.value + curve.spread * f64::from(example.input.share * forward.output)
}

/// The network being fitted.
struct Correction<const WIDTH: usize, const HIDDEN: usize> {
    net: Net<WIDTH, HIDDEN>,
    cells: Vec<Cell>,
    /// The curve from values to points; see [`Data::curve`].
    curve: Chances,
    decay: f32,
}

impl<const WIDTH: usize, const HIDDEN: usize> Correction<WIDTH, HIDDEN> {
    fn new(weights: Vec<f32>, shape: &NetworkShape, curve: Chances, plan: &Fit) -> Self {
        let cells = vec![Cell::default(); weights.len()];
        Self { net: Net::new(shape, weights), cells, curve, decay: plan.decay as f32 }
    }

    /// The network as stored among all weights.
    fn stored(all: &[i32], shape: &NetworkShape, curve: Chances, plan: &Fit) -> Self {
        let weights = all[shape.first..].iter().zip(parts(shape, curve));
        Self::new(weights.map(|(&weight, parts)| weight as f32 / parts).collect(), shape, curve, plan)
    }

    fn at_random(shape: &NetworkShape, curve: Chances, plan: &Fit) -> Self {
        let mut rng = Rng::new(plan.seed, 0);
        // Approximately normal, with deviation 1.
        let mut normal = || (0..12).map(|_| rng.unit_interval()).sum::<f64>() - 6.0;
        let [rows, width] = [shape.rows, WIDTH].map(|count| 1.0 / (count as f64).sqrt());
        let deviations: [f64; LAYERS] = [0.25 * rows, 0.35 * width, 0.0, width, 0.0, 0.0, 0.3, 0.0, 0.0];
        let biases: [f64; LAYERS] = [0.0, 0.0, 0.2, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0];
        let mut weights = Vec::new();
        for ((&count, deviation), bias) in shape.layers.iter().zip(deviations).zip(biases) {
            weights.extend((0..count).map(|_| (deviation * normal() + bias) as f32));
        }
        Self::new(weights, shape, curve, plan)
    }
}

impl<const WIDTH: usize, const HIDDEN: usize> Model for Correction<WIDTH, HIDDEN> {
    type Game = Vec<Example>;

    fn read(replay: &dyn Replay, selection: &Selection, raw: &Raw) -> Result<Vec<Example>, String> {
        replay.examples(raw, selection)
    }

    fn positions(examples: &Vec<Example>) -> usize {
        examples.len()
    }

    fn error(&self, examples: &Vec<Example>, at: usize) -> f64 {
        let example = &examples[at];
        let value = corrected(example, &self.net.forward(&example.input), self.curve);
        self.curve.error(value, example.target)
    }

    fn learn(&mut self, batch: &[(&Vec<Example>, usize)], rate: f32) -> f64 {
        let (net, curve) = (&self.net, self.curve);
        let part = |part: &[(&Vec<Example>, usize)]| {
            let mut gradient = vec![0.0; net.weights.len()];
            let mut error = 0.0;
            for example in part.iter().map(|&(examples, at)| &examples[at]) {
                let forward = net.forward(&example.input);
                let value = corrected(example, &forward, curve);
                error += curve.error(value, example.target);
                let slope = curve.slope_of_error(value, example.target);
                let slope = slope * curve.spread * f64::from(example.input.share) / batch.len() as f64;
                net.backward(&example.input, &forward, slope as f32, &mut gradient);
            }
            (gradient, error)
        };
        let parts: Vec<(Vec<f32>, f64)> = parallel::map(batch.chunks(PART).collect(), part);
        for (index, (weight, cell)) in self.net.weights.iter_mut().zip(&mut self.cells).enumerate() {
            let gradient: f32 = parts.iter().map(|(gradient, _)| gradient[index]).sum();
            *weight -= rate * (self.decay * *weight + cell.direction(gradient, 1e-8));
        }
        parts.iter().map(|(_, error)| error).sum()
    }

    fn cells(&self) -> Cells {
        self.net.weights.iter().copied().zip(self.cells.iter().copied()).collect()
    }

    fn restore(&mut self, cells: Cells) {
        (self.net.weights, self.cells) = cells.into_iter().unzip();
    }
}
