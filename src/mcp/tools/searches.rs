//! `best_move`, `analyze` and `hint`: searches of a position.

use rmcp::model::ContentBlock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_core::api::{ChildPart, Code, Problem, SearchResponse, Status};
use tesuji_core::grade::{Kind, Reason};
use tesuji_core::position::Side;
use tesuji_core::search::StopReason;

use super::positions::Shown;
use crate::mcp::arguments::{Position, Time};
use crate::mcp::caller::{Caller, Message, Progress};
use crate::mcp::refused::ToolError;
use crate::mcp::rules::Rules;
use crate::mcp::tool::{Tool, ToolResult};
use crate::mcp::words::{self, Names, Said, Worth};

/// The maximum length of a line in a result, in plies.
const LINE: usize = 8;
/// Milliseconds between two reports of progress.
const INTERVAL_MS: u64 = 250;

/// Searches a position, with progress for the client.
async fn search(
    caller: &Caller,
    position: &Position,
    time: Time,
    mut more: Value,
) -> Result<SearchResponse, ToolError> {
    more["budget"] = time.budget();
    more["report"]["interval_ms"] = INTERVAL_MS.into();
    let request = position.request(more);
    let result: SearchResponse = caller.search("/v1/searches", &request).await?;
    match (result.status, result.stop_reason) {
        (Status::Failed, _) => Err(Problem::new(Code::Internal, "the search failed on the server").into()),
        (Status::Cancelled, Some(StopReason::Shutdown)) if result.children.is_empty() => {
            Err(Problem::new(Code::ShuttingDown, "the server is shutting down").into())
        }
        (Status::Cancelled, _) if result.children.is_empty() => {
            Err(Problem::new(Code::Overloaded, "the search was cancelled before it started").into())
        }
        _ => Ok(result),
    }
}

impl Message for SearchResponse {
    fn status(&self) -> Status {
        self.status
    }

    /// The time spent, out of the time granted.
    fn progress(&self) -> Option<Progress> {
        let mv = self.mv.as_ref().filter(|_| !self.is_final)?;
        Some(Progress {
            done: self.timing.search_ms,
            total: self.budget.granted.time_ms.map(|millis| millis as f64),
            words: format!("depth {}, best so far {mv}", self.root.depth),
        })
    }
}

/// A search's result, for the tools' texts.
pub(super) struct SearchResult {
    pub answer: SearchResponse,
    names: Names,
}

impl SearchResult {
    pub async fn new(caller: &Caller, position: &Position, time: Time, more: Value) -> Result<Self, ToolError> {
        let answer = search(caller, position, time, more).await?;
        let names = Rules::names(caller, &position.game)?;
        Ok(Self { answer, names })
    }

    /// The name of the player to move.
    pub fn player(&self) -> &str {
        self.names.of(self.answer.position.to_move)
    }

    /// What the position is worth.
    fn worth(&self) -> Worth {
        Worth::new(&self.answer.root.knowledge, self.player())
    }

    /// The end of the game, if it is over.
    fn ended(&self) -> Option<String> {
        let outcome = self.answer.position.outcome.as_ref().filter(|outcome| !outcome.adjudicated)?;
        Some(format!("The game is over: {}.", words::outcome(outcome, &self.names)))
    }

    /// The first plies of a child's line.
    pub fn line(child: &ChildPart) -> Vec<String> {
        child.pv.iter().take(LINE).cloned().collect()
    }

    /// Remarks, one per line.
    pub fn warnings(&self) -> String {
        self.answer.warnings.iter().map(|warning| format!("\nNote: {warning}")).collect()
    }
}

/// Arguments of `best_move`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct BestMove {
    #[serde(flatten)]
    position: Position,
    #[serde(flatten)]
    time: Time,
    /// The strength of play, from 1 (a beginner) to 10 (full strength, the default).
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    level: Option<u8>,
    /// How freely to choose among moves of almost equal value, from 0 (the default) to 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    variety: Option<f64>,
}

/// A move, and the position after it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Chosen {
    /// The move; null when the game is over.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Who plays it.
    to_move: Side,
    /// What it is worth to that player.
    worth: Worth,
    /// The expected continuation, the move itself first.
    line: Vec<String>,
    /// The position after the move.
    after: Option<Shown>,
    /// Remarks.
    warnings: Vec<String>,
}

impl Tool for BestMove {
    const NAME: &'static str = "best_move";
    const TITLE: &'static str = "Find the best move";
    const ABOUT: &'static str = "Searches a position and returns the best move, what it is worth, and the position after \
                                 it. With `level` below 10 it plays like a weaker opponent. Example: {\"game\": \
                                 \"connect-four\", \"moves\": [\"4\", \"4\"], \"time_ms\": 500, \"level\": 5}";
    type Result = Chosen;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Chosen>, ToolError> {
        let Self { position, time, level, variety } = self;
        let more = json!({ "level": level, "variety": variety, "report": { "children": "best" } });
        let found = SearchResult::new(caller, &position, time, more).await?;
        let to_move = found.answer.position.to_move;
        let warnings = found.answer.warnings.clone();
        let Some((mv, child)) = found.answer.mv.clone().zip(found.answer.children.first()) else {
            let worth = found.worth();
            let text = found.ended().unwrap_or_else(|| "No move was found.".to_owned());
            return Ok(ToolResult::new(
                text,
                Chosen { mv: None, to_move, worth, line: Vec::new(), after: None, warnings },
            ));
        };
        let (worth, line) = (Worth::new(&child.knowledge, found.player()), SearchResult::line(child));
        let next = position.after(&position.describe(caller).await?, &mv);
        let after = Shown::new(&next, &next.describe(caller).await?, &found.names, caller)?;
        let text = format!(
            "{} ({to_move}) plays {mv}: {}.\nExpected: {}{}\n\nAfter {mv}:\n{}",
            found.player(),
            worth.words(),
            line.join(" "),
            found.warnings(),
            after.text(),
        );
        Ok(ToolResult::new(text, Chosen { mv: Some(mv), to_move, worth, line, after: Some(after), warnings }))
    }
}

/// Arguments of `analyze`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Analyze {
    #[serde(flatten)]
    position: Position,
    #[serde(flatten)]
    time: Time,
    /// How many of the best moves to return. Default: 5.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    top: Option<usize>,
}

/// The number of best moves returned by default.
const TOP: usize = 5;

/// An analysis.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Analysis {
    /// The side to move.
    to_move: Side,
    /// What the position is worth to it.
    worth: Worth,
    /// The best moves, the best first.
    moves: Vec<Candidate>,
    /// How many other moves were considered.
    left_out: usize,
    /// Plies searched.
    depth: u32,
    /// Positions visited.
    nodes: u64,
    /// Remarks.
    warnings: Vec<String>,
}

/// A move considered.
#[derive(Debug, JsonSchema, Serialize)]
struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// What it is worth to its player.
    worth: Worth,
    /// Its loss in value against the best; null where that is unknown.
    loss: Option<f64>,
    /// The expected continuation, the move itself first.
    line: Vec<String>,
}

impl Tool for Analyze {
    const NAME: &'static str = "analyze";
    const TITLE: &'static str = "Analyse a position";
    const ABOUT: &'static str = "Searches a position and compares its best moves: what each is worth, in words and numbers, \
                                 and its continuation. Example: {\"game\": \"xiangqi\", \"moves\": [\"h2e2\"], \
                                 \"time_ms\": 2000, \"top\": 3}";
    type Result = Analysis;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Analysis>, ToolError> {
        let Self { position, time, top } = self;
        let top = top.unwrap_or(TOP);
        let more = json!({ "report": { "multipv": top } });
        let found = SearchResult::new(caller, &position, time, more).await?;
        let (answer, worth) = (&found.answer, found.worth());
        let moves = answer.children.iter().take(top).map(|child| Candidate {
            mv: child.mv.clone(),
            worth: Worth::new(&child.knowledge, found.player()),
            loss: child.loss_vs_best,
            line: SearchResult::line(child),
        });
        let moves: Vec<Candidate> = moves.collect();
        let left_out = answer.children.len() - moves.len();
        let data = Analysis {
            to_move: answer.position.to_move,
            depth: answer.root.depth,
            nodes: answer.root.nodes,
            warnings: answer.warnings.clone(),
            worth,
            moves,
            left_out,
        };
        let text = found.ended().unwrap_or_else(|| data.text(&found));
        let link = caller.analyses().keep(caller.client().owner(), answer);
        Ok(ToolResult { text, data, more: link.into_iter().map(ContentBlock::resource_link).collect() })
    }
}

impl Analysis {
    fn text(&self, found: &SearchResult) -> String {
        let rows = self.moves.iter().enumerate().map(|(index, Candidate { mv, worth, line, .. })| {
            format!("{}. {mv}: {}; {}", index + 1, worth.words(), line.join(" "))
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        let left_out = match self.left_out {
            0 => String::new(),
            more => format!("\n… and {more} other moves (raise `top` to see them)"),
        };
        let (player, to_move, depth) = (found.player(), self.to_move, self.depth);
        let (worth, warnings) = (self.worth.words(), found.warnings());
        format!("{player} ({to_move}) is to move: {worth}. Depth {depth}.\n{rows}{left_out}{warnings}")
    }
}

/// Arguments of `hint`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Hint {
    #[serde(flatten)]
    position: Position,
    #[serde(flatten)]
    time: Time,
    /// Whether to reveal the move. Default: false.
    #[serde(default)]
    reveal: Option<bool>,
}

/// A loss below which a move counts as good, as in reviews.
const GOOD: f64 = 0.1;
/// The number of moves searched to full depth.
const COMPARED: usize = 3;

/// Whether a move is about as good as the best one, and searched about as well: as deep, or with a quarter of the visits.
fn is_good(child: &ChildPart, best: &ChildPart) -> bool {
    let is_known = match (child.visits, best.visits) {
        (Some(visits), Some(most)) => visits * 4 >= most,
        _ => child.depth >= best.depth,
    };
    is_known && child.loss_vs_best.is_some_and(|loss| loss < GOOD)
}

/// A hint.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Hinted {
    /// What the position is worth to the side to move.
    worth: Worth,
    /// The number of moves about as good as the best, which counts too; 3 means three or more.
    good_moves: usize,
    /// The best move, if it is revealed.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// What the best move does; without lines unless it is revealed.
    reasons: Vec<Said>,
}

impl Tool for Hint {
    const NAME: &'static str = "hint";
    const TITLE: &'static str = "Give a hint";
    const ABOUT: &'static str = "Helps a person who wants to find the move: how the position stands and how many good moves \
                                 there are, and the best move only with `reveal`. Example: {\"game\": \"hex\", \
                                 \"moves\": [\"a2\"], \"reveal\": false}";
    type Result = Hinted;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Hinted>, ToolError> {
        let Self { position, time, reveal } = self;
        let more = json!({ "report": { "multipv": COMPARED }, "grade": ["best"] });
        let found = SearchResult::new(caller, &position, time, more).await?;
        let worth = found.worth();
        let children = &found.answer.children;
        let good = children.iter().filter(|child| is_good(child, &children[0]));
        let good_moves = good.count().min(COMPARED);
        let mv = found.answer.mv.clone().filter(|_| reveal == Some(true));
        let mut reasons: Vec<Reason> = found.answer.grades.first().map(|best| best.reasons.clone()).unwrap_or_default();
        if mv.is_none() {
            // A line may show the move.
            reasons.iter_mut().for_each(|reason| reason.line.clear());
        }
        reasons.retain(|reason| reason.kind != Kind::Forced);
        let reasons = Said::all(&reasons);
        let text = found.ended().unwrap_or_else(|| {
            let choice = match (good_moves, children.len()) {
                (_, 1) => "There is only one legal move.",
                (0, _) => "The search was too short to compare moves.",
                (1, _) => "One move is better than all others.",
                (2, _) => "Two moves are about equally good.",
                _ => "Three or more moves are about equally good.",
            };
            let end = match &mv {
                Some(mv) => format!("The best is {mv}.{}", Said::text(&reasons)),
                None if !reasons.is_empty() => {
                    format!("About the best move:{} Call again with `reveal` for the move.", Said::text(&reasons))
                }
                None => "Call again with `reveal` for the move.".to_owned(),
            };
            format!("{} is to move: {}. {choice} {end}", found.player(), worth.words())
        });
        Ok(ToolResult::new(text, Hinted { worth, good_moves, mv, reasons }))
    }
}
