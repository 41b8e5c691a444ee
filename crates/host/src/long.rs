//! A long call: other threads get the core while it runs.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tesuji_core::search::{Turns, turns};

/// So long a call can wait for its next turn.
const WAIT: Duration = Duration::from_secs(3600);

/// The turns of the call that runs, once it is long.
#[derive(Default)]
pub(crate) struct LongCall(RefCell<Option<Rc<dyn Turns>>>);

impl LongCall {
    /// Lets others have a turn, if it is time for that.
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

    /// The call has ended.
    pub fn end(&self) {
        self.0.take();
    }
}
