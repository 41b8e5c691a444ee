//! A search as a series of messages: accepted, progress, one final result.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;
use ulid::Ulid;

use crate::cluster::{Canceller, Running, SearchResult, Spread};
use crate::job::Message;
use crate::scheduler::{Class, Failure, ProgressListener, Reservation, Submission, SubmitError, Ticket};
use crate::service::drain::shutting_down;
use crate::service::guards::{Charge, Client};
use crate::service::metering::observer;
use crate::service::problem::{Code, Problem};
use crate::service::spans::SearchId;
use crate::service::state::Service;
use tesuji_core::api::{self, Extent, OpenedSearch, PreparedSearch, SearchRequest, SearchResponse, Status};
use tesuji_core::catalog::{Catalog, Plan};
use tesuji_core::search::{Report, StopReason};

/// A valid search that has not begun.
pub struct Prepared {
    request: PreparedSearch,
    class: Class,
    /// `None` if it runs on this node alone.
    spread: Option<Spread>,
}

impl Prepared {
    /// Reads the request of a client with these games. Searches of one `owner` can share trees.
    ///
    /// # Errors
    /// When it is refused.
    pub fn read(service: &Service, catalog: &Catalog, request: &SearchRequest, owner: &str) -> Result<Self, Problem> {
        let class = request.priority.unwrap_or_default().into();
        let (id, policy) = (Ulid::generate().to_string(), service.policy_now());
        let cluster = service.cluster.as_ref();
        let opened = OpenedSearch::new(request, catalog)?;
        let spread = cluster.and_then(|cluster| Spread::prepare(cluster, &id, &opened, &policy, class));
        if let Some((request, spread)) = spread {
            return Ok(Self { request, class, spread: Some(spread) });
        }
        Ok(Self { request: opened.prepare(id, &policy, Some(owner))?, class, spread: None })
    }

    /// The same with an existing id.
    pub fn with_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.request.blank.id);
        self
    }

    /// The search's id.
    pub fn id(&self) -> &str {
        &self.request.blank.id
    }

    /// The name of its game.
    pub fn game(&self) -> &str {
        &self.request.blank.game
    }

    /// What it is granted.
    pub fn plan(&self) -> &Plan {
        self.request.plan()
    }

    /// Whether the game is over, so that there is nothing to search.
    pub fn is_over(&self) -> bool {
        self.request.blank.is_over()
    }

    /// The response before the search begins; the final one if the game is over.
    pub fn into_response(self) -> SearchResponse {
        self.request.blank
    }

    /// The first message, with the given id.
    pub fn first(&self, id: &str) -> Message {
        let mut first = self.request.blank.clone();
        id.clone_into(&mut first.id);
        message_of(&first)
    }

    /// Its scheduling class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Charges a client for it, if there are quotas and something to search.
    ///
    /// # Errors
    /// When the quota is spent.
    pub fn charge(&self, service: &Service, payer: &Client) -> Result<Option<Charge>, Problem> {
        let plan = (!self.is_over()).then(|| self.plan());
        Ok(service.guards.charge(payer, plan, "/budget")?.pop())
    }

    /// Starts the search, which has been charged; with progress reports if `with_progress`.
    ///
    /// # Errors
    /// When there is no room.
    pub fn begin(
        &self,
        service: &Service,
        charge: Option<Charge>,
        with_progress: bool,
    ) -> Result<MessageSource, Problem> {
        self.begin_with(service, charge, with_progress, |submission| {
            service.scheduler.submit(submission).map_err(refusal)
        })
    }

    /// Starts the search, which has been charged, in a reserved place; with progress reports if `with_progress`.
    pub fn begin_reserved(
        &self,
        service: &Service,
        place: Reservation,
        charge: Option<Charge>,
        with_progress: bool,
    ) -> MessageSource {
        let begin = |submission| Ok::<_, Infallible>(place.submit(submission));
        let Ok(source) = self.begin_with(service, charge, with_progress, begin);
        source
    }

    fn submission(&self, service: &Service, charge: Option<Charge>, progress: Option<ProgressListener>) -> Submission {
        let id = SearchId::Own(self.id().to_owned());
        let observer = Some(observer(service, &self.request.blank.game, id, self.request.plan(), charge));
        Submission { class: self.class, progress, observer, ..Submission::new(Arc::clone(&self.request.search)) }
    }

    /// The messages of a search admitted by `submit`; if the game is over, nothing is submitted.
    fn begin_with<E>(
        &self,
        service: &Service,
        charge: Option<Charge>,
        with_progress: bool,
        submit: impl FnOnce(Submission) -> Result<Ticket, E>,
    ) -> Result<MessageSource, E> {
        let (sender, reports) = watch::channel(None);
        let progress = with_progress.then(|| progress(self.request.interval, sender));
        let (mut blank, extent) = (self.request.blank.clone(), self.request.extent);
        let running = if blank.is_over() {
            None
        } else {
            let submission = self.submission(service, charge, progress);
            Some(match &self.spread {
                Some(spread) => spread.begin(submission, submit)?,
                None => Running::Here(submit(submission)?),
            })
        };
        blank.threads.nodes = running.as_ref().map_or_else(Vec::new, |running| running.nodes().to_vec());
        Ok(MessageSource { blank, extent, running, reports, seq: 0, ended: false, never_started: false })
    }

    /// The result of a search ended before its start.
    pub fn cancelled(&self, reason: StopReason) -> SearchResponse {
        let mut message = self.request.blank.clone();
        message.cancel(reason);
        message
    }
}

/// A search, message by message. Dropping it stops the search.
pub struct MessageSource {
    blank: SearchResponse,
    extent: Extent,
    /// `None` if the game is over.
    running: Option<Running>,
    /// The newest report; slow readers miss some.
    reports: watch::Receiver<Option<Report<String>>>,
    /// The number of the next message.
    seq: u64,
    ended: bool,
    never_started: bool,
}

impl MessageSource {
    /// The next message; `None` after the final one.
    pub async fn next(&mut self) -> Option<SearchResponse> {
        if self.ended {
            return None;
        }
        let mut message = self.blank.clone();
        message.seq = self.seq;
        self.seq += 1;
        let Some(running) = &mut self.running else {
            self.ended = true;
            return Some(message);
        };
        if self.seq == 1 {
            return Some(message);
        }
        tokio::select! {
            biased;
            result = &mut *running => {
                self.ended = true;
                self.never_started = conclude(&mut message, result, self.extent) == Some(Failure::ShutDown);
            }
            Ok(()) = self.reports.changed() => {
                let report = self.reports.borrow_and_update().clone();
                let times = running.times();
                report.into_iter().for_each(|report| message.progress(report, times, self.extent));
            }
        }
        Some(message)
    }

    /// Whether shutdown cancelled the search before its start.
    pub fn never_started(&self) -> bool {
        self.never_started
    }

    /// A handle that stops the search; `None` if there is nothing to search.
    pub fn canceller(&self) -> Option<Canceller> {
        self.running.as_ref().map(Running::canceller)
    }

    /// The result alone, as the only message.
    ///
    /// # Errors
    /// When the search failed.
    pub async fn result(self) -> Result<SearchResponse, Problem> {
        match self.end().await {
            (message, None) => Ok(message),
            (_, Some(Failure::Panicked(_))) => Err(Problem::new(Code::Internal, "the search failed on the server")),
            (_, Some(Failure::GameFailed(fault))) => Err(api::Problem::from(fault).into()),
            (_, Some(Failure::ShutDown)) => Err(shutting_down()),
            (_, Some(Failure::NeverRan)) => {
                Err(Problem::new(Code::Overloaded, "the search was cancelled before it started").retry_after(1))
            }
        }
    }

    /// The final message, as the only one, and the reason if it has no result.
    pub async fn end(self) -> (SearchResponse, Option<Failure>) {
        let Self { mut blank, extent, running, .. } = self;
        let Some(running) = running else { return (blank, None) };
        let failure = conclude(&mut blank, running.await, extent);
        (blank, failure)
    }

    /// All messages to come.
    pub fn messages(self) -> impl Stream<Item = Message> + Send + 'static {
        unfold(self, async |mut source| Some((message_of(&source.next().await?), source)))
    }
}

/// A response as JSON.
pub fn message_of(response: &SearchResponse) -> Message {
    // Texts and finite numbers only.
    let text = serde_json::to_string(response).expect("messages are JSON").into();
    let failed = response.status == Status::Failed;
    let lasts = response.is_final && response.stop_reason == Some(StopReason::Proven);
    Message { seq: response.seq, is_final: response.is_final, failed, lasts, text, parts: None }
}

/// Turns a message into the final one; returns the reason if it has no result.
fn conclude(message: &mut SearchResponse, result: Result<SearchResult, Failure>, extent: Extent) -> Option<Failure> {
    let failure = match result {
        Ok(SearchResult { finished, nodes, warnings }) => {
            message.threads.nodes = nodes;
            message.warnings.extend(warnings);
            message.fill(finished.report, (finished.queued, finished.searched), extent);
            return None;
        }
        Err(failure) => failure,
    };
    match failure {
        Failure::NeverRan => message.cancel(StopReason::Cancelled),
        Failure::ShutDown => message.cancel(StopReason::Shutdown),
        Failure::GameFailed(ref fault) => {
            message.warnings.push(fault.to_string());
            message.fail();
        }
        Failure::Panicked(_) => {
            tracing::error!(%failure, game = message.game, id = message.id, "a search failed");
            message.fail();
        }
    }
    Some(failure)
}

/// The problem of a search that is refused admission.
fn refusal(reason: SubmitError) -> Problem {
    match reason {
        SubmitError::Full(_) => Problem::new(Code::Overloaded, reason.to_string()).retry_after(1),
        SubmitError::Closed => shutting_down(),
    }
}

fn progress(interval: Duration, sender: watch::Sender<Option<Report<String>>>) -> ProgressListener {
    ProgressListener { interval, on_report: Box::new(move |report| drop(sender.send_replace(Some(report)))) }
}
