//! A kind of work that outlives its request, and one run of it.

use std::sync::Arc;

use bytes::Bytes;
use tesuji_core::api::Status;
use tesuji_core::catalog::Catalog;
use tokio_util::sync::CancellationToken;

use crate::cluster::Accepted;
use crate::job::{JobId, Kind, Message, Part, Parts, StoreError};
use crate::registry::Registry;
use crate::scheduler::Class;
use crate::service::guards::{Charges, Client};
use crate::service::problem::Problem;
use crate::service::response_mode::ResponseMode;
use crate::service::spans::in_job;
use crate::service::state::Service;

/// A kind of work: a search, a batch, a review.
pub trait Work: Send + Sized + 'static {
    /// Its kind.
    const KIND: Kind;
    /// The path of all work of this kind.
    const PATH: &'static str;
    /// The maximum number that a server runs at a time, in addition to the scheduler's limits.
    const MOST: usize = usize::MAX;

    /// Its id, unless its idempotency key leads to an earlier job.
    fn id(&self) -> &str;

    /// Its place in the queue.
    fn class(&self) -> Class {
        Class::Batch
    }

    /// The games of its searches.
    fn games(&self) -> Vec<&str>;

    /// The game of all its searches; `None` if they have several, or none.
    fn game(&self) -> Option<&str> {
        let games = self.games();
        games.first().copied().filter(|first| games.iter().all(|game| game == first))
    }

    /// Its first message, with the given id.
    fn first(&self, id: &str) -> Message;

    /// Charges its searches to a client.
    ///
    /// # Errors
    /// When the quota is spent.
    fn charge(&self, service: &Service, client: &Client) -> Result<Charges, Problem>;

    /// Admits it to this server's scheduler, for work that cannot wait for a place.
    ///
    /// # Errors
    /// When there is no room.
    fn admit(&mut self, _service: &Service, _charges: &mut Charges) -> Result<(), Problem> {
        Ok(())
    }

    /// Reads an accepted task on the node that runs it.
    fn read(run: &Run, accepted: &Accepted) -> impl Future<Output = Result<Self, Problem>> + Send;

    /// The name of its span; `None` if it began in the request's.
    fn span(&self) -> Option<&'static str> {
        Some(Self::KIND.name())
    }

    /// Runs it to its end.
    fn run(self, run: Run) -> impl Future<Output = End> + Send;

    /// The final message of work that failed or was cancelled without a run, made from its first one, with the warning if its
    /// messages have warnings.
    ///
    /// # Errors
    /// When the first one cannot be read.
    fn message_without_run(first: &str, seq: u64, status: Status, warning: Option<&str>) -> serde_json::Result<String>;
}

/// One run of some work.
pub struct Run {
    pub service: Service,
    pub job: JobId,
    /// The games of its client when it began.
    pub catalog: Arc<Catalog>,
    /// The charges of its searches.
    pub charges: Charges,
    /// The parts that ended in earlier runs.
    pub ended: Vec<Part>,
    /// The number of its first message.
    pub seq: u64,
    /// Cancelled to end the run early.
    pub stop: CancellationToken,
    /// Whether the result can be polled.
    pub is_pollable: bool,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its final message is stored.
    Done,
    /// This process ends first: another node runs the work, or this one after a restart.
    HandedOver,
    /// This node lacks its games: another one runs it.
    MissingGames,
}

impl Run {
    pub fn registry(&self) -> &Registry {
        self.service.registry(self.job.kind)
    }

    /// Runs some work in its span; `trace` is that of the request.
    pub async fn execute<W: Work>(self, work: W, trace: Option<&str>) -> End {
        let context = work.span().and_then(|name| self.service.traces.begin_job(name, &self.job.id, trace));
        in_job(context, work.run(self)).await
    }

    /// Reports a message that is not the final one.
    pub fn report(&self, message: Message) {
        self.registry().report(&self.job, message);
    }

    /// Whether the work runs again if it does not end here.
    pub fn will_rerun(&self, has_begun: bool) -> bool {
        self.is_pollable && self.registry().will_rerun(has_begun)
    }

    /// Leaves the work to a later run.
    pub fn hand_over(self) -> End {
        self.registry().abandon(&self.job);
        End::HandedOver
    }

    /// Reports the final message once it is stored; until then, if storage fails, the message of `unstored`.
    pub async fn finish(self, message: Message, unstored: impl FnOnce() -> Option<Message>) -> End {
        let registry = self.registry();
        if !self.is_pollable {
            // For followers only: such work cannot be polled.
            registry.report(&self.job, message);
            registry.abandon(&self.job);
            return End::Done;
        }
        let finish = registry.finish(&self.job, message);
        tokio::pin!(finish);
        let finished = tokio::select! {
            biased;
            finished = &mut finish => finished,
            _ = registry.storage_failure() => {
                unstored().into_iter().for_each(|message| registry.report(&self.job, message));
                finish.await
            }
        };
        match finished {
            Ok(()) => End::Done,
            Err(error) => {
                tracing::warn!(%error, id = &*self.job.id, "a result was not stored before shutdown: the job will run again");
                End::HandedOver
            }
        }
    }

    /// Ends accepted work without a result. The reason is logged, the warning reported.
    ///
    /// # Errors
    /// When its first message cannot be read here.
    pub async fn fail<W: Work>(
        self,
        accepted: &Accepted,
        reason: &str,
        warning: Option<&str>,
    ) -> Result<End, StoreError> {
        tracing::error!(reason, id = &*self.job.id, kind = self.job.kind.name(), "a task of the cluster failed");
        self.end::<W>(accepted, Status::Failed, warning).await
    }

    /// Ends accepted work as failed or cancelled, without a result.
    ///
    /// # Errors
    /// When its first message cannot be read here.
    pub async fn end<W: Work>(
        self,
        accepted: &Accepted,
        status: Status,
        warning: Option<&str>,
    ) -> Result<End, StoreError> {
        let (first, seq) = (&accepted.first, self.seq + 1);
        let text = W::message_without_run(&first.message.text, seq, status, warning)
            .map_err(|error| StoreError::Unreadable(error.to_string().into()))?;
        self.charges.iter().for_each(|(_, charge)| charge.cancel());
        let parts = first.message.parts.as_ref();
        let parts = parts.map(|parts| Parts { total: parts.total, ended: self.ended.clone() }.into());
        let failed = status == Status::Failed;
        let message = Message { seq, is_final: true, failed, lasts: false, text: text.into(), parts };
        Ok(self.finish(message, || None).await)
    }
}

/// A function that cancels `stop`.
pub fn canceller(stop: &CancellationToken) -> Box<dyn Fn() + Send + Sync> {
    let stop = stop.clone();
    Box::new(move || stop.cancel())
}

/// A request for work.
#[derive(Clone)]
pub struct JobRequest {
    pub client: Client,
    /// The client's games.
    pub catalog: Arc<Catalog>,
    pub mode: ResponseMode,
    pub request_id: Option<String>,
    pub body: Bytes,
}
