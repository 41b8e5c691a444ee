//! The list of games.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Code, Problem};
use crate::catalog::{About, Catalog, Policy};

/// The games, and the limits of searches.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "GameList")]
pub struct Games {
    /// Every game of the server.
    games: Vec<About>,
    /// The server's limits of searches.
    budget: Policy,
}

impl Games {
    /// All games of a catalog, with a policy's limits.
    #[must_use]
    pub fn new(catalog: &Catalog, policy: Policy) -> Self {
        Self { games: catalog.names().filter_map(|name| catalog.about(name)).collect(), budget: policy }
    }
}

/// Describes one game.
///
/// # Errors
/// When there is no game of this name.
pub fn game(catalog: &Catalog, name: &str) -> Result<About, Problem> {
    catalog.about(name).ok_or_else(|| {
        let names: Vec<&str> = catalog.names().collect();
        Problem::new(Code::NotFound, format!("unknown game; expected one of {}", names.join(", ")))
    })
}
