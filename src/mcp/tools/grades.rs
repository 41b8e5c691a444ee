//! `grade_move`: a move compared with the best one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_core::api::ChildPart;
use tesuji_core::grade::{Class, ProofEffect};

use super::searches::SearchResult;
use crate::mcp::arguments::{Position, Time};
use crate::mcp::caller::Caller;
use crate::mcp::refused::ToolError;
use crate::mcp::tool::{Tool, ToolResult};
use crate::mcp::words::{Said, Worth, list};
use crate::reasons::{Language, Words};

/// Arguments of `grade_move`.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct GradeMove {
    #[serde(flatten)]
    position: Position,
    /// The move to grade, which is not in `moves`.
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    time: Time,
}

/// A graded move.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Graded {
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// Its class; null when nothing is known.
    class: Option<Class>,
    /// Its loss in value against the best move, up to 2.
    loss: Option<f64>,
    /// Its rank among all legal moves, 1 for the best.
    rank: Option<usize>,
    /// The number of legal moves.
    choices: usize,
    /// What it does to the proven result of the position; null if none is proven.
    proof: Option<ProofEffect>,
    /// Whether class and loss are proven.
    exact: bool,
    /// The reasons, the most important first.
    reasons: Vec<Said>,
    /// What it is worth to its player; null if a symmetric move was searched instead.
    worth: Option<Worth>,
    /// The expected continuation, the move itself first; empty if a symmetric move was searched instead.
    line: Vec<String>,
    /// The best move.
    best: String,
    /// The expected continuation of that, the move itself first.
    best_line: Vec<String>,
    /// Remarks.
    warnings: Vec<String>,
}

impl Tool for GradeMove {
    const NAME: &'static str = "grade_move";
    const TITLE: &'static str = "Grade a move";
    const ABOUT: &'static str = "Compares a move with the best one: its class (best, good, inaccuracy, mistake, blunder), its \
                                 rank, what it loses, why, and what follows. If `exact` is true, the grade is proven. Example: \
                                 {\"game\": \"connect-four\", \"moves\": [\"4\", \"4\"], \"move\": \"1\"}";
    type Result = Graded;

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    async fn run(self, caller: &Caller) -> Result<ToolResult<Graded>, ToolError> {
        let Self { position, mv, time } = self;
        let found = match SearchResult::new(caller, &position, time, json!({ "grade": [mv] })).await {
            Err(refused) if refused.pointer().starts_with("/grade") => {
                let described = position.describe(caller).await?;
                let hint = format!("Legal moves of {}: {}", described.to_move, list(&described.legal_moves));
                return Err(refused.at("/move").with_hint(hint));
            }
            found => found?,
        };
        let children = &found.answer.children;
        let (Some(grade), Some(best)) = (found.answer.grades.first(), children.first()) else {
            return Err(ToolError::failed("a search has no grade"));
        };
        // A symmetric move may have been searched in its place.
        let own = |child: &&ChildPart| child.mv == grade.mv && child.knowledge.value == grade.value;
        let child = children.iter().find(own);
        let graded = Graded {
            class: grade.class,
            loss: grade.loss,
            rank: grade.rank,
            choices: children.len(),
            proof: grade.proof,
            exact: grade.exact,
            reasons: Said::all(&grade.reasons),
            worth: child.map(|child| Worth::new(&child.knowledge, found.player())),
            line: child.map(SearchResult::line).unwrap_or_default(),
            best: best.mv.clone(),
            best_line: SearchResult::line(best),
            warnings: found.answer.warnings.clone(),
            mv: grade.mv.clone(),
        };
        Ok(ToolResult::new(graded.text() + &found.warnings(), graded))
    }
}

impl Graded {
    fn text(&self) -> String {
        let Self { mv, rank, choices, loss, best_line, line, reasons, .. } = self;
        let words = Words::of(Language::En);
        let grade =
            words.grade(&crate::reasons::Graded { mv, class: self.class, rank: *rank, choices: *choices, loss: *loss });
        let proof = match (self.proof, self.exact) {
            (Some(ProofEffect::ThrownAway), _) => " It throws away a proven result.",
            (_, true) => " This is proven.",
            _ => " This is an estimate.",
        };
        let reasons = Said::text(reasons);
        let after = self.worth.as_ref().map(|worth| format!("\nAfter it: {}; {}", worth.words(), line.join(" ")));
        let better = match self.class {
            Some(Class::Forced | Class::Best) => String::new(),
            _ => format!("\nBest is {}: {}", self.best, best_line.join(" ")),
        };
        format!("{grade}{proof}{reasons}{}{better}", after.unwrap_or_default())
    }
}
