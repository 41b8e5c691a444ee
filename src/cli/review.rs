//! `tesuji review`: a whole game reviewed move by move, as a table.

use std::io::{Write, stdout};

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};
use tesuji_core::position::Side;
use tesuji_core::review::{Class, Evaluated, Move, Review, Summary, branches, play_all};

use super::arguments::{RecordedGame, SearchArguments, parse_position};
use super::searcher::Searcher;
use super::{Failed, note, words};

/// Options of `review`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    game: RecordedGame,
    /// The moves of the game, as for --moves; after those of --record.
    #[arg(required_unless_present = "record")]
    played: Vec<String>,
    /// The position before the moves (default: the start position).
    #[arg(long, allow_hyphen_values = true, value_parser = parse_position)]
    position: Option<String>,
    /// Show only moves with at least this loss, on the scale of values in [-1, 1].
    #[arg(long, value_name = "LOSS", default_value_t = 0.0)]
    at_least: f64,
    #[command(flatten)]
    search: SearchArguments,
}

/// Searches each position in turn, and prints.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let catalog = arguments.game.catalog()?;
    let beginning = arguments.game.begin(&catalog, arguments.position.as_deref())?;
    let played = arguments.game.split(&catalog, &arguments.played);
    // A record's moves are reviewed; those of --moves lead to the start of the review.
    let (before, texts) = match beginning.recorded {
        Some(_) => (Vec::new(), [beginning.all_moves(), played].concat()),
        None => (beginning.all_moves(), played),
    };
    let start = || beginning.open(&catalog, &before);
    let moves = play_all(&mut *start()?, &texts)
        .map_err(|(index, illegal)| Failed::refused(format_args!("move number {}: {illegal}", index + 1)))?;
    let (request, searcher) = (arguments.search.request(arguments.game.name()), Searcher::new()?);
    let (mut game, mut review) = (start()?, Review::default());
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
            None => Some(searcher.result(&*game, &request, branches(&*game, next))?.report),
        };
        review.add(played, Evaluated::of(&*game, next, report));
    }
    for warning in game.warnings() {
        note(format_args!("tesuji: {warning}"));
    }
    write(&mut stdout().lock(), &review, arguments.at_least)?;
    Ok(())
}

fn write(out: &mut impl Write, review: &Review, at_least: f64) -> std::io::Result<()> {
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let number = |value: Option<f64>| right(value.map(|value| words::signed(value, 3)).unwrap_or_default());
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(["ply", "side", "move", "before", "after", "loss", "accuracy", "class", "better"]);
    let shown = |mv: &&Move| mv.loss.unwrap_or(0.0) >= at_least;
    for mv in review.moves().iter().filter(shown) {
        let better = mv.best != mv.mv && !matches!(mv.class, Some(Class::Best | Class::Forced));
        table.add_row([
            right(mv.ply.to_string()),
            Cell::new(mv.side),
            Cell::new(&mv.mv),
            number(mv.value_before),
            number(mv.value_after),
            number(mv.loss),
            right(mv.accuracy.map(|accuracy| format!("{accuracy:.1}")).unwrap_or_default()),
            Cell::new(mv.class.map(name).unwrap_or_default()),
            Cell::new(if better { mv.line.join(" ") } else { String::new() }),
        ]);
    }
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    for side in [Side::First, Side::Second] {
        writeln!(out, "{side}: {}", told(&review.summary(side)))?;
    }
    Ok(())
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Forced => "forced",
        Class::Best => "best",
        Class::Good => "good",
        Class::Inaccuracy => "inaccuracy",
        Class::Mistake => "mistake",
        Class::Blunder => "blunder",
    }
}

/// A side's accuracy in one line.
fn told(summary: &Summary) -> String {
    let accuracy = summary.accuracy.map(|accuracy| format!("accuracy {accuracy:.1} %, ")).unwrap_or_default();
    let loss = summary.mean_loss.map(|loss| format!(", mean loss {loss:.3}")).unwrap_or_default();
    let Summary { moves, inaccuracies, mistakes, blunders, .. } = *summary;
    format!("{accuracy}{moves} moves: inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}{loss}")
}
