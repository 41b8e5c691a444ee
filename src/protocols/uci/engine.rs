//! Tesuji as an engine of a board or a match tool.
//!
//! One thread reads commands and answers at once; a search runs on the search threads, and a thread of its own writes its best
//! move (`running`). Moves and squares are numbered as the option `Ranks` says: from 0, as in UCCI, or from 1, as in
//! Fairy-Stockfish.

use std::io::BufRead;
use std::time::Duration;

use serde_json::{Value, json};
use tesuji_core::catalog::{AnySession, BudgetRequest, Catalog, Filter, Order, Policy, Setup, Strength};
use tesuji_core::position::Side;

use super::go::Go;
use super::info::InfoWriter;
use super::rating;
use super::running::{Running, Until};
use crate::protocols::clock::Time;
use crate::protocols::{Failed, Output};
use crate::scheduler::{Limits, Progress, Scheduler, Submission, Ticket};

/// The game that is played over this protocol here.
const GAME: &str = "xiangqi";
/// Mebibytes of table that a search takes when nothing is set, and at most.
const HASH: u64 = 64;
const MOST_HASH: u64 = 4096;
/// How often a search reports what it has found, at most.
const EVERY: Duration = Duration::from_millis(250);

/// Executes the commands of `input` until `quit` or its end, and writes the answers to `output`.
///
/// # Errors
/// When `input` cannot be read, `output` cannot be written, or search threads cannot be started.
pub fn serve(mut input: impl BufRead, output: Output) -> Result<(), Failed> {
    let mut engine = Engine::new(output)?;
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        // Programs of another age write names in other encodings; that is no reason to end.
        let line = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        if line.trim() == "quit" {
            engine.finish(true);
            return Ok(());
        }
        engine.execute(&line)?;
    }
    // Whoever sent commands from a file waits for their result.
    let endless = engine.running.as_ref().is_some_and(Running::is_endless);
    engine.finish(endless);
    Ok(())
}

/// What the protocol's commands change.
struct Engine {
    output: Output,
    catalog: Catalog,
    scheduler: Scheduler,
    policy: Policy,
    variant: Value,
    session: Box<dyn AnySession>,
    hash: u64,
    threads: u32,
    /// The option `Skill Level`; full strength where it is the highest.
    skill: u8,
    /// The options `UCI_LimitStrength` and `UCI_Elo`, which win over the level.
    limits_strength: bool,
    elo: u64,
    /// Whether the program may think in the opponent's time.
    ponders: bool,
    running: Option<Running>,
}

impl Engine {
    fn new(output: Output) -> Result<Self, Failed> {
        let catalog = Catalog::standard();
        let policy = Policy::for_one_user();
        let scheduler = scheduler(&policy, HASH)?;
        let variant = json!({});
        let session = open(&catalog, &variant, None, &[])?;
        Ok(Self {
            output,
            catalog,
            scheduler,
            policy,
            variant,
            session,
            hash: HASH,
            threads: 1,
            skill: Strength::FULL,
            limits_strength: false,
            elo: rating::MOST,
            ponders: false,
            running: None,
        })
    }

    /// Ends the search under way, if there is one: at once, or when it has come to its end.
    fn finish(&mut self, now: bool) {
        if let Some(running) = self.running.take() {
            running.finish(now);
        }
    }

    /// Executes a line. One that cannot be executed is answered with the reason, and changes nothing.
    fn execute(&mut self, line: &str) -> Result<(), Failed> {
        let (command, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let done = match command {
            "" | "debug" | "register" => Ok(()),
            "ponderhit" => {
                self.running.iter_mut().for_each(Running::ponder_hit);
                Ok(())
            }
            "ucinewgame" => self.empty_table(),
            "uci" => return self.introduce(),
            "isready" => return self.say("readyok"),
            "setoption" => self.set(rest),
            "position" => self.place(rest),
            "go" => self.go(rest),
            "stop" => {
                self.finish(true);
                Ok(())
            }
            "d" => return self.say(&self.session.draw()),
            _ => Err(format!("`{command}` is no command").into()),
        };
        done.or_else(|problem: Failed| self.say(&format!("info string {problem}")))
    }

    /// Writes a line.
    fn say(&self, line: &str) -> Result<(), Failed> {
        Ok(self.output.line(line)?)
    }

    fn introduce(&self) -> Result<(), Failed> {
        self.say(&format!("id name tesuji {}\nid author the tesuji project", env!("CARGO_PKG_VERSION")))?;
        self.say(&format!("option name Hash type spin default {HASH} min 1 max {MOST_HASH}"))?;
        self.say(&format!("option name Threads type spin default 1 min 1 max {}", self.policy.most.threads))?;
        self.say("option name Ponder type check default false")?;
        let full = Strength::FULL;
        self.say(&format!("option name Skill Level type spin default {full} min 1 max {full}"))?;
        self.say("option name UCI_LimitStrength type check default false")?;
        let (least, most) = (rating::LEAST, rating::MOST);
        self.say(&format!("option name UCI_Elo type spin default {most} min {least} max {most}"))?;
        self.say("option name UCI_Variant type combo default xiangqi var xiangqi")?;
        self.say("option name Ranks type combo default from_zero var from_zero var from_one")?;
        self.say("uciok")
    }

    /// Forgets what earlier searches have left.
    fn empty_table(&mut self) -> Result<(), Failed> {
        self.finish(true);
        self.scheduler = scheduler(&self.policy, self.hash)?;
        Ok(())
    }

    /// `name N value V`
    fn set(&mut self, text: &str) -> Result<(), Failed> {
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
            "hash" => {
                self.hash = number(MOST_HASH)?;
                self.empty_table()?;
            }
            "threads" => self.threads = number(self.policy.most.threads.into())? as u32,
            "ponder" => self.ponders = yes()?,
            "skill level" => self.skill = number(Strength::FULL.into())? as u8,
            "uci_limitstrength" => self.limits_strength = yes()?,
            "uci_elo" => self.elo = between(rating::LEAST, rating::MOST)?,
            "uci_variant" if value == GAME => {}
            "uci_variant" => return Err(format!("UCI_Variant: expected xiangqi, not `{value}`").into()),
            "ranks" => {
                let variant = json!({ "ranks": value });
                self.session = open(&self.catalog, &variant, None, &[])?;
                self.variant = variant;
            }
            other => return Err(format!("there is no option `{other}`").into()),
        }
        Ok(())
    }

    /// `startpos` or `fen F`, then `moves M …`
    fn place(&mut self, text: &str) -> Result<(), Failed> {
        let (begin, moves) = match text.split_once("moves") {
            Some((begin, moves)) => (begin.trim(), moves.split_whitespace().map(str::to_owned).collect()),
            None => (text.trim(), Vec::new()),
        };
        let position = match begin.split_once(char::is_whitespace) {
            None if begin == "startpos" => None,
            Some(("fen", fen)) => Some(fen.trim()),
            _ => return Err("expected `position startpos` or `position fen FEN`, and `moves`".into()),
        };
        self.session = open(&self.catalog, &self.variant, position, &moves)?;
        Ok(())
    }

    /// Begins a search.
    fn go(&mut self, text: &str) -> Result<(), Failed> {
        self.finish(true);
        let go = Go::read(text)?;
        let until = match go {
            Go { ponder: true, .. } => Until::Called,
            Go { infinite: true, .. } => Until::Stopped,
            _ => Until::Found,
        };
        let read = |mv: &String| self.session.read_move(mv).map_err(|illegal| format!("go: searchmoves: {illegal}"));
        let asked = go.search_moves.iter().map(read).collect::<Result<Vec<String>, String>>()?;
        let info = InfoWriter::new(self.output.clone(), self.session.turn());
        // What is answered when the search is stopped before it has begun; nothing where the game is over.
        let any = asked.first().cloned().or_else(|| self.session.legal_moves().into_iter().next());
        let ticket = match any {
            Some(_) => Some(self.search(&go, asked, info.clone(), until)?),
            None => None,
        };
        let ends = any.is_none() || self.budget(&go) != BudgetRequest::default();
        self.running = Some(Running::new(ticket, info, any, until, ends));
        Ok(())
    }

    /// The search that `go` asks for, of these moves or of all.
    fn search(&self, go: &Go, asked: Vec<String>, info: InfoWriter, until: Until) -> Result<Ticket, Failed> {
        let mut budget = self.budget(go);
        if budget == BudgetRequest::default() {
            budget.time_ms = Some(self.policy.most.time_ms);
        }
        budget.memory_mb = Some(self.hash);
        let level = if self.limits_strength { rating::level(self.elo) } else { self.skill };
        let strength = Strength { level: Some(level), ..Strength::default() };
        let engine = match () {
            // Whoever asks for a mate wants the engine and no opponent.
            () if go.mate.is_some() => Some(full_width()),
            () if strength.limited().is_some() => None,
            () => Some(json!("negamax")),
        };
        let strength = if go.mate.is_some() { Strength::default() } else { strength };
        let filter = (!asked.is_empty()).then_some(Filter::Allow(asked));
        let order = Order {
            engine: engine.as_ref(),
            budget,
            strength,
            threads: Some(self.threads.min(self.policy.cores)),
            filter: filter.as_ref(),
            // The table of one move serves the next.
            reuse: Some(GAME),
            ..Order::default()
        };
        let search = self.session.search(&order, &self.policy)?;
        let progress = Some(Progress { every: EVERY, tell: Box::new(move |report| info.write(&report)) });
        let ponders = until == Until::Called;
        Ok(self.scheduler.submit(Submission { progress, ponders, ..Submission::new(search) })?)
    }

    /// What `go` lets a search spend.
    fn budget(&self, go: &Go) -> BudgetRequest {
        let first = self.session.turn() == Side::First;
        let time = if go.infinite { Time::default() } else { go.clock.time(first, self.ponders) };
        BudgetRequest {
            time_ms: time.most_ms,
            soft_ms: time.soft_ms,
            nodes: go.nodes,
            depth: go.plies(self.policy.most.depth),
            ..BudgetRequest::default()
        }
    }
}

/// The engine without anything that leaves moves out, searches them less deep, or some deeper: what it has searched to a depth
/// has no mate within it.
fn full_width() -> Value {
    let off = ["null_move", "reductions", "internal_reduction", "pruning", "extensions", "quiescence"];
    let mut engine = json!({ "name": "negamax" });
    for technique in off {
        engine[technique] = json!(false);
    }
    engine
}

/// Searches one at a time, and keeps the table of one for the next.
fn scheduler(policy: &Policy, hash: u64) -> Result<Scheduler, Failed> {
    /// Room for the list of positions in which the table may serve.
    const LIST: u64 = 4;
    let kept = (hash + LIST) << 20;
    Ok(Scheduler::new(Limits { kept, ..Limits::of(policy.cores as usize, 1) })?)
}

fn open(
    catalog: &Catalog,
    variant: &Value,
    position: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn AnySession>, Failed> {
    let setup = Setup { variant: Some(variant), position, moves };
    Ok(catalog.open(GAME, setup)?)
}
