//! Self-play: games by the present engine, each position with what its search found.
//!
//! A game begins with some random plies; later ones are random with a probability of their own. Positions are searched there
//! too, so that variety costs no labels; only what the result says of the positions before is lost. Random moves are drawn
//! uniformly, or by the learned order of moves: a search looks at likely moves far more often than at others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use tesuji_core::learned::Learned;
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::{Budget, Control, Engine, Signals, Task};

use crate::moves::LOGIT;
use crate::records::{Ply, Record};

/// How games are made; the game's number decides all else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SelfPlay {
    /// Nodes of each search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies of iterative deepening of each search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The most random plies at the beginning of a game: each game draws a number from 0 to this one.
    pub opening: u32,
    /// How far from even the searches find a position after them at most, as chances to win less chances to lose: a game
    /// whose opening is further from even begins anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<f64>,
    /// The probability that a later move is random.
    pub random: f64,
    /// Draws random moves by the learned order of moves, where there is one, each with a chance that grows with e to the power
    /// of its logit divided by this; uniformly when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// What games are drawn from.
    pub seed: u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
struct BestMove<M> {
    mv: M,
    /// What the search expects for the first player, if it came so far: the margin, or points from 0 to 1.
    value: Option<f64>,
    /// Its chances to win less those to lose, where the search knows them.
    balance: Option<f64>,
}

/// No game is followed further; games end by their rules, but not all soon.
const LONGEST: usize = 1000;

/// Openings that a game tries; the last one is played however far from even it is.
const OPENINGS: u32 = 100;

/// Where nothing else ends a search.
const LONGEST_SEARCH: Duration = Duration::from_secs(3600);

impl SelfPlay {
    /// The budget of each search. Its memory suffices for its nodes; a table larger than that would have to be cleared for
    /// nothing.
    fn budget(&self) -> Budget {
        const LEAST: u64 = 256 << 10;
        const MOST: u64 = 64 << 20;
        let by_nodes = self.nodes.map(|nodes| nodes.saturating_mul(64));
        // Each two plies take about four times the nodes.
        let by_depth = self.depth.map(|depth| LEAST << depth.saturating_sub(4).min(10));
        let memory = by_nodes.into_iter().chain(by_depth).min().unwrap_or(MOST).clamp(LEAST, MOST);
        Budget { nodes: self.nodes, depth: self.depth, memory: Some(memory), ..Budget::default() }
    }

    /// Plays game number `game`; none when `stop` broke it off.
    pub fn play<P: Learned>(&self, start: &P, game: u64, stop: &AtomicBool) -> Option<Record> {
        let mut rng = Rng::new(self.seed, game);
        let mut search = searcher();
        let mut position = start.clone();
        let mut record = Record::default();
        let mut drawn = rng.below(self.opening + 1) as usize;
        let mut openings = 1;
        let budget = self.budget();
        let order =
            self.temperature.map(|temperature| Order { weights: P::weights(), temperature: temperature * LOGIT });
        let mut line = Vec::new();
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            record.score = position.outcome().map(|outcome| outcome.score());
            if record.score.is_some() || record.plies.len() >= LONGEST {
                return Some(record);
            }
            let moves: Vec<P::Move> = position.moves().collect();
            let number = |mv: P::Move| moves.iter().position(|&legal| legal == mv).map(|index| index as u32);
            let by_order = order.as_ref().and_then(|order| order.draw(&position, &line, &mut rng)).and_then(number);
            let any = by_order.or_else(|| number(position.plausible_move(&mut rng)?));
            let any = any.unwrap_or_else(|| rng.below(moves.len() as u32));
            let ply = if record.plies.len() < drawn {
                Ply::Drawn { mv: any }
            } else {
                let BestMove { mv, value, balance } = search(&position, budget)?;
                let uneven = self.balance.is_some_and(|most| balance.is_none_or(|balance| balance.abs() > most));
                if uneven && record.plies.len() == drawn && openings < OPENINGS {
                    openings += 1;
                    (position, record) = (start.clone(), Record::default());
                    line.clear();
                    drawn = rng.below(self.opening + 1) as usize;
                    continue;
                }
                let best = number(mv)?;
                let is_random = rng.share() < self.random;
                match value.map(store::<P>) {
                    Some(value) if is_random => Ply::Random { mv: any, best, value },
                    Some(value) => Ply::Chosen { mv: best, value },
                    None if is_random => Ply::Drawn { mv: any },
                    None => Ply::Unvalued { mv: best },
                }
            };
            let played = moves[ply.played() as usize];
            line.push(played);
            position.play(played);
            record.plies.push(ply);
        }
    }
}

/// The learned order of moves, as random moves are drawn by it.
struct Order {
    weights: Vec<i32>,
    /// In units of the weights.
    temperature: f64,
}

impl Order {
    /// A random move after these; none where no move is ordered.
    fn draw<P: Learned>(&self, position: &P, line: &[P::Move], rng: &mut Rng) -> Option<P::Move> {
        let (mut moves, mut logits) = (Vec::new(), Vec::new());
        position.each_ordered_move(line, &mut |mv, features| {
            let sum: i32 = features.iter().map(|&feature| self.weights[feature]).sum();
            moves.push(mv);
            logits.push(f64::from(sum) / self.temperature);
        });
        let most = logits.iter().copied().fold(f64::MIN, f64::max);
        let chances: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        rng.weighted(&chances).map(|drawn| moves[drawn])
    }
}

/// A value as records have it.
fn store<P: Position>(value: f64) -> i16 {
    (value * scale::<P>()).round() as i16
}

/// What values are multiplied by in records.
pub fn scale<P: Position>() -> f64 {
    if P::POINTS { 100.0 } else { 10_000.0 }
}

/// Searches by an engine that keeps its table from move to move. Each game begins with a new one, so that games depend on
/// nothing but their numbers.
fn searcher<P: Learned>() -> impl FnMut(&P, Budget) -> Option<BestMove<P::Move>> {
    let engine = P::Engine::default();
    let mut kept = None;
    move |position, budget| {
        let moves: Vec<P::Move> = position.moves().collect();
        let task = Task::new(position, &moves, budget);
        let gone_on = kept.take().and_then(|left| engine.go_on(&task, 1, left, &[]));
        let shared = gone_on.map_or_else(|| engine.share(&task, 1), |(shared, _)| shared);
        let signals = Signals::default();
        let report = engine.search(&task, &Control::new(&signals, None, LONGEST_SEARCH), &shared);
        let report = engine.merge(position, vec![report], &shared);
        kept = Some(shared);
        let best = report.children.first()?;
        let points = || best.evaluation.outlook.map(|outlook| outlook.win + outlook.draw / 2.0);
        let value = if P::POINTS { best.evaluation.score } else { points() };
        Some(BestMove { mv: best.mv, value, balance: best.evaluation.outlook.map(|outlook| outlook.value()) })
    }
}
