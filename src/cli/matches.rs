//! `tesuji match`: a match between two engines, and the difference in strength.

mod contestants;
mod summary;

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::value_parser;
use indicatif::ProgressBar;
use tesuji::matches::{Match, Name, Openings, Record, Rules, Sprt};
use tesuji::protocols::Fault;
use tesuji_core::catalog::Policy;
use tesuji_core::rng::Rng;

use self::contestants::{CONTESTANTS, ContestantArgument, read_contestant};
use self::summary::Summary;
use super::arguments::{GameArguments, catalog_with};
use super::{CommandError, print_stderr, terminal, words};

/// Options of `match`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = CONTESTANTS)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The engine to measure: `NAME:KEY=VALUE,…` with options and limits, e.g.
    /// mcts:simulations=2000,exploration=1.0, or another program (see --help).
    #[arg(value_parser = read_contestant)]
    engine_a: ContestantArgument,
    /// Its opponent.
    #[arg(value_parser = read_contestant)]
    engine_b: ContestantArgument,
    /// Number of games, even (default: 100, or with --sprt at most 10000).
    #[arg(long, value_name = "N", value_parser = read_games)]
    games: Option<u64>,
    /// Folder of games that are not built in (`--games` of other commands).
    #[arg(long, value_name = "FOLDER", env = "TESUJI_GAMES")]
    games_folder: Option<PathBuf>,
    /// Stop as soon as the SPRT accepts that A is stronger than B by ELO0 points, or by ELO1 (error rates: 5 %), e.g. 0,10.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Openings: `random:PLIES`; `random`, with enough plies for distinct openings; or a file with one opening per line, as
    /// moves from the start or `POSITION | MOVES`.
    #[arg(long, value_name = "FILE", default_value = "random", value_parser = read_source)]
    openings: Source,
    /// Maximum imbalance of an opening, from 0 to 1: win minus loss in a quick search by the game's strongest engine. 1 accepts
    /// all openings.
    #[arg(long, value_name = "VALUE", default_value_t = 0.5, value_parser = read_balance)]
    balance: f64,
    /// Number of concurrent games (default: enough to keep the cores busy).
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Seed of random openings and of searches. With limits on work, not time, the same seed gives the same games. The openings
    /// of a file are always played in order.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Plies, including the opening's, after which a game is drawn.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..))]
    max_plies: u32,
    /// Write a line of JSON per game, and one for the result, to a file, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The source of openings, as an argument.
#[derive(Clone, Debug)]
enum Source {
    Random(Option<u32>),
    File(PathBuf),
}

fn read_source(text: &str) -> Result<Source, String> {
    match text.strip_prefix("random") {
        Some("") => Ok(Source::Random(None)),
        Some(rest) if rest.starts_with(':') => match rest[1..].parse() {
            Ok(plies @ 0..=100) => Ok(Source::Random(Some(plies))),
            _ => Err("expected a number of plies from 0 to 100 after `random:`".to_owned()),
        },
        _ => Ok(Source::File(text.into())),
    }
}

fn read_games(text: &str) -> Result<u64, String> {
    let even = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    even.ok_or_else(|| "expected an even number: each opening is played with both colours".to_owned())
}

fn read_sprt(text: &str) -> Result<Sprt, String> {
    let read = || {
        let (elo0, elo1) = text.split_once(',')?;
        Sprt::new(elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)
    };
    read().ok_or_else(|| "expected two Elo differences from -1000 to 1000, the lower one first, like 0,10".to_owned())
}

fn read_balance(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    read.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Arguments {
    fn games(&self) -> u64 {
        self.games.unwrap_or(if self.sprt.is_some() { 10_000 } else { 100 })
    }

    fn openings(&self, rules: &Rules<'_>, policy: &Policy) -> Result<Openings, CommandError> {
        let begin = self.game.split_moves(rules.catalog);
        // Invalid --moves are refused as by other commands.
        self.game.open(rules.catalog)?;
        Ok(match &self.openings {
            Source::Random(plies) => {
                Openings::random(rules, begin, *plies, self.games() / 2, self.balance).map_err(CommandError::Refused)?
            }
            Source::File(path) => {
                let refuse = |problem: &dyn Display| {
                    CommandError::refused(format_args!("--openings, {}: {problem}", path.display()))
                };
                let text = fs::read_to_string(path).map_err(|error| refuse(&error))?;
                let (openings, read) =
                    Openings::read(&text, rules, &begin, policy, self.balance).map_err(|problem| refuse(&problem))?;
                let left_out = read - openings.count().unwrap_or(read);
                if left_out > 0 {
                    print_stderr(format_args!(
                        "tesuji: --openings, {}: {left_out} of {read} left out: their imbalance exceeds {} (--balance)",
                        path.display(),
                        self.balance
                    ));
                }
                openings
            }
        })
    }

    fn contestant_argument(&self, name: Name) -> &ContestantArgument {
        match name {
            Name::A => &self.engine_a,
            Name::B => &self.engine_b,
        }
    }
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = catalog_with(arguments.games_folder.as_deref())?;
    let rules =
        Rules { catalog: &catalog, game: arguments.game.name(&catalog), variant: arguments.game.variant.as_ref() };
    let policy = Policy::default();
    let played = Match {
        rules,
        policy,
        contestants: [arguments.engine_a.contestant.clone(), arguments.engine_b.contestant.clone()],
        openings: arguments.openings(&rules, &policy)?,
        seed: arguments.seed.unwrap_or_else(Rng::fresh_seed),
        max_plies: arguments.max_plies,
    };
    for (name, warning) in played.try_out().map_err(|(name, fault)| refused(name, &fault))? {
        print_stderr(format_args!("tesuji: {}: {warning}", argument(name)));
    }
    let mut json = arguments.json.as_deref().map(JsonLines::open).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_interrupt(&stop)?;
    let mut summary = Summary::new(arguments.sprt);
    let bar = progress_bar(arguments.games());
    let mut written = Ok(());
    let on_record = |record: Record| {
        summary.add(&record);
        bar.inc(1);
        bar.set_message(summary.in_short());
        if let Some(json) = &mut json {
            written = json.write("game", &record);
        }
        if written.is_err() || summary.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    played.run(arguments.games(), concurrency(arguments, &policy), &stop, on_record)?;
    bar.finish_and_clear();
    written?;
    if let Some(json) = &mut json {
        json.write("summary", &summary.json(&played, arguments)?)?;
    }
    // Standard output carries either JSON or text, not both.
    let text = summary.text(&played, arguments)?;
    match json {
        Some(JsonLines { to_stdout: true, .. }) => print_stderr(text.trim_end_matches('\n')),
        _ => stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}

/// A contestant's argument, as in the usage.
fn argument(name: Name) -> &'static str {
    match name {
        Name::A => "ENGINE_A",
        Name::B => "ENGINE_B",
    }
}

/// Why a contestant cannot play, with its argument's name.
fn refused(name: Name, fault: &Fault) -> CommandError {
    let argument = argument(name);
    let refusal = match fault {
        Fault::Refused(refusal) => refusal,
        Fault::Protocol(_) => return CommandError::refused(format_args!("{argument}: {fault}")),
        Fault::Crash(_) | Fault::Timeout(_) | Fault::IllegalMove(_) => {
            return CommandError::failed(format_args!("{argument}: {fault}"));
        }
    };
    CommandError::Refused(match refusal.pointer.rsplit('/').next() {
        Some(field) if refusal.pointer.matches('/').count() > 1 => format!("{argument}, {field}: {}", refusal.detail),
        Some("threads") => format!("{argument}, threads: {}", refusal.detail),
        Some("position" | "moves") => words::refusal(refusal),
        _ => format!("{argument}: {}", refusal.detail),
    })
}

/// The number of concurrent games that keeps the cores busy: in each, one side thinks at a time.
fn concurrency(arguments: &Arguments, policy: &Policy) -> usize {
    let threads = [Name::A, Name::B].map(|name| arguments.contestant_argument(name).contestant.threads());
    let busiest = threads.into_iter().max().unwrap_or(1);
    arguments.concurrency.map_or_else(|| (policy.cores / busiest).max(1) as usize, usize::from)
}

/// The first interrupt ends the match, with the finished games; the second ends the program.
fn stop_on_interrupt(stop: &Arc<AtomicBool>) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        runtime.block_on(async {
            // Without a handler, the key ends the program as usual.
            if tokio::signal::ctrl_c().await.is_ok() {
                stop.store(true, Ordering::Relaxed);
                drop(tokio::signal::ctrl_c().await);
                std::process::exit(130);
            }
        });
    });
    Ok(())
}

/// A progress bar of games, on a terminal.
fn progress_bar(games: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:24} {pos}/{len}  {elapsed} (about {eta} left)  {msg}";
    let bar = terminal::progress_bar(games, template);
    bar.enable_steady_tick(std::time::Duration::from_millis(500));
    bar
}

/// Results as JSON lines.
struct JsonLines {
    out: Box<dyn Write>,
    to_stdout: bool,
}

impl JsonLines {
    fn open(path: &std::path::Path) -> Result<Self, CommandError> {
        let to_stdout = path.as_os_str() == "-";
        let out: Box<dyn Write> = match to_stdout {
            true => Box::new(stdout()),
            false => {
                let cannot = |error| CommandError::failed(format_args!("--json, {}: {error}", path.display()));
                Box::new(BufWriter::new(File::create(path).map_err(cannot)?))
            }
        };
        Ok(Self { out, to_stdout })
    }

    /// Writes and flushes a line, so that a long match can be watched.
    fn write(&mut self, kind: &str, fields: &impl serde::Serialize) -> io::Result<()> {
        #[derive(serde::Serialize)]
        struct Line<'a, T> {
            #[serde(rename = "type")]
            kind: &'a str,
            #[serde(flatten)]
            fields: &'a T,
        }
        serde_json::to_writer(&mut self.out, &Line { kind, fields })?;
        writeln!(self.out)?;
        self.out.flush()
    }
}
