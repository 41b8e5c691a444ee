//! `tesuji-train fit`: fits the weights of a game's evaluation to games of `selfplay` and writes them to a file.

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use clap::builder::PossibleValuesParser;
use clap::{ValueEnum, value_parser};
use indicatif::{HumanCount, ProgressBar};
use serde_json::json;
use tesuji_core::weights::{self, Features, Header};
use tesuji_train::learner::names;
use tesuji_train::{Chances, Epoch, Fit, Fitted, GameFiles, Learner, Progress, Start, chart, learner, replace};

use super::selfplay::share;
use super::{Failed, log_line, on_threads, progress};

/// Options of `fit`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    game: String,
    /// Game files of `selfplay`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output file for the weights.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// Initial step per batch of a frequent feature's weight, in units of the weights; decays to zero.
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = positive)]
    rate: f64,
    /// Share of the search's expectation in a position's target. The rest is the game's result, unless a later move was random.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = share)]
    expected: f64,
    /// TD(λ) (Sutton 1988): mix a position's expectation with those of later positions, whose weights fall by this factor, and
    /// with the result. 0 uses the position's search alone.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, conflicts_with = "moves")]
    lambda: f64,
    /// Share of games held out; errors are measured on them.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    validation: f64,
    /// Hold each weight at its start with the strength of N positions in which its feature occurs once.
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = not_negative)]
    held: f64,
    /// Also count each position for the phases before and after its own, with this weight (Reversi).
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, conflicts_with_all = ["moves", "network"])]
    shared: f64,
    /// Weight decay of the network: each batch reduces a weight by this share, times the rate.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = not_negative, requires = "network")]
    decay: f64,
    /// Fixed scale of values: the value at which the odds of winning are e to one. By default, the scale that best fits the
    /// current weights and these games.
    #[arg(long, value_name = "VALUE", value_parser = positive, conflicts_with = "moves")]
    scale: Option<f64>,
    /// Initial weights.
    #[arg(long, value_enum, default_value_t = From::Current)]
    start: From,
    /// Fit the move order to the best moves found by self-play searches; the evaluation stays as it is (Gomoku, Hex). A
    /// weight is a hundredth of a logit.
    #[arg(long, conflicts_with = "expected")]
    moves: bool,
    /// Fit the network that corrects the evaluation; all other weights stay as they are (Gomoku, Xiangqi). The rate is in
    /// thousandths; `--held` has no effect.
    #[arg(long, conflicts_with = "moves")]
    network: bool,
    /// Checkpoint file: written after each epoch, resumed from if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Draw the errors by epoch as SVG.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Threads (default: all cores). The weights do not depend on it.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed for the order of games and the choice of held-out games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Initial weights.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// Zero; for a network, small random weights.
    Zero,
    /// The weights that the program runs with.
    Current,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a positive number".to_owned())
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected 0 or a positive number".to_owned())
}

/// Fits the weights and writes them to the output file.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let mut games = GameFiles::open(&arguments.files, &arguments.game).map_err(Failed::Refused)?;
    games.warnings.iter().for_each(|warning| log_line(format_args!("tesuji-train: {warning}")));
    let learner = learner(&arguments.game, &games.variants()).map_err(Failed::Refused)?;
    let plan = Fit {
        epochs: arguments.epochs,
        rate: arguments.rate,
        expected: arguments.expected,
        lambda: arguments.lambda,
        validation: arguments.validation,
        held: arguments.held,
        shared: arguments.shared,
        decay: arguments.decay,
        scale: arguments.scale,
        start: match arguments.start {
            From::Zero => Start::Zero,
            From::Current => Start::Current,
        },
        moves: arguments.moves,
        network: arguments.network,
        seed: arguments.seed,
    };
    let checkpoint = match &arguments.checkpoint {
        Some(path) if path.exists() => {
            Some(fs::read(path).map_err(|error| Failed::Refused(at("--checkpoint", path, &error)))?)
        }
        _ => None,
    };
    let stop = Arc::new(AtomicBool::new(false));
    progress::stop_on_signal(&stop).map_err(|error| Failed::Broken(error.to_string()))?;
    let fitted = on_threads(arguments.threads, || {
        let mut log = Log::new(arguments, learner.unit());
        let fitted = learner.fit(&mut games, &plan, checkpoint.as_deref(), &mut |progress| {
            log.record(progress);
            log.failed.is_none() && !stop.load(Ordering::Relaxed)
        });
        match log.failed {
            Some(problem) => Err(problem),
            None => fitted.map_err(Failed::Refused),
        }
    })?;
    report(&fitted, learner.unit());
    if let Some(path) = &arguments.curve {
        draw(path, &arguments.game, learner.unit(), &fitted.epochs)
            .map_err(|error| Failed::Broken(at("--curve", path, &*error)))?;
    }
    let bytes = stored(arguments, &*learner, &fitted);
    let output = &arguments.output;
    replace(output, &bytes).map_err(|error| Failed::Broken(at("--output", output, &error)))
}

/// The error message for the file of an option.
fn at(option: &str, path: &Path, error: &dyn Display) -> String {
    format!("{option}, {}: {error}", path.display())
}

/// The unit of errors.
fn measure(unit: Option<&str>) -> String {
    unit.map_or_else(|| "negative log-likelihood".to_owned(), |unit| format!("squared {unit}"))
}

/// Reports progress.
struct Log<'a> {
    arguments: &'a Arguments,
    measure: String,
    bar: ProgressBar,
    begin: Instant,
    /// The finished epoch and its speed, as text.
    learned: String,
    failed: Option<Failed>,
}

impl<'a> Log<'a> {
    fn new(arguments: &'a Arguments, unit: Option<&str>) -> Self {
        let bar = progress::bar(0, "{msg} {bar:24} {pos}/{len}  {elapsed}  {per_sec}");
        Self { arguments, measure: measure(unit), bar, begin: Instant::now(), learned: String::new(), failed: None }
    }

    fn show(&self, what: String, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_message(what);
        self.bar.set_position(done);
    }

    fn record(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Choosing(done, of) => {
                self.show("choosing positions, games:".to_owned(), done, of);
            }
            Progress::Learning(epoch, done, of) => {
                self.show(format!("epoch {epoch}, positions:"), done, of);
                if done == 0 {
                    self.begin = Instant::now();
                }
                if done == of {
                    let speed = progress::rate(done, self.begin.elapsed().as_secs_f64());
                    self.learned = format!("epoch {epoch:>3}: {speed} samples a second");
                }
            }
            Progress::Done(epoch, save) => {
                let Epoch { training, validation, .. } = epoch;
                let Self { learned, measure, .. } = &*self;
                let line = format_args!("{learned}, {measure}: training {training:.4}, validation {validation:.4}");
                self.bar.suspend(|| log_line(line));
                if let Some(path) = &self.arguments.checkpoint {
                    let saved = replace(path, &save());
                    let failed = |error| Failed::Broken(at("--checkpoint", path, &error));
                    self.failed = saved.map_err(failed).err();
                }
            }
        }
    }
}

/// Draws the learning curve.
fn draw(path: &Path, game: &str, unit: Option<&str>, epochs: &[Epoch]) -> Result<(), Box<dyn Error + Send + Sync>> {
    let title = format!("tesuji-train fit {game}: mean error by epoch");
    Ok(replace(path, chart(&title, &measure(unit), epochs)?.as_bytes())?)
}

/// Reports the result.
fn report(fitted: &Fitted, unit: Option<&str>) {
    let Fitted { positions, held_out, features, errors: [before, after], .. } = *fitted;
    let [positions, held_out, features] = [positions, held_out, features as u64].map(HumanCount);
    let all = HumanCount(fitted.weights.len() as u64);
    log_line(format_args!("{positions} positions with {features} of {all} features; {held_out} positions held out:"));
    log_line(format_args!("mean error ({}): {before:.4} before, {after:.4} after", measure(unit)));
    for (when, chances) in ["before", "after"].into_iter().zip(fitted.chances.into_iter().flatten()) {
        let Chances { even, spread } = chances;
        log_line(format_args!(
            "win probability {when}: logistic of width {spread:.0}, draws likeliest within {even:.0} of zero"
        ));
    }
    if let Some([before, after]) = fitted.first.map(|shares| shares.map(|share| 100.0 * share)) {
        log_line(format_args!("the best move comes first in {before:.1} % before, {after:.1} % after"));
        return;
    }
    if fitted.phases.is_empty() {
        return;
    }
    log_line(format_args!("{:>9} {:>10} {:>11} {:>12}", "plies", "positions", "mean error", "correlation"));
    for phase in &fitted.phases {
        let plies = format!("{} to {}", phase.plies.0, phase.plies.1);
        let positions = HumanCount(phase.positions).to_string();
        log_line(format_args!("{plies:>9} {positions:>10} {:>11.4} {:>12.4}", phase.error, phase.correlation));
    }
}

/// The command, for the header of the weights.
fn command(arguments: &Arguments) -> String {
    let Arguments { game, epochs, rate, expected, lambda, validation, held, seed, .. } = arguments;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files: Vec<String> = arguments.files.iter().map(name).collect();
    let start = match arguments.start {
        From::Zero => "zero",
        From::Current => "current",
    };
    // `--expected` has no effect on the move ordering.
    let what = match () {
        () if arguments.moves => "--moves".to_owned(),
        () if arguments.network => {
            format!("--network --expected {expected} --lambda {lambda} --decay {}", arguments.decay)
        }
        () => format!("--expected {expected} --lambda {lambda} --shared {}", arguments.shared),
    };
    let scale = arguments.scale.map(|scale| format!(" --scale {scale}")).unwrap_or_default();
    format!(
        "tesuji-train fit {game} {} {what}{scale} --epochs {epochs} --rate {rate} --validation {validation} --held {held} \
         --start {start} --seed {seed}",
        files.join(" ")
    )
}

/// The contents of the weights file.
fn stored(arguments: &Arguments, learner: &dyn Learner, fitted: &Fitted) -> Vec<u8> {
    let Features { name, count, unit } = learner.features();
    let clamped = fitted.weights.iter().filter(|&&weight| i16::try_from(weight).is_err()).count();
    if clamped > 0 {
        log_line(format_args!(
            "tesuji-train: {clamped} weights exceed 16 bits and are stored as the nearest 16-bit values"
        ));
    }
    let Fitted { positions, held_out, errors, .. } = fitted;
    let made = json!({
        "command": command(arguments),
        "date": today(),
        "positions": positions,
        "held_out": held_out,
        "errors": errors,
    });
    let (game, features, unit) = (arguments.game.clone(), name.to_owned(), unit.to_owned());
    weights::write(&Header { game, features, count, unit, made }, &fitted.weights)
}

/// The date (UTC), like 2026-11-23: years that begin in March make the lengths of months regular (Hinnant 2013).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}
