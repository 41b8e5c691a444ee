//! Arguments that several commands share, and how their texts become requests.

use std::path::PathBuf;
use std::sync::OnceLock;

use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value};
use tesuji_core::api::SearchRequest;
use tesuji_core::catalog::{AnySession, Asked, BudgetRequest, Catalog, RefusalKind, Setup};

use super::convert::read_text;
use super::{Failed, words};

/// The game and how it begins, besides the position.
#[derive(Debug, clap::Args)]
pub struct GameArguments {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new(Catalog::standard().names()))]
    pub game: String,
    /// The variant: `KEY=VALUE,…`, a name, `NAME:KEY=VALUE,…`, or JSON; e.g. columns=6,rows=4.
    #[arg(long, value_parser = parse_parameters)]
    pub variant: Option<Value>,
    /// Moves played from the position, e.g. "4 4 5"; may be given more than once.
    #[arg(long)]
    moves: Vec<String>,
    /// A file with a record of the game in any format (docs/records.md), or `-` for standard input: its variant, its position
    /// and its moves, which come before --moves.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// What the file holds, once it is read.
    #[arg(skip)]
    read: OnceLock<Recorded>,
}

/// How the game of a record begins, and its moves.
#[derive(Clone, Debug)]
struct Recorded {
    variant: Value,
    position: Option<String>,
    moves: Vec<String>,
}

impl GameArguments {
    /// Sets up the game.
    pub fn open(&self, catalog: &Catalog, position: Option<&str>) -> Result<Box<dyn AnySession>, Failed> {
        let moves = self.split_moves(catalog)?;
        self.open_with(catalog, position, &moves)
    }

    /// What the record holds, if there is one.
    fn recorded(&self, catalog: &Catalog) -> Result<Option<&Recorded>, Failed> {
        let Some(file) = &self.record else { return Ok(None) };
        if self.read.get().is_none() {
            let text = read_text(file, None)?;
            let asked = Asked { game: Some(&self.game), variant: self.variant.as_ref(), ..Asked::default() };
            let read = catalog.read_record(&text, &asked);
            let played = read.map_err(|refusal| format!("{}: {}", file.display(), refusal.detail))?;
            let variant = played.session.view().variant;
            let moves = played.record.moves.into_iter().map(|recorded| recorded.mv).collect();
            // Nobody else writes it.
            let _ = self.read.set(Recorded { variant, position: played.record.position, moves });
        }
        Ok(self.read.get())
    }

    /// Sets up the game with these moves in place of the arguments' own.
    pub fn open_with(
        &self,
        catalog: &Catalog,
        position: Option<&str>,
        moves: &[String],
    ) -> Result<Box<dyn AnySession>, Failed> {
        let recorded = self.recorded(catalog)?;
        if recorded.is_some() && position.is_some() {
            return Err("the record has a position: expected no other beside it".into());
        }
        let variant = recorded.map(|recorded| &recorded.variant).or(self.variant.as_ref());
        let position = position.or(recorded.and_then(|recorded| recorded.position.as_deref()));
        let setup = Setup { variant, position, moves };
        Ok(catalog.open(&self.game, setup).map_err(|refusal| words::refusal(&refusal))?)
    }

    /// The same with a text that is a position, or, where it cannot be one, moves.
    pub fn open_pasted(&self, catalog: &Catalog, text: &str) -> Result<Box<dyn AnySession>, Failed> {
        let (variant, own) = (self.variant.as_ref(), self.split_moves(catalog)?);
        if self.has_record() {
            return self.open_with(catalog, Some(text), &own);
        }
        let refusal = match catalog.open(&self.game, Setup { variant, position: Some(text), moves: &own }) {
            Ok(session) => return Ok(session),
            Err(refusal) => refusal,
        };
        if refusal.kind == RefusalKind::InvalidPosition
            && let Ok(start) = catalog.open(&self.game, Setup { variant, ..Setup::default() })
            && let (None, words) = start.split_pasted(text)
            && words.first().is_some_and(|word| start.read_move(word).is_ok())
        {
            let count = words.len();
            let moves: Vec<String> = words.into_iter().map(str::to_owned).chain(own).collect();
            return Ok(catalog.open(&self.game, Setup { variant, position: None, moves: &moves }).map_err(
                |refusal| {
                    let index = refusal.pointer.strip_prefix("/moves/").and_then(|index| index.parse::<usize>().ok());
                    match index {
                        Some(index) if index < count => format!("move number {}: {}", index + 1, refusal.detail),
                        // Those of --moves are numbered from its first.
                        Some(index) => format!("--moves, number {}: {}", index - count + 1, refusal.detail),
                        None => words::refusal(&refusal),
                    }
                },
            )?);
        }
        Err(words::refusal(&refusal).into())
    }

    /// The moves one by one, those of the record first.
    pub fn split_moves(&self, catalog: &Catalog) -> Result<Vec<String>, Failed> {
        let mut moves = self.recorded(catalog)?.map(|recorded| recorded.moves.clone()).unwrap_or_default();
        moves.extend(self.split(catalog, &self.moves));
        Ok(moves)
    }

    /// Whether there is a record.
    pub fn has_record(&self) -> bool {
        self.record.is_some()
    }

    /// Moves one by one. Blanks stand between them, or commas where the game's own notation has none.
    pub fn split(&self, catalog: &Catalog, moves: &[String]) -> Vec<String> {
        let about = catalog.about(&self.game);
        let examples = about.map_or(&[][..], |about| about.description.notation.moves_example);
        let comma_inside = examples.iter().any(|example| example.contains(','));
        let words = moves.iter().flat_map(|text| text.split_whitespace());
        let moves = words.flat_map(|word| {
            let inner = if comma_inside { '\n' } else { ',' };
            word.trim_matches(',').split(inner).filter(|mv| !mv.is_empty())
        });
        moves.map(str::to_owned).collect()
    }
}

/// Who searches, and what it may spend. The first limit reached stops the search.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// The engine: `NAME`, `NAME:OPTION=VALUE,…`, or JSON, e.g. mcts:exploration=0.7; without it the game's strongest.
    #[arg(long, value_parser = parse_parameters)]
    engine: Option<Value>,
    /// Milliseconds; 1000 when no limit is given.
    #[arg(long, value_name = "N")]
    time_ms: Option<u64>,
    /// Monte-Carlo simulations.
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,
    /// Positions in the tree, or visited.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies of iterative deepening.
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Mebibytes of tree or table.
    #[arg(long, value_name = "N")]
    memory_mb: Option<u64>,
    /// Threads; 1 when not given.
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Level of play, from 1 (beginner) to 10 (full strength).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// How much the choice varies among moves of almost equal worth, from 0 to 1.
    #[arg(long, value_name = "X")]
    variety: Option<f64>,
    /// Seed: the same seed, simulations or nodes, and threads give the same result.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl SearchArguments {
    /// The request that asks for this, as the HTTP API would get it.
    pub fn request(&self, game: &str) -> SearchRequest {
        SearchRequest {
            game: game.to_owned(),
            engine: self.engine.clone(),
            budget: Some(BudgetRequest {
                time_ms: self.time_ms,
                simulations: self.simulations,
                nodes: self.nodes,
                depth: self.depth,
                memory_mb: self.memory_mb,
                ..BudgetRequest::default()
            }),
            threads: self.threads,
            seed: self.seed,
            level: self.level,
            variety: self.variety,
            ..SearchRequest::default()
        }
    }
}

/// Takes a position's text, which may begin with a hyphen (an empty square in some notations), but not a misspelt option.
pub fn parse_position(text: &str) -> Result<String, String> {
    if text.starts_with('-') && !text.contains(' ') {
        return Err("this is neither an option nor a position".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads a name, `KEY=VALUE,…`, both with a colon between them, or JSON: a text where it is only a name, else an object.
pub fn parse_parameters(text: &str) -> Result<Value, String> {
    if text.starts_with('{') {
        return serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"));
    }
    let (name, pairs) = match text.split_once(':') {
        Some((name, pairs)) => (Some(name), pairs),
        None if text.contains('=') => (None, text),
        None => return Ok(text.into()),
    };
    let mut fields: Map<String, Value> = name.map(|name| ("name".to_owned(), name.into())).into_iter().collect();
    for pair in pairs.split(',') {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(format!("`{pair}`: expected KEY=VALUE"));
        };
        // What reads as a number is one, and so with yes and no; everything else is a word.
        let value = match value {
            "true" | "false" => Value::Bool(value == "true"),
            _ => value.parse().map_or_else(|_| value.into(), Value::Number),
        };
        fields.insert(key.trim().to_owned(), value);
    }
    Ok(Value::Object(fields))
}
