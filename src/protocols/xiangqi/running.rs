//! A running search, and the thread that writes its best move.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::info::InfoWriter;
use crate::protocols::BoxError;
use crate::protocols::search_thread::SearchThread;
use crate::scheduler::Ticket;

/// When a search's best move is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// As soon as it is found.
    Found,
    /// After `stop`, even if the search has ended before.
    Stopped,
    /// After `ponderhit` or `stop`.
    PonderHit,
}

/// A search, and the thread that writes its best move.
pub struct Running {
    search_thread: SearchThread,
    /// Whether the opponent offers a draw.
    draw_offered: Arc<AtomicBool>,
    /// Dropped when the best move may be written.
    release: Option<Sender<Infallible>>,
    until: Until,
    /// Whether the search ends by itself.
    ends: bool,
}

impl Running {
    /// Starts the thread, which waits for a search's result and writes the best move when `until` allows. `ticket` is `None` if
    /// the game is over or the search was refused. `any` is the answer without a result.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new(
        ticket: Option<Ticket>,
        info: InfoWriter,
        any: Option<String>,
        until: Until,
        ends: bool,
        draw_offered: bool,
    ) -> Result<Self, BoxError> {
        let canceller = ticket.as_ref().map(Ticket::canceller);
        let (sender, released) = channel();
        let release = (until != Until::Found).then_some(sender);
        let draw_offered = Arc::new(AtomicBool::new(draw_offered));
        let offer = Arc::clone(&draw_offered);
        let search_thread = SearchThread::begin(move |_| write_best(ticket, &info, any.as_deref(), &offer, &released))?;
        canceller.into_iter().for_each(|search| search_thread.stop().register(search));
        Ok(Self { search_thread, draw_offered, release, until, ends })
    }

    /// Notes a draw offer that came with `ponderhit`.
    pub fn offer_draw(&self) {
        self.draw_offered.store(true, Ordering::Relaxed);
    }

    /// The expected move was played: the time counts from now on.
    pub fn ponder_hit(&mut self) {
        if self.until == Until::PonderHit {
            self.search_thread.stop().ponder_hit();
            (self.until, self.release) = (Until::Found, None);
        }
    }

    /// Whether only a command ends it.
    pub fn is_endless(&self) -> bool {
        !self.ends || self.until != Until::Found
    }

    /// Waits until the best move is written: at once (`now`), or at the search's end.
    pub fn finish(mut self, now: bool) {
        drop(self.release.take());
        self.search_thread.finish(now);
    }
}

/// Writes the result, and the best move once the sender is dropped.
fn write_best(
    ticket: Option<Ticket>,
    info: &InfoWriter,
    any: Option<&str>,
    draw_offered: &AtomicBool,
    released: &Receiver<Infallible>,
) {
    let report = ticket.and_then(|ticket| ticket.wait().ok()).map(|finished| finished.report);
    if let Some(report) = report.as_ref().filter(|report| !report.children.is_empty()) {
        info.write(report);
    }
    // Nothing is ever sent: it ends when the sender is dropped.
    let _: Result<Infallible, _> = released.recv();
    info.best(report.as_ref(), any, draw_offered.load(Ordering::Relaxed));
}
