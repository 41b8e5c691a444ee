//! What clients are told about a game.

use serde::Serialize;
use serde_json::Value;

use super::engines::each_engine;
use super::session::Session;
use super::{AnySession, View};
use crate::games::{Description, Game, Variant};
use crate::parameters::Parameter;
use crate::search::{Engine, Limits};

/// A game on offer.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// Its name in the API.
    pub name: &'static str,
    /// Names, notation, geometry, rules.
    #[serde(flatten)]
    pub description: Description,
    /// The unit of margins; null where the game is not played for points.
    pub unit: Option<&'static str>,
    /// Its variants.
    pub variants: Vec<VariantAbout>,
    /// Its engines, the strongest first.
    pub engines: Vec<EngineAbout>,
    /// The start position of the default variant.
    pub start: View,
}

/// A variant on offer.
#[derive(Clone, Debug, Serialize)]
pub struct VariantAbout {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The variant with all parameters at their defaults.
    pub default: Value,
}

/// An engine on offer.
#[derive(Clone, Debug, Serialize)]
pub struct EngineAbout {
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
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
        let Limits { simulations, nodes, depth, threads, default_memory, .. } = E::LIMITS;
        let fields =
            [("time_ms", true), ("simulations", simulations), ("nodes", nodes), ("depth", depth), ("memory_mb", true)];
        let budget = fields.into_iter().filter(|(_, understood)| *understood).map(|(field, _)| field);
        Self {
            name: E::NAME,
            parameters: E::PARAMETERS,
            budget: budget.collect(),
            threads,
            default_memory_mb: default_memory >> 20,
        }
    }
}

pub(super) fn about<G: Game>() -> About {
    let default = G::Variant::default();
    let variant_json = serde_json::to_value(&default).unwrap_or(Value::Null);
    let variants = G::Variant::NAMES.iter().map(|&name| {
        let mut default = variant_json.clone();
        default["name"] = name.into();
        VariantAbout { name, parameters: G::Variant::parameters(name), default }
    });
    About {
        name: G::NAME,
        description: G::DESCRIPTION,
        unit: G::UNIT,
        variants: variants.collect(),
        engines: each_engine::<G>(),
        start: Session::<G>::start(default).view(),
    }
}
