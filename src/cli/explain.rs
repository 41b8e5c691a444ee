//! `tesuji explain`: compares a move with the best one and gives reasons, in sentences or as the API's grade.

use std::io::{Write, stdout};

use tesuji::reasons::{Graded, Language, Words};
use tesuji_core::api::{GradePart, SearchRequest, SearchResponse};
use tesuji_core::grade::Class;

use super::CommandError;
use super::arguments::{RecordedGame, SearchArguments, parse_position};
use super::searcher::{Interrupt, Searcher};

/// Options of `explain`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// The position in the game's notation, or moves from the start such as h8,h9. If it is the only argument, it is the move.
    #[arg(value_name = "POSITION|MOVE", allow_hyphen_values = true, value_parser = parse_position)]
    first: String,
    /// The move to explain.
    #[arg(value_name = "MOVE")]
    second: Option<String>,
    /// Print the move's entry in `grades` of the response of `POST /v1/searches`.
    #[arg(long)]
    json: bool,
    /// The language of the sentences.
    #[arg(long, value_enum, default_value = "en", conflicts_with = "json")]
    language: Language,
    #[command(flatten)]
    search: SearchArguments,
}

/// Searches and prints.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.game.catalog()?;
    let (position, mv) = match &arguments.second {
        Some(mv) => (Some(&*arguments.first), mv),
        None => (None, &arguments.first),
    };
    let session = arguments.game.open_at(&catalog, position)?;
    let mv = session.read_move(mv).map_err(CommandError::refused)?;
    let name = arguments.game.name(&catalog);
    let request = SearchRequest { grade: Some(vec![mv]), ..arguments.search.request(name) };
    let response = Searcher::new()?.answer(&*session, &request, Interrupt::EndsSearch)?;
    let mut out = stdout().lock();
    for grade in &response.grades {
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(grade)?)?;
        } else {
            writeln!(out, "{}", sentences(Words::of(arguments.language), grade, &response).join("\n"))?;
        }
    }
    Ok(())
}

/// A move's class, the reasons, the continuation, the better move, and how certain the grade is.
fn sentences(words: &Words, grade: &GradePart, response: &SearchResponse) -> Vec<String> {
    let GradePart { mv, rank, class, loss, exact, depth, reasons, .. } = grade;
    let choices = response.children.len();
    let first = words.grade(&Graded { mv, class: *class, rank: *rank, choices, loss: *loss });
    let is_new = |line: &Vec<String>| line.len() > 1 && reasons.iter().all(|reason| reason.line != *line);
    let after = response.children.iter().find(|child| child.mv == *mv && is_new(&child.pv));
    let better = !matches!(class, Some(Class::Forced | Class::Best));
    let best = response.children.first().filter(|_| better);
    std::iter::once(first)
        .chain(reasons.iter().map(|reason| words.reason(reason)))
        .chain(after.map(|child| words.after(&child.pv)))
        .chain(best.map(|best| words.best(&best.pv)))
        .chain([words.certainty(*exact, *depth)])
        .collect()
}
