//! The public description of a game.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::engines::each_engine;
use super::json::to_json;
use super::session::Session;
use super::{AnySession, BudgetField, LegalMove, View};
use crate::custom::{Board, CustomSides, CustomText, Source};
use crate::games::{Description, Game, Geometry, Variant};
use crate::parameters::{Choice, Parameter};
use crate::schema;
use crate::search::{Engine, Limits};

/// A game.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Game")]
pub struct About {
    /// Its name in the API.
    #[schemars(with = "schema::GameName")]
    pub name: Cow<'static, str>,
    /// Names, notation, geometry, rules of the game.
    #[schemars(with = "Description")]
    #[serde(flatten)]
    pub description: Described,
    /// Where its rules come from.
    pub source: Source,
    /// The SHA-256 of its file, in hexadecimal; null for a built-in game.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub hash: Option<String>,
    /// How the page draws its board; null for a built-in game.
    pub board: Option<Board>,
    /// The unit of margins; null where the game is not played for points.
    #[schemars(with = "Option<schema::Unit>")]
    pub unit: Option<&'static str>,
    /// Its variants.
    #[schemars(length(min = 1))]
    pub variants: Vec<VariantAbout>,
    /// Its engines, the strongest first.
    #[schemars(length(min = 1))]
    pub engines: Vec<EngineAbout>,
    /// The start position of the default variant.
    #[schemars(with = "schema::StartPosition")]
    pub start: StartAbout,
}

/// The description of a game.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Described {
    /// The description of a built-in game.
    BuiltIn(Box<Description>),
    /// The description of a game added at run time, with the same fields.
    AtRunTime(Box<DescribedAtRunTime>),
}

/// The description of a game added at run time: see [`Description`].
#[derive(Clone, Debug, Serialize)]
pub struct DescribedAtRunTime {
    pub(super) names: CustomText,
    pub(super) sides: CustomSides,
    pub(super) how_to_play: CustomText,
    pub(super) notation: NotationAtRunTime,
    pub(super) geometry: Geometry,
    pub(super) rules: &'static str,
}

/// The notation of a game added at run time, with examples from its start.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NotationAtRunTime {
    pub position: &'static str,
    pub position_example: String,
    pub moves: &'static str,
    pub moves_example: Vec<String>,
}

impl Described {
    /// The name of the game and those of its sides, in English.
    #[must_use]
    pub fn english(&self) -> (&str, [&str; 2]) {
        match self {
            Self::BuiltIn(about) => (about.names.en, [about.sides.first.en, about.sides.second.en]),
            Self::AtRunTime(about) => (&about.names.en, [&about.sides.first.en, &about.sides.second.en]),
        }
    }

    /// A few moves from the start.
    #[must_use]
    pub fn example_moves(&self) -> Vec<&str> {
        match self {
            Self::BuiltIn(description) => description.notation.moves_example.to_vec(),
            Self::AtRunTime(described) => described.notation.moves_example.iter().map(String::as_str).collect(),
        }
    }
}

/// The start position of the default variant.
#[derive(Clone, Debug, Serialize)]
pub struct StartAbout {
    /// The position.
    #[serde(flatten)]
    pub view: View,
    /// The legal moves with their effects.
    pub legal: Vec<LegalMove>,
}

/// A variant of a game.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "OfferedVariant")]
pub struct VariantAbout {
    /// Its name.
    #[schemars(with = "schema::VariantName")]
    pub name: Cow<'static, str>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The variant with all parameters at their defaults, in the form of a request.
    #[schemars(with = "schema::Variant", extend("x-described" = true))]
    pub default: Value,
}

/// An engine of a game.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Engine")]
pub struct EngineAbout {
    /// Its name.
    #[schemars(with = "schema::EngineName")]
    pub name: &'static str,
    /// Its options.
    pub parameters: Vec<Parameter>,
    /// The limits that it supports.
    #[schemars(with = "Vec<schema::LimitName>")]
    pub budget: Vec<&'static str>,
    /// Whether it can use more than one thread.
    pub threads: bool,
    /// Maximum number of mebibytes used without `memory_mb`.
    #[schemars(range(min = 1))]
    pub default_memory_mb: u64,
}

impl EngineAbout {
    /// Describes one engine.
    pub(super) fn of<G: Game, E: Engine<G>>() -> Self {
        let Limits { threads, default_memory, .. } = E::LIMITS;
        Self {
            name: E::NAME,
            parameters: E::parameters(),
            budget: BudgetField::supported_by(&E::LIMITS).collect(),
            threads,
            default_memory_mb: default_memory >> 20,
        }
    }
}

pub(super) fn about<G: Game<Variant: Variant>>() -> About {
    let default = G::Variant::default();
    let variant_json = to_json(&default);
    let variants = <G::Variant as Variant>::Name::ALL.iter().map(|&choice| {
        let (name, mut default) = (choice.name(), variant_json.clone());
        default["name"] = name.into();
        VariantAbout { name: name.into(), parameters: G::Variant::described(choice), default }
    });
    let start = Session::<G>::start(default);
    About {
        name: G::NAME.into(),
        description: Described::BuiltIn(Box::new(G::DESCRIPTION)),
        source: Source::BuiltIn,
        hash: None,
        board: None,
        unit: G::UNIT,
        variants: variants.collect(),
        engines: each_engine::<G>(),
        start: StartAbout { view: start.view(), legal: start.legal() },
    }
}
