//! Turns within long calls. A search passes its core on between two calls of a game's functions, and a host during a call that
//! takes long.

use std::cell::RefCell;
use std::rc::Rc;

use super::Turns;

/// Makes the turns of a long call.
pub type MakeTurns = Rc<dyn Fn() -> Rc<dyn Turns>>;

thread_local! {
    static MAKE: RefCell<Option<MakeTurns>> = const { RefCell::new(None) };
}

/// The turns of a long call on this thread; none where nobody shares the cores.
#[must_use]
pub fn turns() -> Option<Rc<dyn Turns>> {
    let make = MAKE.with_borrow(Clone::clone);
    make.map(|make| make())
}

/// No turns are taken on this thread until this is dropped. A thread that holds a lock keeps its core: those who wait for the
/// lock may have all cores.
#[must_use]
pub fn suspend_turns() -> Suspended {
    Suspended(replace_turns(None))
}

/// See [`suspend_turns`].
pub struct Suspended(Option<MakeTurns>);

impl std::fmt::Debug for Suspended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suspended").finish_non_exhaustive()
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        replace_turns(self.0.take());
    }
}

/// Sets what makes the turns of this thread's long calls, and returns what did before.
pub fn replace_turns(make: Option<MakeTurns>) -> Option<MakeTurns> {
    MAKE.replace(make)
}
