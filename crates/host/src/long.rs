//! Long calls, which yield the core to other threads.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tesuji_core::search::{Turns, turns};

/// Maximum wait of a call for its next turn.
const WAIT: Duration = Duration::from_secs(3600);

/// The turns of the running call, once it is long.
#[derive(Default)]
pub(crate) struct LongCall(RefCell<Option<Rc<dyn Turns>>>);

impl LongCall {
    /// Yields the core to others, if their turn has come.
    pub fn pass(&self) {
        let mut turns_of_call = self.0.borrow_mut();
        if turns_of_call.is_none() {
            *turns_of_call = turns();
        }
        if let Some(turns) = &*turns_of_call {
            let now = Instant::now();
            turns.pass(now, now + WAIT);
        }
    }

    /// Ends the call.
    pub fn end(&self) {
        self.0.take();
    }
}
