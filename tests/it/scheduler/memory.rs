//! Memory and threads as scarce resources: small searches pass large ones, and neither starves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tesuji::scheduler::{Limits, Scheduler, Ticket};
use tesuji_core::catalog::{AnySearch, BudgetRequest, Catalog, Policy, SearchSpec, Setup};

use super::{search, search_of, until};

fn scheduler(memory_mb: u64) -> Scheduler {
    Scheduler::new(Limits { memory: memory_mb << 20, ..Limits::of(1, 256) }).expect("threads can be had")
}

fn sized(time_ms: u64, memory_mb: u64) -> Arc<dyn AnySearch> {
    let budget = BudgetRequest { time_ms: Some(time_ms), memory_mb: Some(memory_mb), ..BudgetRequest::default() };
    search_of("connect-four", "mcts", budget)
}

fn submit(scheduler: &Scheduler, search: Arc<dyn AnySearch>) -> Ticket {
    scheduler.submit(search).expect("there is room")
}

/// Waits for a search, at most a tenth of the time of the searches that hold the memory.
#[track_caller]
fn ends_soon(ticket: Ticket) {
    let finished = ticket.wait().expect("it ends");
    assert!(finished.queued < Duration::from_secs(6), "{:?}", finished.queued);
}

#[test]
fn small_searches_pass_those_that_wait_for_memory() {
    let scheduler = scheduler(1000);
    let large: Vec<_> = (0..20).map(|_| submit(&scheduler, sized(60_000, 300))).collect();
    until(|| scheduler.running() == 2);
    // More than eight, and of several sizes: the rest of the side lane is always enough for one that is small in comparison.
    for memory_mb in [1, 60, 1, 30, 10, 60, 5, 1, 1, 62, 1, 1] {
        ends_soon(submit(&scheduler, sized(2, memory_mb)));
    }
    let several: Vec<_> = (0..12).map(|_| submit(&scheduler, sized(20, 4))).collect();
    several.into_iter().for_each(ends_soon);
    assert_eq!(scheduler.live(), 20, "the large ones run and wait as before");
    drop(large);
    until(|| scheduler.memory() == 0);
}

#[test]
fn searches_of_one_thread_pass_those_that_wait_for_many() {
    let scheduler = Scheduler::new(Limits { workers: 64, ..Limits::of(1, 256) }).expect("threads can be had");
    let wide = || {
        let session = Catalog::standard().open("hex", Setup::default()).expect("the game is on offer");
        let budget =
            BudgetRequest { simulations: Some(1_000_000_000), memory_mb: Some(64), ..BudgetRequest::default() };
        let spec = SearchSpec { engine: None, budget, threads: Some(40), ..SearchSpec::default() };
        session.search(&spec, &Policy::default()).expect("the order is valid")
    };
    let wide: Vec<_> = (0..3).map(|_| submit(&scheduler, wide())).collect();
    until(|| scheduler.running() == 1);
    for _ in 0..30 {
        ends_soon(submit(&scheduler, search(1)));
    }
    assert_eq!(scheduler.live(), 3);
    drop(wide);
}

/// A search of every size begins although small ones come without end: they never all wait, and never all end.
#[test]
fn large_searches_begin_in_an_endless_stream_of_small_ones() {
    // In the side lane, in the main part, and more than there is.
    for (stream_mb, large_mb) in [(1, 80), (20, 80), (20, 95), (3, 200), (50, 88)] {
        let scheduler = scheduler(100);
        let next = || submit(&scheduler, sized(3, stream_mb));
        let mut stream: Vec<_> = (0..12).map(|_| next()).collect();
        let large = submit(&scheduler, sized(1, large_mb));
        let begin = Instant::now();
        while !large.has_begun() {
            assert!(begin.elapsed() < Duration::from_secs(30), "{large_mb} MiB waits behind searches of {stream_mb}");
            // The stream continues: as one ends, another comes.
            drop(stream.remove(0).wait().expect("it ends"));
            stream.push(next());
        }
        large.wait().expect("it ends");
        drop(stream);
        until(|| scheduler.memory() == 0);
    }
}

#[test]
fn memory_is_never_granted_twice() {
    let scheduler = scheduler(100);
    let sizes = [80, 40, 95, 7, 3, 50, 1, 30, 6, 6, 20, 2, 60, 5];
    let all: Vec<_> = sizes.iter().cycle().take(56).map(|&size| submit(&scheduler, sized(4, size))).collect();
    let mut most = 0;
    for ticket in all {
        most = most.max(scheduler.memory());
        ticket.wait().expect("each has its turn");
    }
    assert!((50 << 20..=100 << 20).contains(&most), "{most}");
    until(|| scheduler.memory() == 0);
}

/// As many as come at once find room, and the next one too.
#[test]
fn default_grants_follow_the_load() {
    let scheduler = scheduler(1000);
    let session = Catalog::standard().open("connect-four", Setup::default()).expect("the game is on offer");
    let mut held = Vec::new();
    let mut sizes = Vec::new();
    let engine = "mcts".into();
    for _ in 0..25 {
        let policy = Policy::default().under_load(scheduler.idle(), scheduler.default_memory());
        let budget = BudgetRequest { time_ms: Some(60_000), ..BudgetRequest::default() };
        let spec = SearchSpec { engine: Some(&engine), budget, ..SearchSpec::default() };
        let search = session.search(&spec, &policy).expect("the order is valid");
        sizes.push(search.plan().budget.memory_mb.expect("it is granted"));
        held.push(submit(&scheduler, search));
    }
    assert_eq!(&sizes[..2], &[125, 109], "an eighth of what is left");
    assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes[24] >= 4, "{sizes:?}");
    until(|| scheduler.running() == 25);
    // With a budget of nodes, equal seeds must give equal results under any load.
    let policy = Policy::default().under_load(1, 8 << 20);
    let budget = BudgetRequest { nodes: Some(1_000_000), ..BudgetRequest::default() };
    let counted = session.search(&SearchSpec { engine: Some(&engine), budget, ..SearchSpec::default() }, &policy);
    assert_eq!(counted.expect("the order is valid").plan().budget.memory_mb, Some(1024));
}
