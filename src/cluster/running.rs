//! A search under way, on this node alone or on several, as whoever waits for it sees it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::scheduler::{self, Failure, Finished, Ticket};
use tesuji_core::api::NodeThreads;

/// A search under way, here alone or on several nodes. Dropping it cancels the search.
pub enum Running {
    /// This node runs all of it.
    Here(Ticket),
    /// Several nodes do.
    Spread(Spreading),
}

/// A search under way on several nodes.
pub struct Spreading {
    answer: oneshot::Receiver<Result<Found, Failure>>,
    canceller: Canceller,
    nodes: Vec<NodeThreads>,
    /// Whoever drops this waits for the result no more.
    _abandoned: DropGuard,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub finished: Finished,
    /// Where its threads were; empty where it was not spread.
    pub nodes: Vec<NodeThreads>,
    /// What the client should know.
    pub warnings: Vec<String>,
}

impl From<Finished> for Found {
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
    /// Asks the search to stop. The result still comes: the best found so far.
    pub fn cancel(&self) {
        match &self.everywhere {
            Some(token) => token.cancel(),
            None => self.here.cancel(),
        }
    }
}

impl Running {
    /// A search whose results are being gathered from several nodes until `cancelled` ends it.
    pub(super) fn spread(
        here: scheduler::Canceller,
        cancelled: CancellationToken,
        nodes: Vec<NodeThreads>,
        gathering: impl Future<Output = Result<Found, Failure>> + Send + 'static,
    ) -> Self {
        let (sender, answer) = oneshot::channel();
        tokio::spawn(async move {
            // Nobody may be waiting any more.
            drop(sender.send(gathering.await));
        });
        let canceller = Canceller { here, everywhere: Some(cancelled.clone()) };
        Self::Spread(Spreading { answer, canceller, nodes, _abandoned: cancelled.drop_guard() })
    }

    /// Something that can stop it from elsewhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        match self {
            Self::Here(ticket) => Canceller { here: ticket.canceller(), everywhere: None },
            Self::Spread(spreading) => spreading.canceller.clone(),
        }
    }

    /// How long it has waited, and how long it has searched, so far.
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        self.canceller().here.times()
    }

    /// Where its threads are meant to be; empty where it is not spread.
    #[must_use]
    pub fn nodes(&self) -> &[NodeThreads] {
        match self {
            Self::Here(_) => &[],
            Self::Spread(spreading) => &spreading.nodes,
        }
    }
}

impl Future for Running {
    type Output = Result<Found, Failure>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Here(ticket) => Pin::new(ticket).poll(context).map_ok(Found::from),
            Self::Spread(spreading) => {
                Pin::new(&mut spreading.answer).poll(context).map(|answer| answer.unwrap_or(Err(Failure::NeverRan)))
            }
        }
    }
}

/// How many searches of this node are spread.
#[derive(Debug)]
pub(super) struct Gatherings(watch::Sender<usize>);

impl Default for Gatherings {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Gatherings {
    /// One more, until what is returned is dropped.
    pub fn enter(&self) -> impl Drop + use<> {
        let count = self.0.clone();
        count.send_modify(|count| *count += 1);
        Counted(count)
    }

    /// Ends when there is none.
    pub async fn empty(&self) {
        // The sender is at hand.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

struct Counted(watch::Sender<usize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
