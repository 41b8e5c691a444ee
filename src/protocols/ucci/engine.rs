//! Tesuji as an engine for UCCI interfaces.
//!
//! One thread reads commands and answers at once; `xiangqi/searcher` runs the searches. There are no opening books and no
//! endgame tables, so their options are not offered.

use std::io::BufRead;
use std::ops::ControlFlow;

use serde_json::json;
use tesuji_core::catalog::{BudgetRequest, Filter, Strength};

use super::go::{Go, Limit};
use crate::protocols::lines::each_line;
use crate::protocols::xiangqi::{Dialect, HASH, MOST_HASH, Running, SearchParameters, Searcher, Until};
use crate::protocols::{BoxError, Output};

/// The variety of choice among good moves, by the value of the option `randomness`.
const RANDOMNESS: [(&str, f64); 6] =
    [("none", 0.0), ("tiny", 0.1), ("small", 0.25), ("medium", 0.5), ("large", 0.75), ("huge", 1.0)];

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
    if each_line(input, execute)?.is_break() {
        engine.searcher.finish(!engine.batch);
        return engine.searcher.say("bye");
    }
    engine.searcher.end();
    Ok(())
}

/// The state that commands change.
struct Engine {
    searcher: Searcher,
    /// Moves forbidden in the position, since they would repeat it.
    banned: Vec<String>,
    /// The unit of time limits, in milliseconds: 1000, or 1 with the option `usemillisec`.
    unit: u64,
    /// Whether commands wait for the current search (the option `batch`), for commands from a file.
    batch: bool,
    ponders: bool,
    strength: Strength,
}

impl Engine {
    fn new(output: Output) -> Result<Self, BoxError> {
        let searcher = Searcher::new(output, Dialect::Ucci)?;
        let strength = Strength { level: Some(Strength::FULL), ..Strength::default() };
        Ok(Self { searcher, banned: Vec::new(), unit: 1000, batch: false, ponders: false, strength })
    }

    /// Executes a line. An invalid one is answered with the reason, and changes nothing.
    fn execute(&mut self, line: &str) -> Result<(), BoxError> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if self.batch && matches!(command, "position" | "go" | "setoption") {
            self.searcher.finish(false);
        }
        let done = match command {
            "" => Ok(()),
            "ucci" => return self.introduce(),
            "isready" => return self.searcher.say("readyok"),
            "setoption" => self.set(rest),
            "position" => self.place(rest),
            "banmoves" => self.ban(rest),
            "go" => return self.go(rest),
            "ponderhit" => self.ponder_hit(rest),
            "stop" => {
                self.searcher.finish(true);
                Ok(())
            }
            _ => Err(format!("unknown command `{command}`").into()),
        };
        done.or_else(|problem: BoxError| self.searcher.inform(&problem.to_string()))
    }

    fn introduce(&self) -> Result<(), BoxError> {
        let say = |line: &str| self.searcher.say(line);
        say(&format!("id name tesuji {}\nid author the tesuji project", env!("CARGO_PKG_VERSION")))?;
        say("option usemillisec type check default false")?;
        say("option batch type check default false")?;
        say("option ponder type check default false")?;
        say(&format!("option hashsize type spin min 1 max {MOST_HASH} default {HASH}"))?;
        say(&format!("option threads type spin min 1 max {} default 1", self.searcher.policy().most.threads))?;
        let values: String = RANDOMNESS.iter().map(|(name, _)| format!(" var {name}")).collect();
        say(&format!("option randomness type combo{values} default none"))?;
        let full = Strength::FULL;
        say(&format!("option level type spin min 1 max {full} default {full}"))?;
        say("option newgame type button\nucciok")
    }

    /// `NAME VALUE`
    fn set(&mut self, text: &str) -> Result<(), BoxError> {
        let (name, value) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let value = value.trim();
        let number = |most: u64| {
            let read = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
            read.ok_or_else(|| format!("{name}: expected a whole number from 1 to {most}, not `{value}`"))
        };
        let yes = || match value {
            "true" | "on" => Ok(true),
            "false" | "off" => Ok(false),
            _ => Err(format!("{name}: expected true or false, not `{value}`")),
        };
        match name.to_ascii_lowercase().as_str() {
            "usemillisec" => self.unit = if yes()? { 1 } else { 1000 },
            "batch" => self.batch = yes()?,
            "ponder" => self.ponders = yes()?,
            "hashsize" => self.searcher.resize_table(number(MOST_HASH)?)?,
            "threads" => self.searcher.threads = number(self.searcher.policy().most.threads.into())? as u32,
            "level" => self.strength.level = Some(number(Strength::FULL.into())? as u8),
            "randomness" => {
                let found = RANDOMNESS.iter().find(|(name, _)| *name == value);
                let names = RANDOMNESS.map(|(name, _)| name).join(", ");
                let found = found.ok_or_else(|| format!("randomness: expected one of {names}, not `{value}`"))?;
                self.strength.variety = found.1;
            }
            "newgame" => self.searcher.empty_table()?,
            other => return Err(format!("unknown option `{other}`").into()),
        }
        Ok(())
    }

    fn place(&mut self, text: &str) -> Result<(), BoxError> {
        self.banned.clear();
        self.searcher.place(text)
    }

    /// Forbids moves in the position.
    fn ban(&mut self, text: &str) -> Result<(), BoxError> {
        let session = self.searcher.session()?;
        let read = |mv: &str| session.read_move(mv).map_err(|illegal| format!("banmoves: {illegal}"));
        self.banned = text.split_whitespace().map(read).collect::<Result<_, String>>()?;
        Ok(())
    }

    /// Begins a search, or answers that there is nothing to search.
    fn go(&mut self, text: &str) -> Result<(), BoxError> {
        self.searcher.finish(true);
        let (go, problems) = Go::read(text, self.unit);
        problems.iter().try_for_each(|problem| self.searcher.inform(problem))?;
        if let Err(problem) = self.searcher.session() {
            self.searcher.inform(&problem.to_string())?;
            return self.searcher.answer_without_move();
        }
        if go.limit == Limit::Unknown {
            let time = self.searcher.policy().default_time_ms;
            self.searcher.inform(&format!("go: no limit for this move: using {time} ms"))?;
        }
        let until = match (go.ponder, &go.limit) {
            (true, _) => Until::PonderHit,
            (false, Limit::Infinite) => Until::Stopped,
            _ => Until::Found,
        };
        let parameters = SearchParameters {
            budget: self.budget(&go.limit),
            engine: self.strength.limited().is_none().then(|| json!("negamax")),
            strength: self.strength,
            filter: (!self.banned.is_empty()).then(|| Filter::Avoid(self.banned.clone())),
            until,
            draw_offered: go.draw,
        };
        self.searcher.begin(parameters)
    }

    /// The expected move was played; `draw` after the command is the opponent's offer.
    fn ponder_hit(&mut self, text: &str) -> Result<(), BoxError> {
        match text.trim() {
            "" => {}
            "draw" => self.searcher.running().into_iter().for_each(|running| running.offer_draw()),
            other => return Err(format!("ponderhit: expected nothing or `draw`, not `{other}`").into()),
        }
        self.searcher.running().into_iter().for_each(Running::ponder_hit);
        Ok(())
    }

    /// The budget for a limit.
    fn budget(&self, limit: &Limit) -> BudgetRequest {
        let budget = BudgetRequest::default();
        match limit {
            Limit::Infinite => budget,
            Limit::Unknown => BudgetRequest { time_ms: Some(self.searcher.policy().default_time_ms), ..budget },
            Limit::Depth(plies) => BudgetRequest { depth: Some(*plies), ..budget },
            Limit::Nodes(nodes) => BudgetRequest { nodes: Some(*nodes), ..budget },
            Limit::Time(clock) => {
                let time = clock.time(true, self.ponders);
                BudgetRequest { time_ms: time.most_ms, soft_ms: time.soft_ms, ..budget }
            }
        }
    }
}
