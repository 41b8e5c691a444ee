//! A search's result: the whole response, and each message on the way to it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Perspective, Status, tolerant};
use crate::catalog::{BudgetRequest, Ended, View};
use crate::position::Side;
use crate::search::{Bound, StopReason};

/// The whole answer, and each message on the way to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchResponse {
    /// The search's id.
    pub id: String,
    /// How far it is.
    pub status: Status,
    /// Whether nothing follows.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The message's number, from 0.
    pub seq: u64,
    /// The game's name.
    pub game: String,
    /// Its variant, every parameter.
    pub variant: Value,
    /// The position searched.
    pub position: PositionPart,
    /// The view from which values are given.
    pub perspective: Perspective,
    /// The chosen move; none while there is none, and when the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// How the move was chosen, where a level or variety was asked for.
    pub choice: Option<ChoicePart>,
    /// What is known of the position searched.
    pub root: RootPart,
    /// Its moves, best first.
    pub children: Vec<ChildPart>,
    /// Why the search ended; none before it has.
    pub stop_reason: Option<StopReason>,
    /// What it may spend, and has spent.
    pub budget: BudgetPart,
    /// Its threads.
    pub threads: ThreadsPart,
    /// Its times.
    pub timing: TimingPart,
    /// Who searches.
    pub engine: EnginePart,
    /// What an earlier search had left to it.
    pub reuse: ReusePart,
    /// What the client should know.
    pub warnings: Vec<String>,
    /// The unit of margins, for as long as the response takes in reports. One that was read takes in none.
    #[serde(skip)]
    pub(super) unit: Option<&'static str>,
}

/// How a move was chosen that need not be the best one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChoicePart {
    /// The level; none where only variety was asked for.
    pub level: Option<u8>,
    /// The variety.
    pub variety: f64,
    /// The move that the search found best.
    pub best: String,
    /// What the chosen one gives up against it; none where one of their values is not known.
    pub loss: Option<f64>,
}

/// A position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PositionPart {
    /// In the game's notation.
    pub text: String,
    /// The side to move.
    pub to_move: Side,
    /// Plies since the game's start.
    pub ply: u32,
    /// Equal for equal positions.
    pub key: String,
    /// How the game ended; none where it goes on.
    pub outcome: Option<OutcomePart>,
}

impl From<View> for PositionPart {
    fn from(view: View) -> Self {
        let View { text, to_move, ply, key, outcome, .. } = view;
        Self { text, to_move, ply, key, outcome: outcome.map(OutcomePart::from) }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomePart {
    /// Who won; none for a draw.
    pub winner: Option<Side>,
    /// Why, as a stable word of the API. Another version may know others.
    pub reason: Cow<'static, str>,
    /// First player's points minus the second's, in games played for points.
    pub margin: Option<i16>,
    /// The broken rule that decided the game; none where there was none.
    pub offence: Option<OffencePart>,
    /// Whether a rule has decided the game although there are legal moves, so that it may be played on.
    #[serde(default)]
    pub adjudicated: bool,
}

/// A rule broken, by which a side lost the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffencePart {
    /// Who broke it.
    pub side: Side,
    /// The pieces that it was about.
    pub pieces: Vec<PiecePart>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PiecePart {
    /// What it is, in English.
    pub piece: Cow<'static, str>,
    /// Where it stands, in the game's notation.
    pub square: String,
}

impl From<Ended> for OutcomePart {
    fn from(Ended { result, offence, adjudicated }: Ended) -> Self {
        let offence = offence.map(|offence| {
            let pieces = offence.pieces.into_iter();
            let pieces = pieces.map(|piece| PiecePart { piece: piece.piece.into(), square: piece.square });
            OffencePart { side: offence.side, pieces: pieces.collect() }
        });
        Self { winner: result.winner, reason: result.reason.into(), margin: result.margin, offence, adjudicated }
    }
}

/// What is known of a position, from the response's view.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Knowledge {
    /// Win minus loss.
    pub value: Option<f64>,
    /// The chance of a win.
    pub win: Option<f64>,
    /// The chance of a draw.
    pub draw: Option<f64>,
    /// The chance of a loss.
    pub loss: Option<f64>,
    /// The standard error of the value, where it is a mean.
    pub stderr: Option<f64>,
    /// The expected margin, in games played for points.
    pub score: Option<ScorePart>,
    /// Whether the value is exact or a bound.
    pub bound: Option<Bound>,
    /// What is proven.
    pub proven: Option<Proven>,
    /// Plies to the end of the game, where known.
    pub distance: Option<u32>,
}

/// A margin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScorePart {
    /// Win minus loss.
    pub value: f64,
    /// Of what.
    pub unit: Cow<'static, str>,
}

/// A proven result.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proven {
    /// For the side whose view is given.
    Win,
    /// For both.
    Draw,
    /// For the side whose view is given.
    Loss,
}

/// What is known of the position searched.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RootPart {
    /// What is known of it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// Simulations; none for engines that do not simulate.
    pub visits: Option<u64>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions in the tree, or visited.
    pub nodes: u64,
    /// Bytes that the tree takes.
    pub tree_bytes: u64,
}

/// A move, and what is known of the position after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChildPart {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank, from 0.
    pub order: usize,
    /// Simulations; none for engines that do not simulate.
    pub visits: Option<u64>,
    /// Positions visited below it; none for engines that do not count them by move.
    pub nodes: Option<u64>,
    /// What is known of it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// What the side to move gives up by it.
    pub loss_vs_best: Option<f64>,
    /// What the engine expected of it before any search.
    pub prior: Option<f64>,
    /// Plies looked ahead.
    pub depth: u32,
    /// The expected line, the move itself first.
    pub pv: Vec<String>,
    /// The replies; only where a tree was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<ChildPart>>,
}

/// What a search may spend, and has spent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BudgetPart {
    /// What was asked for.
    #[serde(deserialize_with = "tolerant::budget")]
    pub requested: BudgetRequest,
    /// What was granted.
    #[serde(deserialize_with = "tolerant::budget")]
    pub granted: BudgetRequest,
    /// What was spent.
    pub used: UsedPart,
}

/// What a search has spent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UsedPart {
    /// Milliseconds.
    pub time_ms: f64,
    /// Milliseconds of CPU time, of all threads together.
    #[serde(default)]
    pub cpu_ms: f64,
    /// Simulations.
    pub simulations: Option<u64>,
    /// Positions in the tree, or visited.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Mebibytes.
    pub memory_mb: f64,
}

/// Threads of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThreadsPart {
    /// What was asked for.
    pub requested: Option<u32>,
    /// What was granted.
    pub granted: u32,
    /// Where they are; empty where the search is not spread over a cluster's nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeThreads>,
}

/// Threads of a search on one node of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeThreads {
    /// The node's id.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// How many threads it has, or has had.
    pub threads: u32,
}

/// Times of a search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TimingPart {
    /// Milliseconds waited.
    pub queued_ms: f64,
    /// Milliseconds searched.
    pub search_ms: f64,
}

/// Who searches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnginePart {
    /// The engine's name.
    pub name: Cow<'static, str>,
    /// The program's version.
    pub version: Cow<'static, str>,
    /// The options in force.
    pub options: Value,
    /// The seed in force.
    pub seed: u64,
}

/// What an earlier search had left to this one.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ReusePart {
    /// Simulations; none for engines that do not simulate.
    pub visits: u64,
    /// Entries of its table.
    pub entries: u64,
}
