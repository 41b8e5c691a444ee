//! `tesuji game check`: whether a game's file is accepted, and how fast the game is.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use serde_json::json;
use tesuji_core::conformance::Violation;
use tesuji_core::custom::{CustomGame, Kind, Limits};
use tesuji_host::{Effort, Report, check, load};

use crate::cli::{CommandError, words};

/// Options of `game check`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game: a WebAssembly module, or a JavaScript file.
    file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Play random games for up to a minute, instead of the few that servers play on acceptance.
    #[arg(long)]
    thorough: bool,
}

/// Checks the file and prints the report, or the first rule that it breaks.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let file = &arguments.file;
    let bytes = fs::read(file).map_err(|error| CommandError::refused(format_args!("{}: {error}", file.display())))?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let game = load(Kind::of(&bytes), &stem, &bytes, Limits::default()).map_err(CommandError::refused)?;
    let effort = if arguments.thorough { Effort::THOROUGH } else { Effort::QUICK };
    let result = check(&game, effort);
    let mut out = stdout().lock();
    if arguments.json {
        let (report, violation) = (result.as_ref().ok(), result.as_ref().err());
        let name = &game.description.name;
        writeln!(out, "{}", json!({"game": name, "hash": game.hash, "report": report, "violation": violation}))?;
    } else {
        match &result {
            Ok(report) => print_report(&mut out, &game, report)?,
            Err(violation) => print_violation(&mut out, violation)?,
        }
    }
    let name = &game.description.name;
    result
        .map(drop)
        .map_err(|violation| CommandError::refused(format_args!("{name} is refused: {}", violation.problem)))
}

fn print_report(out: &mut impl Write, game: &CustomGame, report: &Report) -> Result<(), CommandError> {
    let Report { variants, games, positions, longest_game, position_bytes, moves, .. } = report;
    writeln!(out, "{} conforms (SHA-256 {})", game.description.name, game.hash)?;
    let rows = [
        ("variants", variants.to_string()),
        ("random games", words::count(u64::from(*games))),
        ("positions", words::count(u64::from(*positions))),
        ("longest game", format!("{longest_game} plies")),
        ("largest position", format!("{position_bytes} bytes")),
        ("most moves", moves.to_string()),
        ("simulations/s", words::rate(report.simulations_per_second as u64, 1.0)),
        ("moves", format!("{:.0} ns", report.nanoseconds.moves)),
        ("play", format!("{:.0} ns", report.nanoseconds.play)),
        ("playout", report.nanoseconds.playout.map_or("by the host".to_owned(), |time| format!("{time:.0} ns"))),
    ];
    rows.iter().try_for_each(|(name, value)| writeln!(out, "  {name:<17} {value}"))?;
    Ok(())
}

fn print_violation(out: &mut impl Write, violation: &Violation) -> Result<(), CommandError> {
    writeln!(out, "rule      {}", violation.problem)?;
    if let Some(variant) = &violation.variant {
        writeln!(out, "variant   {variant}")?;
    }
    if !violation.position.is_empty() {
        writeln!(out, "position  {}", violation.position)?;
        writeln!(
            out,
            "moves     {}",
            if violation.line.is_empty() { "none".to_owned() } else { violation.line.join(" ") }
        )?;
    }
    Ok(())
}
