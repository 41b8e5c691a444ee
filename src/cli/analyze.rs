//! `tesuji analyze`: searches a position and prints the result as a table or as the API's JSON.

mod table;

use std::io::{Write, stdout};

use clap::value_parser;
use tesuji_core::api::{ReportRequest, SearchRequest};

use super::CommandError;
use super::arguments::{PlayArguments, RecordedGame, parse_position};
use super::searcher::{Interrupt, Searcher};

/// Options of `analyze`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// The position in the game's notation, or moves from the start such as h8,h9 (default: the start position).
    #[arg(allow_hyphen_values = true, value_parser = parse_position)]
    position: Option<String>,
    /// Print the response of `POST /v1/searches`.
    #[arg(long)]
    json: bool,
    /// Maximum moves in the table.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u16).range(1..))]
    #[arg(conflicts_with = "json")]
    top: u16,
    /// Number of best moves to search to the full depth (alpha-beta; MultiPV); the others are searched a few plies less deeply.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1000))]
    multipv: u16,
    /// A move to grade against the best one; can be repeated.
    #[arg(long, value_name = "MOVE")]
    grade: Vec<String>,
    #[command(flatten)]
    search: PlayArguments,
}

/// Searches and prints.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.game.catalog()?;
    let session = arguments.game.open_at(&catalog, arguments.position.as_deref())?;
    let report = ReportRequest { multipv: Some(arguments.multipv.into()), ..ReportRequest::default() };
    let grade = Some(arguments.grade.clone()).filter(|moves| !moves.is_empty());
    let request =
        SearchRequest { report: Some(report), grade, ..arguments.search.request(arguments.game.name(&catalog)) };
    let response = Searcher::new()?.answer(&*session, &request, Interrupt::EndsSearch)?;
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&response)?)?;
    } else {
        table::write(&mut out, arguments.game.name(&catalog), &*session, &response, arguments.top.into())?;
    }
    Ok(())
}
