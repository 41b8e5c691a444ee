//! A valid search that has not begun: the starting point of every program with this API.

use std::sync::Arc;
use std::time::Duration;

use super::{Code, Extent, Problem, SearchRequest, SearchResponse};
use crate::catalog::{AnySearch, AnySession, Catalog, Moves, Plan, Policy, Setup};
use crate::custom::guarded;

/// A valid search that has not begun.
pub struct PreparedSearch {
    /// The message without a result; the whole response if the game is over.
    pub blank: SearchResponse,
    /// How much of the result to report.
    pub extent: Extent,
    /// Minimum time between two messages.
    pub interval: Duration,
    /// The search.
    pub search: Arc<dyn AnySearch>,
}

impl std::fmt::Debug for PreparedSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedSearch").field("id", &self.blank.id).field("plan", self.plan()).finish_non_exhaustive()
    }
}

/// A request whose game is set up, so that its search can be prepared under several policies.
pub struct OpenedSearch<'a> {
    request: &'a SearchRequest,
    catalog: &'a Catalog,
    session: Box<dyn AnySession>,
    extent: Extent,
    interval: Duration,
}

impl<'a> OpenedSearch<'a> {
    /// Sets up the game of a request.
    ///
    /// # Errors
    /// When the game or the report is refused.
    pub fn new(request: &'a SearchRequest, catalog: &'a Catalog) -> Result<Self, Problem> {
        let SearchRequest { game, variant, position, moves, .. } = request;
        let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
        let session =
            guarded(|| Moves::play(moves.as_ref(), catalog, game, setup, |setup| catalog.open(game, setup)))??;
        let (extent, interval) = request.report.unwrap_or_default().check().map_err(|invalid| {
            Problem::at(Code::InvalidRequest, format!("/report/{}", invalid.field), invalid.problem)
        })?;
        Ok(Self { request, catalog, session, extent, interval })
    }

    /// Whether other nodes can run its search. Searches of games that are not built in stay on the node that has their rules.
    #[must_use]
    pub fn can_be_distributed(&self) -> bool {
        self.catalog.hash(&self.request.game).is_none()
    }

    /// The request.
    #[must_use]
    pub const fn request(&self) -> &SearchRequest {
        self.request
    }

    /// Prepares its search, with this id. Searches of the same `scope` can share trees; without one, a search shares nothing.
    ///
    /// # Errors
    /// When it is refused, or the program lacks a data file that the game's searches need.
    pub fn prepare(&self, id: String, policy: &Policy, scope: Option<&str>) -> Result<PreparedSearch, Problem> {
        check_files(&*self.session)?;
        let (search, view) = guarded(|| (self.session.search(&self.request.spec(scope), policy), self.session.view()))?;
        let search = search?;
        let blank = SearchResponse::new(id, self.request, view, search.plan());
        Ok(PreparedSearch { blank, extent: self.extent, interval: self.interval, search })
    }
}

impl PreparedSearch {
    /// Prepares the search of a request, with this id: see [`OpenedSearch`].
    ///
    /// # Errors
    /// When it is refused.
    pub fn new(
        id: String,
        request: &SearchRequest,
        catalog: &Catalog,
        policy: &Policy,
        scope: Option<&str>,
    ) -> Result<Self, Problem> {
        OpenedSearch::new(request, catalog)?.prepare(id, policy, scope)
    }

    /// The granted parameters.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.search.plan()
    }
}

/// Refuses a search that needs a data file which has not been loaded.
pub(super) fn check_files(session: &dyn AnySession) -> Result<(), Problem> {
    match session.file() {
        Some(file) if file.is_needed && !file.is_present() => {
            let detail = format!("searches of this game need the file {}, which has not been loaded", file.name);
            Err(Problem::new(Code::Conflict, detail))
        }
        _ => Ok(()),
    }
}
