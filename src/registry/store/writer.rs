//! The thread that writes, and what it does when it cannot.
//!
//! redb takes nothing more after a write that failed, also when there is room again. So from then on the store counts as
//! failing: new work is refused at once, results wait here, and every second the database is opened anew and tried. Only when
//! all that waits has been written, and there is room for more, the store is as before. What waits is bounded by the searches
//! that were live when it began, since no new ones begin.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use tokio::sync::{oneshot, watch};

use super::disk::{NoStore, Place};
use super::records::{Change, probe, sweep, write};
use super::{Slot, Storage};

/// How often what is too old is taken out.
const SWEEP: Duration = Duration::from_secs(60);
/// How often it is tried whether a failing file is well again.
const RETRY: Duration = Duration::from_secs(1);

/// What the thread is asked.
#[derive(Debug)]
pub(super) enum Order {
    /// To write something, and tell who waits for it.
    Change { id: String, change: Change, done: oneshot::Sender<Result<(), NoStore>> },
    /// To look after the file: somebody could not read it.
    Suspect(NoStore),
}

/// A change, and who waits for it.
#[derive(Debug)]
struct Waiting {
    id: String,
    change: Change,
    /// None where nobody does.
    done: Option<oneshot::Sender<Result<(), NoStore>>>,
}

impl Waiting {
    fn answer(self, result: Result<(), NoStore>) {
        // Whoever asked may have gone.
        let _ = self.done.map(|done| done.send(result));
    }
}

/// The thread's belongings.
#[derive(Debug)]
pub(super) struct Writer {
    place: Place,
    keep: Duration,
    database: Slot,
    state: watch::Sender<Storage>,
    inbox: mpsc::Receiver<Order>,
    swept: Instant,
    /// None while all is well.
    failing: Option<Failing>,
}

#[derive(Debug)]
struct Failing {
    /// What it began with, or what has come to light since.
    error: NoStore,
    /// When it is tried again.
    next: Instant,
    /// What must be written before all is well: results, and that refused work was refused.
    waiting: Vec<Waiting>,
}

impl Writer {
    pub fn new(
        place: Place,
        keep: Duration,
        database: Slot,
        state: watch::Sender<Storage>,
        inbox: mpsc::Receiver<Order>,
    ) -> Self {
        Self { place, keep, database, state, inbox, swept: Instant::now(), failing: None }
    }

    /// The thread's life: until nobody can order any more.
    pub fn run(mut self) {
        loop {
            let pause = self.failing.as_ref().map_or(SWEEP, |failing| failing.next - Instant::now());
            match self.inbox.recv_timeout(pause) {
                Ok(first) => {
                    let orders = std::iter::once(first).chain(self.inbox.try_iter()).collect();
                    self.take(orders);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            self.tend();
        }
        if self.failing.is_some() {
            // A last try; what it cannot write is searched again when the program runs again.
            self.recover();
        }
        self.database.set(None);
    }

    /// Writes what was ordered.
    fn take(&mut self, orders: Vec<Order>) {
        let mut changes = Vec::new();
        for order in orders {
            match order {
                Order::Change { id, change, done } => changes.push(Waiting { id, change, done: Some(done) }),
                Order::Suspect(error) => self.fail(error, Vec::new()),
            }
        }
        if self.failing.is_none() && !changes.is_empty() {
            match self.write(&changes) {
                Ok(()) => return changes.into_iter().for_each(|change| change.answer(Ok(()))),
                Err(error) => {
                    // Nobody knows how much of it has reached the disk.
                    let refused = changes.iter().filter(|one| matches!(one.change, Change::Put(_)));
                    let forget = |one: &Waiting| Waiting { id: one.id.clone(), change: Change::Forget, done: None };
                    let refused = refused.map(forget).collect();
                    self.fail(error, refused);
                }
            }
        }
        let Some(failing) = &mut self.failing else { return };
        for change in changes {
            match change.change {
                Change::Put(_) => change.answer(Err(failing.error.clone())),
                Change::Finish(_) | Change::Forget => failing.waiting.push(change),
            }
        }
    }

    fn write(&self, changes: &[Waiting]) -> Result<(), NoStore> {
        let open = self.database.get().ok_or_else(|| NoStore::new("the database is not open"))?;
        open.run(|database| write(database, changes.iter().map(|one| (one.id.as_str(), &one.change))))
    }

    /// Does what is due by the clock.
    fn tend(&mut self) {
        if let Some(failing) = &self.failing {
            if Instant::now() >= failing.next {
                self.recover();
            }
        } else if self.swept.elapsed() >= SWEEP {
            self.swept = Instant::now();
            let keep = self.keep;
            if let Some(Err(error)) = self.database.get().map(|open| open.run(|database| sweep(database, keep))) {
                self.fail(error, Vec::new());
            }
        }
    }

    /// Counts as failing from here on, with more to be written later.
    fn fail(&mut self, error: NoStore, mut waiting: Vec<Waiting>) {
        match &mut self.failing {
            Some(failing) => failing.waiting.append(&mut waiting),
            None => {
                tracing::error!(
                    %error,
                    "searches cannot be stored: asynchronous ones are refused until they can be, and results wait"
                );
                self.state.send_replace(Storage::Failing(error.to_string().into()));
                self.failing = Some(Failing { error, next: Instant::now() + RETRY, waiting });
            }
        }
    }

    /// Opens the database anew, and writes what waits.
    fn recover(&mut self) {
        self.database.set(None);
        let Some(mut failing) = self.failing.take() else { return };
        let tried = self.place.open(failing.error.is_damage()).and_then(|open| {
            open.run(|database| {
                write(database, failing.waiting.iter().map(|one| (one.id.as_str(), &one.change)))?;
                probe(database)
            })?;
            Ok(open)
        });
        match tried {
            Ok(open) => {
                self.database.set(Some(Arc::new(open)));
                self.state.send_replace(Storage::File);
                tracing::info!(results = failing.waiting.len(), "searches can be stored again; what waited is stored");
                failing.waiting.into_iter().for_each(|change| change.answer(Ok(())));
            }
            Err(error) => {
                if error.is_damage() && !failing.error.is_damage() {
                    tracing::error!(%error, "the database is damaged: --repair-data at the next start keeps what can be read");
                    self.state.send_replace(Storage::Failing(error.to_string().into()));
                    failing.error = error;
                }
                self.failing = Some(Failing { next: Instant::now() + RETRY, ..failing });
            }
        }
    }
}
