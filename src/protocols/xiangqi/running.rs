//! A search under way, and the thread that writes its best move.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use super::info::InfoWriter;
use crate::scheduler::{Canceller, Ticket};

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
    /// None where there was nothing to search: the game is over.
    canceller: Option<Canceller>,
    writer: JoinHandle<()>,
    /// Whether the opponent offers a draw.
    offered: Arc<AtomicBool>,
    /// Dropped when the best move may be written.
    release: Option<Sender<Infallible>>,
    until: Until,
    /// Whether it comes to an end by itself.
    ends: bool,
}

impl Running {
    /// Waits for a search's result, and writes it as soon as it may be written. `any` is what is answered when the search is
    /// stopped before it has begun.
    pub fn new(
        ticket: Option<Ticket>,
        info: InfoWriter,
        any: Option<String>,
        until: Until,
        ends: bool,
        offered: bool,
    ) -> Self {
        let canceller = ticket.as_ref().map(Ticket::canceller);
        let (sender, released) = channel();
        let release = (until != Until::Found).then_some(sender);
        let offered = Arc::new(AtomicBool::new(offered));
        let offer = Arc::clone(&offered);
        let writer = thread::spawn(move || write_best(ticket, &info, any.as_deref(), &offer, &released));
        Self { canceller, writer, offered, release, until, ends }
    }

    /// The opponent offers a draw with the move that led to this position, as `ponderhit` tells.
    pub fn offer_draw(&self) {
        self.offered.store(true, Ordering::Relaxed);
    }

    /// What it was expected to be: the position is on the board, and the time counts.
    pub fn ponder_hit(&mut self) {
        if self.until == Until::Called {
            self.canceller.iter().for_each(Canceller::call);
            (self.until, self.release) = (Until::Found, None);
        }
    }

    /// Whether only a command ends it.
    pub fn is_endless(&self) -> bool {
        !self.ends || self.until != Until::Found
    }

    /// Has the best move written: now, or when the search has come to its end.
    pub fn finish(mut self, now: bool) {
        if now {
            self.canceller.iter().for_each(Canceller::cancel);
        }
        drop(self.release.take());
        // A thread that panicked has said so.
        drop(self.writer.join());
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
