//! The end of a search by a command that comes while it runs, whichever of the two comes first.

use std::sync::{Mutex, PoisonError};

use crate::scheduler::Canceller;

/// Whether a command has ended what is searched, and the search that it has to stop.
#[derive(Default)]
pub struct Ending(Mutex<(bool, Option<Canceller>)>);

impl Ending {
    /// Whether it has come.
    pub fn has_come(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// The command has come: the search under way, and one that begins later, ends at once.
    pub fn come(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = true;
        if let Some(search) = state.1.take() {
            search.cancel();
        }
    }

    /// A search begins.
    pub fn stops(&self, search: Canceller) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 {
            search.cancel();
        }
        state.1 = Some(search);
    }
}
