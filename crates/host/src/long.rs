//! Long calls, which yield the core to other threads.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tesuji_core::search::{CoreSharing, core_sharing};

/// Maximum wait of a call for its next turn.
const WAIT: Duration = Duration::from_secs(3600);

/// The core sharing of the running call, once it is long.
#[derive(Default)]
pub(crate) struct LongCall(RefCell<Option<Rc<dyn CoreSharing>>>);

impl LongCall {
    /// Yields the core to others, if their turn has come.
    pub fn yield_core(&self) {
        let mut sharing_of_call = self.0.borrow_mut();
        if sharing_of_call.is_none() {
            *sharing_of_call = core_sharing();
        }
        if let Some(core_sharing) = &*sharing_of_call {
            let now = Instant::now();
            core_sharing.yield_core(now, now + WAIT);
        }
    }

    /// Ends the call.
    pub fn end(&self) {
        self.0.take();
    }
}
