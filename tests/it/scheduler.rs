//! Admission: places are bounded, and come back when a search ends or nobody waits for it any more.

use std::sync::Arc;

use tesuji::catalog::{AnySearch, BudgetRequest, Catalog, Order, Policy, Setup};
use tesuji::scheduler::{Full, Scheduler};

fn search(time_ms: u64) -> Arc<dyn AnySearch> {
    let session = Catalog::standard().open("connect-four", Setup::default()).expect("the game is on offer");
    let budget = BudgetRequest { time_ms: Some(time_ms), ..BudgetRequest::default() };
    let engine = "mcts".into();
    session
        .search(&Order { engine: Some(&engine), budget, ..Order::default() }, &Policy::default())
        .expect("the order is valid")
}

#[test]
fn a_search_that_nobody_waits_for_gives_its_place_back_before_it_runs() {
    let scheduler = Scheduler::new(1, 2).expect("a thread can be had");
    let running = scheduler.submit(search(10_000)).expect("there is room");
    let waiting = scheduler.submit(search(10)).expect("there is room");
    assert_eq!(scheduler.submit(search(10)).map(drop), Err(Full(2)));
    drop(waiting);
    assert!(scheduler.has_room());
    drop(running);
    // The thread is free again at once, and the abandoned search does not hold it.
    let finished = scheduler.submit(search(10)).expect("there is room").wait().expect("the search ends");
    assert!(finished.report.visits > Some(0));
}
