//! CPU sharing within long calls, and its suspension. A search yields its core between two calls of a game's functions; a host
//! also yields it during a long call.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use super::Turns;

/// Creates the [`Turns`] of a long call.
pub type MakeTurns = Rc<dyn Fn() -> Rc<dyn Turns>>;

thread_local! {
    static MAKE: RefCell<Option<MakeTurns>> = const { RefCell::new(None) };
    /// How many locks this thread holds.
    static SUSPENDED: Cell<u32> = const { Cell::new(0) };
}

/// The [`Turns`] of a long call on this thread; `None` if its core is not shared, or turns are suspended.
#[must_use]
pub fn turns() -> Option<Rc<dyn Turns>> {
    let make = MAKE.with_borrow(Clone::clone).filter(|_| !are_suspended());
    make.map(|make| make())
}

/// Suspends turns on this thread until it is dropped. A thread that holds a lock keeps its core: the threads that wait for the
/// lock may have all the others.
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

/// Sets the [`MakeTurns`] of this thread, and returns the previous one.
pub fn replace_turns(make: Option<MakeTurns>) -> Option<MakeTurns> {
    MAKE.replace(make)
}
