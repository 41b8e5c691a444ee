//! The searches of a program that a board talks to: one at a time, on the search threads, with a table that goes from move to
//! move. A thread of its own writes the best move (`running`), so that commands are answered meanwhile.

use serde_json::{Value, json};
use tesuji_core::catalog::{AnySession, BudgetRequest, Filter, Policy, SearchSpec, Strength};

use super::info::{Dialect, InfoWriter};
use super::running::{Running, Until};
use crate::protocols::searches::{SCOPE, Searches};
use crate::protocols::{Failed, Output};
use crate::scheduler::Ticket;

/// The game that is played over these protocols here.
pub const GAME: &str = "xiangqi";
/// Mebibytes of table that a search takes when nothing is set, and at most.
pub const HASH: u64 = 64;
pub const MOST_HASH: u64 = 4096;
/// A position, and the search of it.
pub struct Searcher {
    pub output: Output,
    pub threads: u32,
    dialect: Dialect,
    searches: Searches,
    variant: Value,
    /// None after a position that was refused: no other one is searched in its place.
    session: Option<Box<dyn AnySession>>,
    hash: u64,
    running: Option<Running>,
}

/// What a search is to find.
pub struct Wanted {
    /// What it may spend; nothing: as much as the policy allows.
    pub budget: BudgetRequest,
    /// The engine; none: the one for the strength.
    pub engine: Option<Value>,
    pub strength: Strength,
    /// The moves to consider; none: all.
    pub filter: Option<Filter>,
    /// When the best move is written.
    pub until: Until,
    /// Whether the opponent offers a draw with the move that led to the position: known before the search begins, for it may
    /// be over at once.
    pub offered: bool,
}

impl Searcher {
    /// The start position.
    pub fn new(output: Output, dialect: Dialect) -> Result<Self, Failed> {
        let searches = Searches::new(GAME, HASH)?;
        let session = Some(searches.open(None, None, &[])?);
        Ok(Self { output, threads: 1, dialect, searches, variant: json!({}), session, hash: HASH, running: None })
    }

    /// What a search may take.
    pub fn policy(&self) -> &Policy {
        &self.searches.policy
    }

    /// Writes a line.
    pub fn say(&self, line: &str) -> Result<(), Failed> {
        Ok(self.output.line(line)?)
    }

    /// Writes a sentence for the interface's user.
    pub fn inform(&self, text: &str) -> Result<(), Failed> {
        let kind = match self.dialect {
            Dialect::Uci => "string",
            Dialect::Ucci => "message",
        };
        self.say(&format!("info {kind} {text}"))
    }

    /// Answers `go` where there is no position to search, or no search.
    pub fn answer_without_move(&self) -> Result<(), Failed> {
        self.say(match self.dialect {
            Dialect::Uci => "bestmove 0000",
            Dialect::Ucci => "nobestmove",
        })
    }

    /// The position.
    pub fn session(&self) -> Result<&dyn AnySession, Failed> {
        Ok(&**self.session.as_ref().ok_or("no position: the last one was refused")?)
    }

    /// The search under way.
    pub fn running(&mut self) -> Option<&mut Running> {
        self.running.as_mut()
    }

    /// Ends the search under way, if there is one: at once, or when it has come to its end.
    pub fn finish(&mut self, now: bool) {
        if let Some(running) = self.running.take() {
            running.finish(now);
        }
    }

    /// The input has ended. Whoever sent commands from a file waits for their result.
    pub fn end(&mut self) {
        let endless = self.running.as_ref().is_some_and(Running::is_endless);
        self.finish(endless);
    }

    /// Forgets what earlier searches have left.
    pub fn empty_table(&mut self) -> Result<(), Failed> {
        self.finish(true);
        self.searches.forget(self.hash)
    }

    /// Gives searches so many mebibytes of table.
    pub fn resize_table(&mut self, mebibytes: u64) -> Result<(), Failed> {
        self.hash = mebibytes;
        self.empty_table()
    }

    /// Begins anew in another variant.
    pub fn set_variant(&mut self, variant: Value) -> Result<(), Failed> {
        let start = self.searches.open(Some(&variant), None, &[])?;
        self.session = self.session.take().map(|_| start);
        self.variant = variant;
        Ok(())
    }

    /// What follows `position`: `startpos` or `fen F`, then `moves M …`. A game that the rules adjudicate is played on.
    pub fn place(&mut self, text: &str) -> Result<(), Failed> {
        self.session = None;
        let (begin, moves) = match text.split_once("moves") {
            Some((begin, moves)) => (begin.trim(), moves.split_whitespace().map(str::to_owned).collect()),
            None => (text.trim(), Vec::new()),
        };
        let position = match begin.split_once(char::is_whitespace) {
            None if begin == "startpos" => None,
            Some(("fen", fen)) => Some(fen.trim()),
            _ => return Err("expected `position startpos` or `position fen FEN`, and `moves`".into()),
        };
        let mut session = self.searches.open(Some(&self.variant), position, &moves)?;
        session.resume();
        let warnings = session.warnings();
        self.session = Some(session);
        warnings.iter().try_for_each(|warning| self.inform(warning))
    }

    /// Begins a search, for which limits are brought into their ranges. Where it is refused all the same, a legal move is
    /// the answer.
    pub fn begin(&mut self, mut wanted: Wanted) -> Result<(), Failed> {
        self.finish(true);
        let (budget, clamped) = self.policy().clamp(wanted.budget);
        wanted.budget = budget;
        clamped.iter().try_for_each(|limit| self.inform(&format!("go: {limit}")))?;
        let session = self.session()?;
        let info = InfoWriter::new(self.dialect, self.output.clone(), session.turn());
        // What is answered when the search is stopped before it has begun; nothing where no move is left.
        let open = |mv: &String| match &wanted.filter {
            None => true,
            Some(Filter::Allow(moves)) => moves.contains(mv),
            Some(Filter::Avoid(moves)) => !moves.contains(mv),
        };
        let any = session.legal_moves().into_iter().find(open);
        let ends = any.is_none() || wanted.budget != BudgetRequest::default();
        let Wanted { until, offered, .. } = wanted;
        let ticket = match any.as_ref().map(|_| self.submit(wanted, info.clone())).transpose() {
            Ok(ticket) => ticket,
            Err(problem) => {
                self.inform(&format!("go: {problem}"))?;
                None
            }
        };
        self.running = Some(Running::new(ticket, info, any, until, ends, offered)?);
        Ok(())
    }

    fn submit(&self, wanted: Wanted, info: InfoWriter) -> Result<Ticket, Failed> {
        let Wanted { mut budget, engine, strength, filter, until, .. } = wanted;
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
        self.searches.begin(self.session()?, &spec, Some(listener), until == Until::Called)
    }
}
