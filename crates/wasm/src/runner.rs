//! Runs a search's workers one after the other on the only thread: all of them, or those of this instance of the module.
//! Meanwhile the [`Host`] receives progress and decides whether to stop.

use std::ops::Range;
use std::time::Duration;

use tesuji_core::catalog::{AnySearch, Listener, WorkerContext};
use tesuji_core::clock::Instant;
use tesuji_core::search::{CoreSharing, Signals};

/// The program around the module, which a running search calls.
pub trait Host {
    /// Receives a message about the work in progress: the JSON that the server would stream.
    fn send(&self, message: &str);

    /// Whether the work in progress should end with its results so far.
    fn is_stopped(&self) -> bool;
}

/// Asks the host whether to stop whenever the search reads the clock, about every 100 µs.
struct Watch<'a> {
    host: &'a dyn Host,
    signals: &'a Signals,
}

impl CoreSharing for Watch<'_> {
    fn yield_core(&self, _now: Instant, _until: Instant) -> bool {
        if self.host.is_stopped() {
            self.signals.cancel();
        }
        false
    }
}

/// The time since a search's start.
pub fn since(signals: &Signals) -> Duration {
    signals.started().map_or(Duration::ZERO, |started| started.elapsed())
}

/// Runs some of a search's workers. The first worker reports the search's progress, as on the server.
pub fn run(
    search: &dyn AnySearch,
    workers: Range<u32>,
    signals: &Signals,
    host: &dyn Host,
    on_progress: Option<Listener<'_>>,
) {
    let watch = Watch { host, signals };
    for worker in workers {
        if host.is_stopped() {
            signals.cancel();
        }
        // A search that is stopped between two workers keeps the results of the first.
        if signals.is_cancelled() {
            break;
        }
        let on_progress = on_progress.filter(|_| worker == 0);
        search.run(worker, WorkerContext { on_progress, core_sharing: Some(&watch), ..WorkerContext::new(signals) });
    }
}
