//! Arguments shared by several commands, and their conversion to requests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use serde_json::Value;
use tesuji::encoding::Decoded;
use tesuji::library::{load, read_folder};
use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{AnySession, BUDGET_FIELDS, BudgetRequest, Catalog, ReadOptions, Setup, parse_parameters};
use tesuji_core::custom::Limits;

use super::input::read_text;
use super::{CommandError, print_stderr, words};

/// The game, its variant, and the moves played.
#[derive(Debug, clap::Args)]
pub struct GameArguments {
    /// The game.
    #[arg(value_parser = GameName)]
    game: String,
    /// The variant: `KEY=VALUE,…`, a name, `NAME:KEY=VALUE,…`, or JSON; e.g. columns=6,rows=4.
    #[arg(long, value_parser = parse_parameters)]
    pub variant: Option<Value>,
    /// Moves played from the position, e.g. "4 4 5"; can be repeated.
    #[arg(long)]
    moves: Vec<String>,
}

/// Games that are not built in.
#[derive(Debug, clap::Args)]
pub struct OwnGames {
    /// Folder of games that are not built in: each `.wasm` and `.js` file is one (docs/your-own-game.md).
    #[arg(long, value_name = "FOLDER", env = "TESUJI_GAMES")]
    games: Option<PathBuf>,
}

impl OwnGames {
    /// The built-in games and these.
    pub fn catalog(&self) -> Result<Catalog, CommandError> {
        catalog_with(self.games.as_deref())
    }
}

/// The built-in games and those of a folder.
pub fn catalog_with(folder: Option<&Path>) -> Result<Catalog, CommandError> {
    let mut catalog = Catalog::standard();
    let games = folder.map(|folder| read_folder(folder, Limits::default(), load)).transpose();
    for game in games.map_err(CommandError::refused)?.unwrap_or_default() {
        catalog.add_custom(&game).map_err(CommandError::refused)?;
    }
    Ok(catalog)
}

/// Parses a game's name. Help and completions list the built-in games; those of a folder are read later.
#[derive(Clone, Debug)]
pub struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names: Vec<String> = Catalog::standard().names().map(str::to_owned).collect();
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

/// Aliases of games, in letters and digits only.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("c4", "connect-four"),
    ("chinesechess", "xiangqi"),
    ("connect4", "connect-four"),
    ("dots", "dots-and-boxes"),
    ("fiveinarow", "gomoku"),
    ("fourinarow", "connect-four"),
    ("gobang", "gomoku"),
    ("noughtsandcrosses", "tic-tac-toe"),
    ("othello", "reversi"),
    ("ttt", "tic-tac-toe"),
];

/// The catalog's name for a game as people write it: in any case, with or without hyphens, or an alias. Unknown names are
/// returned unchanged.
pub fn name_in<'a>(catalog: &'a Catalog, written: &'a str) -> &'a str {
    let letters = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let plain = letters(written);
    let exact = catalog.names().find(|&name| name == written);
    let other = || OTHER_NAMES.iter().find(|(other, _)| *other == plain).map(|&(_, name)| name);
    exact.or_else(|| catalog.names().find(|name| letters(name) == plain)).or_else(other).unwrap_or(written)
}

impl GameArguments {
    /// The game's name.
    pub fn name<'a>(&'a self, catalog: &'a Catalog) -> &'a str {
        name_in(catalog, &self.game)
    }

    /// Sets up the game from its start, with the moves of the arguments.
    pub fn open(&self, catalog: &Catalog) -> Result<Box<dyn AnySession>, CommandError> {
        let moves = self.split_moves(catalog);
        let setup = Setup { variant: self.variant.as_ref(), position: None, moves: &moves };
        Ok(catalog.open(self.name(catalog), setup)?)
    }

    /// The single moves of --moves.
    pub fn split_moves(&self, catalog: &Catalog) -> Vec<String> {
        self.split(catalog, &self.moves)
    }

    /// Splits texts into moves, at blanks, and at commas if the game's notation contains none.
    pub fn split(&self, catalog: &Catalog, moves: &[String]) -> Vec<String> {
        let about = catalog.about(self.name(catalog));
        let comma_inside =
            about.is_some_and(|about| about.description.example_moves().iter().any(|example| example.contains(',')));
        let words = moves.iter().flat_map(|text| text.split_whitespace());
        let moves = words.flat_map(|word| {
            let inner = if comma_inside { '\n' } else { ',' };
            word.trim_matches(',').split(inner).filter(|mv| !mv.is_empty())
        });
        moves.map(str::to_owned).collect()
    }
}

/// A game, optionally from a record.
#[derive(Debug, clap::Args)]
pub struct RecordedGame {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    own: OwnGames,
    /// A game record in any format (docs/records.md), or `-` for standard input; its moves come before --moves.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The start of a game.
#[derive(Debug)]
pub struct GameStart {
    game: String,
    variant: Option<Value>,
    position: Option<String>,
    /// The moves of the record, if there is one.
    pub recorded: Option<Vec<String>>,
    /// The moves of --moves, which follow those of the record.
    pub moves: Vec<String>,
}

impl RecordedGame {
    /// The built-in games and those of --games.
    pub fn catalog(&self) -> Result<Catalog, CommandError> {
        self.own.catalog()
    }

    /// The game's name.
    pub fn name<'a>(&'a self, catalog: &'a Catalog) -> &'a str {
        self.game.name(catalog)
    }

    /// Splits texts into moves: see [`GameArguments::split`].
    pub fn split(&self, catalog: &Catalog, moves: &[String]) -> Vec<String> {
        self.game.split(catalog, moves)
    }

    /// The start of the game: from the record, which is read here, or from `position`, by default the start position.
    pub fn read_start(&self, catalog: &Catalog, position: Option<&str>) -> Result<GameStart, CommandError> {
        let (game, variant) = (self.game.name(catalog), &self.game.variant);
        let moves = self.game.split_moves(catalog);
        let game_start =
            GameStart { game: game.to_owned(), variant: variant.clone(), position: None, recorded: None, moves };
        let Some(file) = &self.record else {
            return Ok(GameStart { position: position.map(str::to_owned), ..game_start });
        };
        if position.is_some() {
            return Err(CommandError::refused("expected no position: the record has one"));
        }
        let Decoded { text, warning } = read_text(catalog, file, None)?;
        let asked = ReadOptions { game: Some(game), variant: variant.as_ref(), ..ReadOptions::default() };
        let read = catalog.read_record(&text, &asked);
        let played = read.map_err(|refusal| {
            let problem = words::record_refusal(&refusal.detail, "tesuji convert --number N");
            CommandError::refused(format_args!("{}: {problem}", file.display()))
        })?;
        for warning in warning.iter().chain(&played.warnings) {
            print_stderr(format_args!("tesuji: {}: {warning}", file.display()));
        }
        let recorded = played.record.moves.into_iter().map(|recorded| recorded.mv);
        Ok(GameStart {
            variant: Some(played.session.view().variant),
            position: played.record.position,
            recorded: Some(recorded.collect()),
            ..game_start
        })
    }

    /// Sets up the game from `position`, if given, or else from the record, and plays the moves of --moves.
    pub fn open_at(&self, catalog: &Catalog, position: Option<&str>) -> Result<Box<dyn AnySession>, CommandError> {
        if let Some(text) = position {
            return self.open_pasted(catalog, text);
        }
        let game_start = self.read_start(catalog, None)?;
        game_start.open(catalog, &game_start.all_moves())
    }

    /// Sets up the game from a text that is a position or a list of moves.
    fn open_pasted(&self, catalog: &Catalog, text: &str) -> Result<Box<dyn AnySession>, CommandError> {
        let GameStart { game, variant, moves: own, .. } = self.read_start(catalog, Some(text))?;
        let variant = variant.as_ref();
        let refusal = match catalog.open(&game, Setup { variant, position: Some(text), moves: &own }) {
            Ok(session) => return Ok(session),
            Err(refusal) => refusal,
        };
        if refusal.reads_as_moves
            && let Ok(start) = catalog.open(&game, Setup { variant, ..Setup::default() })
            && let (None, words) = start.split_pasted(text)
        {
            let count = words.len();
            let moves: Vec<String> = words.into_iter().map(str::to_owned).chain(own).collect();
            return catalog.open(&game, Setup { variant, position: None, moves: &moves }).map_err(|refusal| {
                let index = refusal.pointer.strip_prefix("/moves/").and_then(|index| index.parse::<usize>().ok());
                CommandError::Refused(match index {
                    Some(index) if index < count => format!("move number {}: {}", index + 1, refusal.detail),
                    // The moves of --moves are numbered separately.
                    Some(index) => format!("--moves, number {}: {}", index - count + 1, refusal.detail),
                    None => words::refusal(&refusal),
                })
            });
        }
        Err(refusal.into())
    }
}

impl GameStart {
    /// All moves, the record's first.
    pub fn all_moves(&self) -> Vec<String> {
        self.recorded.iter().flatten().chain(&self.moves).cloned().collect()
    }

    /// Sets up the game with these moves from its position.
    pub fn open(&self, catalog: &Catalog, moves: &[String]) -> Result<Box<dyn AnySession>, CommandError> {
        let setup = Setup { variant: self.variant.as_ref(), position: self.position.as_deref(), moves };
        Ok(catalog.open(&self.game, setup)?)
    }
}

/// A search, and how strongly its engine plays.
#[derive(Debug, clap::Args)]
pub struct PlayArguments {
    #[command(flatten)]
    search: SearchArguments,
    /// Level of play, from 1 (beginner) to 10 (full strength).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// How freely to choose among moves of almost equal value, from 0 to 1.
    #[arg(long, value_name = "X")]
    variety: Option<f64>,
}

impl PlayArguments {
    /// The arguments as a request of the HTTP API.
    pub fn request(&self, game: &str) -> SearchRequest {
        SearchRequest { level: self.level, variety: self.variety, ..self.search.request(game) }
    }
}

/// Engine and limits. The first limit reached stops the search.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// The engine: `NAME`, `NAME:OPTION=VALUE,…`, or JSON, e.g. mcts:exploration=0.7 (default: the game's strongest).
    #[arg(long, value_parser = parse_parameters)]
    engine: Option<Value>,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Threads (default: 1).
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Seed. The same seed and threads, with a limit of simulations or nodes, give the same result.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl SearchArguments {
    /// The arguments as a request of the HTTP API.
    pub fn request(&self, game: &str) -> SearchRequest {
        SearchRequest {
            game: game.to_owned(),
            engine: self.engine.clone(),
            budget: Some(self.budget.0),
            threads: self.threads,
            seed: self.seed,
            ..SearchRequest::default()
        }
    }
}

/// The limits of [`BUDGET_FIELDS`]: `time_ms` is `--time-ms`.
#[derive(Clone, Copy, Debug)]
struct BudgetArguments(BudgetRequest);

impl Args for BudgetArguments {
    fn augment_args(command: Command) -> Command {
        command
            .args(BUDGET_FIELDS.map(|field| {
                let number = Arg::new(field.name).value_name("N").value_parser(read_count);
                number.long(field.name.replace('_', "-")).help(field.description)
            }))
            .args(TIMES.map(|(long, field)| {
                let time = Arg::new(long).long(long).value_name("TIME").value_parser(read_time).conflicts_with(field);
                time.help(format!("The limit of --{} with a unit, e.g. 100ms, 1.5s or 2m", field.replace('_', "-")))
            }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BudgetArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut read = Self(BudgetRequest::default());
        read.update_from_arg_matches(matches)?;
        Ok(read)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for field in BUDGET_FIELDS {
            let long = TIMES.iter().find(|(_, name)| *name == field.name).map(|(long, _)| *long);
            let time = long.and_then(|long| matches.get_one(long));
            *(field.of)(&mut self.0) = time.or_else(|| matches.get_one(field.name)).copied();
        }
        Ok(())
    }
}

/// Arguments with a unit, for the limits in milliseconds.
const TIMES: [(&str, &str); 2] = [("time", "time_ms"), ("cpu", "cpu_ms")];

/// A whole number, with `k`, `M` or `G` for thousands, millions or billions.
fn read_count(text: &str) -> Result<u64, String> {
    let (number, scale) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1e3),
        None => match (text.strip_suffix('M'), text.strip_suffix('G')) {
            (Some(number), _) => (number, 1e6),
            (_, Some(number)) => (number, 1e9),
            _ => return text.parse().map_err(|_| EXPECTED_COUNT.to_owned()),
        },
    };
    scaled(number, scale).ok_or_else(|| EXPECTED_COUNT.to_owned())
}

const EXPECTED_COUNT: &str = "expected a whole number, e.g. 5000, 10k or 1.5M";

/// Parses a time with a unit, as milliseconds.
fn read_time(text: &str) -> Result<u64, String> {
    let units = [("ms", 1.0), ("s", 1e3), ("min", 6e4), ("m", 6e4), ("h", 3.6e6)];
    let read = units.iter().find_map(|(unit, scale)| scaled(text.strip_suffix(unit)?, *scale));
    read.ok_or_else(|| "expected a time with a unit, e.g. 100ms, 1.5s or 2m".to_owned())
}

/// `number` times `scale`, if that is a whole number.
fn scaled(number: &str, scale: f64) -> Option<u64> {
    let number = number.trim();
    let digits = number.starts_with(|first: char| first.is_ascii_digit());
    let value = number.parse::<f64>().ok().filter(|_| digits)? * scale;
    // 4.1 M is 4099999.9999999995.
    let whole = value.round();
    ((value - whole).abs() <= 1e-9 * whole && whole < 1e18).then_some(whole as u64)
}

/// Accepts a position's text, which can begin with a hyphen (an empty square in some notations), but not a misspelt option.
pub fn parse_position(text: &str) -> Result<String, String> {
    if text.starts_with('-') && !text.contains(' ') {
        return Err("not a known option; expected a position in the game's notation".to_owned());
    }
    Ok(text.to_owned())
}
