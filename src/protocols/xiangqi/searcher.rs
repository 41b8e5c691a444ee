//! The searches of an engine: one at a time, on the search threads, with a table that is kept from move to move. A separate
//! thread writes the best move (`running`), so that commands are answered meanwhile.

use serde_json::{Value, json};
use tesuji_core::catalog::{AnySession, BudgetRequest, Filter, Policy, SearchSpec, Strength};

use super::info::{Dialect, InfoWriter};
use super::running::{Running, Until};
use crate::protocols::searches::{SCOPE, Searches};
use crate::protocols::{BoxError, Output};
use crate::scheduler::Ticket;

/// The game of these protocols.
pub const GAME: &str = "xiangqi";
/// The default and the maximum size of the table, in MiB.
pub const HASH: u64 = 64;
pub const MOST_HASH: u64 = 4096;
/// A position and its search.
pub struct Searcher {
    pub output: Output,
    pub threads: u32,
    dialect: Dialect,
    searches: Searches,
    variant: Value,
    /// `None` after a refused position; an older one is not searched in its place.
    session: Option<Box<dyn AnySession>>,
    hash: u64,
    running: Option<Running>,
}

/// The parameters of a search.
pub struct SearchParameters {
    /// Its budget; if empty, the maximum time of the policy.
    pub budget: BudgetRequest,
    /// The engine; `None` for the one of the strength.
    pub engine: Option<Value>,
    pub strength: Strength,
    /// The moves to consider; `None` for all.
    pub filter: Option<Filter>,
    /// When the best move is written.
    pub until: Until,
    /// Whether the opponent offered a draw with its last move; set before the search begins, which can end at once.
    pub draw_offered: bool,
}

impl Searcher {
    /// A searcher at the start position.
    pub fn new(output: Output, dialect: Dialect) -> Result<Self, BoxError> {
        let searches = Searches::new(GAME, HASH)?;
        let session = Some(searches.open(None, None, &[])?);
        Ok(Self { output, threads: 1, dialect, searches, variant: json!({}), session, hash: HASH, running: None })
    }

    /// The policy of the searches.
    pub fn policy(&self) -> &Policy {
        &self.searches.policy
    }

    /// Writes a line.
    pub fn say(&self, line: &str) -> Result<(), BoxError> {
        Ok(self.output.line(line)?)
    }

    /// Writes a sentence for the interface's user.
    pub fn inform(&self, text: &str) -> Result<(), BoxError> {
        let kind = match self.dialect {
            Dialect::Uci => "string",
            Dialect::Ucci => "message",
        };
        self.say(&format!("info {kind} {text}"))
    }

    /// Answers `go` if there is no position to search.
    pub fn answer_without_move(&self) -> Result<(), BoxError> {
        self.say(match self.dialect {
            Dialect::Uci => "bestmove 0000",
            Dialect::Ucci => "nobestmove",
        })
    }

    /// The position.
    pub fn session(&self) -> Result<&dyn AnySession, BoxError> {
        Ok(&**self.session.as_ref().ok_or("no position: the last one was refused")?)
    }

    /// The current search.
    pub fn running(&mut self) -> Option<&mut Running> {
        self.running.as_mut()
    }

    /// Finishes the current search, if any: at once (`now`), or at its end.
    pub fn finish(&mut self, now: bool) {
        if let Some(running) = self.running.take() {
            running.finish(now);
        }
    }

    /// Finishes at the end of the input. A search that ends by itself is awaited, for commands from a file.
    pub fn end(&mut self) {
        let endless = self.running.as_ref().is_some_and(Running::is_endless);
        self.finish(endless);
    }

    /// Stops the current search, and drops the tables of earlier ones.
    pub fn empty_table(&mut self) -> Result<(), BoxError> {
        self.finish(true);
        self.searches.clear_tables(self.hash)
    }

    /// Sets the size of the table, and empties it.
    pub fn resize_table(&mut self, mebibytes: u64) -> Result<(), BoxError> {
        self.hash = mebibytes;
        self.empty_table()
    }

    /// Starts over in another variant.
    pub fn set_variant(&mut self, variant: Value) -> Result<(), BoxError> {
        let start = self.searches.open(Some(&variant), None, &[])?;
        self.session = self.session.take().map(|_| start);
        self.variant = variant;
        Ok(())
    }

    /// Reads the arguments of `position`: `startpos` or `fen F`, then `moves M …`. Adjudicated games are played on.
    pub fn place(&mut self, text: &str) -> Result<(), BoxError> {
        self.session = None;
        let (begin, moves) = match text.split_once("moves") {
            Some((begin, moves)) => (begin.trim(), moves.split_whitespace().map(str::to_owned).collect()),
            None => (text.trim(), Vec::new()),
        };
        let position = match begin.split_once(char::is_whitespace) {
            None if begin == "startpos" => None,
            Some(("fen", fen)) => Some(fen.trim()),
            _ => {
                return Err("expected `position startpos` or `position fen FEN`, optionally followed by `moves`".into());
            }
        };
        let mut session = self.searches.open(Some(&self.variant), position, &moves)?;
        session.resume();
        let warnings = session.warnings();
        self.session = Some(session);
        warnings.iter().try_for_each(|warning| self.inform(warning))
    }

    /// Starts a search, with its limits clamped to their ranges. If it is refused nevertheless, the answer is a legal move.
    pub fn begin(&mut self, mut parameters: SearchParameters) -> Result<(), BoxError> {
        self.finish(true);
        let (budget, clamped) = self.policy().clamp(parameters.budget);
        parameters.budget = budget;
        clamped.iter().try_for_each(|limit| self.inform(&format!("go: {limit}")))?;
        let session = self.session()?;
        let info = InfoWriter::new(self.dialect, self.output.clone(), session.turn());
        // The answer if the search is stopped before it begins; `None` if no move is left.
        let open = |mv: &String| match &parameters.filter {
            None => true,
            Some(Filter::Allow(moves)) => moves.contains(mv),
            Some(Filter::Avoid(moves)) => !moves.contains(mv),
        };
        let any = session.legal_moves().into_iter().find(open);
        let ends = any.is_none() || parameters.budget != BudgetRequest::default();
        let SearchParameters { until, draw_offered, .. } = parameters;
        let ticket = match any.as_ref().map(|_| self.submit(parameters, info.clone())).transpose() {
            Ok(ticket) => ticket,
            Err(problem) => {
                self.inform(&format!("go: {problem}"))?;
                None
            }
        };
        self.running = Some(Running::new(ticket, info, any, until, ends, draw_offered)?);
        Ok(())
    }

    fn submit(&self, parameters: SearchParameters, info: InfoWriter) -> Result<Ticket, BoxError> {
        let SearchParameters { mut budget, engine, strength, filter, until, .. } = parameters;
        if budget == BudgetRequest::default() {
            budget.time_ms = Some(self.policy().most.time_ms);
        }
        budget.memory_mb = Some(self.hash);
        let spec = SearchSpec {
            engine: engine.as_ref(),
            budget,
            strength,
            threads: Some(self.threads.min(self.policy().cores)),
            filter: filter.as_ref(),
            reuse: Some(SCOPE),
            ..SearchSpec::default()
        };
        let listener = Box::new(move |report| info.write(&report));
        self.searches.begin(self.session()?, &spec, Some(listener), until == Until::PonderHit)
    }
}
