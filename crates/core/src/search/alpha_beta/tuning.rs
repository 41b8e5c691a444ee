//! Fitting an evaluator's weights to self-played games (Österlund's "Texel tuning", 2014).
//!
//! Games are played from random openings by the evaluator as it is; of each, the positions without tactics keep the result and
//! what their search expected. Then the weights are moved, by gradient descent (Adam: Kingma and Ba 2015), to where the value
//! of each position tells a mixture of both best: in games played for points the margin, by least squares; else the points, by
//! logistic regression. (A result alone is one bit for a whole game, most of it chance: what it says of seldom terms is wrong.)
//! The curve from values to points is found first, for the weights as they are, so that the scale of values stays. Terms that
//! hardly ever occur keep their weights: a small penalty holds each weight where it began.

use super::Evaluator;
use crate::parallel;
use crate::position::Position;
use crate::rng::Rng;
use crate::search::{self, Budget, Engine};

/// What a game with a linear evaluation lets fit.
#[derive(Clone, Copy, Debug)]
pub struct Tuning<P: Position> {
    /// Calls back with each term of a position and how often it counts for the first player.
    pub terms: fn(&P, &mut dyn FnMut(usize, i32)),
    /// The weights in force, by term.
    pub weights: fn() -> Vec<i32>,
    /// The text of the file that holds weights, without its first line.
    pub write: fn(&[i32]) -> String,
    choose: fn(&P, u64) -> Option<Choice<P>>,
    is_quiet: fn(&P, P::Move) -> bool,
}

/// How much to play and to fit.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Self-played games.
    pub games: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Random plies at the beginning of each game.
    pub opening: u32,
    /// Passes through all positions.
    pub epochs: u32,
    /// How much of what is to be reported is what the search of a position expected: 0, only its game's result counts; 1, only
    /// the search.
    pub expected: f64,
    /// What games and openings are drawn from.
    pub seed: u64,
}

/// What was fitted.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Positions that were used.
    pub positions: usize,
    /// Mean error before and after: squared points, or the negative logarithm of the likelihood.
    pub errors: [f64; 2],
    /// The new weights as a file's text.
    pub text: String,
    /// Where values become chances, for the weights in force and for the new ones.
    pub chances: [Chances; 2],
}

/// How values become chances (see [`crate::search::Outlook::logistic`]).
#[derive(Clone, Copy, Debug)]
pub struct Chances {
    /// Within so much of zero a draw is likeliest.
    pub even: f64,
    /// The logistic's width.
    pub spread: f64,
}

/// A position without tactics, and what came of it.
struct Sample {
    /// Terms and counts.
    terms: Vec<(u16, i16)>,
    /// The score at the end, for the first player: a margin, or 1, 0, -1.
    score: i16,
    /// What its value is to tell: a margin, or points from 0 to 1.
    target: f64,
}

impl Sample {
    fn value(&self, weights: &[f64]) -> f64 {
        self.terms.iter().map(|&(term, count)| weights[usize::from(term)] * f64::from(count)).sum()
    }
}

impl<P: Position> Tuning<P> {
    /// The tuning of an evaluator with these terms, by games of an engine that uses it; `is_quiet` tells whether a position in
    /// which a move was played counts.
    pub fn new<E: Engine<P> + Default>(
        terms: fn(&P, &mut dyn FnMut(usize, i32)),
        weights: fn() -> Vec<i32>,
        write: fn(&[i32]) -> String,
        is_quiet: fn(&P, P::Move) -> bool,
    ) -> Self {
        Self { terms, weights, write, choose: choose::<P, E>, is_quiet }
    }

    /// Plays and fits. `tell` hears of progress: games played, of how many.
    pub fn run(&self, start: &P, effort: &Effort, tell: &mut dyn FnMut(u64, u64)) -> Tuned {
        // A few hundred games at a time, for the sake of whoever hears of the progress.
        const ROUND: u64 = 256;
        let mut samples = Vec::new();
        for begin in (0..effort.games).step_by(ROUND as usize) {
            let end = (begin + ROUND).min(effort.games);
            samples.extend(
                parallel::map((begin..end).collect(), |game| self.play(start, effort, game)).into_iter().flatten(),
            );
            tell(end, effort.games);
        }
        let begin: Vec<f64> = (self.weights)().into_iter().map(f64::from).collect();
        let curve =
            if P::POINTS { Chances { even: 0.0, spread: 1.0 } } else { likeliest(&samples, &begin, expected_points) };
        let fitted = fit::<P>(&samples, &begin, curve, effort.epochs);
        let rounded: Vec<i32> = fitted.iter().map(|weight| weight.round() as i32).collect();
        let new: Vec<f64> = rounded.iter().copied().map(f64::from).collect();
        Tuned {
            positions: samples.len(),
            errors: [error::<P>(&samples, &begin, curve), error::<P>(&samples, &new, curve)],
            text: (self.write)(&rounded),
            chances: [likeliest(&samples, &begin, results), likeliest(&samples, &new, results)],
        }
    }

    /// Plays a game, and returns its quiet positions; none where it does not come to an end.
    fn play(&self, start: &P, effort: &Effort, game: u64) -> Vec<Sample> {
        let mut samples: Vec<Sample> = Vec::new();
        let mut rng = Rng::new(effort.seed, game);
        let mut position = start.clone();
        for _ in 0..effort.opening + rng.below(2) {
            if position.outcome().is_some() {
                return samples;
            }
            position.play(position.random_move(&mut rng));
        }
        let mut expected: Vec<Option<f64>> = Vec::new();
        // Games end by the rules; this is for those that have no such rule.
        for _ in 0..1000 {
            if let Some(outcome) = position.outcome() {
                let score = outcome.score();
                let result = if P::POINTS { f64::from(score) } else { f64::midpoint(score.into(), 1.0) };
                for (sample, expected) in samples.iter_mut().zip(expected) {
                    let mixed = |expected| effort.expected * expected + (1.0 - effort.expected) * result;
                    (sample.score, sample.target) = (score, expected.map_or(result, mixed));
                }
                return samples;
            }
            let Some((mv, value)) = (self.choose)(&position, effort.nodes) else { break };
            if (self.is_quiet)(&position, mv) {
                let mut terms = Vec::new();
                (self.terms)(&position, &mut |term, count| {
                    if count != 0 {
                        terms.push((term as u16, count as i16));
                    }
                });
                samples.push(Sample { terms, score: 0, target: 0.0 });
                expected.push(value);
            }
            position.play(mv);
        }
        Vec::new()
    }
}

/// A move, and what the search that chose it expects, if it came so far: a margin, or points.
type Choice<P> = (<P as Position>::Move, Option<f64>);

/// The move that a short search chooses.
fn choose<P: Position, E: Engine<P> + Default>(position: &P, nodes: u64) -> Option<Choice<P>> {
    let budget = Budget { nodes: Some(nodes), memory: Some(1 << 20), ..Budget::default() };
    let report = search::alone(&E::default(), position, budget, 0);
    let best = report.children.first()?;
    let points = || best.evaluation.outlook.map(|outlook| outlook.win + outlook.draw / 2.0);
    let expected = if P::POINTS { best.evaluation.score } else { points() };
    Some((best.mv, expected))
}

/// Whether a position can be evaluated as it stands: nothing has to be answered, and the move takes nothing.
pub fn is_quiet<P: Position, J: Evaluator<P>>(position: &P, mv: P::Move) -> bool {
    let evaluator = J::default();
    !evaluator.is_forced(position) && !evaluator.is_tactical(position, mv)
}

/// The weights in a file's text, lines that begin with `#` left out. Read when the program is compiled, since a sum of weights
/// known beforehand is faster.
///
/// # Panics
/// When there are not exactly `N`.
pub const fn numbers<const N: usize>(text: &str) -> [i32; N] {
    let bytes = text.as_bytes();
    let mut numbers = [0; N];
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'#' {
            while bytes[at] != b'\n' {
                at += 1;
            }
        } else if byte.is_ascii_digit() {
            let sign = if at > 0 && bytes[at - 1] == b'-' { -1 } else { 1 };
            let mut number = 0;
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                number = 10 * number + (bytes[at] - b'0') as i32;
                at += 1;
            }
            numbers[count] = sign * number;
            count += 1;
            continue;
        }
        at += 1;
    }
    assert!(count == N, "there is a weight for each term");
    numbers
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Chances {
    /// The points that a value promises.
    fn points(self, value: f64) -> f64 {
        let Self { even, spread } = self;
        f64::midpoint(sigmoid((value - even) / spread), sigmoid((value + even) / spread)).clamp(1e-9, 1.0 - 1e-9)
    }

    /// By how much they grow with the value.
    fn slope(self, value: f64) -> f64 {
        let steepness = |x: f64| sigmoid(x) * (1.0 - sigmoid(x)) / self.spread;
        f64::midpoint(steepness((value - self.even) / self.spread), steepness((value + self.even) / self.spread))
    }
}

/// The mean error of some weights.
fn error<P: Position>(samples: &[Sample], weights: &[f64], curve: Chances) -> f64 {
    let total: f64 = samples
        .iter()
        .map(|sample| {
            let value = sample.value(weights);
            if P::POINTS { (value / 100.0 - sample.target).powi(2) } else { expected_points(curve, value, sample) }
        })
        .sum();
    total / samples.len().max(1) as f64
}

/// How badly a value tells a sample's points: the negative logarithm of their likelihood.
fn expected_points(curve: Chances, value: f64, sample: &Sample) -> f64 {
    let points = curve.points(value);
    -sample.target * points.ln() - (1.0 - sample.target) * (1.0 - points).ln()
}

/// How badly a value tells a game's result: the same.
fn results(curve: Chances, value: f64, sample: &Sample) -> f64 {
    let (win, not_loss) = (sigmoid((value - curve.even) / curve.spread), sigmoid((value + curve.even) / curve.spread));
    let chance = match sample.score.signum() {
        1 => win,
        -1 => 1.0 - not_loss,
        _ => not_loss - win,
    };
    -chance.max(1e-9).ln()
}

/// Moves the weights to where the error is least.
fn fit<P: Position>(samples: &[Sample], begin: &[f64], curve: Chances, epochs: u32) -> Vec<f64> {
    /// The first step of a weight; the last is next to nothing.
    const RATE: f64 = 8.0;
    const DECAY: [f64; 2] = [0.9, 0.999];
    /// How strongly a weight is held: so that what hardly ever occurs stays where it is. With twenty times as much nothing
    /// moved (docs/strength.md).
    const HELD: f64 = 0.004;
    let mut weights = begin.to_vec();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    for epoch in 1..=epochs {
        let mut gradient: Vec<f64> = weights.iter().zip(begin).map(|(now, begin)| HELD * (now - begin)).collect();
        for sample in samples {
            let value = sample.value(&weights);
            let slope = if P::POINTS {
                (value / 100.0 - sample.target) / 100.0
            } else {
                let points = curve.points(value);
                (points - sample.target) / (points * (1.0 - points)) * curve.slope(value)
            };
            for &(term, count) in &sample.terms {
                gradient[usize::from(term)] += slope * f64::from(count);
            }
        }
        let rate = RATE * (1.0 - f64::from(epoch - 1) / f64::from(epochs));
        let correction = DECAY.map(|decay| 1.0 - decay.powi(epoch as i32));
        for (index, slope) in gradient.into_iter().enumerate() {
            mean[index] = DECAY[0] * mean[index] + (1.0 - DECAY[0]) * slope;
            square[index] = DECAY[1] * square[index] + (1.0 - DECAY[1]) * slope * slope;
            let step = (mean[index] / correction[0]) / ((square[index] / correction[1]).sqrt() + 1e-9);
            weights[index] -= rate * step;
        }
    }
    weights
}

/// The curve under which values tell best what came of the samples, as `loss` measures it.
fn likeliest(samples: &[Sample], weights: &[f64], loss: fn(Chances, f64, &Sample) -> f64) -> Chances {
    // Two numbers need no more samples than these.
    let some = samples.iter().step_by(samples.len() / 20_000 + 1);
    let values: Vec<(f64, &Sample)> = some.map(|sample| (sample.value(weights), sample)).collect();
    let total = |curve: Chances| -> f64 { values.iter().map(|&(value, sample)| loss(curve, value, sample)).sum() };
    let spreads = (0..100).map(|step| 20.0 * 1.05f64.powi(step));
    let curves =
        spreads.flat_map(|spread| (0..40).map(move |step| Chances { even: f64::from(step) * spread / 16.0, spread }));
    curves.min_by(|&a, &b| total(a).total_cmp(&total(b))).unwrap_or(Chances { even: 0.0, spread: 400.0 })
}
