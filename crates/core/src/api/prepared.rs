//! A search that has been asked for in good order, and has not begun: what every program that answers requests begins with.

use std::sync::Arc;
use std::time::Duration;

use super::{Code, Extent, Problem, SearchRequest, SearchResponse};
use crate::catalog::{AnySearch, Catalog, Moves, Plan, Policy, Setup};

/// A search that has been asked for in good order, and has not begun.
pub struct PreparedSearch {
    /// The message without a result: the whole response where the game is over.
    pub blank: SearchResponse,
    /// How much of the result is given.
    pub extent: Extent,
    /// The shortest time between two messages.
    pub interval: Duration,
    /// The search.
    pub search: Arc<dyn AnySearch>,
}

impl std::fmt::Debug for PreparedSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedSearch").field("id", &self.blank.id).field("plan", self.plan()).finish_non_exhaustive()
    }
}

impl PreparedSearch {
    /// Checks a request, whose search has this id. Searches of the same `scope` may know of each other, one of none knows of no
    /// other.
    ///
    /// # Errors
    /// When it is refused, or the game's searches need a file that the program does not have.
    pub fn new(
        id: String,
        request: &SearchRequest,
        catalog: &Catalog,
        policy: &Policy,
        scope: Option<&str>,
    ) -> Result<Self, Problem> {
        let SearchRequest { game, variant, position, moves, .. } = request;
        let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
        let session = Moves::play(moves.as_ref(), catalog, game, setup, |setup| catalog.open(game, setup))?;
        let (extent, interval) = request.report.unwrap_or_default().check().map_err(|invalid| {
            Problem::at(Code::InvalidRequest, format!("/report/{}", invalid.field), invalid.problem)
        })?;
        let search = session.search(&request.spec(scope), policy)?;
        check_files(catalog, &request.game)?;
        let blank = SearchResponse::new(id, request, session.view(), search.plan());
        Ok(Self { blank, extent, interval, search })
    }

    /// What it was granted.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.search.plan()
    }
}

/// Refuses searches of a game whose weights the program does not have.
pub(super) fn check_files(catalog: &Catalog, game: &str) -> Result<(), Problem> {
    match catalog.file(game) {
        Some(file) if file.is_needed && !file.is_present() => {
            let detail = format!("searches of this game need the file {}, which has not been loaded", file.name);
            Err(Problem::new(Code::Conflict, detail))
        }
        _ => Ok(()),
    }
}
