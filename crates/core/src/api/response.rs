//! A search's response, and each message before it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Perspective, Status, tolerant};
use crate::catalog::{BudgetRequest, Ended, Strength, View};
use crate::grade::{Class, Graded, ProofEffect, Reason};
use crate::position::Side;
use crate::schema;
use crate::search::{Bound, LONGEST_LINE, StopReason};

/// The state or result of a search.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/effective"}}))]
pub struct SearchResponse {
    /// The search's id (a ULID).
    #[schemars(regex(pattern = "^[0-9A-HJKMNP-TV-Z]{26}$"))]
    pub id: String,
    /// The search's state.
    pub status: Status,
    /// Whether this is the last message.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The message's number, from 0; 0 in a response that is not a stream.
    pub seq: u64,
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    pub game: String,
    /// The variant with all its parameters.
    #[schemars(with = "schema::Variant")]
    pub variant: Value,
    /// The position searched.
    pub position: PositionPart,
    /// The perspective of the values.
    pub perspective: Perspective,
    /// The chosen move; while the search runs, the best so far. Null when the game is over other than by adjudication, and
    /// while nothing is known.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// How the move was chosen under `level` or `variety`; else null.
    pub choice: Option<ChoicePart>,
    /// The evaluation of the searched position.
    pub root: RootPart,
    /// One entry per root move considered, best first; the first is `move`. Their visits add up to the root's, unless
    /// `report.max_children` omits some.
    pub children: Vec<ChildPart>,
    /// The grades of the moves of `grade`, in that order; present only if requested, and once the search has begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<GradePart>,
    /// Why the search ended; null while it runs and if it failed.
    pub stop_reason: Option<StopReason>,
    /// The search's limits and the amounts used.
    pub budget: BudgetPart,
    /// The search's threads.
    pub threads: ThreadsPart,
    /// How long the search waited and ran.
    pub timing: TimingPart,
    /// The engine and its options.
    #[schemars(with = "schema::EffectiveEngine")]
    pub engine: EnginePart,
    /// The work reused from an earlier search.
    pub reuse: ReusePart,
    /// Remarks for the client, each a sentence.
    pub warnings: Vec<String>,
    /// The unit of margins, while the response is updated by reports; `None` in a response that was read.
    #[serde(skip)]
    pub(super) unit: Option<&'static str>,
    /// The moves to be graded, while the response is updated by reports.
    #[serde(skip)]
    pub(super) graded: Vec<Graded>,
}

/// The grade of a move, compared with the best one.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Grade")]
pub struct GradePart {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its place among all legal moves: 1 for the best, and one more than the number of better moves for any other. Moves of
    /// equal proven worth share a rank; of two wins the sooner one is better, of two losses the later one, and more points are
    /// better. Null when nothing is known of the move.
    #[schemars(range(min = 1))]
    pub rank: Option<usize>,
    /// Its value, from the perspective's view. Null when it is unknown, or a bound without a proof.
    #[schemars(range(min = -1, max = 1))]
    pub value: Option<f64>,
    /// Its loss: the best move's value minus its own, from the view of the side to move, never negative. A slower win loses
    /// nothing. Null when either value is unknown.
    #[schemars(range(min = 0, max = 2))]
    pub loss: Option<f64>,
    /// Its class, by the loss; null when that is unknown.
    pub class: Option<Class>,
    /// The effect on the proven result of the position, for the side to move; null where no result is proven, or the move's is
    /// open.
    pub proof: Option<ProofEffect>,
    /// Whether the results of the best move and of this one are proven, so that `value`, `loss`, `class` and `proof` are exact.
    pub exact: bool,
    /// The depth of an estimate in plies (`negamax`): the best move's, or one less where the budget ended the search between
    /// the two; or the deepest ply reached (`mcts`). Null where `exact`, and without a search.
    pub depth: Option<u32>,
    /// The reasons for the grade, the most important first.
    #[serde(default)]
    pub reasons: Vec<Reason>,
}

/// How a move was chosen that is not necessarily the best.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Choice")]
pub struct ChoicePart {
    /// The level; null if only `variety` was given.
    #[schemars(range(min = 1, max = Strength::FULL))]
    pub level: Option<u8>,
    /// The variety.
    #[schemars(range(min = 0, max = 1))]
    pub variety: f64,
    /// The best move by the search.
    pub best: String,
    /// The chosen move's loss against it; null where either value is unknown.
    #[schemars(range(min = 0, max = 2))]
    pub loss: Option<f64>,
}

/// The position searched.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "SearchedPosition")]
pub struct PositionPart {
    /// The position in the game's notation.
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
    /// Why, as a stable word of the API. Other versions can add words.
    #[schemars(with = "schema::EndReason")]
    pub reason: Cow<'static, str>,
    /// The first player's points minus the second's; null in games without points.
    pub margin: Option<i16>,
    /// Null if no rule was broken.
    pub offence: Option<OffencePart>,
    /// Whether the rules decided the game although there are legal moves (in Xiangqi a third repetition, too many plies
    /// without a capture, no attacking pieces left). Other referees can rule otherwise: further moves of such a game are
    /// accepted, a search of the position plays on, and `warnings` name the verdict.
    #[serde(default)]
    pub adjudicated: bool,
}

/// The broken rule that decided the game (a foul, a forbidden repetition).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Offence")]
pub struct OffencePart {
    /// Who broke it.
    pub side: Side,
    /// The pieces concerned: those chased, or the stone placed.
    pub pieces: Vec<PiecePart>,
}

/// A piece involved in an offence.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "OffendingPiece")]
pub struct PiecePart {
    /// Its English name.
    pub piece: Cow<'static, str>,
    /// Its square, in the game's notation.
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

/// The evaluation of a position, from the perspective's view.
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
    /// The expected margin; null in games without points, and when nothing is known.
    pub score: Option<ScorePart>,
    /// Whether `value`, `score` and `distance` are exact (`exact`), or the true ones at least (`lower`) or at most (`upper`)
    /// as good for the perspective's side. Where nothing is proven, `exact` numbers are estimates, and limits come from moves
    /// that alpha-beta search discarded. Where `proven` is not null, `exact` numbers are proven too: both sides play their
    /// best, the winner for the fastest win, the loser for the slowest loss. A win of unknown margin or length is `lower`: by
    /// at least `score`, or in at most `distance` plies. Such a loss is `upper`: by at least that margin, or in at most
    /// `distance` plies. Null when nothing is known.
    pub bound: Option<Bound>,
    /// The proven result; null without a proof.
    pub proven: Option<Proven>,
    /// Where a win or loss is proven: plies from the request's position to the end of the game, including a child's own move;
    /// an upper limit unless `bound` is `exact`. Null in draws, in games with points, and when nothing is proven. In Gomoku a
    /// win by continuous fours has the distance of its fewest fours; a win by threes can be shorter, so beyond 5 plies `bound`
    /// is `lower`.
    pub distance: Option<u32>,
}

/// Expected margin for the perspective's side.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Score")]
pub struct ScorePart {
    /// The margin.
    pub value: f64,
    /// Its unit.
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

/// The evaluation of the searched position. Its value is that of the best move: `choice.best` under a level or variety, else
/// `move`. Where that move is a proven win but another can win sooner or by more, `bound` is a limit.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Root")]
pub struct RootPart {
    /// The evaluation.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// Simulations, including those reused from an earlier search; null for engines without simulations.
    pub visits: Option<u64>,
    /// The depth of the first child (`negamax`), or the deepest ply reached (`mcts`).
    pub depth: u32,
    /// Positions visited; in a tree (`mcts`) new nodes, including those recreated after recycling.
    pub nodes: u64,
    /// Bytes of tree or table in use.
    pub tree_bytes: u64,
}

/// The evaluation of a root move, or of a move further down the tree.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Child")]
pub struct ChildPart {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank; the chosen move has 0.
    pub order: usize,
    /// Simulations that began with it; null for engines without simulations.
    pub visits: Option<u64>,
    /// Positions visited below it (`negamax`); null for engines that do not count by move.
    pub nodes: Option<u64>,
    /// The evaluation.
    #[serde(flatten)]
    pub knowledge: Knowledge,
    /// The move's loss: the best child's `value` minus its own, from the view of the side to move under any `perspective`. The
    /// best child is the first; under `level` or `variety` it is `choice.best`, and the first has the loss `choice.loss`. 0 for
    /// the best child and for moves with a better value of less certainty (`depth`, `visits`). Null when the value is unknown,
    /// or a bound without a proof. A minimum where the best child's value is a `lower` bound, because the search ended before
    /// it could determine how much better than expected that move is.
    #[schemars(range(min = 0, max = 2))]
    pub loss_vs_best: Option<f64>,
    /// The prior probability under `puct` and `rave`; null under `ucb1`, and where the moves have no order.
    #[schemars(range(min = 0, max = 1))]
    pub prior: Option<f64>,
    /// The depth of its search in plies, its own included; 0 without a search.
    pub depth: u32,
    /// The principal variation, the move itself first, at most `distance` plies long. Where a `distance` is `exact`, it is best
    /// play by both sides, and ends where best play is unknown.
    #[schemars(length(min = 1, max = LONGEST_LINE))]
    pub pv: Vec<String>,
    /// The replies and their evaluations; present only if `report.tree` requests it and a reply has been visited. Here `order`
    /// is the index in this list, `depth` the length of `pv`, and `loss_vs_best` the loss of the side to move there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Self>", length(min = 1))]
    pub children: Option<Vec<ChildPart>>,
}

/// The limits requested, those granted (the same, with defaults), and the amounts used.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Budget")]
pub struct BudgetPart {
    /// The limits requested.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub requested: BudgetRequest,
    /// The limits granted.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub granted: BudgetRequest,
    /// The amounts used.
    pub used: UsedPart,
}

/// The time and work of a search.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Spent")]
pub struct UsedPart {
    /// Milliseconds.
    #[schemars(range(min = 0))]
    pub time_ms: f64,
    /// Milliseconds of CPU time of all threads together; in a web page, the sum of their search times.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub cpu_ms: f64,
    /// Simulations of this search; null for engines without simulations.
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
    /// Threads requested; null if absent.
    pub requested: Option<u32>,
    /// Threads that searched.
    #[schemars(range(min = 1))]
    pub granted: u32,
    /// The nodes of a search over a cluster, this one first; else absent. In the result, the nodes that returned results.
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
    /// Its number of threads.
    pub threads: u32,
}

/// How long a search waited and ran.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Timing")]
pub struct TimingPart {
    /// Milliseconds from admission to the search's start.
    #[schemars(range(min = 0))]
    pub queued_ms: f64,
    /// Milliseconds from its start to its end.
    #[schemars(range(min = 0))]
    pub search_ms: f64,
}

/// The engine of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnginePart {
    /// The engine's name.
    pub name: Cow<'static, str>,
    /// The program's version.
    pub version: Cow<'static, str>,
    /// The effective options.
    pub options: Value,
    /// The effective seed.
    pub seed: u64,
}

/// The work reused from an earlier search. Its visits count in the root and its children, not in the budget used.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Reuse")]
pub struct ReusePart {
    /// Visits in the tree.
    pub visits: u64,
    /// Entries in the transposition table.
    pub entries: u64,
}
