//! Places among the live searches, and the queue for them.
//!
//! Requests that cannot wait are admitted or refused at once ([`Places::admit`]). Work that can wait queues
//! ([`Places::reserve`]) and gets places in order of arrival. One place in eight stays free for requests that cannot wait,
//! so that queued work does not keep them out; so that it does not starve either, every eighth place that becomes free
//! meanwhile goes to the queue. With fewer than eight places, none stays free.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use super::SubmitError;

/// One place in this many stays free for requests that cannot wait; one in as many freed places goes to the queue.
const EIGHTH: usize = 8;

/// A place among the live searches; on drop it goes to the next.
#[derive(Debug)]
pub(super) struct Place(Arc<Places>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// The places of a scheduler, and the queue for them.
#[derive(Debug)]
pub(super) struct Places {
    state: Mutex<State>,
    /// Notified when the last place is returned.
    emptied: Notify,
}

/// The places taken, and the queue.
#[derive(Debug)]
struct State {
    /// The number of places.
    most: usize,
    live: usize,
    /// In order of arrival; the numbers rise.
    waiting: VecDeque<(u64, oneshot::Sender<Place>)>,
    arrivals: u64,
    /// Places that became free while others waited, and were left to requests that cannot wait.
    passed_over: usize,
    is_closed: bool,
}

impl State {
    fn check(&self) -> Result<(), SubmitError> {
        match self.is_closed {
            true => Err(SubmitError::Closed),
            false if self.live >= self.most => Err(SubmitError::Full(self.most)),
            false => Ok(()),
        }
    }

    /// Whether work that can wait would be admitted at once.
    fn has_spare(&self) -> bool {
        self.live + self.most / EIGHTH < self.most
    }

    /// Takes the first in the queue and a place for it, if there is one.
    fn pop_waiter(&mut self) -> Option<oneshot::Sender<Place>> {
        if !self.has_spare() && self.passed_over < EIGHTH {
            return None;
        }
        let (_, next) = self.waiting.pop_front()?;
        self.passed_over = 0;
        self.live += 1;
        Some(next)
    }

    fn leave_queue(&mut self, number: u64) {
        self.waiting.retain(|(waiting, _)| *waiting != number);
    }
}

impl Places {
    pub fn new(most: usize) -> Self {
        let state = State { most, live: 0, waiting: VecDeque::new(), arrivals: 0, passed_over: 0, is_closed: false };
        Self { state: Mutex::new(state), emptied: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of places taken.
    pub fn live(&self) -> usize {
        self.state().live
    }

    /// Whether a request that cannot wait would be admitted.
    pub fn check(&self) -> Result<(), SubmitError> {
        self.state().check()
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    fn place(self: &Arc<Self>) -> Place {
        Place(Arc::clone(self))
    }

    /// A place at once.
    pub fn admit(self: &Arc<Self>) -> Result<Place, SubmitError> {
        let mut state = self.state();
        state.check()?;
        state.live += 1;
        Ok(self.place())
    }

    /// A place as soon as one is free, for work that can wait.
    pub async fn reserve(self: &Arc<Self>) -> Result<Place, SubmitError> {
        let mut waiter = {
            let mut state = self.state();
            if state.is_closed {
                return Err(SubmitError::Closed);
            }
            if state.waiting.is_empty() && state.has_spare() {
                state.live += 1;
                return Ok(self.place());
            }
            let (sender, place) = oneshot::channel();
            state.arrivals += 1;
            let number = state.arrivals;
            state.waiting.push_back((number, sender));
            Waiter { places: self, number, place }
        };
        // Only `close` drops senders.
        (&mut waiter.place).await.map_err(|_| SubmitError::Closed)
    }

    /// Returns a place, and gives it to the next in the queue.
    fn release(self: &Arc<Self>) {
        let mut state = self.state();
        state.live -= 1;
        if !state.waiting.is_empty() {
            state.passed_over += 1;
        }
        loop {
            let next = state.pop_waiter();
            let is_empty = state.live == 0;
            // Unlocked first: a place dropped below calls this function again.
            drop(state);
            if is_empty {
                self.emptied.notify_waiters();
            }
            let Some(next) = next else { return };
            // If the receiver has gone just now, the place returns.
            drop(next.send(self.place()));
            state = self.state();
        }
    }

    /// Closes it and wakes the queue.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting);
    }

    /// Waits until no place is taken.
    pub async fn wait_until_empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.live() == 0 {
                return;
            }
            emptied.await;
        }
    }
}

/// A position in the queue; left on drop.
struct Waiter<'a> {
    places: &'a Arc<Places>,
    number: u64,
    place: oneshot::Receiver<Place>,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.places.state().leave_queue(self.number);
    }
}
