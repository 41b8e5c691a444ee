//! A search as a job: requested with `Prefer: respond-async` or an `Idempotency-Key`.

use super::narration::{MessageSource, Prepared, message_of};
use crate::cluster::{Accepted, Canceller};
use crate::job::{Kind, Message};
use crate::scheduler::{Class, Reservation};
use crate::service::guards::{Charges, Client};
use crate::service::jobs::{End, Run, Work};
use crate::service::problem::{Code, Problem};
use crate::service::state::Service;
use tesuji_core::api::{SearchRequest, SearchResponse, Status, parse};
use tesuji_core::search::StopReason;

/// A search to run.
pub struct SearchJob {
    prepared: Prepared,
    pub start: Start,
}

/// The state of a search when its run begins.
pub enum Start {
    /// It waits for a place.
    Waiting,
    /// It has a place.
    Reserved(Reservation),
    /// It is running.
    Begun(Box<MessageSource>),
}

impl From<Prepared> for SearchJob {
    fn from(prepared: Prepared) -> Self {
        Self { prepared, start: Start::Waiting }
    }
}

impl Work for SearchJob {
    const KIND: Kind = Kind::Search;
    const PATH: &'static str = "/v1/searches";

    fn id(&self) -> &str {
        self.prepared.id()
    }

    fn class(&self) -> Class {
        self.prepared.class()
    }

    fn games(&self) -> Vec<&str> {
        vec![self.prepared.game()]
    }

    fn first(&self, id: &str) -> Message {
        self.prepared.first(id)
    }

    fn charge(&self, service: &Service, client: &Client) -> Result<Charges, Problem> {
        Ok(self.prepared.charge(service, client)?.map(|charge| (0, charge)).into_iter().collect())
    }

    fn admit(&mut self, service: &Service, charges: &mut Charges) -> Result<(), Problem> {
        let charge = charges.pop().map(|(_, charge)| charge);
        self.start = Start::Begun(Box::new(self.prepared.begin(service, charge, true)?));
        Ok(())
    }

    async fn read(run: &Run, accepted: &Accepted) -> Result<Self, Problem> {
        let mut request: SearchRequest = parse(accepted.request.get().as_bytes())?;
        // The seed in the first message holds on all nodes.
        let first: SearchResponse = serde_json::from_str(&accepted.first.message.text)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        request.seed = request.seed.or(Some(first.engine.seed));
        let prepared = Prepared::read(&run.service, &run.catalog, &request, &run.job.owner)?;
        Ok(prepared.with_id(&run.job.id).into())
    }

    fn span(&self) -> Option<&'static str> {
        (!matches!(self.start, Start::Begun(_))).then_some("search task")
    }

    async fn run(self, mut run: Run) -> End {
        let Self { prepared, start } = self;
        let charge = run.charges.pop().map(|(_, charge)| charge);
        let source = match start {
            Start::Begun(source) => *source,
            Start::Reserved(place) => prepared.begin_reserved(&run.service, place, charge, true),
            Start::Waiting => tokio::select! {
                biased;
                () = run.stop.cancelled() => {
                    charge.iter().for_each(|charge| charge.cancel());
                    let mut cancelled = prepared.cancelled(StopReason::Cancelled);
                    cancelled.seq = run.seq + 1;
                    return finish(run, &cancelled).await;
                }
                place = run.service.scheduler.reserve() => match place {
                    Ok(place) => prepared.begin_reserved(&run.service, place, charge, true),
                    Err(_) => return run.hand_over(),
                },
            },
        };
        let (canceller, stop) = (source.canceller(), run.stop.clone());
        let stopping = async {
            stop.cancelled().await;
            canceller.iter().for_each(Canceller::cancel);
            std::future::pending().await
        };
        tokio::select! {
            end = report_messages(run, source) => end,
            end = stopping => end,
        }
    }

    fn message_without_run(first: &str, seq: u64, status: Status, warning: Option<&str>) -> serde_json::Result<String> {
        let mut response: SearchResponse = serde_json::from_str(first)?;
        response.warnings.extend(warning.map(str::to_owned));
        match status {
            Status::Cancelled => response.cancel(StopReason::Cancelled),
            _ => response.fail(),
        }
        response.seq = seq;
        serde_json::to_string(&response)
    }
}

/// Reports a search's messages.
async fn report_messages(run: Run, mut source: MessageSource) -> End {
    while let Some(mut message) = source.next().await {
        message.seq += run.seq;
        if message.stop_reason == Some(StopReason::Shutdown) && run.will_rerun(!source.never_started()) {
            return run.hand_over();
        }
        if message.is_final {
            return finish(run, &message).await;
        }
        run.report(message_of(&message));
    }
    run.hand_over()
}

async fn finish(run: Run, response: &SearchResponse) -> End {
    run.finish(message_of(response), || Some(message_of(&response.unstored()))).await
}
