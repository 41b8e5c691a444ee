//! Admission and shared cores: places are bounded and returned, short searches need not wait for long ones.

mod memory;
mod observer;
mod waiting;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use tesuji::scheduler::{Class, Failure, Limits, Scheduler, Submission, SubmitError};
use tesuji_core::catalog::{AnySearch, BudgetRequest, Catalog, Policy, SearchSpec, Setup};
use tesuji_core::search::{Control, Signals, StopReason};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the system gives threads"));

fn search_of(game: &str, engine: &str, budget: BudgetRequest) -> Arc<dyn AnySearch> {
    let session = Catalog::standard().open(game, Setup::default()).expect("the game is on offer");
    let engine = engine.into();
    let spec = SearchSpec { engine: Some(&engine), budget, ..SearchSpec::default() };
    session.search(&spec, &Policy::default()).expect("the order is valid")
}

fn search(time_ms: u64) -> Arc<dyn AnySearch> {
    search_of("connect-four", "mcts", BudgetRequest { time_ms: Some(time_ms), ..BudgetRequest::default() })
}

fn small(engine: &str) -> Arc<dyn AnySearch> {
    search_of("reversi", engine, BudgetRequest { nodes: Some(200), ..BudgetRequest::default() })
}

fn scheduler(cores: usize, live: usize) -> Scheduler {
    Scheduler::new(Limits::of(cores, live)).expect("threads can be had")
}

/// Waits until something holds; half a minute is long enough on any machine.
#[track_caller]
fn until(holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(30), "it did not come to hold");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_abandoned_search_releases_its_place_before_it_runs() {
    let scheduler = scheduler(1, 2);
    let running = scheduler.submit(search(10_000)).expect("there is room");
    until(|| running.has_begun());
    let waiting = scheduler.submit(search(10)).expect("there is room");
    assert_eq!(scheduler.submit(search(10)).map(drop), Err(SubmitError::Full(2)));
    drop(waiting);
    drop(running);
    // The core is free again at once, and the abandoned search does not hold it.
    until(|| scheduler.live() == 0);
    let finished = scheduler.submit(search(10)).expect("there is room").wait().expect("the search ends");
    assert!(finished.report.visits > Some(0));
}

#[test]
fn short_searches_end_while_long_ones_run() {
    for engine in ["mcts", "negamax"] {
        let scheduler = scheduler(1, 64);
        let time_ms = Some(60_000);
        let long = || search_of("reversi", engine, BudgetRequest { time_ms, ..BudgetRequest::default() });
        let long: Vec<_> = (0..4).map(|_| scheduler.submit(long()).expect("there is room")).collect();
        until(|| long.iter().all(|ticket| ticket.has_begun()));
        for _ in 0..5 {
            // Many times the work between two checkpoints, on the one core that the long ones want.
            let short = scheduler.submit(small(engine)).expect("there is room").wait().expect("it ends");
            assert_eq!(short.report.stop, StopReason::Nodes);
        }
        assert_eq!(scheduler.live(), 4, "the long ones still run");
        // When cancelled, each returns what it has found, including those waiting for their turn.
        long.iter().for_each(|ticket| ticket.cancel());
        for ticket in long {
            let finished = ticket.wait().expect("there is a result");
            assert_eq!(finished.report.stop, StopReason::Cancelled);
            assert!(finished.report.nodes > 0);
        }
        until(|| scheduler.live() == 0 && scheduler.memory() == 0 && scheduler.idle() == 1);
    }
}

/// It would be answered before another thread had begun with it.
#[test]
fn a_brief_search_is_done_on_the_spot_where_a_core_is_free() {
    let scheduler = scheduler(1, 64);
    let brief = || {
        let budget = BudgetRequest { simulations: Some(8), ..BudgetRequest::default() };
        scheduler.submit(search_of("gomoku", "mcts", budget)).expect("there is room")
    };
    let ticket = brief();
    assert!(ticket.has_begun());
    assert_eq!((scheduler.live(), scheduler.memory(), scheduler.idle()), (0, 0, 1), "it has left");
    assert_eq!(ticket.wait().expect("it ended").report.visits, Some(8));
    // If none is free it waits for its turn like all others.
    let long = scheduler.submit(search(60_000)).expect("there is room");
    until(|| long.has_begun());
    assert_eq!(brief().wait().expect("it ends").report.visits, Some(8));
    assert_eq!(scheduler.live(), 1, "the long one still runs");
}

#[test]
fn batch_searches_wait_for_interactive_ones_but_end() {
    let scheduler = scheduler(1, 64);
    let long = scheduler.submit(search(60_000)).expect("there is room");
    until(|| long.has_begun());
    let batch = Submission { class: Class::Batch, ..Submission::new(small("mcts")) };
    let batch = scheduler.submit(batch).expect("there is room");
    assert_eq!(batch.wait().expect("it ends").report.stop, StopReason::Nodes);
}

/// More would have to be cleared, and would be unavailable to others.
#[test]
fn a_search_is_granted_what_it_can_fill() {
    let none = BudgetRequest::default();
    let granted = |engine, budget| search_of("reversi", engine, budget).plan().budget.memory_mb;
    assert_eq!(granted("negamax", BudgetRequest { nodes: Some(1000), ..none }), Some(1));
    assert_eq!(granted("negamax", BudgetRequest { nodes: Some(100_000), ..none }), Some(7));
    assert_eq!(
        granted("negamax", BudgetRequest { depth: Some(3), ..none }),
        Some(64),
        "nothing tells how much that is"
    );
    assert_eq!(granted("negamax", BudgetRequest { time_ms: Some(20), ..none }), Some(5));
    assert_eq!(granted("mcts", BudgetRequest { simulations: Some(100), ..none }), Some(2));
    assert_eq!(granted("mcts", BudgetRequest { nodes: Some(1_000_000_000), ..none }), Some(1024));
    assert_eq!(granted("mcts", BudgetRequest { nodes: Some(1000), memory_mb: Some(9), ..none }), Some(9));
}

#[test]
fn memory_is_bounded_and_those_that_wait_for_it_get_it() {
    let limits = Limits { memory: 100 << 20, ..Limits::of(2, 64) };
    let scheduler = Scheduler::new(limits).expect("threads can be had");
    let large = |time_ms| {
        let budget = BudgetRequest { time_ms: Some(time_ms), memory_mb: Some(80), ..BudgetRequest::default() };
        search_of("connect-four", "mcts", budget)
    };
    let first = scheduler.submit(large(60_000)).expect("there is room");
    let second = scheduler.submit(large(1)).expect("there is room");
    until(|| first.has_begun());
    assert_eq!(scheduler.memory(), 80 << 20);
    assert!(!second.has_begun());
    first.cancel();
    assert!(first.wait().expect("there is a result").report.visits > Some(0));
    assert!(second.wait().expect("it had its turn").report.visits > Some(0));
    // Larger than all there is: it has the machine for itself.
    let budget = BudgetRequest { time_ms: Some(1), memory_mb: Some(200), ..BudgetRequest::default() };
    let alone = scheduler.submit(search_of("connect-four", "mcts", budget)).expect("there is room");
    assert!(alone.wait().expect("it ends").report.visits > Some(0));
    until(|| scheduler.memory() == 0);
}

#[test]
fn a_search_cancelled_in_the_line_is_answered_at_once() {
    let limits = Limits { workers: 1, ..Limits::of(1, 64) };
    let scheduler = Scheduler::new(limits).expect("threads can be had");
    let running = scheduler.submit(search(60_000)).expect("there is room");
    let waiting = scheduler.submit(search(10)).expect("there is room");
    waiting.cancel();
    assert_eq!(waiting.wait().map(drop), Err(Failure::NeverRan));
    assert_eq!(scheduler.live(), 1);
    drop(running);
}

#[test]
fn at_the_end_everybody_gets_an_answer() {
    let limits = Limits { workers: 3, ..Limits::of(1, 64) };
    let scheduler = Scheduler::new(limits).expect("threads can be had");
    let all: Vec<_> = (0..6).map(|_| scheduler.submit(search(60_000)).expect("there is room")).collect();
    until(|| all[..3].iter().all(|ticket| ticket.has_begun()));
    scheduler.shut_down();
    assert_eq!(scheduler.submit(search(10)).map(drop), Err(SubmitError::Closed));
    for (index, ticket) in all.into_iter().enumerate() {
        match ticket.wait() {
            Ok(finished) => assert_eq!((index < 3, finished.report.stop), (true, StopReason::Shutdown)),
            Err(failure) => assert_eq!((index >= 3, failure), (true, Failure::ShutDown)),
        }
    }
}

/// The time of a search that ponders counts from the call on, and not from its beginning.
#[test]
fn pondering_takes_no_time_of_the_budget() {
    let signals = Signals::pondering();
    let budget = Duration::from_millis(5);
    let control = Control::<()>::new(&signals, Some(budget), Duration::from_secs(3600));
    std::thread::sleep(2 * budget);
    assert_eq!((control.stop(), control.elapsed(), control.has_spent_part(2)), (None, Duration::ZERO, false));
    signals.ponderhit();
    std::thread::sleep(2 * budget);
    assert_eq!((control.stop(), control.has_spent_part(2)), (Some(StopReason::Time), true));
    // Neither does it wait for a call to be stopped.
    let signals = Signals::pondering();
    let control = Control::<()>::new(&signals, Some(budget), Duration::from_secs(3600));
    signals.cancel();
    assert_eq!(control.stop(), Some(StopReason::Cancelled));
}
