//! Tesuji as an engine for boards and match tools.
//!
//! One thread reads commands and answers at once; `xiangqi/searcher` runs the searches. The option `Ranks` sets how ranks are
//! numbered: from 0, as in UCCI, or from 1, as in Fairy-Stockfish.

use std::io::BufRead;
use std::ops::ControlFlow;

use serde_json::{Value, json};
use tesuji_core::catalog::{BudgetRequest, Filter, Strength};
use tesuji_core::position::Side;

use super::go::Go;
use super::rating;
use crate::protocols::clock::{Clock, Time};
use crate::protocols::lines::each_line;
use crate::protocols::xiangqi::{Dialect, GAME, HASH, MOST_HASH, Running, SearchParameters, Searcher, Until};
use crate::protocols::{BoxError, Output};

/// Executes the commands of `input` until `quit` or its end, and writes the answers to `output`.
///
/// # Errors
/// When `input` cannot be read, `output` cannot be written, or search threads cannot be started.
pub fn serve(input: impl BufRead, output: Output) -> Result<(), BoxError> {
    let mut engine = Engine::new(output)?;
    let execute = |line: &str| match line {
        "quit" => Ok(ControlFlow::Break(())),
        _ => engine.execute(line).map(ControlFlow::Continue),
    };
    match each_line(input, execute)? {
        ControlFlow::Break(()) => engine.searcher.finish(true),
        ControlFlow::Continue(()) => engine.searcher.end(),
    }
    Ok(())
}

/// The state that commands change.
struct Engine {
    searcher: Searcher,
    /// The option `Skill Level`; the highest is full strength.
    skill: u8,
    /// The options `UCI_LimitStrength` and `UCI_Elo`, which take precedence over the level.
    limits_strength: bool,
    elo: u64,
    /// Whether the interface may let the engine ponder (the option `Ponder`).
    ponders: bool,
}

impl Engine {
    fn new(output: Output) -> Result<Self, BoxError> {
        let searcher = Searcher::new(output, Dialect::Uci)?;
        Ok(Self { searcher, skill: Strength::FULL, limits_strength: false, elo: rating::MOST, ponders: false })
    }

    /// Executes a line. An invalid one is answered with the reason, and changes nothing.
    fn execute(&mut self, line: &str) -> Result<(), BoxError> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match command {
            "" | "debug" | "register" => Ok(()),
            "ponderhit" => {
                self.searcher.running().into_iter().for_each(Running::ponder_hit);
                Ok(())
            }
            "ucinewgame" => self.searcher.empty_table(),
            "uci" => return self.introduce(),
            "isready" => return self.searcher.say("readyok"),
            "setoption" => self.set(rest),
            "position" => self.searcher.place(rest),
            "go" => return self.go(rest),
            "stop" => {
                self.searcher.finish(true);
                Ok(())
            }
            "d" => self.searcher.session().and_then(|session| self.searcher.say(&session.draw())),
            _ => Err(format!("unknown command `{command}`").into()),
        };
        done.or_else(|problem: BoxError| self.searcher.inform(&problem.to_string()))
    }

    fn introduce(&self) -> Result<(), BoxError> {
        let say = |line: &str| self.searcher.say(line);
        say(&format!("id name tesuji {}\nid author the tesuji project", env!("CARGO_PKG_VERSION")))?;
        say(&format!("option name Hash type spin default {HASH} min 1 max {MOST_HASH}"))?;
        say(&format!("option name Threads type spin default 1 min 1 max {}", self.searcher.policy().most.threads))?;
        say("option name Ponder type check default false")?;
        let full = Strength::FULL;
        say(&format!("option name Skill Level type spin default {full} min 1 max {full}"))?;
        say("option name UCI_LimitStrength type check default false")?;
        let (least, most) = (rating::LEAST, rating::MOST);
        say(&format!("option name UCI_Elo type spin default {most} min {least} max {most}"))?;
        say("option name UCI_Variant type combo default xiangqi var xiangqi")?;
        say("option name Ranks type combo default from_zero var from_zero var from_one")?;
        say("uciok")
    }

    /// `name N value V`
    fn set(&mut self, text: &str) -> Result<(), BoxError> {
        let rest = text.trim().strip_prefix("name ").ok_or("expected `setoption name NAME value VALUE`")?;
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        let value = value.trim();
        let between = |least: u64, most: u64| {
            let read = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            read.ok_or_else(|| format!("{name}: expected a whole number from {least} to {most}, not `{value}`"))
        };
        let number = |most: u64| between(1, most);
        let yes = || value.parse().map_err(|_| format!("{name}: expected true or false, not `{value}`"));
        match name.trim().to_ascii_lowercase().as_str() {
            "hash" => self.searcher.resize_table(number(MOST_HASH)?)?,
            "threads" => self.searcher.threads = number(self.searcher.policy().most.threads.into())? as u32,
            "ponder" => self.ponders = yes()?,
            "skill level" => self.skill = number(Strength::FULL.into())? as u8,
            "uci_limitstrength" => self.limits_strength = yes()?,
            "uci_elo" => self.elo = between(rating::LEAST, rating::MOST)?,
            "uci_variant" if value == GAME => {}
            "uci_variant" => return Err(format!("UCI_Variant: expected xiangqi, not `{value}`").into()),
            "ranks" => self.searcher.set_variant(json!({ "ranks": value }))?,
            other => return Err(format!("unknown option `{other}`").into()),
        }
        Ok(())
    }

    /// Begins a search, or answers that there is nothing to search.
    fn go(&mut self, text: &str) -> Result<(), BoxError> {
        self.searcher.finish(true);
        let (go, mut problems) = Go::read(text);
        let first = match self.searcher.session() {
            Ok(session) => session.turn() == Side::First,
            Err(problem) => {
                self.searcher.inform(&problem.to_string())?;
                return self.searcher.answer_without_move();
            }
        };
        let asked = self.search_moves(&go, &mut problems)?;
        let mut budget = self.budget(&go, first);
        let is_limited = budget != BudgetRequest::default();
        if !is_limited && !go.infinite && (!problems.is_empty() || go.clock != Clock::default()) {
            // The interface expects an answer in time, but has set no limit for it.
            budget.time_ms = Some(self.searcher.policy().default_time_ms);
            problems.push(format!("go: no limit for this move: using {} ms", self.searcher.policy().default_time_ms));
        }
        problems.iter().try_for_each(|problem| self.searcher.inform(problem))?;
        let until = match go {
            Go { ponder: true, .. } => Until::PonderHit,
            Go { infinite: true, .. } => Until::Stopped,
            _ => Until::Found,
        };
        let level = if self.limits_strength { rating::level(self.elo) } else { self.skill };
        let strength = Strength { level: Some(level), ..Strength::default() };
        let engine = match () {
            // A search for a mate is always at full strength.
            () if go.mate.is_some() => Some(full_width()),
            () if strength.limited().is_some() => None,
            () => Some(json!("negamax")),
        };
        let strength = if go.mate.is_some() { Strength::default() } else { strength };
        let filter = (!asked.is_empty()).then_some(Filter::Allow(asked));
        self.searcher.begin(SearchParameters { budget, engine, strength, filter, until, draw_offered: false })
    }

    /// The legal moves among those to consider.
    fn search_moves(&self, go: &Go, problems: &mut Vec<String>) -> Result<Vec<String>, BoxError> {
        let session = self.searcher.session()?;
        let mut moves = Vec::new();
        for mv in &go.search_moves {
            match session.read_move(mv) {
                Ok(mv) => moves.push(mv),
                Err(illegal) => problems.push(format!("go: searchmoves: {illegal}")),
            }
        }
        Ok(moves)
    }

    /// The budget for a move of the first or second player.
    fn budget(&self, go: &Go, first: bool) -> BudgetRequest {
        let time = if go.infinite { Time::default() } else { go.clock.time(first, self.ponders) };
        BudgetRequest {
            time_ms: time.most_ms,
            soft_ms: time.soft_ms,
            nodes: go.nodes,
            depth: go.plies(self.searcher.policy().most.depth),
            ..BudgetRequest::default()
        }
    }
}

/// The engine without pruning, reductions and extensions: a search to a depth then finds any mate within it.
fn full_width() -> Value {
    let off = ["null_move", "reductions", "internal_reduction", "pruning", "extensions", "quiescence"];
    let mut engine = json!({ "name": "negamax" });
    for technique in off {
        engine[technique] = json!(false);
    }
    engine
}
