//! `tesuji-train fit`: fits the weights of a game's evaluation to games of `selfplay`, and writes the file that holds them.

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
use tesuji_train::{Chances, Epoch, Fit, Fitted, GameFiles, Heard, Learner, Start, chart, learner, replace};

use super::selfplay::share;
use super::{Failed, note, on_threads, progress};

/// Options of `fit`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    game: String,
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the weights are written.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Passes through all positions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// How far a batch moves the weight of a frequent feature at first, in units of the weights; it sinks to zero.
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = positive)]
    rate: f64,
    /// How much of the target is what the search of a position expected; the rest is the game's result, where no later move
    /// was random.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = share)]
    expected: f64,
    /// Mix what the search of a position expected with what those of later positions of its game did, each this much less than
    /// the one before, and with the result: TD(λ) (Sutton 1988). 0: its own search alone.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, conflicts_with = "moves")]
    lambda: f64,
    /// The share of games held out, on which errors are measured.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    validation: f64,
    /// Hold each weight at its start as strongly as so many positions would in which its feature occurs once.
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = not_negative)]
    held: f64,
    /// With `--network`, the decay of weights: the part of each weight, times the rate, that a batch takes away.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = not_negative, requires = "network")]
    decay: f64,
    /// Hold the scale of values: how many make the odds of winning e to one. When not given, it is the one that suits the
    /// weights in force and these games best, so values of games that stay even longer become larger.
    #[arg(long, value_name = "VALUE", value_parser = positive, conflicts_with = "moves")]
    scale: Option<f64>,
    /// Where weights start.
    #[arg(long, value_enum, default_value_t = From::Current)]
    start: From,
    /// Fit the order in which the search tries moves, to the moves that the searches of the games found best, and leave the
    /// evaluation as it is (Gomoku). A weight is a hundredth of a logit.
    #[arg(long, conflicts_with = "expected")]
    moves: bool,
    /// Fit the network that corrects the evaluation, and leave all other weights as they are (Gomoku, Xiangqi). The rate is in
    /// thousandths of one; `--held` has no part in it.
    #[arg(long, conflicts_with = "moves")]
    network: bool,
    /// Write what is needed to go on after each epoch, and go on with it where it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Draw the errors by epoch (SVG).
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Threads; all cores when not given. Weights do not depend on it.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of the order of games, and of those held out.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Where weights start.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// At zero.
    Zero,
    /// At the weights in force.
    Current,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a positive number".to_owned())
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number not below 0".to_owned())
}

/// Fits and writes.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let mut games = GameFiles::open(&arguments.files, &arguments.game).map_err(Failed::Refused)?;
    games.warnings.iter().for_each(|warning| note(format_args!("tesuji-train: {warning}")));
    let learner = learner(&arguments.game, &games.variants()).map_err(Failed::Refused)?;
    let plan = Fit {
        epochs: arguments.epochs,
        rate: arguments.rate,
        expected: arguments.expected,
        lambda: arguments.lambda,
        validation: arguments.validation,
        held: arguments.held,
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
        let fitted = learner.fit(&mut games, &plan, checkpoint.as_deref(), &mut |heard| {
            log.hear(heard);
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

/// What is wrong with the file of an option.
fn at(option: &str, path: &Path, error: &dyn Display) -> String {
    format!("{option}, {}: {error}", path.display())
}

/// What errors are measured in.
fn measure(unit: Option<&str>) -> String {
    unit.map_or_else(|| "negative log-likelihood".to_owned(), |unit| format!("squared {unit}"))
}

/// Says how the fit gets on.
struct Log<'a> {
    arguments: &'a Arguments,
    measure: String,
    bar: ProgressBar,
    begin: Instant,
    /// The epoch that has been learned, and how fast.
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

    fn hear(&mut self, heard: Heard<'_>) {
        match heard {
            Heard::Choosing(done, of) => {
                self.show("choosing positions, games:".to_owned(), done, of);
            }
            Heard::Learning(epoch, done, of) => {
                self.show(format!("epoch {epoch}, positions:"), done, of);
                if done == 0 {
                    self.begin = Instant::now();
                }
                if done == of {
                    let speed = progress::rate(done, self.begin.elapsed().as_secs_f64());
                    self.learned = format!("epoch {epoch:>3}: {speed} samples a second");
                }
            }
            Heard::Done(epoch, save) => {
                let Epoch { training, validation, .. } = epoch;
                let Self { learned, measure, .. } = &*self;
                let told = format_args!("{learned}, {measure}: training {training:.4}, validation {validation:.4}");
                self.bar.suspend(|| note(told));
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

/// Says what came out.
fn report(fitted: &Fitted, unit: Option<&str>) {
    let Fitted { positions, held_out, features, errors: [before, after], .. } = *fitted;
    let [positions, held_out, features] = [positions, held_out, features as u64].map(HumanCount);
    let all = HumanCount(fitted.weights.len() as u64);
    note(format_args!("{positions} positions with {features} of {all} features; {held_out} positions held out:"));
    note(format_args!(
        "mean error ({}): {before:.4} with the weights in force, {after:.4} with the new ones",
        measure(unit)
    ));
    for (weights, chances) in ["in force", "new"].into_iter().zip(fitted.chances.into_iter().flatten()) {
        let Chances { even, spread } = chances;
        note(format_args!(
            "chances, weights {weights}: a draw likeliest within {even:.0} of zero, logistic of width {spread:.0}"
        ));
    }
    if let Some([before, after]) = fitted.first.map(|shares| shares.map(|share| 100.0 * share)) {
        note(format_args!(
            "the best move comes first in {before:.1} % with the weights in force, {after:.1} % with the new ones"
        ));
        return;
    }
    if fitted.phases.is_empty() {
        return;
    }
    note(format_args!("{:>9} {:>10} {:>11} {:>12}", "plies", "positions", "mean error", "correlation"));
    for phase in &fitted.phases {
        let plies = format!("{} to {}", phase.plies.0, phase.plies.1);
        let positions = HumanCount(phase.positions).to_string();
        note(format_args!("{plies:>9} {positions:>10} {:>11.4} {:>12.4}", phase.error, phase.correlation));
    }
}

/// The command, as a file of weights tells it.
fn command(arguments: &Arguments) -> String {
    let Arguments { game, epochs, rate, expected, lambda, validation, held, seed, .. } = arguments;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files: Vec<String> = arguments.files.iter().map(name).collect();
    let start = match arguments.start {
        From::Zero => "zero",
        From::Current => "current",
    };
    // The share of results has no meaning for the order of moves.
    let what = match () {
        () if arguments.moves => "--moves".to_owned(),
        () if arguments.network => {
            format!("--network --expected {expected} --lambda {lambda} --decay {}", arguments.decay)
        }
        () => format!("--expected {expected} --lambda {lambda}"),
    };
    let scale = arguments.scale.map(|scale| format!(" --scale {scale}")).unwrap_or_default();
    format!(
        "tesuji-train fit {game} {} {what}{scale} --epochs {epochs} --rate {rate} --validation {validation} --held {held} \
         --start {start} --seed {seed}",
        files.join(" ")
    )
}

/// The weights as their file has them.
fn stored(arguments: &Arguments, learner: &dyn Learner, fitted: &Fitted) -> Vec<u8> {
    let Features { name, count, unit } = learner.features();
    let clamped = fitted.weights.iter().filter(|&&weight| i16::try_from(weight).is_err()).count();
    if clamped > 0 {
        note(format_args!(
            "tesuji-train: {clamped} weights need more than 16 bits; they are stored as the nearest ones that do not"
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
