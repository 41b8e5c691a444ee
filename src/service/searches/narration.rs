//! A search under way, told in messages: accepted, progress as it comes, one final result.

use std::time::Duration;

use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;

use super::response::{Extent, SearchResponse};
use super::{SearchRequest, Service};
use crate::scheduler::{Failure, Finished, Progress, Ticket};
use crate::search::Report;
use crate::service::positions::open;
use crate::service::problem::{Code, Problem};

/// What becomes of a search, message by message. Dropping it stops the search.
pub struct Narration {
    /// The message without a result.
    blank: SearchResponse,
    extent: Extent,
    /// None once the last message is told, and where the game is over.
    ticket: Option<Ticket>,
    /// The newest report alone: whoever reads slowly misses some.
    reports: watch::Receiver<Option<Report<String>>>,
    /// Number of the next message.
    seq: u64,
    ended: bool,
}

impl Narration {
    /// Has a search made as a client asks; `telling` whether its progress is wanted.
    ///
    /// # Errors
    /// When the request is refused, or there is no room.
    pub fn begin(service: &Service, request: &SearchRequest, telling: bool) -> Result<Self, Problem> {
        let session = open(service, &request.game, &request.variant, &request.position, &request.moves)?;
        let (extent, interval) = request.report.unwrap_or_default().check()?;
        let search = session.search(&request.order(), &service.policy)?;
        let blank = SearchResponse::new(request, session.view(), search.plan());
        let (sender, reports) = watch::channel(None);
        let ticket = if blank.is_over() {
            None
        } else {
            let progress = telling.then(|| progress(interval, sender));
            let ticket = service.scheduler.submit_with_progress(search, progress);
            Some(ticket.map_err(|full| Problem::new(Code::Overloaded, full.to_string()).retry_after(1))?)
        };
        Ok(Self { blank, extent, ticket, reports, seq: 0, ended: false })
    }

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

    /// The result alone, as the only message.
    ///
    /// # Errors
    /// When the search failed.
    pub async fn last(mut self) -> Result<SearchResponse, Problem> {
        let mut message = self.blank;
        if let Some(ticket) = &mut self.ticket {
            let finished: Finished = ticket.await.map_err(|failure| {
                log(&failure, &message);
                Problem::new(Code::Internal, "the search failed on the server's side")
            })?;
            message.fill(finished, self.extent);
        }
        Ok(message)
    }

    /// All messages to come.
    pub fn messages(self) -> impl Stream<Item = SearchResponse> + Send + 'static {
        unfold(self, async |mut narration| Some((narration.next().await?, narration)))
    }
}

fn progress(every: Duration, sender: watch::Sender<Option<Report<String>>>) -> Progress {
    Progress { every, tell: Box::new(move |report| drop(sender.send_replace(Some(report)))) }
}

fn log(failure: &Failure, message: &SearchResponse) {
    tracing::error!(%failure, game = message.game(), "a search failed");
}
