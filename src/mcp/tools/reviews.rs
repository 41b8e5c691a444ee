//! `review_game`: a whole game, move by move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_core::api::review::Document;
use tesuji_core::api::{Code, Problem, Status};
use tesuji_core::grade::Class;
use tesuji_core::position::Side;
use tesuji_core::review::{Move, Summary};

use crate::mcp::arguments::{Position, Time};
use crate::mcp::caller::{Caller, Message, Progress};
use crate::mcp::refused::ToolError;
use crate::mcp::rules::Rules;
use crate::mcp::tool::{Tool, ToolResult};
use crate::mcp::words::{Names, Said};
use crate::reasons::{Language, Words};

/// Arguments of `review_game`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct ReviewGame {
    #[serde(flatten)]
    position: Position,
    /// How long to think about each position, in milliseconds. Default: 100.
    #[serde(default)]
    #[schemars(range(min = 1))]
    time_ms: Option<u64>,
    /// How many of the worst moves to return. Default: 10.
    #[serde(default)]
    top: Option<usize>,
}

/// Milliseconds for each position by default.
const TIME_MS: u64 = 100;
/// The number of worst moves returned by default.
const TOP: usize = 10;

/// A review.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Reviewed {
    /// The first player's accuracy and mistakes.
    first: Summary,
    /// The second player's.
    second: Summary,
    /// The worst moves, in the order of the game.
    mistakes: Vec<Mistake>,
    /// How many other inaccuracies, mistakes and blunders there are.
    left_out: usize,
    /// Remarks.
    warnings: Vec<String>,
}

/// An inaccuracy, mistake or blunder.
#[derive(Debug, JsonSchema, Serialize)]
struct Mistake {
    /// Its number, from 1.
    ply: usize,
    /// Who played it.
    side: Side,
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// Its class.
    class: Option<Class>,
    /// Its loss in value, up to 2.
    loss: Option<f64>,
    /// The better move.
    best: String,
    /// That move's continuation.
    line: Vec<String>,
    /// The reasons, the most important first.
    reasons: Vec<Said>,
}

/// The maximum length of a line in a result, in plies.
const LINE: usize = 6;

impl Tool for ReviewGame {
    const NAME: &'static str = "review_game";
    const TITLE: &'static str = "Review a game";
    const ABOUT: &'static str = "Reviews a whole game move by move: each side's accuracy, and the worst moves with better \
                                 ones. Takes `time_ms` for each move. Example: {\"game\": \"reversi\", \"moves\": [\"f5\", \
                                 \"d6\", \"c3\", \"d3\"], \"time_ms\": 100}";
    type Result = Reviewed;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Reviewed>, ToolError> {
        let Self { position, time_ms, top } = self;
        let time = Time { time_ms: Some(time_ms.unwrap_or(TIME_MS.min(caller.longest_ms()))) };
        if position.moves.is_none() {
            return Err(Problem::at(Code::InvalidRequest, "/moves", "expected the moves of the game").into());
        }
        let accepted: Document =
            caller.post("/v1/reviews", &position.request(json!({ "budget": time.budget() }))).await?;
        let job = format!("/v1/reviews/{}", accepted.id());
        let review = caller.follow::<Document>(&job).await?;
        if review.status() != Status::Done {
            return Err(Problem::new(Code::Internal, "the review ended without a result").into());
        }
        let names = Rules::names(caller, &position.game)?;
        let data = Reviewed::new(&review, top.unwrap_or(TOP));
        Ok(ToolResult::new(data.text(&names), data))
    }
}

impl Message for Document {
    fn status(&self) -> Status {
        Self::status(self)
    }

    fn progress(&self) -> Option<Progress> {
        let (reviewed, total) = (self.plies.reviewed, self.plies.total);
        let words = format!("{reviewed} of {total} moves reviewed");
        Some(Progress { done: reviewed as f64, total: Some(total as f64), words })
    }
}

impl Reviewed {
    fn new(review: &Document, top: usize) -> Self {
        let is_mistake = |mv: &&Move| matches!(mv.class, Some(Class::Inaccuracy | Class::Mistake | Class::Blunder));
        let mut worst: Vec<&Move> = review.moves.iter().filter(is_mistake).collect();
        let all = worst.len();
        worst.sort_by(|a, b| b.loss.unwrap_or(0.0).total_cmp(&a.loss.unwrap_or(0.0)));
        worst.truncate(top);
        worst.sort_by_key(|mv| mv.ply);
        let mistakes: Vec<Mistake> = worst.into_iter().map(Mistake::from).collect();
        Self {
            first: review.sides.first,
            second: review.sides.second,
            left_out: all - mistakes.len(),
            mistakes,
            warnings: review.warnings.clone(),
        }
    }

    fn text(&self, names: &Names) -> String {
        let side = |name: &str, summary: &Summary| {
            let accuracy = summary.accuracy.map_or_else(|| "unknown".to_owned(), |accuracy| format!("{accuracy:.1}"));
            let counted =
                |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
            format!(
                "{name}: {}, accuracy {accuracy} of 100, {}, {}, {}.",
                counted(summary.moves, "move", "moves"),
                counted(summary.inaccuracies, "inaccuracy", "inaccuracies"),
                counted(summary.mistakes, "mistake", "mistakes"),
                counted(summary.blunders, "blunder", "blunders"),
            )
        };
        let words = Words::of(Language::En);
        let rows = self.mistakes.iter().map(|mistake| {
            let Mistake { ply, mv, best, line, reasons, .. } = mistake;
            let (class, line, reasons) = (words.class(mistake.class), line.join(" "), Said::text(reasons));
            let loss = mistake.loss.map_or_else(String::new, |loss| format!(" (loss {loss:.2})"));
            let player = names.of(mistake.side);
            format!("{ply}. {player} played {mv}, {class}{loss}; better {best}: {line}.{reasons}")
        });
        let heads = [side(&names.first, &self.first), side(&names.second, &self.second)];
        let mut lines: Vec<String> = heads.into_iter().chain(rows).collect();
        if self.left_out > 0 {
            lines.push(format!("… and {} more (raise `top` to see them)", self.left_out));
        }
        lines.extend(self.warnings.iter().map(|warning| format!("Note: {warning}")));
        lines.join("\n")
    }
}

impl From<&Move> for Mistake {
    fn from(mv: &Move) -> Self {
        Self {
            ply: mv.ply,
            side: mv.side,
            mv: mv.mv.clone(),
            class: mv.class,
            loss: mv.loss,
            best: mv.best.clone(),
            line: mv.line.iter().take(LINE).cloned().collect(),
            reasons: Said::all(&mv.reasons),
        }
    }
}
