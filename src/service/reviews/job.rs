//! A review as a job: one position after the other, each reported after its search.

use crate::cluster::Accepted;
use crate::job::{Kind, Message};
use crate::scheduler::{Class, Failure, Submission};
use crate::service::guards::{Charges, Client};
use crate::service::jobs::{End, Run, Work};
use crate::service::metering::observer;
use crate::service::problem::Problem;
use crate::service::spans::SearchId;
use crate::service::state::Service;
use tesuji_core::api::review::Document;
use tesuji_core::api::{Reviewing, Status, parse};
use tesuji_core::search::{Report, StopReason};

/// Why a review ends before its game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interruption {
    Cancelled,
    ShutDown,
    Failed,
}

/// A review to run.
pub struct ReviewJob(Reviewing);

impl From<Reviewing> for ReviewJob {
    fn from(review: Reviewing) -> Self {
        Self(review)
    }
}

impl Work for ReviewJob {
    const KIND: Kind = Kind::Review;
    const PATH: &'static str = "/v1/reviews";
    const MOST: usize = 64;

    fn id(&self) -> &str {
        self.0.document().id()
    }

    fn games(&self) -> Vec<&str> {
        vec![self.0.game()]
    }

    /// Under its own id: requests for reviews have no keys.
    fn first(&self, _id: &str) -> Message {
        message_of(self.0.document())
    }

    fn charge(&self, service: &Service, client: &Client) -> Result<Charges, Problem> {
        let plans = std::iter::repeat_n(self.0.plan(), self.0.positions());
        Ok(service.guards.charge(client, plans, "/budget")?.into_iter().enumerate().collect())
    }

    async fn read(run: &Run, accepted: &Accepted) -> Result<Self, Problem> {
        let request = parse(accepted.request.get().as_bytes())?;
        let review = Reviewing::new(run.job.id.to_string(), request, &run.catalog, &run.service.policy)?;
        Ok(Self(review.numbered_from(run.seq)))
    }

    async fn run(mut self, mut run: Run) -> End {
        // Reversed, so that the last one is the next position's.
        run.charges.reverse();
        let status = loop {
            let found = match self.search(&mut run).await {
                Ok(found) => found,
                Err(Interruption::Failed) => break Status::Failed,
                Err(Interruption::ShutDown) if run.will_rerun(true) => return run.hand_over(),
                Err(Interruption::Cancelled | Interruption::ShutDown) => break Status::Cancelled,
            };
            let played = self.0.add(found);
            if self.0.is_complete() {
                break Status::Done;
            }
            run.report(message_of(self.0.document()));
            if let Err(refusal) = played {
                tracing::error!(%refusal, id = &*run.job.id, "a review cannot play its next move");
                break Status::Failed;
            }
        };
        // Positions that were not searched.
        run.charges.iter().for_each(|(_, charge)| charge.cancel());
        self.0.end(status);
        run.finish(message_of(self.0.document()), || None).await
    }

    fn message_without_run(first: &str, seq: u64, status: Status, warning: Option<&str>) -> serde_json::Result<String> {
        let mut document: Document = serde_json::from_str(first)?;
        document.warnings.extend(warning.map(str::to_owned));
        document.number_from(seq - 1);
        match status {
            Status::Failed => document.fail(),
            status => document.next(status),
        }
        serde_json::to_string(&document)
    }
}

impl ReviewJob {
    /// The result of the current position; `None` if the game is over.
    async fn search(&mut self, run: &mut Run) -> Result<Option<Report<String>>, Interruption> {
        if self.0.is_over() {
            return Ok(None);
        }
        let reservation = tokio::select! {
            biased;
            () = run.stop.cancelled() => return Err(Interruption::Cancelled),
            reservation = run.service.scheduler.reserve() => reservation.map_err(|_| Interruption::ShutDown)?,
        };
        let policy = run.service.policy_now();
        // A budget granted at the game's start is granted later too.
        let search = self.0.search(&policy).map_err(|_| Interruption::Failed)?;
        let charge = run.charges.pop().map(|(_, charge)| charge);
        let id = SearchId::OfReview(run.job.id.to_string());
        let observer = Some(observer(&run.service, self.0.game(), id, search.plan(), charge));
        let mut ticket = reservation.submit(Submission { class: Class::Batch, observer, ..Submission::new(search) });
        let result = tokio::select! {
            result = &mut ticket => result,
            () = run.stop.cancelled() => {
                ticket.cancel();
                return Err(Interruption::Cancelled);
            }
        };
        match result {
            Ok(finished) if finished.report.stop == StopReason::Shutdown => Err(Interruption::ShutDown),
            Ok(finished) => Ok(Some(finished.report)),
            Err(Failure::ShutDown) => Err(Interruption::ShutDown),
            Err(Failure::NeverRan) => Err(Interruption::Cancelled),
            Err(failure) => {
                tracing::error!(%failure, game = self.0.game(), id = &*run.job.id, "a review's search failed");
                Err(Interruption::Failed)
            }
        }
    }
}

/// A review as JSON.
fn message_of(document: &Document) -> Message {
    // Texts and finite numbers only.
    let text = serde_json::to_string(document).expect("messages are JSON").into();
    let status = document.status();
    Message {
        seq: document.seq(),
        is_final: status.is_final(),
        failed: status == Status::Failed,
        lasts: false,
        text,
        parts: None,
    }
}
