//! `tesuji convert`: a record of a game from one format to another.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use serde_json::Value;
use tesuji::encoding::Decoded;
use tesuji_core::api::RecordRequest;
use tesuji_core::catalog::{ReadOptions, Refusal, parse_parameters};

use super::arguments::{GameName, OwnGames, name_in};
use super::input::read_text;
use super::{CommandError, print_stderr, words};

/// The name of the JSON format, that of `POST /v1/records`.
const JSON: &str = "json";

/// Options of `convert`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The input file, in any format of docs/records.md (default, or `-`: standard input).
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// The format to write: sgf, ggf, psq, pgn-iccs, pgn-wxf, pgn-chinese, uci, ucci, moves; or json for the whole
    /// record.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Input format (default: detected).
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// The game, if the file does not name it.
    #[arg(long, value_parser = GameName)]
    game: Option<String>,
    #[command(flatten)]
    own: OwnGames,
    /// The variant, in place of the file's, written as for other commands.
    #[arg(long, value_parser = parse_parameters)]
    variant: Option<Value>,
    /// Number of the game in a file of several, from 1.
    #[arg(long, value_name = "N")]
    number: Option<u32>,
    /// The file's encoding, such as gbk (default: detected).
    #[arg(long, value_name = "NAME")]
    charset: Option<String>,
    /// The file to write, in UTF-8 (default: standard output).
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Converts the record; warnings about omissions go to standard error.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let catalog = arguments.own.catalog()?;
    let Decoded { text, warning } = read_text(&catalog, &arguments.file, arguments.charset.as_deref())?;
    let name = arguments.file.display();
    let Arguments { variant, from: format, number, .. } = arguments;
    let game = arguments.game.as_deref().map(|game| name_in(&catalog, game));
    let refuse = |pointer: &str, detail: &str| {
        CommandError::Refused(match pointer {
            "/text" => format!("{name}: {}", words::record_refusal(detail, "--number")),
            "/write" => format!("--to: {detail}"),
            "/format" => format!("--from: {detail}"),
            "/number" => format!("--number: {detail}"),
            "/game" => format!("--game: {detail}"),
            _ => format!("{name}: {pointer}: {detail}"),
        })
    };
    let output = if arguments.to == JSON {
        let mut request = RecordRequest::of_text(text, warning);
        (request.game, request.variant) = (game.map(str::to_owned), variant.clone());
        (request.format, request.number) = (format.clone(), *number);
        let answer = request.answer(&catalog).map_err(|problem| match &problem.details(None).errors[..] {
            [part, ..] => refuse(&part.pointer, &part.detail),
            [] => CommandError::refused(format_args!("{name}: {}", problem.detail())),
        })?;
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        let asked = ReadOptions {
            game,
            variant: variant.as_ref(),
            format: format.as_deref(),
            number: number.map(|number| number as usize),
        };
        let refuse = |refusal: Refusal| refuse(&refusal.pointer, &refusal.detail);
        let played = catalog.read_record(&text, &asked).map_err(refuse)?;
        for warning in warning.iter().chain(&played.warnings) {
            print_stderr(format_args!("tesuji: {name}: {warning}"));
        }
        let output = catalog.write_record(&played, &arguments.to).map_err(refuse)?;
        output.trim_end_matches('\n').to_owned() + "\n"
    };
    match &arguments.output {
        Some(path) => fs::write(path, output)
            .map_err(|error| CommandError::failed(format_args!("{}: {error}", path.display())))?,
        None => stdout().write_all(output.as_bytes())?,
    }
    Ok(())
}
