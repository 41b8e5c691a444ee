//! Reads a batch. Its searches stay separate texts, so that each is refused as it would be alone.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use tesuji_core::api::{Code, Priority, Problem, SearchRequest, parse};
use tesuji_core::catalog::{Catalog, Refusal, Setup};
use tesuji_core::custom::guarded;
use tesuji_core::review::play_all;

/// The maximum number of searches.
const MOST_SEARCHES: usize = 256;

/// Searches with common defaults.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// Fields of every search that does not set them.
    #[serde(default)]
    #[schemars(with = "Option<BatchSearch>")]
    defaults: Option<Fields>,
    /// The searches, or `plies` in their place.
    #[serde(default)]
    #[schemars(with = "Vec<BatchSearch>", length(min = 1, max = MOST_SEARCHES))]
    searches: Option<Vec<Box<RawValue>>>,
    /// In place of `searches`: numbers of moves. Each requests a search of the position after that many of the `moves` in
    /// `defaults`.
    #[serde(default)]
    #[schemars(with = "Vec<usize>", length(min = 1, max = MOST_SEARCHES))]
    plies: Option<Vec<usize>>,
}

/// The schema of a search of a batch.
struct BatchSearch;

impl JsonSchema for BatchSearch {
    fn schema_name() -> Cow<'static, str> {
        "BatchSearch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = SearchRequest::json_schema(generator);
        let text = "The fields of a search, as in `SearchRequest`, without `priority`: a batch always has the priority `batch`. A \
                    field of the search replaces that of `defaults` as a whole; null removes the default. `game` is required \
                    in one of the two.";
        schema.insert("description".to_owned(), text.into());
        schema.remove("required");
        schema.remove("dependentSchemas");
        let properties = schema.pointer_mut("/properties").and_then(Value::as_object_mut);
        properties.expect("a request has fields").shift_remove("priority");
        schema
    }
}

/// A batch that is valid as a whole.
#[derive(Debug)]
pub struct Batch {
    defaults: Fields,
    searches: Vec<Box<RawValue>>,
}

impl BatchRequest {
    /// Checks the number of searches, their length together with the defaults of each, and the defaults.
    ///
    /// # Errors
    /// When the whole batch is refused.
    pub fn check(self, catalog: &Catalog, most_bytes: usize) -> Result<Batch, Problem> {
        let Self { defaults, searches, plies } = self;
        let defaults = defaults.unwrap_or_default();
        let count = match (&searches, &plies) {
            (Some(_), Some(_)) => {
                let problem = "expected either `searches` or `plies`, not both";
                return Err(Problem::at(Code::InvalidRequest, "/plies", problem));
            }
            (_, Some(plies)) => counted(plies.len(), "/plies")?,
            (searches, None) => counted(searches.as_ref().map_or(0, Vec::len), "/searches")?,
        };
        let own = searches.iter().flatten().map(|search| search.get().len());
        let bytes = own.sum::<usize>() + count * defaults.bytes();
        if bytes > most_bytes {
            let detail =
                format!("with the defaults in each search, the body has {bytes} bytes: more than {most_bytes}");
            return Err(Problem::new(Code::TooLarge, detail));
        }
        // The defaults need no game.
        let whole = defaults.over(&Fields::default(), &[("game", "\"\"")]);
        let common = parse(whole.as_bytes()).and_then(in_batch).map_err(|problem| problem.below("/defaults"))?;
        let searches = match plies {
            Some(plies) => guarded(|| after_plies(&common, &plies, catalog))??,
            None => searches.unwrap_or_default(),
        };
        Ok(Batch { defaults, searches })
    }
}

fn counted(count: usize, pointer: &str) -> Result<usize, Problem> {
    if (1..=MOST_SEARCHES).contains(&count) {
        return Ok(count);
    }
    let problem = format!("expected 1 to {MOST_SEARCHES} searches, not {count}");
    Err(Problem::at(Code::InvalidRequest, pointer, problem))
}

/// The searches of a game's positions after the given numbers of moves.
fn after_plies(game: &SearchRequest, plies: &[usize], catalog: &Catalog) -> Result<Vec<Box<RawValue>>, Problem> {
    let in_defaults = |refusal: Refusal| Problem::from(refusal).below("/defaults");
    let SearchRequest { game: name, variant, position, moves, .. } = game;
    let texts = match moves {
        Some(moves) => moves.split(catalog, name, variant.as_ref()).map_err(in_defaults)?,
        None => Cow::default(),
    };
    let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
    let mut session = catalog.open(name, setup).map_err(in_defaults)?;
    let moves = play_all(&mut *session, &texts).map_err(|(index, illegal)| {
        let pointer = moves.as_ref().map(|moves| moves.pointer(index)).unwrap_or_default();
        Problem::at(Code::IllegalMove, format!("/defaults{pointer}"), illegal.to_string())
    })?;
    let search = |(index, &ply): (usize, &usize)| {
        let before = moves.get(..ply).ok_or_else(|| {
            let problem = format!("expected a number of moves from 0 to {}, not {ply}", moves.len());
            Problem::at(Code::InvalidRequest, format!("/plies/{index}"), problem)
        })?;
        Ok(to_raw_value(&Prefix { moves: before }).expect("moves are texts"))
    };
    plies.iter().enumerate().map(search).collect()
}

/// The fields of such a search.
#[derive(Serialize)]
struct Prefix<'a> {
    moves: &'a [String],
}

impl Batch {
    /// The number of searches.
    pub fn count(&self) -> usize {
        self.searches.len()
    }

    /// The searches in order, read one by one.
    pub fn searches(&self) -> impl Iterator<Item = Result<SearchRequest, Problem>> {
        self.searches.iter().map(|search| {
            let own: Fields = parse(search.get().as_bytes())?;
            in_batch(parse(own.over(&self.defaults, &[]).as_bytes())?)
        })
    }
}

/// A search of a batch, at batch priority.
fn in_batch(request: SearchRequest) -> Result<SearchRequest, Problem> {
    match request.priority {
        None => Ok(SearchRequest { priority: Some(Priority::Batch), ..request }),
        Some(_) => {
            let problem = "expected no priority: a batch is always searched with the priority `batch`";
            Err(Problem::at(Code::InvalidRequest, "/priority", problem))
        }
    }
}

/// An object's fields as written. A repeated field is detected when the object is read.
#[derive(Debug, Default)]
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// The JSON text of an object with these fields, and the fields of `defaults` and `more` that they do not set.
    fn over(&self, defaults: &Self, more: &[(&str, &str)]) -> String {
        let has = |wanted: &str| self.0.iter().any(|(name, _)| name == wanted);
        let more = more.iter().copied().chain(defaults.texts()).filter(|(name, _)| !has(name));
        let fields = self.texts().chain(more).map(|(name, value)| format!("{}:{value}", Value::from(name)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }

    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    fn bytes(&self) -> usize {
        self.texts().map(|(name, value)| name.len() + value.len()).sum()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}
