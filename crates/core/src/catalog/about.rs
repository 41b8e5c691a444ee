//! The public description of a game.

use serde::Serialize;
use serde_json::Value;

use super::engines::each_engine;
use super::json::written;
use super::session::Session;
use super::{AnySession, BudgetField, LegalMove, View};
use crate::games::{Description, Game, Variant};
use crate::parameters::{Choice, Parameter};
use crate::search::{Engine, Limits};

/// A game on offer.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// Its name in the API.
    pub name: &'static str,
    /// Names, notation, geometry, rules of the game.
    #[serde(flatten)]
    pub description: Description,
    /// The unit of margins; null where the game is not played for points.
    pub unit: Option<&'static str>,
    /// Its variants.
    pub variants: Vec<VariantAbout>,
    /// Its engines, the strongest first.
    pub engines: Vec<EngineAbout>,
    /// The start position of the default variant.
    pub start: StartAbout,
}

/// The start position of the default variant.
#[derive(Clone, Debug, Serialize)]
pub struct StartAbout {
    /// The position.
    #[serde(flatten)]
    pub view: View,
    /// What each legal move does.
    pub legal: Vec<LegalMove>,
}

/// A variant on offer.
#[derive(Clone, Debug, Serialize)]
pub struct VariantAbout {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The variant with all parameters at their defaults.
    pub default: Value,
}

/// An engine on offer.
#[derive(Clone, Debug, Serialize)]
pub struct EngineAbout {
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub parameters: Vec<Parameter>,
    /// The budget fields it understands.
    pub budget: Vec<&'static str>,
    /// Whether it can use more than one thread.
    pub threads: bool,
    /// Mebibytes it takes when the budget does not say.
    pub default_memory_mb: u64,
}

impl EngineAbout {
    /// Describes one engine.
    pub(super) fn of<G: Game, E: Engine<G>>() -> Self {
        let Limits { threads, default_memory, .. } = E::LIMITS;
        Self {
            name: E::NAME,
            parameters: E::parameters(),
            budget: BudgetField::understood_by(&E::LIMITS).collect(),
            threads,
            default_memory_mb: default_memory >> 20,
        }
    }
}

pub(super) fn about<G: Game>() -> About {
    let default = G::Variant::default();
    let variant_json = written(&default);
    let variants = <G::Variant as Variant>::Name::ALL.iter().map(|&choice| {
        let (name, mut default) = (choice.name(), variant_json.clone());
        default["name"] = name.into();
        VariantAbout { name, parameters: G::Variant::described(choice), default }
    });
    let start = Session::<G>::start(default);
    About {
        name: G::NAME,
        description: G::DESCRIPTION,
        unit: G::UNIT,
        variants: variants.collect(),
        engines: each_engine::<G>(),
        start: StartAbout { view: start.view(), legal: start.legal() },
    }
}
