//! The handle of a search in progress, on this node or on several.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::scheduler::{self, Failure, Finished, Ticket};
use tesuji_core::api::NodeThreads;

/// A search in progress, here or on several nodes. Dropping it cancels the search.
pub enum Running {
    /// On this node alone.
    Here(Ticket),
    /// On several nodes.
    Spread(SpreadSearch),
}

/// A search in progress on several nodes.
pub struct SpreadSearch {
    result: oneshot::Receiver<Result<SearchResult, Failure>>,
    canceller: Canceller,
    nodes: Vec<NodeThreads>,
    /// Dropped when the result is no longer wanted.
    _abandoned: DropGuard,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The result.
    pub finished: Finished,
    /// The nodes of its threads; empty if it was not spread.
    pub nodes: Vec<NodeThreads>,
    /// Notes for the client.
    pub warnings: Vec<String>,
}

impl From<Finished> for SearchResult {
    fn from(finished: Finished) -> Self {
        Self { finished, nodes: Vec::new(), warnings: Vec::new() }
    }
}

/// Stops a search from elsewhere.
#[derive(Clone, Debug)]
pub struct Canceller {
    here: scheduler::Canceller,
    everywhere: Option<CancellationToken>,
}

impl Canceller {
    /// Asks the search to stop. The best result so far still comes.
    pub fn cancel(&self) {
        match &self.everywhere {
            Some(token) => token.cancel(),
            None => self.here.cancel(),
        }
    }
}

impl Running {
    /// A search whose results are gathered from several nodes until `cancelled`.
    pub(super) fn spread(
        here: scheduler::Canceller,
        cancelled: CancellationToken,
        nodes: Vec<NodeThreads>,
        gathering: impl Future<Output = Result<SearchResult, Failure>> + Send + 'static,
    ) -> Self {
        let (sender, result) = oneshot::channel();
        tokio::spawn(async move {
            // The receiver may have gone.
            drop(sender.send(gathering.await));
        });
        let canceller = Canceller { here, everywhere: Some(cancelled.clone()) };
        Self::Spread(SpreadSearch { result, canceller, nodes, _abandoned: cancelled.drop_guard() })
    }

    /// A handle to stop it from elsewhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        match self {
            Self::Here(ticket) => Canceller { here: ticket.canceller(), everywhere: None },
            Self::Spread(search) => search.canceller.clone(),
        }
    }

    /// Its waiting and searching times so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.canceller().here.times()
    }

    /// The planned nodes of its threads; empty if it is not spread.
    #[must_use]
    pub fn nodes(&self) -> &[NodeThreads] {
        match self {
            Self::Here(_) => &[],
            Self::Spread(search) => &search.nodes,
        }
    }
}

impl Future for Running {
    type Output = Result<SearchResult, Failure>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Here(ticket) => Pin::new(ticket).poll(context).map_ok(SearchResult::from),
            Self::Spread(search) => {
                Pin::new(&mut search.result).poll(context).map(|result| result.unwrap_or(Err(Failure::NeverRan)))
            }
        }
    }
}

/// The number of this node's spread searches.
#[derive(Debug)]
pub(super) struct Gatherings(watch::Sender<usize>);

impl Default for Gatherings {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Gatherings {
    /// Adds one until the returned guard is dropped.
    pub fn enter(&self) -> impl Drop + use<> {
        let count = self.0.clone();
        count.send_modify(|count| *count += 1);
        Counted(count)
    }

    /// Waits until there is none.
    pub async fn wait_until_empty(&self) {
        // The sender is owned by this value.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

struct Counted(watch::Sender<usize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
