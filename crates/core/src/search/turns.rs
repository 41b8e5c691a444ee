//! Turns within long calls, and where turns are suspended. A search passes its core on between two calls of a game's functions,
//! and a host during a call that takes long.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use super::Turns;

/// Makes the turns of a long call.
pub type MakeTurns = Rc<dyn Fn() -> Rc<dyn Turns>>;

thread_local! {
    static MAKE: RefCell<Option<MakeTurns>> = const { RefCell::new(None) };
    /// How many locks this thread holds.
    static SUSPENDED: Cell<u32> = const { Cell::new(0) };
}

/// The turns of a long call on this thread; none where nobody shares the cores.
#[must_use]
pub fn turns() -> Option<Rc<dyn Turns>> {
    let make = MAKE.with_borrow(Clone::clone).filter(|_| !are_suspended());
    make.map(|make| make())
}

/// No turns are taken on this thread until this is dropped. A thread that holds a lock keeps its core: those who wait for the
/// lock may have all cores.
#[derive(Debug)]
#[must_use]
pub struct Suspended(PhantomData<*const ()>);

/// Whether turns are suspended on this thread.
pub(super) fn are_suspended() -> bool {
    SUSPENDED.get() > 0
}

/// See [`Suspended`].
pub fn suspend_turns() -> Suspended {
    SUSPENDED.set(SUSPENDED.get() + 1);
    Suspended(PhantomData)
}

impl Drop for Suspended {
    fn drop(&mut self) {
        SUSPENDED.set(SUSPENDED.get() - 1);
    }
}

/// Sets what makes the turns of this thread's long calls, and returns what did before.
pub fn replace_turns(make: Option<MakeTurns>) -> Option<MakeTurns> {
    MAKE.replace(make)
}
