//! Searches beside the command loop: the thread that writes their results, and how to stop them.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::scheduler::Canceller;

/// Stops the current search, or the next one if none has begun.
#[derive(Default)]
pub struct Stop(Mutex<(bool, Option<Canceller>)>);

impl Stop {
    /// Whether searches must stop.
    pub fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Stops searches.
    pub fn set(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = true;
        if let Some(search) = state.1.take() {
            search.cancel();
        }
    }

    /// Registers a new search.
    pub fn register(&self, search: Canceller) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 {
            search.cancel();
        }
        state.1 = Some(search);
    }

    /// The pondered move has been played: the search's time counts from now on.
    pub fn ponder_hit(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.iter().for_each(Canceller::ponder_hit);
    }
}

/// A thread that searches and writes results.
pub struct SearchThread {
    stop: Arc<Stop>,
    thread: JoinHandle<()>,
}

impl SearchThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn begin(work: impl FnOnce(&Stop) + Send + 'static) -> io::Result<Self> {
        let stop = Arc::<Stop>::default();
        let its_own = Arc::clone(&stop);
        let thread = thread::Builder::new().name("search".to_owned()).spawn(move || work(&its_own))?;
        Ok(Self { stop, thread })
    }

    /// The handle to stop it.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Waits until everything is written: the result so far (`now`), or the final one.
    pub fn finish(self, now: bool) {
        if now {
            self.stop.set();
        }
        // A panic has been reported.
        drop(self.thread.join());
    }
}
