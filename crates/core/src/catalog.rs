//! The table of games, and the only place that erases a game's type.
//!
//! Input (variant and options as JSON values, positions and moves as text) is read here with the game's own parsers into typed
//! values; output is text and numbers. [`games::all`] lists the games.

mod about;
mod alike;
mod at_run_time;
mod engines;
mod json;
mod line;
pub(crate) mod moves;
mod part;
mod policy;
mod records;
mod refusal;
mod reuse;
mod search;
mod session;
mod strength;
mod threats;
pub(crate) mod typed;
mod wording;

use std::borrow::Cow;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

use crate::data::DataFile;
use crate::games::{self, Game, GameList, Variant};
use crate::parameters::{Choice, Parameter};
use crate::records::{Source, Written};
use crate::weights::{self, Features, Replacement};
use records::{AnyDraft, AnyFormat, ReadError};

pub use about::{About, Described, EngineAbout, StartAbout, VariantAbout};
pub use at_run_time::NotAdded;
pub use json::parse_parameters;
pub use line::{LegalMove, Line, PlayedMove};
pub use moves::Moves;
pub(crate) use moves::{Listed, Move};
pub use part::{Part, PartError};
pub use policy::{BUDGET_FIELDS, BudgetField, BudgetRequest, Caps, Policy};
pub use records::{MOVES, Played, ReadOptions};
pub use refusal::{Refusal, RefusalKind, json_pointer};
pub use reuse::{Reusable, TreeCache};
pub(crate) use search::LARGEST_SEED;
pub use search::{AnySearch, Filter, Listener, Plan, SearchSpec, WorkerContext};
pub use session::{AnySession, Ended, View};
pub use strength::Strength;
pub use wording::plain_words;

/// The available games.
#[derive(Clone, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
}

/// One game: the types that play it, in the order in which they are tried.
#[derive(Clone)]
struct Entry {
    name: Cow<'static, str>,
    types: Vec<Arc<dyn AnyGame>>,
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| &entry.name)).finish()
    }
}

/// How a game is set up: variant, position, and the moves from there. Absent parts have the game's defaults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// Variant parameters, or the variant's name.
    pub variant: Option<&'a Value>,
    /// A position in the game's notation.
    pub position: Option<&'a str>,
    /// Moves played from it.
    pub moves: &'a [String],
}

impl Catalog {
    /// The built-in games.
    #[must_use]
    pub fn standard() -> Self {
        let mut catalog = Self::default();
        games::all(&mut catalog);
        catalog
    }

    /// The same catalog with another game, or another type for a game of the same name.
    #[must_use]
    pub fn with<G: Game<Variant: Variant>>(mut self) -> Self {
        self.add::<G>();
        self
    }

    /// The names of all games.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.name)
    }

    /// The public description of a game; `None` if there is no game of that name.
    #[must_use]
    pub fn about(&self, name: &str) -> Option<About> {
        self.default_type(name).map(AnyGame::about)
    }

    /// The hash of a game's file; `None` if the game is compiled in, and so the same on every machine with this program.
    #[must_use]
    pub fn hash(&self, game: &str) -> Option<&str> {
        self.default_type(game).and_then(AnyGame::hash)
    }

    /// The same catalog without some games.
    #[must_use]
    pub fn without<'a>(mut self, games: impl IntoIterator<Item = &'a str>) -> Self {
        games.into_iter().for_each(|game| self.entries.retain(|entry| entry.name != game));
        self
    }

    /// The data file of a game's searches, if there is one.
    #[must_use]
    pub fn file(&self, game: &str) -> Option<&'static DataFile> {
        self.default_type(game).and_then(AnyGame::file)
    }

    /// Builds the tables of all games and rules, so that no search waits for them; this takes a fraction of a second.
    pub fn prepare(&self) {
        self.entries.iter().flat_map(|entry| &entry.types).for_each(|game| game.prepare());
    }

    fn entry(&self, game: &str) -> Result<&Entry, Refusal> {
        self.entries.iter().find(|entry| entry.name == game).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            Refusal::new(RefusalKind::UnknownGame, "/game", format!("expected one of {}", names.join(", ")))
        })
    }

    /// The type that plays a game's default variant.
    fn default_type(&self, name: &str) -> Option<&dyn AnyGame> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        entry.types.iter().map(|game| &**game).find(|game| game.is_default())
    }

    /// Replaces weights in this process. Each item is `zero:GAME`, for no weights, or the name of a file, which `open` reads.
    /// Call it once, before any game is set up.
    ///
    /// # Errors
    /// When a file cannot be read, its weights belong to no game, or weights were replaced before.
    pub fn replace_weights(&self, given: &[String], open: impl Fn(&str) -> io::Result<Vec<u8>>) -> Result<(), String> {
        let read = |given: &String| self.replacement(given, &open).map_err(|problem| format!("{given}: {problem}"));
        given.iter().map(read).collect::<Result<_, _>>().and_then(weights::replace)
    }

    fn replacement(&self, given: &str, open: impl Fn(&str) -> io::Result<Vec<u8>>) -> Result<Replacement, String> {
        let (game, file) = match given.strip_prefix("zero:") {
            Some(game) => (game.to_owned(), None),
            None => {
                let file = open(given).map_err(|error| error.to_string())?;
                (weights::header(&file)?.0.game, Some(file))
            }
        };
        let entry = self.entry(&game).map_err(|refusal| format!("`{game}`: {}", refusal.detail))?;
        let features = entry.types.iter().find_map(|game| game.features());
        let features = features.ok_or_else(|| format!("{game} has no learned weights"))?;
        let weights = file.map(|file| weights::read(&file, &game, &features)).transpose()?;
        Ok(Replacement { game, weights })
    }

    /// The number of non-ASCII words that are moves of some game; it is largest for the right encoding of a file.
    #[must_use]
    pub fn encoded_moves(&self, text: &str) -> usize {
        let games = self.names().filter_map(|name| self.default_type(name));
        games.map(|game| game.encoded_moves(text)).max().unwrap_or_default()
    }

    /// Sets up a game.
    ///
    /// # Errors
    /// When there is no such game, or the variant, the position or a move is refused.
    pub fn open(&self, game: &str, setup: Setup<'_>) -> Result<Box<dyn AnySession>, Refusal> {
        for game in &self.entry(game)?.types {
            if let Some(session) = game.open(setup)? {
                return Ok(session);
            }
        }
        let message = "no board of this size is supported";
        Err(Refusal::new(RefusalKind::InvalidVariant, "/variant", message))
    }
}

impl GameList for Catalog {
    fn add<G: Game<Variant: Variant>>(&mut self) {
        let game: Arc<dyn AnyGame> = Arc::new(Typed::<G>(PhantomData));
        match self.entries.iter_mut().find(|entry| entry.name == G::NAME) {
            Some(entry) => entry.types.push(game),
            None => self.entries.push(Entry { name: G::NAME.into(), types: vec![game] }),
        }
    }
}

/// A type-erased game.
trait AnyGame: Send + Sync {
    /// Whether it plays the default variant.
    fn is_default(&self) -> bool;
    fn about(&self) -> About;
    /// The hash of its file; `None` if it is compiled in.
    fn hash(&self) -> Option<&str>;
    /// The data file of its searches.
    fn file(&self) -> Option<&'static DataFile>;
    /// Builds the tables of its variants, unless it lacks its data file.
    fn prepare(&self);
    /// The features that its weights belong to, if they can be replaced.
    fn features(&self) -> Option<Features>;
    /// The number of non-ASCII words that are its moves.
    fn encoded_moves(&self, text: &str) -> usize;
    /// The formats of its records.
    fn formats(&self) -> Vec<AnyFormat>;
    /// Reads a text in one of these formats, by its index.
    fn read_record(&self, format: usize, source: &Source<'_, Value>) -> Result<AnyDraft, ReadError>;
    /// Writes a game in one of these formats; the error names what the format cannot hold.
    fn write_record(&self, format: usize, game: &Written<'_, Value>) -> Result<String, String>;
    /// `None` if another type of the same name plays this variant.
    fn open(&self, setup: Setup<'_>) -> Result<Option<Box<dyn AnySession>>, Refusal>;
}

struct Typed<G>(PhantomData<G>);

impl<G: Game<Variant: Variant>> AnyGame for Typed<G> {
    fn is_default(&self) -> bool {
        G::plays(&G::Variant::default())
    }

    fn about(&self) -> About {
        about::about::<G>()
    }

    fn hash(&self) -> Option<&str> {
        None
    }

    fn file(&self) -> Option<&'static DataFile> {
        G::file()
    }

    fn prepare(&self) {
        if G::file().is_some_and(|file| !file.is_present()) {
            return;
        }
        for &name in <G::Variant as Variant>::Name::ALL {
            let variant = read_variant::<G::Variant>(Some(&Value::from(name.name())));
            if let Some(variant) = variant.ok().filter(G::plays) {
                G::start(&variant).prepare();
            }
        }
    }

    fn features(&self) -> Option<Features> {
        G::features()
    }

    fn encoded_moves(&self, text: &str) -> usize {
        G::encoded_moves(text)
    }

    fn formats(&self) -> Vec<AnyFormat> {
        records::formats::<G>()
    }

    fn read_record(&self, format: usize, source: &Source<'_, Value>) -> Result<AnyDraft, ReadError> {
        records::read::<G>(format, source)
    }

    fn write_record(&self, format: usize, game: &Written<'_, Value>) -> Result<String, String> {
        records::write::<G>(format, game)
    }

    fn open(&self, setup: Setup<'_>) -> Result<Option<Box<dyn AnySession>>, Refusal> {
        let variant = read_variant::<G::Variant>(setup.variant)?;
        if !G::plays(&variant) {
            return Ok(None);
        }
        Ok(Some(Box::new(session::Session::<G>::open(variant, setup)?)))
    }
}

/// Reads a variant: its parameters as an object, or only its name.
///
/// # Errors
/// When a parameter is refused.
pub fn read_variant<V: Variant>(value: Option<&Value>) -> Result<V, Refusal> {
    let Some(value) = value else {
        return Ok(V::default());
    };
    let named;
    let value = if let Value::String(name) = value {
        named = serde_json::json!({ "name": name });
        &named
    } else {
        value
    };
    let parameters = [vec![Parameter::names::<V::Name>()], V::parameters()].concat();
    let variant: V = refusal::read(value, RefusalKind::InvalidVariant, "/variant", &parameters)?;
    variant.check().map_err(|invalid| Refusal::of_field(RefusalKind::InvalidVariant, "/variant", &invalid))?;
    Ok(variant)
}
