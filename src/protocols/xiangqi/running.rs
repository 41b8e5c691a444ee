//! A search under way, and the thread that writes its best move.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::info::InfoWriter;
use crate::protocols::Failed;
use crate::protocols::thinking::Thinking;
use crate::scheduler::Ticket;

/// When a search's best move is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// As soon as it is found.
    Found,
    /// After `stop`, also when the search has come to its end long before.
    Stopped,
    /// After `ponderhit` or `stop`.
    Called,
}

/// A search, and the thread that writes its best move.
pub struct Running {
    thinking: Thinking,
    /// Whether the opponent offers a draw.
    offered: Arc<AtomicBool>,
    /// Dropped when the best move may be written.
    release: Option<Sender<Infallible>>,
    until: Until,
    /// Whether it comes to an end by itself.
    ends: bool,
}

impl Running {
    /// Waits for a search's result, and writes it as soon as it may be written. There is no search (`ticket`) where the game is
    /// over. `any` is the answer where the search is stopped before it has begun.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn new(
        ticket: Option<Ticket>,
        info: InfoWriter,
        any: Option<String>,
        until: Until,
        ends: bool,
        offered: bool,
    ) -> Result<Self, Failed> {
        let canceller = ticket.as_ref().map(Ticket::canceller);
        let (sender, released) = channel();
        let release = (until != Until::Found).then_some(sender);
        let offered = Arc::new(AtomicBool::new(offered));
        let offer = Arc::clone(&offered);
        let thinking = Thinking::begin(move |_| write_best(ticket, &info, any.as_deref(), &offer, &released))?;
        canceller.into_iter().for_each(|search| thinking.stop().stops(search));
        Ok(Self { thinking, offered, release, until, ends })
    }

    /// The opponent offers a draw with the move that led to this position, as `ponderhit` tells.
    pub fn offer_draw(&self) {
        self.offered.store(true, Ordering::Relaxed);
    }

    /// What it was expected to be: the position is on the board, and the time counts.
    pub fn ponder_hit(&mut self) {
        if self.until == Until::Called {
            self.thinking.stop().ponder_hit();
            (self.until, self.release) = (Until::Found, None);
        }
    }

    /// Whether only a command ends it.
    pub fn is_endless(&self) -> bool {
        !self.ends || self.until != Until::Found
    }

    /// Has the best move written: now, or when the search has come to its end.
    pub fn finish(mut self, now: bool) {
        drop(self.release.take());
        self.thinking.finish(now);
    }
}

/// Writes the result, and the best move once nobody holds the sender any more.
fn write_best(
    ticket: Option<Ticket>,
    info: &InfoWriter,
    any: Option<&str>,
    offered: &AtomicBool,
    released: &Receiver<Infallible>,
) {
    let report = ticket.and_then(|ticket| ticket.wait().ok()).map(|finished| finished.report);
    if let Some(report) = report.as_ref().filter(|report| !report.children.is_empty()) {
        info.write(report);
    }
    // Nothing is ever sent: it ends when the sender is dropped.
    let _: Result<Infallible, _> = released.recv();
    info.best(report.as_ref(), any, offered.load(Ordering::Relaxed));
}
