//! `tesuji review`: a whole game reviewed move by move, as a table or as the API's JSON.

use std::io::{Write, stdout};

use comfy_table::{Cell, CellAlignment};
use console::Style;
use tesuji::reasons::{Language, Words};
use tesuji_core::api::review::Document;
use tesuji_core::api::{SearchRequest, Status};
use tesuji_core::grade::Class;
use tesuji_core::position::Side;
use tesuji_core::review::{Evaluated, Move, Review, Summary, play_all};
use tesuji_core::search::Branches;
use ulid::Ulid;

use super::arguments::{RecordedGame, SearchArguments, parse_position};
use super::searcher::Searcher;
use super::{CommandError, print_stderr, terminal, words};

/// Options of `review`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// The moves of the game, written as for --moves; they follow those of --record.
    #[arg(required_unless_present = "record")]
    played: Vec<String>,
    /// The position before the moves (default: the start position).
    #[arg(long, allow_hyphen_values = true, value_parser = parse_position)]
    position: Option<String>,
    /// Show only moves with at least this loss, on the scale of values in [-1, 1].
    #[arg(long, value_name = "LOSS", default_value_t = 0.0)]
    at_least: f64,
    /// Print the response of `POST /v1/reviews`.
    #[arg(long, conflicts_with = "at_least")]
    json: bool,
    #[command(flatten)]
    search: SearchArguments,
}

/// Searches each position in turn, and prints.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.game.catalog()?;
    let game_start = arguments.game.read_start(&catalog, arguments.position.as_deref())?;
    let played = arguments.game.split(&catalog, &arguments.played);
    // With a record, all moves are reviewed; without one, those of --moves lead to the start of the review.
    let (before, texts) = match game_start.recorded {
        Some(_) => (Vec::new(), [game_start.all_moves(), played].concat()),
        None => (game_start.all_moves(), played),
    };
    let start = || game_start.open(&catalog, &before);
    let moves = play_all(&mut *start()?, &texts)
        .map_err(|(index, illegal)| CommandError::refused(format_args!("move number {}: {illegal}", index + 1)))?;
    let (request, searcher) = (arguments.search.request(arguments.game.name(&catalog)), Searcher::new()?);
    let (mut game, mut review) = (start()?, Review::default());
    let plan = searcher.prepare(&*game, &request.spec(None))?.plan().clone();
    let mut document = Document::new(Ulid::generate().to_string(), &request, game.view(), &plan, moves.len());
    let bar = terminal::progress_bar(moves.len() as u64 + 1, "{bar:24} {pos}/{len} positions  {elapsed}");
    for index in 0..=moves.len() {
        let played = index.checked_sub(1).map(|index| moves[index].clone());
        if let Some(mv) = &played {
            game.play(mv)?;
        }
        let next = moves.get(index).map(String::as_str);
        if next.is_some() {
            game.resume();
        }
        let report = match game.outcome() {
            Some(_) => None,
            None => {
                let request = SearchRequest { grade: next.map(|next| vec![next.to_owned()]), ..request.clone() };
                // Only the values of the best move and of the played one are needed.
                Some(searcher.result(&*game, &request, Branches::default())?.report)
            }
        };
        review.add(played, Evaluated::of(&*game, next, report));
        bar.inc(1);
    }
    bar.finish_and_clear();
    for warning in game.warnings() {
        print_stderr(format_args!("tesuji: {warning}"));
    }
    let mut out = stdout().lock();
    if arguments.json {
        document.update(&review);
        document.next(Status::Done);
        return Ok(writeln!(out, "{}", serde_json::to_string(&document)?)?);
    }
    Ok(write(&mut out, &review, arguments.at_least)?)
}

fn write(out: &mut impl Write, review: &Review, at_least: f64) -> std::io::Result<()> {
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let number = |value: Option<f64>| right(value.map(|value| words::signed(value, 3)).unwrap_or_default());
    let mut table = terminal::table();
    table.set_header(["ply", "side", "move", "before", "after", "loss", "accuracy", "class", "better"]);
    let shown: Vec<&Move> = review.moves().iter().filter(|mv| mv.loss.unwrap_or(0.0) >= at_least).collect();
    for mv in &shown {
        let better = mv.best != mv.mv && !matches!(mv.class, Some(Class::Best | Class::Forced));
        table.add_row([
            right(mv.ply.to_string()),
            Cell::new(mv.side),
            Cell::new(&mv.mv),
            number(mv.value_before),
            number(mv.value_after),
            number(mv.loss),
            right(mv.accuracy.map(|accuracy| format!("{accuracy:.1}")).unwrap_or_default()),
            Cell::new(mv.class.map(words::class).unwrap_or_default()),
            Cell::new(if better { mv.line.join(" ") } else { String::new() }),
        ]);
    }
    terminal::write_table(out, &table, |row| style(shown[row].class))?;
    writeln!(out)?;
    let words = Words::of(Language::En);
    for mv in shown.iter().filter(|mv| is_mistake(mv) && !mv.reasons.is_empty()) {
        let reasons: Vec<String> = mv.reasons.iter().map(|reason| words.reason(reason)).collect();
        writeln!(out, "{}. {}: {}", mv.ply, mv.mv, reasons.join(" "))?;
    }
    for side in [Side::First, Side::Second] {
        writeln!(out, "{side}: {}", summary_line(&review.summary(side)))?;
    }
    Ok(())
}

/// Whether a move is an inaccuracy or worse.
const fn is_mistake(mv: &Move) -> bool {
    matches!(mv.class, Some(Class::Inaccuracy | Class::Mistake | Class::Blunder))
}

fn style(class: Option<Class>) -> Style {
    match class {
        Some(Class::Inaccuracy) => Style::new().yellow(),
        Some(Class::Mistake) => Style::new().red(),
        Some(Class::Blunder) => Style::new().red().bold(),
        _ => Style::new(),
    }
}

/// A side's accuracy in one line.
fn summary_line(summary: &Summary) -> String {
    let accuracy = summary.accuracy.map(|accuracy| format!("accuracy {accuracy:.1} %, ")).unwrap_or_default();
    let loss = summary.mean_loss.map(|loss| format!(", mean loss {loss:.3}")).unwrap_or_default();
    let Summary { moves, inaccuracies, mistakes, blunders, .. } = *summary;
    format!("{accuracy}{moves} moves: inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}{loss}")
}
