//! `tesuji uci`: Xiangqi over the Universal Chess Interface (Kahlen and Meyer-Kahlen 2000), for boards and match tools.
//!
//! One thread reads commands and answers at once; a search runs on the search threads, and a thread of its own says its best
//! move. Moves and squares are numbered as the option `Ranks` says: from 0, as in UCCI, or from 1, as in Fairy-Stockfish.

mod clock;
mod info;

use std::io::{BufRead, Write, stdin, stdout};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use tesuji::catalog::{AnySession, BudgetRequest, Catalog, Order, Policy, Setup};
use tesuji::position::Side;
use tesuji::scheduler::{Canceller, Class, Limits, Progress, Scheduler};

use self::clock::Clock;
use self::info::Teller;
use super::searcher::{LONGEST_MS, patient_policy};
use super::{Failed, words};

/// The game that is played over this protocol here.
const GAME: &str = "xiangqi";
/// Mebibytes of table that a search takes when nothing is set, and at most.
const HASH: u64 = 64;
const MOST_HASH: u64 = 4096;
/// How often a search tells what it has found, at most.
const EVERY: Duration = Duration::from_millis(250);

/// Options of `uci`.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves standard input until `quit` or its end.
pub fn run(_: &Arguments) -> Result<(), Failed> {
    let mut board = Board::new()?;
    for line in stdin().lock().lines() {
        let line = line?;
        if line.trim() == "quit" {
            board.finish(true);
            return Ok(());
        }
        board.hear(&line)?;
    }
    // Whoever sent commands from a file waits for their result.
    let endless = board.running.as_ref().is_some_and(|running| running.endless);
    board.finish(endless);
    Ok(())
}

/// Says a line at once.
fn say(line: &str) -> Result<(), Failed> {
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// A search under way.
struct Running {
    canceller: Canceller,
    voice: JoinHandle<()>,
    /// Nothing but `stop` ends it.
    endless: bool,
}

/// What the protocol's commands change.
struct Board {
    catalog: Catalog,
    scheduler: Scheduler,
    policy: Policy,
    variant: Value,
    session: Box<dyn AnySession>,
    hash: u64,
    threads: u32,
    running: Option<Running>,
}

impl Board {
    fn new() -> Result<Self, Failed> {
        let catalog = Catalog::standard();
        let policy = patient_policy();
        let scheduler = scheduler(&policy, HASH)?;
        let variant = json!({});
        let session = open(&catalog, &variant, None, &[])?;
        Ok(Self { catalog, scheduler, policy, variant, session, hash: HASH, threads: 1, running: None })
    }

    /// Ends the search under way, if there is one: at once, or when it has come to its end.
    fn finish(&mut self, now: bool) {
        if let Some(running) = self.running.take() {
            if now {
                running.canceller.cancel();
            }
            // A voice that panicked has said so.
            drop(running.voice.join());
        }
    }

    /// Does what a line says. What cannot be done is said, and changes nothing.
    fn hear(&mut self, line: &str) -> Result<(), Failed> {
        let (command, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let done = match command {
            "" | "debug" | "register" | "ponderhit" => Ok(()),
            "ucinewgame" => self.empty_table(),
            "uci" => return self.introduce(),
            "isready" => return say("readyok"),
            "setoption" => self.set(rest),
            "position" => self.place(rest),
            "go" => self.go(rest),
            "stop" => {
                self.finish(true);
                Ok(())
            }
            "d" => return say(&self.session.draw()),
            _ => Err(format!("`{command}` is no command").into()),
        };
        done.or_else(|problem: Failed| say(&format!("info string {problem}")))
    }

    fn introduce(&self) -> Result<(), Failed> {
        say(&format!("id name tesuji {}\nid author the tesuji project", env!("CARGO_PKG_VERSION")))?;
        say(&format!("option name Hash type spin default {HASH} min 1 max {MOST_HASH}"))?;
        say(&format!("option name Threads type spin default 1 min 1 max {}", self.policy.most.threads))?;
        say("option name UCI_Variant type combo default xiangqi var xiangqi")?;
        say("option name Ranks type combo default from_zero var from_zero var from_one")?;
        say("uciok")
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
        let number = |most: u64| {
            let read = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
            read.ok_or_else(|| format!("{name}: expected a whole number from 1 to {most}, not `{value}`"))
        };
        match name.trim().to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = number(MOST_HASH)?;
                self.empty_table()?;
            }
            "threads" => self.threads = number(self.policy.most.threads.into())? as u32,
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
        if self.session.outcome().is_some() {
            return say("bestmove (none)");
        }
        let clock = Clock::read(text)?;
        let mover = self.session.turn();
        let mut budget = clock.budget(mover == Side::First);
        let endless = budget == BudgetRequest::default();
        if endless {
            budget.time_ms = Some(LONGEST_MS);
        }
        budget.memory_mb = Some(self.hash);
        let engine = json!("negamax");
        let threads = Some(self.threads.min(self.policy.cores));
        // The table of one move serves the next.
        let order = Order { engine: Some(&engine), budget, threads, reuse: Some(GAME), ..Order::default() };
        let search = self.session.search(&order, &self.policy).map_err(|refusal| words::refusal(&refusal))?;
        let teller = Teller::new(mover);
        let progress = Progress {
            every: EVERY,
            tell: Box::new(move |report| {
                // Whoever does not listen any more will not hear the best move either.
                drop(say(&teller.line(&report)));
            }),
        };
        let ticket = self.scheduler.submit_with(search, Class::Interactive, Some(progress))?;
        let canceller = ticket.canceller();
        // What is answered when the search is stopped before it has begun.
        let any = self.session.legal_moves().into_iter().next();
        let speak = move || {
            let report = ticket.wait().map(|finished| finished.report);
            let best = report.as_ref().ok().and_then(|report| report.children.first());
            if let (Ok(report), Some(_)) = (&report, best) {
                drop(say(&teller.line(report)));
            }
            let best = best.map(|best| &best.mv).or(any.as_ref()).map_or("(none)", String::as_str);
            drop(say(&format!("bestmove {best}")));
        };
        self.running = Some(Running { canceller, voice: thread::spawn(speak), endless });
        Ok(())
    }
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
    Ok(catalog.open(GAME, setup).map_err(|refusal| words::refusal(&refusal))?)
}
