//! Self-play: games of the current engine, each position with the result of its search.
//!
//! A game begins with some random plies; later plies are random with a given probability. Positions before such later moves are
//! searched too, so that variety costs no labels; only the game's result is lost as a target of earlier positions. Random moves
//! are drawn uniformly or from the learned move ordering: a search visits likely moves far more often than others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use tesuji_core::learned::Learned;
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::{Budget, Control, Engine, Signals, Task};

use crate::moves::LOGIT;
use crate::records::{Ply, Record, scale};

/// Parameters of self-play. With the weights and its number they determine a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SelfPlay {
    /// Node limit of each search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth limit of each search, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Maximum number of random opening plies; each game draws a number from 0 to this.
    pub opening: u32,
    /// Maximum imbalance of an opening: the difference of winning and losing chances in the game's first search. A game with a
    /// larger imbalance starts again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<f64>,
    /// The probability that a later move is random.
    pub random: f64,
    /// Temperature at which random moves are drawn from the learned move ordering, where there is one: the probability of a
    /// move is proportional to e to the power of its logit divided by this. Without it, moves are drawn uniformly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Seed of the random moves.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
struct BestMove<M> {
    mv: M,
    /// The search's value for the first player, if there is one: the margin, or points from 0 to 1.
    value: Option<f64>,
    /// The difference of winning and losing chances, where the search knows them.
    balance: Option<f64>,
}

/// Maximum plies of a game: all games end by their rules, but some only late.
const LONGEST: usize = 1000;

/// Maximum openings tried per game; the last one is played regardless of its balance.
const OPENINGS: u32 = 100;

/// Time limit of a search that nothing else ends.
const LONGEST_SEARCH: Duration = Duration::from_secs(3600);

impl SelfPlay {
    /// The budget of each search. Its memory suffices for its nodes; a larger table would only take longer to clear.
    fn budget(&self) -> Budget {
        const MIN_MEMORY: u64 = 256 << 10;
        const MAX_MEMORY: u64 = 64 << 20;
        let by_nodes = self.nodes.map(|nodes| nodes.saturating_mul(64));
        // Two more plies take about four times the nodes.
        let by_depth = self.depth.map(|depth| MIN_MEMORY << depth.saturating_sub(4).min(10));
        let memory = by_nodes.into_iter().chain(by_depth).min().unwrap_or(MAX_MEMORY).clamp(MIN_MEMORY, MAX_MEMORY);
        Budget { nodes: self.nodes, depth: self.depth, memory: Some(memory), ..Budget::default() }
    }

    /// Plays game number `game`; `None` when `stop` interrupts it.
    ///
    /// # Errors
    /// When a search finds no legal move.
    pub fn play<P: Learned>(&self, start: &P, game: u64, stop: &AtomicBool) -> Result<Option<Record>, String> {
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
                return Ok(None);
            }
            record.score = position.outcome().map(|outcome| outcome.score());
            if record.score.is_some() || record.plies.len() >= LONGEST {
                return Ok(Some(record));
            }
            let moves: Vec<P::Move> = position.moves().collect();
            let number = |mv: P::Move| moves.iter().position(|&legal| legal == mv).map(|index| index as u32);
            let by_order = order.as_ref().and_then(|order| order.draw(&position, &line, &mut rng)).and_then(number);
            let any = by_order.or_else(|| number(position.plausible_move(&mut rng)?));
            let any = any.unwrap_or_else(|| rng.below(moves.len() as u32));
            let ply = if record.plies.len() < drawn {
                Ply::Drawn { mv: any }
            } else {
                let no_move = || format!("game {game}: the search found no legal move at `{position}`");
                let BestMove { mv, value, balance } = search(&position, budget).ok_or_else(no_move)?;
                let best = number(mv).ok_or_else(no_move)?;
                let uneven = self.balance.is_some_and(|most| balance.is_none_or(|balance| balance.abs() > most));
                if uneven && record.plies.len() == drawn && openings < OPENINGS {
                    openings += 1;
                    (position, record) = (start.clone(), Record::default());
                    line.clear();
                    drawn = rng.below(self.opening + 1) as usize;
                    continue;
                }
                let is_random = rng.unit_interval() < self.random;
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

/// The learned move ordering, from which random moves are drawn.
struct Order {
    weights: Vec<i32>,
    /// In units of the weights.
    temperature: f64,
}

impl Order {
    /// A random move in a position reached by `line`; none where no move is ordered.
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

/// A value in the unit of records.
fn store<P: Position>(value: f64) -> i16 {
    (value * scale::<P>()).round() as i16
}

/// A search that keeps its table from move to move. Each game begins with a new one, so that it depends only on its number.
fn searcher<P: Learned>() -> impl FnMut(&P, Budget) -> Option<BestMove<P::Move>> {
    let engine = P::Engine::default();
    let mut kept = None;
    move |position, budget| {
        let moves: Vec<P::Move> = position.moves().collect();
        let task = Task::new(position, &moves, budget);
        let gone_on = kept.take().and_then(|retained| engine.reuse(&task, 1, retained, &[]));
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
