//! CPU sharing within long calls, and its suspension. A search yields its core between two calls of a game's functions; a host
//! also yields it during a long call.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use super::CoreSharing;

/// Creates the [`CoreSharing`] of a long call.
pub type MakeCoreSharing = Rc<dyn Fn() -> Rc<dyn CoreSharing>>;

thread_local! {
    static MAKE: RefCell<Option<MakeCoreSharing>> = const { RefCell::new(None) };
    /// How many locks this thread holds.
    static SUSPENDED: Cell<u32> = const { Cell::new(0) };
}

/// The [`CoreSharing`] of a long call on this thread; `None` if its core is not shared, or sharing is suspended.
#[must_use]
pub fn core_sharing() -> Option<Rc<dyn CoreSharing>> {
    let make = MAKE.with_borrow(Clone::clone).filter(|_| !are_suspended());
    make.map(|make| make())
}

/// Suspends core sharing on this thread until it is dropped. A thread that holds a lock keeps its core: the threads that wait
/// for the lock may have all the others.
#[derive(Debug)]
#[must_use]
pub struct SharingSuspended(PhantomData<*const ()>);

/// Whether core sharing is suspended on this thread.
pub(super) fn are_suspended() -> bool {
    SUSPENDED.get() > 0
}

/// See [`SharingSuspended`].
pub fn suspend_core_sharing() -> SharingSuspended {
    SUSPENDED.set(SUSPENDED.get() + 1);
    SharingSuspended(PhantomData)
}

impl Drop for SharingSuspended {
    fn drop(&mut self) {
        SUSPENDED.set(SUSPENDED.get() - 1);
    }
}

/// Sets the [`MakeCoreSharing`] of this thread, and returns the previous one.
pub fn replace_core_sharing(make: Option<MakeCoreSharing>) -> Option<MakeCoreSharing> {
    MAKE.replace(make)
}
