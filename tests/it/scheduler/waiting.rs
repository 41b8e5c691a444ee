//! Waiting for a place: in order, without shutting out those who cannot wait, and without a trace of those who give up.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tesuji::scheduler::{Class, Reservation, Scheduler, Submission, SubmitError};

use super::{RUNTIME, scheduler, search, small, until};

/// A client waiting for a place.
struct Waiter(Pin<Box<dyn Future<Output = Result<Reservation, SubmitError>> + Send>>);

impl Waiter {
    /// Starts waiting.
    fn new(scheduler: &Scheduler) -> Self {
        let scheduler = scheduler.clone();
        let mut waiter = Self(Box::pin(async move { scheduler.reserve().await }));
        assert!(waiter.place().is_none(), "it has to wait");
        waiter
    }

    /// The place, if it has one now.
    fn place(&mut self) -> Option<Result<Reservation, SubmitError>> {
        match self.0.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Some(place),
            Poll::Pending => None,
        }
    }

    #[track_caller]
    fn admitted(&mut self) -> Reservation {
        self.place().expect("it has been called").expect("the scheduler is open")
    }
}

/// Takes `count` places without waiting.
fn take(scheduler: &Scheduler, count: usize) -> Vec<Reservation> {
    (0..count).map(|_| RUNTIME.block_on(scheduler.reserve()).expect("there is room")).collect()
}

#[test]
fn a_search_that_waits_gets_in_when_another_ends() {
    let scheduler = scheduler(1, 1);
    let running = scheduler.submit(search(60_000)).expect("there is room");
    let waiting = {
        let scheduler = scheduler.clone();
        RUNTIME.spawn(async move {
            let place = scheduler.reserve().await.expect("the scheduler is open");
            place.submit(Submission { class: Class::Batch, ..Submission::new(small("mcts")) }).await
        })
    };
    std::thread::sleep(Duration::from_millis(20));
    assert!(!waiting.is_finished());
    running.cancel();
    let finished = RUNTIME.block_on(waiting).expect("it does not panic").expect("it has a result");
    assert!(finished.report.nodes > 0 && finished.queued < Duration::from_secs(30));
    RUNTIME.block_on(scheduler.wait_until_empty());
    assert_eq!(scheduler.live(), 0);
}

#[test]
fn places_go_to_the_longest_wait() {
    let scheduler = scheduler(1, 2);
    let mut held = take(&scheduler, 2);
    let mut waiting: Vec<_> = (0..3).map(|_| Waiter::new(&scheduler)).collect();
    held.pop();
    assert_eq!(scheduler.live(), 2, "the place has been passed on");
    assert_eq!(scheduler.submit(search(1)).map(drop), Err(SubmitError::Full(2)));
    assert!(waiting[2].place().is_none() && waiting[1].place().is_none());
    let first = waiting[0].admitted();
    // A place that is not used goes to the next.
    drop(first);
    assert!(waiting[2].place().is_none());
    held.push(waiting[1].admitted());
    held.clear();
    drop(waiting[2].admitted());
    assert_eq!(scheduler.live(), 0);
}

#[test]
fn a_cancelled_waiter_leaves_nothing_behind() {
    let scheduler = scheduler(1, 1);
    let held = take(&scheduler, 1);
    let (first, second, mut third) = (Waiter::new(&scheduler), Waiter::new(&scheduler), Waiter::new(&scheduler));
    drop(first);
    drop(held);
    assert!(third.place().is_none(), "the second has been called, and does not know yet");
    drop(second);
    let held = third.admitted();
    assert_eq!(scheduler.live(), 1);
    let waiting: Vec<_> = (0..100).map(|_| Waiter::new(&scheduler)).collect();
    drop(waiting);
    drop(held);
    assert_eq!(scheduler.live(), 0);
    assert!(scheduler.submit(small("mcts")).is_ok());
}

#[test]
fn one_place_in_eight_is_reserved_for_searches_that_cannot_wait() {
    let scheduler = scheduler(1, 16);
    let mut held = take(&scheduler, 14);
    let mut waiting = Waiter::new(&scheduler);
    assert!(scheduler.has_room());
    drop(scheduler.submit(small("mcts")).expect("there are two places for those who do not wait"));
    until(|| scheduler.live() == 14);
    assert!(waiting.place().is_none());
    held.pop();
    held.push(waiting.admitted());
    drop(held);
    assert_eq!(scheduler.live(), 0);
}

#[test]
fn the_queue_moves_however_many_others_come() {
    let scheduler = scheduler(1, 16);
    let held = take(&scheduler, 14);
    let others = || scheduler.submit(search(60_000)).expect("there is room");
    let (mut waiting, mut next) = (Waiter::new(&scheduler), Waiter::new(&scheduler));
    let mut running = others();
    for ended in 1..=8 {
        let another = others();
        assert!(waiting.place().is_none(), "{ended}");
        drop(std::mem::replace(&mut running, another));
        until(|| ended == 8 || scheduler.live() == 15);
    }
    drop(RUNTIME.block_on(waiting.0).expect("the scheduler is open"));
    assert!(next.place().is_none(), "the next eighth has only begun");
    drop(held);
    drop(next.admitted());
}

#[test]
fn closing_wakes_all_waiters() {
    let scheduler = scheduler(1, 1);
    let held = take(&scheduler, 1).pop().expect("there is one");
    let mut waiting: Vec<_> = (0..3).map(|_| Waiter::new(&scheduler)).collect();
    let woken = {
        let scheduler = scheduler.clone();
        RUNTIME.spawn(async move { scheduler.reserve().await.map(drop) })
    };
    std::thread::sleep(Duration::from_millis(20));
    scheduler.shut_down();
    assert_eq!(RUNTIME.block_on(woken).expect("it does not panic"), Err(SubmitError::Closed));
    for waiter in &mut waiting {
        assert_eq!(waiter.place().map(|place| place.map(drop)), Some(Err(SubmitError::Closed)));
    }
    assert_eq!(RUNTIME.block_on(scheduler.reserve()).map(drop), Err(SubmitError::Closed));
    // A search that had its place before ends like all others, although it was submitted after the end.
    let late = held.submit(search(60_000));
    let ended = late.wait();
    assert!(ended.is_err() || ended.is_ok_and(|finished| finished.searched < Duration::from_secs(30)));
    until(|| scheduler.live() == 0);
}
