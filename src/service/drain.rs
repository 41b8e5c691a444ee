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

/// Where a server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Everything is as always.
    Serving,
    /// New searches are refused.
    Draining,
    /// Running searches and connections end.
    Stopping,
}

/// Tells everybody where the server stands. Clones share it.
#[derive(Clone, Debug)]
pub struct Drain(Arc<watch::Sender<Phase>>);

impl Default for Drain {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Phase::Serving)))
    }
}

impl Drain {
    /// Goes on to a phase; a phase that is past stays past.
    pub fn advance(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let later = phase > *now;
            *now = phase.max(*now);
            later
        });
    }

    /// Where the server stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Ends when the server has come to a phase, or past it.
    pub fn reached(&self, phase: Phase) -> impl Future<Output = ()> + Send + use<> {
        let mut phases = self.0.subscribe();
        async move {
            // The sender lives as long as the server does; without it there is nothing to wait for either.
            let _ = phases.wait_for(|now| *now >= phase).await;
        }
    }
}

/// Seconds after which another server, or this one after its restart, may take what is refused now.
const RETRY_AFTER: u32 = 5;

/// The refusal of whatever begins too late.
pub fn shutting_down() -> Problem {
    Problem::new(Code::ShuttingDown, "this server is shutting down and takes no new searches").retry_after(RETRY_AFTER)
}

/// The routes at which searches begin.
const BEGINNINGS: [&str; 3] = ["/v1/searches", "/v1/batches", "/v1/reviews"];

/// Refuses searches that would begin now; all else is answered to the end.
pub async fn refuse_late(State(drain): State<Drain>, request: Request, next: Next) -> Response {
    let late = drain.phase() > Phase::Serving && begins(&request);
    if late { shutting_down().into_response() } else { next.run(request).await }
}

/// Whether a request would begin a search.
fn begins(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>();
    request.method() == Method::POST && route.is_some_and(|route| BEGINNINGS.contains(&route.as_str()))
}
