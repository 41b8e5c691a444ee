//! A review in progress: the next position to search, and the report after it. The caller runs each search of
//! [`Reviewing::search`] and passes its result to [`Reviewing::add`] until [`Reviewing::is_complete`].

use std::slice;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::prepared::check_files;
use super::review::Document;
use super::{Code, Problem, SearchRequest, Status, strict};
use crate::catalog::{
    AnySearch, AnySession, BudgetRequest, Catalog, LARGEST_SEED, Listed, Move, Moves, Plan, Policy, Refusal,
    RefusalKind, SearchSpec, Setup, typed,
};
use crate::custom::guarded;
use crate::position::IllegalMove;
use crate::review::{Evaluated, Review, play_all};
use crate::schema;
use crate::search::{Branches, Report};

/// A game to review, move by move.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentSchemas" = {"game": {"$ref": "#/components/x-variants-of-games/requested"}}))]
pub struct ReviewRequest {
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedVariant")]
    variant: Option<Value>,
    /// The position before the first move; by default the start.
    #[serde(default)]
    #[schemars(with = "schema::RequestedPosition")]
    position: Option<String>,
    /// The moves played, as in a search; 1000 at most.
    #[schemars(with = "Listed<Move>")]
    moves: Moves,
    /// Limits of each position's search.
    #[serde(default, deserialize_with = "strict::object")]
    budget: Option<BudgetRequest>,
    /// The engine: a name, or an object with options.
    #[serde(default, deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedEngine")]
    engine: Option<Value>,
    /// Threads of each search.
    #[serde(default, deserialize_with = "typed::capped")]
    #[schemars(range(min = 1, max = Policy::default().most.threads))]
    threads: Option<u32>,
    /// Seed of each search.
    #[serde(default, deserialize_with = "typed::whole::<_, _, 0, LARGEST_SEED>")]
    #[schemars(range(min = 0, max = LARGEST_SEED))]
    seed: Option<u64>,
}

/// The maximum number of moves in a review.
const MOST_MOVES: usize = 1000;

/// A review in progress.
pub struct Reviewing {
    request: SearchRequest,
    game: Box<dyn AnySession>,
    moves: Vec<String>,
    plan: Plan,
    review: Review,
    /// The number of positions with results.
    added: usize,
    /// The newest message.
    document: Document,
}

impl std::fmt::Debug for Reviewing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviewing").field("document", &self.document).finish_non_exhaustive()
    }
}

impl Reviewing {
    /// Checks a request and opens its review, with this id.
    ///
    /// # Errors
    /// When it is refused, or the program lacks a data file that the game's searches need.
    pub fn new(id: String, request: ReviewRequest, catalog: &Catalog, policy: &Policy) -> Result<Self, Problem> {
        guarded(|| Self::open(id, request, catalog, policy))?
    }

    fn open(id: String, request: ReviewRequest, catalog: &Catalog, policy: &Policy) -> Result<Self, Problem> {
        let setup = Setup { variant: request.variant.as_ref(), position: request.position.as_deref(), moves: &[] };
        let start = || catalog.open(&request.game, setup);
        let texts = request.moves.split(catalog, &request.game, request.variant.as_ref())?;
        let mut game = start()?;
        let moves = play_all(&mut *game, &texts).map_err(|(index, illegal)| {
            Problem::at(Code::IllegalMove, request.moves.pointer(index), illegal.to_string())
        })?;
        if moves.len() > MOST_MOVES {
            let problem = format!("expected at most {MOST_MOVES} moves, not {}", moves.len());
            return Err(Problem::at(Code::InvalidRequest, "/moves", problem));
        }
        let warnings = game.warnings();
        let mut game = start()?;
        let request = SearchRequest {
            game: request.game,
            budget: request.budget,
            engine: request.engine,
            threads: request.threads,
            seed: request.seed,
            ..SearchRequest::default()
        };
        let mut plan = game.search(&request.spec(None), policy)?.plan().clone();
        plan.warnings.retain(|warning| !warnings.contains(warning));
        plan.warnings.splice(0..0, warnings);
        check_files(&*game)?;
        let document = Document::new(id, &request, game.view(), &plan, moves.len());
        if !moves.is_empty() {
            game.resume();
        }
        Ok(Self { request, game, moves, plan, review: Review::default(), added: 0, document })
    }

    /// The same with its next messages numbered from `seq` + 1 on; the others have been sent.
    #[must_use]
    pub fn numbered_from(mut self, seq: u64) -> Self {
        self.document.number_from(seq);
        self
    }

    /// The game's name.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.request.game
    }

    /// The granted parameters of each search.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// The newest message.
    #[must_use]
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Whether every position has been reviewed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.added == self.positions()
    }

    /// Whether the game is over, so that there is nothing to search.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The search of the current position.
    ///
    /// # Errors
    /// When the policy grants less than it did for [`Reviewing::new`].
    pub fn search(&self, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal> {
        guarded(|| self.prepare(policy)).map_err(|fault| Refusal::of_fault(&fault))?
    }

    fn prepare(&self, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal> {
        // Only the best move and the one played are compared.
        let (branches, grade) = (Branches::default(), self.moves.get(self.added).map(slice::from_ref));
        let grade = grade.unwrap_or_default();
        self.game.search(&SearchSpec { branches, grade, ..self.request.spec(None) }, policy)
    }

    /// Adds the result of the current position, and plays the next move.
    ///
    /// # Errors
    /// When the rules of a game added at run time fail, or that move is illegal, which [`Reviewing::new`] excludes.
    pub fn add(&mut self, report: Option<Report<String>>) -> Result<(), Refusal> {
        guarded(|| self.add_and_play(report))
            .map_err(|fault| Refusal::of_fault(&fault))?
            .map_err(|illegal| Refusal::new(RefusalKind::IllegalMove, "/moves", illegal.to_string()))
    }

    fn add_and_play(&mut self, report: Option<Report<String>>) -> Result<(), IllegalMove> {
        let played = self.added.checked_sub(1).map(|index| self.moves[index].clone());
        let next = self.moves.get(self.added).map(String::as_str);
        self.review.add(played, Evaluated::of(&*self.game, next, report));
        self.document.update(&self.review);
        self.added += 1;
        match self.moves.get(self.added - 1) {
            None => Ok(()),
            Some(mv) => {
                self.document.next(Status::Running);
                self.game.play(mv)?;
                if self.added < self.moves.len() {
                    // The moves that follow ignore an adjudication.
                    self.game.resume();
                }
                Ok(())
            }
        }
    }

    /// Ends the review, complete or not.
    pub fn end(&mut self, status: Status) {
        self.document.next(status);
    }
}
