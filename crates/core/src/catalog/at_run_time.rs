//! Games at run time in the catalog.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::about::{About, Described, StartAbout, VariantAbout};
use super::engines::each_engine;
use super::records::{AnyDraft, AnyFormat, ReadError};
use super::refusal::{Refusal, RefusalKind};
use super::session::Session;
use super::{AnyGame, AnySession, Catalog, Entry, Setup};
use crate::custom::{Custom, CustomDescription, CustomVariant, Knowledge, Rules};
use crate::data::DataFile;
use crate::games::Game;
use crate::records::{Source, Written};
use crate::search::mcts::Playout;
use crate::search::plain::Evaluator;
use crate::weights::Features;

/// A game cannot be added: another one has its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is already a game of the name {0}")]
pub struct NameTaken(pub String);

impl Catalog {
    /// The same catalog with a game at run time. `knows`: whether its rules evaluate positions and order moves.
    ///
    /// # Errors
    /// When a game has its name already.
    pub fn with_rules(
        mut self,
        rules: Arc<dyn Rules>,
        description: Arc<CustomDescription>,
        knows: bool,
    ) -> Result<Self, NameTaken> {
        let name = description.name.clone();
        if self.names().any(|other| other == name) {
            return Err(NameTaken(name));
        }
        let points = description.score_limit > 1;
        let game = AtRunTime { rules, description };
        let game: Box<dyn AnyGame> = match (points, knows) {
            (false, false) => Box::new(Typed::<false, false>(game)),
            (false, true) => Box::new(Typed::<false, true>(game)),
            (true, false) => Box::new(Typed::<true, false>(game)),
            (true, true) => Box::new(Typed::<true, true>(game)),
        };
        self.entries.push(Entry { name: name.into(), types: vec![game] });
        Ok(self)
    }
}

struct AtRunTime {
    rules: Arc<dyn Rules>,
    description: Arc<CustomDescription>,
}

/// A game at run time, by what is fixed at compile time.
struct Typed<const POINTS: bool, const KNOWS: bool>(AtRunTime);

impl AtRunTime {
    /// The parameters of the variants, the default first.
    fn variants(&self) -> Vec<Map<String, Value>> {
        let named = |name: &str, parameters: &Map<String, Value>| {
            let mut all = Map::from_iter([("name".to_owned(), Value::from(name))]);
            all.extend(parameters.clone());
            all
        };
        match &*self.description.variants {
            [] => vec![named("standard", &Map::new())],
            variants => variants.iter().map(|variant| named(&variant.name, &variant.parameters)).collect(),
        }
    }

    /// Reads a variant: its name, or an object with its name, whose parameters are those of the description.
    fn variant(&self, asked: Option<&Value>) -> Result<CustomVariant, Refusal> {
        let variants = self.variants();
        let names: Vec<&str> = variants.iter().filter_map(|variant| variant["name"].as_str()).collect();
        let name = match asked {
            None => names.first().copied(),
            Some(Value::String(name)) => Some(&**name),
            Some(Value::Object(fields)) => match fields.keys().find(|field| *field != "name") {
                Some(unknown) => {
                    let problem = format!("unknown field; expected `name`, one of {}", names.join(", "));
                    return Err(Refusal::new(RefusalKind::InvalidVariant, format!("/variant/{unknown}"), problem));
                }
                None => fields.get("name").map_or(names.first().copied(), Value::as_str),
            },
            Some(_) => None,
        };
        let found = variants.iter().find(|variant| variant["name"].as_str() == name).cloned();
        let found = found.ok_or_else(|| {
            let problem = format!("expected one of {}", names.join(", "));
            Refusal::new(RefusalKind::InvalidVariant, "/variant", problem)
        })?;
        Ok(CustomVariant { rules: Arc::clone(&self.rules), parameters: Arc::new(Value::Object(found)) })
    }
}

impl<const POINTS: bool, const KNOWS: bool> AnyGame for Typed<POINTS, KNOWS>
where
    Knowledge<KNOWS>: Playout<Custom<POINTS, KNOWS>> + Evaluator<Custom<POINTS, KNOWS>>,
{
    fn is_usual(&self) -> bool {
        true
    }

    fn about(&self) -> About {
        let variants = self.0.variants().into_iter().map(|variant| VariantAbout {
            name: variant["name"].as_str().unwrap_or_default().to_owned().into(),
            parameters: Vec::new(),
            default: Value::Object(variant),
        });
        let variants: Vec<VariantAbout> = variants.collect();
        let parameters = Arc::new(variants[0].default.clone());
        let start = CustomVariant { rules: Arc::clone(&self.0.rules), parameters };
        let start = Session::<Custom<POINTS, KNOWS>>::start(start);
        About {
            name: self.0.description.name.clone().into(),
            description: Described::AtRunTime(Box::new((*self.0.description).clone())),
            unit: Custom::<POINTS, KNOWS>::UNIT,
            variants,
            engines: each_engine::<Custom<POINTS, KNOWS>>(),
            start: StartAbout { view: start.view(), legal: start.legal() },
        }
    }

    fn file(&self) -> Option<&'static DataFile> {
        None
    }

    fn prepare(&self) {}

    fn features(&self) -> Option<Features> {
        None
    }

    fn encoded_moves(&self, _: &str) -> usize {
        0
    }

    fn formats(&self) -> Vec<AnyFormat> {
        Vec::new()
    }

    fn read_record(&self, _: usize, _: &Source<'_, Value>) -> Result<AnyDraft, ReadError> {
        unreachable!("it has no formats")
    }

    fn write_record(&self, _: usize, _: &Written<'_, Value>) -> Result<String, String> {
        unreachable!("it has no formats")
    }

    fn open(&self, setup: Setup<'_>) -> Result<Option<Box<dyn AnySession>>, Refusal> {
        let variant = self.0.variant(setup.variant)?;
        Ok(Some(Box::new(Session::<Custom<POINTS, KNOWS>>::open(variant, setup)?)))
    }
}
