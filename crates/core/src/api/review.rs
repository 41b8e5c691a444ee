//! The messages of a review.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answering::FAILED;
use super::{PositionPart, SearchRequest, Status, tolerant};
use crate::catalog::{BudgetRequest, Plan, View};
use crate::position::Side;
use crate::review::{Move, Review, Summary};
use crate::schema;

/// A review's progress.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Review", extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/effective"}}))]
pub struct Document {
    /// The review's id (a ULID).
    #[schemars(regex(pattern = "^[0-9A-HJKMNP-TV-Z]{26}$"))]
    id: String,
    /// The review's state. `cancelled`: by a client or a shutdown; the moves reviewed so far are kept.
    #[schemars(extend("x-described" = true))]
    status: Status,
    /// Whether this is the last message.
    #[serde(rename = "final")]
    is_final: bool,
    /// The message's number, from 0.
    seq: u64,
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    pub game: String,
    /// The variant with all its parameters.
    #[schemars(with = "schema::Variant")]
    pub variant: Value,
    /// The position before the first reviewed move.
    pub position: PositionPart,
    /// The review's progress.
    pub plies: Plies,
    /// The moves reviewed so far, in order.
    pub moves: Vec<Move>,
    /// Each side's accuracy and mistakes.
    pub sides: Sides,
    /// Limits of each position's search.
    pub budget: Budget,
    /// Threads of each search.
    #[schemars(range(min = 1))]
    pub threads: u32,
    /// The engine and its options.
    pub engine: Engine,
    /// Remarks for the client, each a sentence.
    pub warnings: Vec<String>,
}

/// The progress of a review.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewProgress")]
pub struct Plies {
    /// Moves of the game.
    pub total: usize,
    /// Moves reviewed so far.
    pub reviewed: usize,
}

/// Each side's accuracy and mistakes.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewedSides")]
pub struct Sides {
    /// The first player.
    pub first: Summary,
    /// The second player.
    pub second: Summary,
}

/// The limits of each search: requested, and granted with defaults.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewBudget")]
pub struct Budget {
    /// The limits requested.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub requested: BudgetRequest,
    /// The limits granted.
    #[serde(deserialize_with = "tolerant::budget")]
    #[schemars(with = "schema::Limits")]
    pub granted: BudgetRequest,
}

/// The engine of a review.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ReviewEngine")]
pub struct Engine {
    /// The engine's name.
    #[schemars(with = "schema::EngineName")]
    pub name: Cow<'static, str>,
    /// The program's version.
    pub version: Cow<'static, str>,
    /// All options, as in a search's response.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub options: Value,
    /// The seed of each search; null if none was requested, so that each search had a different one.
    pub seed: Option<u64>,
}

impl Document {
    /// The first message of a review, with the number of moves.
    #[must_use]
    pub fn new(id: String, request: &SearchRequest, mut start: View, plan: &Plan, total: usize) -> Self {
        Self {
            id,
            status: Status::Queued,
            is_final: false,
            seq: 0,
            game: request.game.clone(),
            variant: std::mem::take(&mut start.variant),
            position: start.into(),
            plies: Plies { total, reviewed: 0 },
            moves: Vec::new(),
            sides: Sides::default(),
            budget: Budget { requested: request.budget.unwrap_or_default(), granted: plan.budget },
            threads: plan.threads,
            engine: Engine {
                name: plan.engine.into(),
                version: env!("CARGO_PKG_VERSION").into(),
                options: plan.options.clone(),
                seed: request.seed,
            },
            warnings: plan.warnings.clone(),
        }
    }

    /// The review's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Adds the moves classified since the last message.
    pub fn update(&mut self, review: &Review) {
        let moves = review.moves();
        self.moves.extend_from_slice(&moves[self.moves.len()..]);
        self.plies.reviewed = moves.len();
        self.sides = Sides { first: review.summary(Side::First), second: review.summary(Side::Second) };
    }

    /// Advances to the next message.
    pub fn next(&mut self, status: Status) {
        self.seq += 1;
        self.status = status;
        self.is_final = status.is_final();
    }

    /// Ends the review without a result.
    pub fn fail(&mut self) {
        self.next(Status::Failed);
        self.warnings.push(FAILED.to_owned());
    }

    /// Numbers the next messages from `seq` + 1 on; the others have been sent.
    pub const fn number_from(&mut self, seq: u64) {
        self.seq = seq;
    }

    /// The message's number, from 0.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The review's state.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }
}
