//! Graceful shutdown in three phases: serving; draining (`/readyz` and new searches get 503, running searches continue, idle
//! connections close); stopping, after the last search, `drain_ms` or a second signal (searches end with their best move).

use std::future::Future;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::watch;

use super::problem::{Code, Problem};

/// A phase of the server's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Serving.
    Serving,
    /// Draining: new searches are refused.
    Draining,
    /// Stopping: running searches and connections end.
    Stopping,
}

/// The current phase; clones share it.
#[derive(Clone, Debug)]
pub struct Drain(Arc<watch::Sender<Phase>>);

impl Default for Drain {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Phase::Serving)))
    }
}

impl Drain {
    /// Advances to a phase; never goes back.
    pub fn advance(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let later = phase > *now;
            *now = phase.max(*now);
            later
        });
    }

    /// The current phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Waits until the server has reached a phase or a later one.
    pub fn reached(&self, phase: Phase) -> impl Future<Output = ()> + Send + use<> {
        let mut phases = self.0.subscribe();
        async move {
            // The sender lives as long as the server; without it there is nothing to wait for.
            let _ = phases.wait_for(|now| *now >= phase).await;
        }
    }
}

/// `Retry-After`, in seconds: another server, or this one after its restart, may accept the request.
const RETRY_AFTER: u32 = 5;

/// The refusal of a search during shutdown.
pub fn shutting_down() -> Problem {
    Problem::new(Code::ShuttingDown, "this server is shutting down and accepts no new searches")
        .retry_after(RETRY_AFTER)
}

/// The routes that start searches.
const SEARCH_ROUTES: [&str; 3] = ["/v1/searches", "/v1/batches", "/v1/reviews"];

/// Refuses new searches during shutdown; other requests are answered.
pub async fn refuse_late(State(drain): State<Drain>, request: Request, next: Next) -> Response {
    let late = drain.phase() > Phase::Serving && starts_search(&request);
    if late { shutting_down().into_response() } else { next.run(request).await }
}

/// Whether a request starts a search.
fn starts_search(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>();
    request.method() == Method::POST && route.is_some_and(|route| SEARCH_ROUTES.contains(&route.as_str()))
}
