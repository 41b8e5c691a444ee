//! A search under way, told in messages: accepted, progress as it comes, one final result.

use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;

use super::response::{Extent, SearchResponse};
use super::{SearchRequest, Service};
use crate::catalog::AnySearch;
use crate::registry::Message;
use crate::scheduler::{Canceller, Class, Failure, Progress, Ticket};
use crate::search::Report;
use crate::service::drain::shutting_down;
use crate::service::guards::Client;
use crate::service::metering::metered;
use crate::service::positions::open;
use crate::service::problem::{Code, Problem};

/// A search that has been asked for in good order, and has not begun.
pub struct Prepared {
    /// The message without a result.
    blank: SearchResponse,
    extent: Extent,
    interval: Duration,
    search: Arc<dyn AnySearch>,
    class: Class,
}

impl Prepared {
    /// Reads a request. Searches of the same `scope` may know of each other.
    ///
    /// # Errors
    /// When it is refused.
    pub fn read(service: &Service, request: &SearchRequest, scope: &str) -> Result<Self, Problem> {
        let session = open(service, &request.game, &request.variant, &request.position, &request.moves)?;
        let (extent, interval) = request.report.unwrap_or_default().check()?;
        let policy = service.policy.with_idle(service.scheduler.idle());
        let search = session.search(&request.order(Some(scope)), &policy)?;
        let blank = SearchResponse::new(request, session.view(), search.plan());
        Ok(Self { blank, extent, interval, search, class: request.priority.unwrap_or_default().into() })
    }

    /// The same with an id from before.
    pub fn with_id(mut self, id: &str) -> Self {
        self.blank.set_id(id);
        self
    }

    /// The search's id.
    pub fn id(&self) -> &str {
        self.blank.id()
    }

    /// The first message.
    pub fn first(&self) -> Message {
        self.blank.message()
    }

    /// Has the search begin, at the expense of `payer` if its quota has not been charged before; `telling` whether its progress
    /// is wanted.
    ///
    /// # Errors
    /// When the quota is spent, or there is no room.
    pub fn begin(&self, service: &Service, payer: Option<&Client>, telling: bool) -> Result<Narration, Problem> {
        let (sender, reports) = watch::channel(None);
        let ticket = if self.blank.is_over() {
            None
        } else {
            let progress = telling.then(|| progress(self.interval, sender));
            if let (Some(quota), Some(payer)) = (service.guards.quota(), payer) {
                quota.charge(payer, self.search.plan(), 1)?;
            }
            let search = metered(&service.metrics, self.blank.game(), Arc::clone(&self.search));
            let ticket = service.scheduler.submit_with(search, self.class, progress);
            Some(ticket.map_err(|full| Problem::new(Code::Overloaded, full.to_string()).retry_after(1))?)
        };
        let (blank, extent) = (self.blank.clone(), self.extent);
        Ok(Narration { blank, extent, ticket, reports, seq: 0, ended: false, put_off: false })
    }

    /// The final message of a search that was cancelled before it could begin.
    pub fn cancelled(&self) -> Message {
        let mut message = self.blank.clone();
        message.number(1);
        message.fail(&Failure::NeverRan);
        message.message()
    }
}

/// What becomes of a search, message by message. Dropping it stops the search.
pub struct Narration {
    blank: SearchResponse,
    extent: Extent,
    /// None where the game is over.
    ticket: Option<Ticket>,
    /// The newest report alone: whoever reads slowly misses some.
    reports: watch::Receiver<Option<Report<String>>>,
    /// Number of the next message.
    seq: u64,
    ended: bool,
    put_off: bool,
}

impl Narration {
    /// The next message; none after the final one.
    pub async fn next(&mut self) -> Option<SearchResponse> {
        if self.ended {
            return None;
        }
        let mut message = self.blank.clone();
        message.number(self.seq);
        self.seq += 1;
        let Some(ticket) = &mut self.ticket else {
            self.ended = true;
            return Some(message);
        };
        if self.seq == 1 {
            return Some(message);
        }
        tokio::select! {
            biased;
            result = &mut *ticket => {
                self.ended = true;
                match result {
                    Ok(finished) => message.fill(finished, self.extent),
                    Err(failure) => {
                        log(&failure, &message);
                        self.put_off = failure == Failure::ShutDown;
                        message.fail(&failure);
                    }
                }
            }
            Ok(()) = self.reports.changed() => {
                let report = self.reports.borrow_and_update().clone();
                let times = ticket.times();
                report.into_iter().for_each(|report| message.progress(report, times, self.extent));
            }
        }
        Some(message)
    }

    /// Whether the search ended before it began, because the program is to end.
    pub fn was_put_off(&self) -> bool {
        self.put_off
    }

    /// Stops the search from elsewhere; none where there is nothing to search.
    pub fn canceller(&self) -> Option<Canceller> {
        self.ticket.as_ref().map(Ticket::canceller)
    }

    /// The result alone, as the only message.
    ///
    /// # Errors
    /// When the search failed.
    pub async fn last(mut self) -> Result<SearchResponse, Problem> {
        let mut message = self.blank;
        if let Some(ticket) = &mut self.ticket {
            let finished = ticket.await.map_err(|failure| {
                log(&failure, &message);
                match failure {
                    Failure::Panicked(_) => Problem::new(Code::Internal, "the search failed on the server's side"),
                    Failure::ShutDown => shutting_down(),
                    Failure::NeverRan => {
                        Problem::new(Code::Overloaded, "the search ended before it began").retry_after(1)
                    }
                }
            })?;
            message.fill(finished, self.extent);
        }
        Ok(message)
    }

    /// All messages to come.
    pub fn messages(self) -> impl Stream<Item = Message> + Send + 'static {
        unfold(self, async |mut narration| Some((narration.next().await?.message(), narration)))
    }
}

fn progress(every: Duration, sender: watch::Sender<Option<Report<String>>>) -> Progress {
    Progress { every, tell: Box::new(move |report| drop(sender.send_replace(Some(report)))) }
}

fn log(failure: &Failure, message: &SearchResponse) {
    if let Failure::Panicked(_) = failure {
        tracing::error!(%failure, game = message.game(), id = message.id(), "a search failed");
    }
}
