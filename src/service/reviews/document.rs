//! A review in the words of the API.

use serde::Serialize;
use serde_json::Value;
use ulid::Ulid;

use crate::catalog::{BudgetRequest, Ended, Plan, View};
use crate::position::Side;
use crate::registry::Message;
use crate::review::{Move, Review, Summary};
use crate::service::searches::SearchRequest;

/// How far a review is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Queued,
    Running,
    Done,
    Cancelled,
    Failed,
}

/// One message: the same shape from first to last, with more moves each time.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    id: String,
    status: Status,
    #[serde(rename = "final")]
    is_final: bool,
    seq: u64,
    game: String,
    variant: Value,
    /// Where the reviewed moves begin.
    position: Start,
    plies: Plies,
    moves: Vec<Move>,
    sides: Sides,
    budget: Budget,
    threads: u32,
    engine: Engine,
    warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Start {
    text: String,
    to_move: Side,
    ply: u32,
    key: String,
    outcome: Option<Ended>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Plies {
    total: usize,
    reviewed: usize,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Sides {
    first: Summary,
    second: Summary,
}

/// What the search of each position was granted.
#[derive(Clone, Copy, Debug, Serialize)]
struct Budget {
    requested: BudgetRequest,
    granted: BudgetRequest,
}

#[derive(Clone, Debug, Serialize)]
struct Engine {
    name: &'static str,
    version: &'static str,
    options: Value,
    seed: Option<u64>,
}

impl Document {
    /// The first message about a game of so many moves.
    pub fn new(request: &SearchRequest, start: View, plan: &Plan, total: usize) -> Self {
        Self {
            id: Ulid::generate().to_string(),
            status: Status::Queued,
            is_final: false,
            seq: 0,
            game: request.game.clone(),
            variant: start.variant,
            position: Start {
                text: start.text,
                to_move: start.to_move,
                ply: start.ply,
                key: start.key,
                outcome: start.outcome,
            },
            plies: Plies { total, reviewed: 0 },
            moves: Vec::new(),
            sides: Sides::default(),
            budget: Budget { requested: request.budget.unwrap_or_default(), granted: plan.budget },
            threads: plan.threads,
            engine: Engine {
                name: plan.engine,
                version: env!("CARGO_PKG_VERSION"),
                options: plan.options.clone(),
                seed: request.seed,
            },
            warnings: plan.warnings.clone(),
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// Takes in what has been judged since the last message.
    pub fn update(&mut self, review: &Review) {
        let moves = review.moves();
        self.moves.extend_from_slice(&moves[self.moves.len()..]);
        self.plies.reviewed = moves.len();
        self.sides = Sides { first: review.summary(Side::First), second: review.summary(Side::Second) };
    }

    /// Goes on to the next message.
    pub fn next(&mut self, status: Status) {
        self.seq += 1;
        self.status = status;
        self.is_final = matches!(status, Status::Done | Status::Cancelled | Status::Failed);
    }

    /// The message as it is sent.
    pub fn message(&self) -> Message {
        // Texts and finite numbers only.
        let text = serde_json::to_string(self).expect("messages are JSON").into();
        Message { seq: self.seq, is_final: self.is_final, failed: self.status == Status::Failed, text }
    }
}
