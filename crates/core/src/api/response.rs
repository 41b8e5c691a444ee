//! A search's result: the whole response, and each message on the way to it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Perspective, Status, schema, tolerant};
use crate::catalog::{BudgetRequest, Ended, Strength, View};
use crate::position::Side;
use crate::search::{Bound, LONGEST_LINE, StopReason};

/// What a search found.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/in_force"}}))]
pub struct SearchResponse {
    /// The search's id (a ULID).
    #[schemars(regex(pattern = "^[0-9A-HJKMNP-TV-Z]{26}$"))]
    pub id: String,
    /// How far it is.
    pub status: Status,
    /// Whether nothing follows this message.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The message's number, from 0; an answer that is not a stream is number 0.
    pub seq: u64,
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    pub game: String,
    /// Its variant, every parameter.
    #[schemars(with = "schema::Variant")]
    pub variant: Value,
    /// The position searched.
    pub position: PositionPart,
    /// The view from which values are given.
    pub perspective: Perspective,
    /// The chosen move, so far the best; null when the game is over and not merely adjudicated, and while nothing is known.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// How the move was chosen, where `level` or `variety` let it be another than the best; else null.
    pub choice: Option<ChoicePart>,
    /// What is known of the position searched.
    pub root: RootPart,
    /// One entry per root move considered, best first; the first is `move`. Their visits add up to the root's, unless
    /// `report.max_children` left some out.
    pub children: Vec<ChildPart>,
    /// Null while the search runs, and when it failed.
    pub stop_reason: Option<StopReason>,
    /// What it may spend, and has spent.
    pub budget: BudgetPart,
    /// Its threads.
    pub threads: ThreadsPart,
    /// Its times.
    pub timing: TimingPart,
    /// Who searches.
    #[schemars(with = "schema::EngineInForce")]
    pub engine: EnginePart,
    /// What an earlier search had left to it.
    pub reuse: ReusePart,
    /// What the client should know, in sentences.
    pub warnings: Vec<String>,
    /// The unit of margins, for as long as the response takes in reports. One that was read takes in none.
    #[serde(skip)]
    pub(super) unit: Option<&'static str>,
}

/// How a move was chosen that need not be the best one.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Choice")]
pub struct ChoicePart {
    /// The level; null where only variety was asked for.
    #[schemars(range(min = 1, max = Strength::FULL))]
    pub level: Option<u8>,
    /// The variety asked for.
    #[schemars(range(min = 0, max = 1))]
    pub variety: f64,
    /// The move that the search found best.
    pub best: String,
    /// What the chosen move gives up against it; null where one of their values is not known.
    #[schemars(range(min = 0, max = 2))]
    pub loss: Option<f64>,
}

/// The position searched.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "SearchedPosition")]
pub struct PositionPart {
    /// In the game's notation.
    #[schemars(with = "schema::PositionText")]
    pub text: String,
    /// The side to move.
    pub to_move: Side,
    /// Plies since the game's start.
    #[schemars(with = "schema::Ply")]
    pub ply: u32,
    /// Equal for equal positions.
    #[schemars(with = "schema::PositionKey")]
    pub key: String,
    /// How the game ended; null while it goes on.
    pub outcome: Option<OutcomePart>,
}

impl From<View> for PositionPart {
    fn from(view: View) -> Self {
        let View { text, to_move, ply, key, outcome, .. } = view;
        Self { text, to_move, ply, key, outcome: outcome.map(OutcomePart::from) }
    }
}

/// How the game ended; null while it goes on.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Outcome")]
pub struct OutcomePart {
    /// Who won; null is a draw.
    pub winner: Option<Side>,
    /// Why, as a stable word of the API. Another version may know others.
    #[schemars(with = "schema::EndReason")]
    pub reason: Cow<'static, str>,
    /// The first player's points minus the second's; null in games without points.
    pub margin: Option<i16>,
    /// Null where there was none.
    pub offence: Option<OffencePart>,
    /// Whether the rules have decided the game although there are legal moves (in Xiangqi a third repetition, too many plies
    /// without a capture, a board without attacking pieces). Other referees may rule otherwise: the moves of such a game are
    /// accepted beyond it, a search of the position plays on, and `warnings` name the verdict.
    #[serde(default)]
    pub adjudicated: bool,
}

/// The broken rule that decided the game (a foul, a forbidden repetition).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Offence")]
pub struct OffencePart {
    /// Who broke it.
    pub side: Side,
    /// The pieces that it was about. Those chased, or the stone placed.
    pub pieces: Vec<PiecePart>,
}

/// A piece that an offence was about.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "OffendingPiece")]
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

/// What is known of a position, from the perspective's view.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct Knowledge {
    /// Win minus loss. Null, with the next three, when nothing is known.
    #[schemars(range(min = -1, max = 1))]
    pub value: Option<f64>,
    /// Chance that the perspective's side wins; `win`, `draw` and `loss` add up to 1.
    #[schemars(range(min = 0, max = 1))]
    pub win: Option<f64>,
    /// Chance of a draw.
    #[schemars(range(min = 0, max = 1))]
    pub draw: Option<f64>,
    /// Chance that the perspective's side loses.
    #[schemars(range(min = 0, max = 1))]
    pub loss: Option<f64>,
    /// Standard error of `value`; null where `value` is not the mean of a sample.
    #[schemars(range(min = 0))]
    pub stderr: Option<f64>,
    /// Null in games without points, and when nothing is known.
    pub score: Option<ScorePart>,
    /// Whether `value`, `score` and `distance` are the numbers themselves (`exact`), or the truth is at least (`lower`) or at
    /// most (`upper`) as good for the perspective's side. Where nothing is proven, `exact` numbers are estimates, and limits are
    /// what alpha-beta search leaves of moves that it could discard. Where `proven` is not null, `exact` numbers are proven too:
    /// those of best play by both sides, in which the winner hurries and the loser resists. A win whose margin or length is not
    /// known exactly is `lower`: it is won by at least `score`, or in at most `distance` plies. A loss is `upper`: it is lost by
    /// at least so much, or in at most `distance` plies. Null when nothing is known.
    pub bound: Option<Bound>,
    /// Null when it is not proven.
    pub proven: Option<Proven>,
    /// Where a win or loss is proven: plies from the request's position to the end of the game, for a child the child's own move
    /// included; where `bound` is not `exact`, at most so many. Null in draws, in games with points, and when nothing is proven.
    /// In Gomoku a win by continuous fours counts by the fewest fours; as one by threes may be shorter, it is `lower` if it
    /// takes more than 5 plies.
    pub distance: Option<u32>,
}

/// Expected margin for the perspective's side.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Score")]
pub struct ScorePart {
    /// The margin.
    pub value: f64,
    /// Of what.
    #[schemars(with = "schema::Unit")]
    pub unit: Cow<'static, str>,
}

/// The result with best play by both sides, for the perspective's side.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ProvenResult")]
pub enum Proven {
    /// That side wins.
    Win,
    /// Neither side wins.
    Draw,
    /// That side loses.
    Loss,
}

/// What is known of the searched position: its value is that of the best move (`choice.best` where a level or variety chose
/// another one, else `move`). Where that move is proven to win but another may win sooner or by more, `bound` is a limit.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Root")]
pub struct RootPart {
    /// What is known of it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// Simulations, those that an earlier search had left included; null for engines that do not simulate.
    pub visits: Option<u64>,
    /// How deep the first child was searched (`negamax`), or the deepest ply looked at (`mcts`).
    pub depth: u32,
    /// Positions visited; in a tree (`mcts`) those visited for the first time, or again since they were recycled.
    pub nodes: u64,
    /// Bytes of tree or table in use.
    pub tree_bytes: u64,
}

/// What is known of one root move, or of a move further down the tree.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Child")]
pub struct ChildPart {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank; 0 is the chosen move.
    pub order: usize,
    /// Simulations that began with it; null for engines that do not simulate.
    pub visits: Option<u64>,
    /// Positions visited below it (`negamax`); null for engines that do not count them by move.
    pub nodes: Option<u64>,
    /// What is known of it.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// What playing it gives up: the `value` of the best child minus its own, from the view of the side to move for any
    /// `perspective`. The best child is the first one; under `level` or `variety` it is `choice.best`, and the first one gives
    /// up `choice.loss`. 0 for the best child and for moves that seem better, but are known less well (`depth`, `visits`). Null
    /// when the value is not known, or only a bound that proves no result. Where the best child's own value is such a bound
    /// (`lower`: the search ended before it found how much better than expected the move is), at least so much.
    #[schemars(range(min = 0, max = 2))]
    pub loss_vs_best: Option<f64>,
    /// The probability that `puct` gave it before any simulation; null where selection gives none.
    #[schemars(range(min = 0, max = 1))]
    pub prior: Option<f64>,
    /// How many plies deep it was searched, its own included; 0 when it was not.
    pub depth: u32,
    /// The line expected, the move itself first. Beside a `distance` it is no longer than that; where that is `exact`, it is
    /// best play by both sides, and ends where best play is not known.
    #[schemars(length(min = 1, max = LONGEST_LINE))]
    pub pv: Vec<String>,
    /// What is known of the replies; only where `report.tree` asked for it, and there is any. Here `order` is the place in this
    /// list, `depth` counts to the end of `pv`, and `loss_vs_best` is what the side to move there gives up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Self>", length(min = 1))]
    pub children: Option<Vec<ChildPart>>,
}

/// The limits requested, those granted (the same, with defaults), and the amounts used.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Budget")]
pub struct BudgetPart {
    /// What was asked for.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub requested: BudgetRequest,
    /// What was granted.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub granted: BudgetRequest,
    /// What was spent.
    pub used: UsedPart,
}

/// What a search has spent.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Spent")]
pub struct UsedPart {
    /// Milliseconds.
    #[schemars(range(min = 0))]
    pub time_ms: f64,
    /// Milliseconds of CPU time that its threads had, all of them together; in a web page, the time that each searched.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub cpu_ms: f64,
    /// Those that this search made; null for engines that do not simulate.
    pub simulations: Option<u64>,
    /// Positions visited.
    pub nodes: u64,
    /// Plies searched.
    pub depth: u32,
    /// Mebibytes of tree or table.
    #[schemars(range(min = 0))]
    pub memory_mb: f64,
}

/// The threads of a search.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Threads")]
pub struct ThreadsPart {
    /// As asked; null when it was not.
    pub requested: Option<u32>,
    /// Threads that searched.
    #[schemars(range(min = 1))]
    pub granted: u32,
    /// Where the threads are, this node first, if the search is spread over a cluster's nodes; else absent. In the result they
    /// are those whose results came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeThreads>,
}

/// Threads of a search on one node of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NodeThreads {
    /// The node's id, new at each start of the program.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// How many.
    pub threads: u32,
}

/// How long a search waited, and took.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Timing")]
pub struct TimingPart {
    /// Milliseconds from admission to the search's start.
    #[schemars(range(min = 0))]
    pub queued_ms: f64,
    /// Milliseconds from there to its end.
    #[schemars(range(min = 0))]
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

/// What an earlier search had left to this one. The visits are among those of the root and its children, not of the budget used.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Reuse")]
pub struct ReusePart {
    /// Visits of a tree.
    pub visits: u64,
    /// Entries of a transposition table.
    pub entries: u64,
}
