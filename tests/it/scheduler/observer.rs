//! An observer hears of each part of its job's life, once and in order, before the job's answer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tesuji::scheduler::{Ended, Failure, Limits, Observer, Scheduler, Submission, SubmitError};
use tesuji_core::catalog::{AnySearch, Plan, Reusable, WorkerContext};
use tesuji_core::search::Report;

use super::{search, small, until};

/// Notes what it hears.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn add(&self, event: impl Into<String>) {
        self.0.lock().expect("nobody panics with it").push(event.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("nobody panics with it"))
    }
}

impl Observer for Notes {
    fn refused(&self, reason: SubmitError) {
        self.add(format!("refused: {reason:?}"));
    }

    fn admitted(&self) {
        self.add("admitted");
    }

    fn started(&self, _: Duration) {
        self.add("started");
    }

    fn slice_ended(&self, _: Duration) {
        self.add("had a core");
    }

    fn merged(&self, _: Duration) {
        self.add("merged");
    }

    fn ended(&self, ended: &Ended<'_>) {
        self.add(match ended.result {
            Ok(report) => format!("ended: {}, {} nodes", report.stop.name(), report.nodes),
            Err(failure) => format!("ended: {failure:?}"),
        });
    }
}

fn observed(search: Arc<dyn AnySearch>) -> (Arc<Notes>, Submission) {
    let notes = Arc::<Notes>::default();
    let observer = Some(Arc::clone(&notes) as Arc<dyn Observer>);
    (notes, Submission { observer, ..Submission::new(search) })
}

/// A search that panics, at once or when its results are merged.
struct Panics {
    plan: Plan,
    late: bool,
}

impl AnySearch for Panics {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn run(&self, _: u32, _: WorkerContext<'_>) {
        assert!(self.late, "early");
    }

    fn finish(&self) -> Option<Report<String>> {
        panic!("late");
    }

    fn take_reusable(&self) -> Option<Reusable> {
        None
    }
}

#[test]
fn a_job_is_observed_from_its_admission_to_its_end() {
    let scheduler = super::scheduler(1, 2);
    let (notes, submission) = observed(small("negamax"));
    let finished = scheduler.submit(submission).expect("there is room").wait().expect("it ends");
    let ended = format!("ended: nodes, {} nodes", finished.report.nodes);
    assert_eq!(notes.take(), ["admitted", "started", "had a core", "merged", &ended]);
}

#[test]
fn workers_that_share_a_core_are_observed_slice_by_slice() {
    let scheduler = super::scheduler(1, 4);
    let (notes, submission) = observed(search(60_000));
    let first = scheduler.submit(submission).expect("there is room");
    let second = scheduler.submit(search(60_000)).expect("there is room");
    let slices = |notes: &Notes| {
        let events = notes.0.lock().expect("nobody panics with it");
        events.iter().filter(|event| *event == "had a core").count()
    };
    until(|| slices(&notes) >= 3);
    drop(second);
    first.cancel();
    first.wait().expect("there is a result");
    let events = notes.take();
    assert_eq!(events.iter().filter(|event| *event == "started").count(), 1, "{events:?}");
    assert!(events.last().is_some_and(|last| last.starts_with("ended: cancelled")), "{events:?}");
}

#[test]
fn panics_are_ends() {
    let scheduler = super::scheduler(1, 2);
    for (late, message) in [(false, "early"), (true, "late")] {
        let (notes, submission) = observed(Arc::new(Panics { plan: small("negamax").plan().clone(), late }));
        let failure = scheduler.submit(submission).expect("there is room").wait().map(drop);
        assert_eq!(failure, Err(Failure::Panicked(message.to_owned())));
        let ended = format!("ended: Panicked({message:?})");
        assert_eq!(notes.take(), ["admitted", "started", "had a core", &ended]);
    }
}

#[test]
fn a_job_that_never_begins_has_no_start() {
    let scheduler = Scheduler::new(Limits { workers: 1, ..Limits::of(1, 2) }).expect("threads can be had");
    let running = scheduler.submit(search(60_000)).expect("there is room");
    until(|| running.has_begun());
    let (notes, submission) = observed(search(10));
    let waiting = scheduler.submit(submission).expect("there is room");
    let (refused, submission) = observed(search(10));
    assert!(scheduler.submit(submission).is_err());
    assert_eq!(refused.take(), ["refused: Full(2)"]);
    drop(waiting);
    assert_eq!(notes.take(), ["admitted", "ended: NeverRan"]);
    let (notes, submission) = observed(search(10));
    let waiting = scheduler.submit(submission).expect("there is room");
    scheduler.shut_down();
    assert_eq!(waiting.wait().map(drop), Err(Failure::ShutDown));
    assert_eq!(notes.take(), ["admitted", "ended: ShutDown"]);
    let (refused, submission) = observed(search(10));
    assert!(scheduler.submit(submission).is_err());
    assert_eq!(refused.take(), ["refused: Closed"]);
    running.wait().expect("it ends with what it has found");
}
