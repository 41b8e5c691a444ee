//! Games of the catalog that are added at run time.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::about::{About, Described, DescribedAtRunTime, NotationAtRunTime, StartAbout, VariantAbout};
use super::engines::each_engine;
use super::records::{AnyDraft, AnyFormat, ReadError};
use super::refusal::{Refusal, RefusalKind};
use super::session::Session;
use super::{AnyGame, AnySession, Catalog, Entry, Setup};
use crate::custom::{CellShape, Custom, CustomGame, CustomParameter, CustomVariant, Fault, Knowledge, guarded};
use crate::data::DataFile;
use crate::games::{Game, Geometry};
use crate::parameters::{Parameter, Values};
use crate::position::Position as _;
use crate::records::{Source, Written};
use crate::search::mcts::Playout;
use crate::search::plain::Evaluator;
use crate::weights::Features;

/// Why a game cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdded {
    /// Another game has its name.
    #[error("there is already a game named {0}")]
    NameTaken(String),
    /// Its rules fail at the start.
    #[error("{0}")]
    Failed(Fault),
}

impl Catalog {
    /// Adds a game at run time.
    ///
    /// # Errors
    /// When another game has its name, or its rules fail at the start.
    pub fn add_custom(&mut self, game: &CustomGame) -> Result<(), NotAdded> {
        let name = game.description.name.clone();
        if self.names().any(|other| other == name) {
            return Err(NotAdded::NameTaken(name));
        }
        let game: Arc<dyn AnyGame> = match (game.description.score_limit > 1, game.evaluates) {
            (false, false) => Typed::<false, false>::described(game)?,
            (false, true) => Typed::<false, true>::described(game)?,
            (true, false) => Typed::<true, false>::described(game)?,
            (true, true) => Typed::<true, true>::described(game)?,
        };
        self.entries.push(Entry { name: name.into(), types: vec![game] });
        Ok(())
    }
}

/// A game added at run time, typed by the properties that are fixed at compile time.
struct Typed<const POINTS: bool, const EVALUATES: bool> {
    game: CustomGame,
    /// Built once, so that a game that fails later still has its description.
    about: About,
}

/// The variants of a game added at run time.
struct Variants<'a>(&'a CustomGame);

impl Variants<'_> {
    /// Names and the values that they set, the default variant first.
    fn all(&self) -> Vec<(&str, Map<String, Value>)> {
        match &*self.0.description.variants {
            [] => vec![("standard", Map::new())],
            variants => variants.iter().map(|variant| (&*variant.name, variant.parameters.clone())).collect(),
        }
    }

    fn parameters(&self) -> &[CustomParameter] {
        &self.0.description.parameters
    }

    /// A variant with all its parameters.
    fn whole(&self, name: &str, own: Map<String, Value>) -> Value {
        let mut all = Map::from_iter([("name".to_owned(), Value::from(name))]);
        all.extend(self.parameters().iter().map(|parameter| (parameter.name.clone(), parameter.default.into())));
        all.extend(own);
        Value::Object(all)
    }

    /// Reads a variant: its name, or an object of its name and parameters.
    fn read(&self, asked: Option<&Value>) -> Result<CustomVariant, Refusal> {
        let refuse = |pointer: String, expected: String| Refusal::new(RefusalKind::InvalidVariant, pointer, expected);
        let all = self.all();
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let empty = Map::new();
        let (name, fields) = match asked {
            None => (None, &empty),
            Some(Value::String(name)) => (Some(Some(&**name)), &empty),
            Some(Value::Object(fields)) => (fields.get("name").map(Value::as_str), fields),
            Some(_) => return Err(refuse("/variant".to_owned(), "expected an object, or a name".to_owned())),
        };
        let found = match name {
            None => all.first(),
            Some(name) => all.iter().find(|(known, _)| Some(*known) == name),
        };
        let Some((name, own)) = found else {
            let pointer = if fields.is_empty() { "/variant" } else { "/variant/name" };
            return Err(refuse(pointer.to_owned(), format!("expected one of {}", names.join(", "))));
        };
        let mut own = own.clone();
        for (field, value) in fields.iter().filter(|(field, _)| *field != "name") {
            let pointer = format!("/variant/{}", field.replace('~', "~0").replace('/', "~1"));
            let Some(parameter) = self.parameters().iter().find(|parameter| parameter.name == *field) else {
                let known = ["name"].into_iter().chain(self.parameters().iter().map(|parameter| &*parameter.name));
                let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
                return Err(refuse(pointer, format!("unknown field; expected {}", known.join(", "))));
            };
            let range = parameter.minimum..=parameter.maximum;
            let Some(number) = value.as_i64().filter(|number| range.contains(number)) else {
                return Err(refuse(pointer, format!("expected {}", values(parameter, parameter.default).expected())));
            };
            own.insert(field.clone(), number.into());
        }
        let parameters = Arc::new(self.whole(name, own));
        Ok(CustomVariant { rules: Arc::clone(&self.0.rules), parameters })
    }

    fn about(&self) -> Vec<VariantAbout> {
        let variant = |(name, own): (&str, Map<String, Value>)| {
            let default = self.whole(name, own);
            let parameter = |parameter: &CustomParameter| Parameter {
                name: parameter.name.clone().into(),
                description: parameter.description.clone().into(),
                values: values(parameter, default[&parameter.name].as_i64().unwrap_or(parameter.default)),
            };
            VariantAbout {
                name: name.to_owned().into(),
                parameters: self.parameters().iter().map(parameter).collect(),
                default,
            }
        };
        self.all().into_iter().map(variant).collect()
    }
}

/// The values of a parameter.
const fn values(parameter: &CustomParameter, default: i64) -> Values {
    let CustomParameter { minimum, maximum, .. } = *parameter;
    Values::Integer { minimum, maximum, default, step: None }
}

/// Number of moves in an example.
const EXAMPLE: usize = 3;

impl<const POINTS: bool, const EVALUATES: bool> Typed<POINTS, EVALUATES>
where
    Knowledge<EVALUATES>: Playout<Custom<POINTS, EVALUATES>> + Evaluator<Custom<POINTS, EVALUATES>>,
{
    /// Builds a game's description, for which its rules set up the start.
    fn described(game: &CustomGame) -> Result<Arc<dyn AnyGame>, NotAdded> {
        let about = guarded(|| Self::about_of(game)).map_err(NotAdded::Failed)?;
        Ok(Arc::new(Self { game: game.clone(), about }))
    }

    fn about_of(game: &CustomGame) -> About {
        let variants = Variants(game).about();
        let parameters = Arc::new(variants[0].default.clone());
        let variant = CustomVariant { rules: Arc::clone(&game.rules), parameters };
        let start = Session::<Custom<POINTS, EVALUATES>>::start(variant.clone());
        let (view, legal) = (start.view(), start.legal());
        let mut position = <Custom<POINTS, EVALUATES> as Game>::start(&variant);
        let mut moves_example = Vec::new();
        while moves_example.len() < EXAMPLE {
            let Some(mv) = position.first_move() else { break };
            moves_example.push(position.write_move(mv));
            position.play(mv);
        }
        let description = &game.description;
        let described = DescribedAtRunTime {
            names: description.names.filled(),
            sides: description.sides.filled(),
            how_to_play: description.how_to_play.filled(),
            notation: NotationAtRunTime {
                position: "Defined by the game's rules.",
                position_example: view.text.clone(),
                moves: "Defined by the game's rules.",
                moves_example,
            },
            geometry: match description.board.cells {
                CellShape::Squares | CellShape::Free => Geometry::Cells,
                CellShape::Hexagons => Geometry::Hexagons,
                CellShape::Points => Geometry::Intersections,
            },
            rules: "Defined by the game's file.",
        };
        About {
            name: description.name.clone().into(),
            description: Described::AtRunTime(Box::new(described)),
            source: game.source,
            hash: Some(game.hash.clone()),
            board: Some(description.board.clone()),
            unit: Custom::<POINTS, EVALUATES>::UNIT,
            variants,
            engines: each_engine::<Custom<POINTS, EVALUATES>>(),
            start: StartAbout { view, legal },
        }
    }
}

impl<const POINTS: bool, const EVALUATES: bool> AnyGame for Typed<POINTS, EVALUATES>
where
    Knowledge<EVALUATES>: Playout<Custom<POINTS, EVALUATES>> + Evaluator<Custom<POINTS, EVALUATES>>,
{
    fn is_default(&self) -> bool {
        true
    }

    fn about(&self) -> About {
        self.about.clone()
    }

    fn hash(&self) -> Option<&str> {
        Some(&self.game.hash)
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
        let variant = Variants(&self.game).read(setup.variant)?;
        let opened = guarded(|| Session::<Custom<POINTS, EVALUATES>>::open(variant, setup));
        Ok(Some(Box::new(opened.map_err(|fault| Refusal::of_fault(&fault))??)))
    }
}
