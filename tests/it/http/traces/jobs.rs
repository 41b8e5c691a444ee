//! Work that outlives its request: it stays in the request's trace, or has a link to it.

use super::collector::{Collector, Span};
use super::{CALLER, TRACE, ask_in_trace, end, start, traceresponse};
use crate::http::RUNTIME;
use crate::http::wire::until;
use crate::program::Serving;

/// Waits until the job at this path has ended.
fn wait(program: &Serving, path: &str) {
    RUNTIME.block_on(until(program.address, path, |read| read.json()["final"] == true));
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

#[test]
fn asynchronous_searches_and_reviews_stay_in_the_trace() {
    let collector = Collector::start();
    let program = start(&["--otlp-endpoint", &collector.endpoint()], &[]);
    let body = r#"{"game":"gomoku","engine":"mcts","budget":{"time_ms":400}}"#;
    let read = ask_in_trace(&program, "/v1/searches", &[("Prefer", "respond-async")], body);
    assert_eq!(read.status, 202);
    let (searching, _) = traceresponse(&read, TRACE);
    let search = read.json()["id"].as_str().expect("it has an id").to_owned();
    wait(&program, &format!("/v1/searches/{search}"));
    let body = r#"{"game":"tic-tac-toe","moves":"b2 a1","engine":"mcts","budget":{"simulations":200},"seed":1}"#;
    let read = ask_in_trace(&program, "/v1/reviews", &[], body);
    assert_eq!(read.status, 202);
    let (reviewing, _) = traceresponse(&read, TRACE);
    let review = read.json()["id"].as_str().expect("it has an id").to_owned();
    wait(&program, &format!("/v1/reviews/{review}"));
    let body =
        r#"{"defaults":{"game":"hex","engine":"mcts","budget":{"simulations":50}},"searches":[{},{"moves":"a2"}]}"#;
    let read = ask_in_trace(&program, "/v1/batches", &[], body);
    assert_eq!(read.status, 200);
    let (batching, _) = traceresponse(&read, TRACE);
    end(program);
    let mut spans = collector.spans();
    spans.retain(|span| span.trace == TRACE);

    // The request was answered long before its search had ended.
    let request = spans.iter().find(|span| span.id == searching).expect("it is exported");
    assert_eq!((&*request.name, &*request.parent), ("POST /v1/searches", CALLER));
    let found = named(&spans, "search").into_iter().find(|span| span.parent == searching).expect("it is a child");
    assert_eq!(found.attribute("tesuji.search.id"), search);
    assert!(found.end > request.end && found.end - found.begin >= 400_000_000, "{request:#?} {found:#?}");

    // A review and a batch have a span around their searches.
    for (name, parent, id, searches) in [("review", reviewing, Some(review), 3), ("batch", batching, None, 2)] {
        let [job] = named(&spans, name)[..] else { panic!("not one {name}: {spans:#?}") };
        assert_eq!(job.parent, parent);
        assert!(!job.attribute("tesuji.job.id").is_empty() && id.is_none_or(|id| id == job.attribute("tesuji.job.id")));
        let children = named(&spans, "search").into_iter().filter(|span| span.parent == job.id);
        let children: Vec<&Span> = children.collect();
        assert_eq!(children.len(), searches, "{name}: {spans:#?}");
        assert!(children.iter().all(|span| job.begin <= span.begin && span.end <= job.end), "{name}: {spans:#?}");
    }
}

#[test]
fn a_search_that_is_made_again_after_a_crash_has_a_link_to_its_request() {
    let collector = Collector::start();
    let folder = tempfile::tempdir().expect("folders can be made");
    let arguments = ["--otlp-endpoint", &collector.endpoint(), "--data-dir", folder.path().to_str().expect("UTF-8")];
    let program = start(&arguments, &[]);
    let body = r#"{"game":"gomoku","engine":"mcts","budget":{"time_ms":1000}}"#;
    let read = ask_in_trace(&program, "/v1/searches", &[("Prefer", "respond-async")], body);
    assert_eq!(read.status, 202, "{read:?}");
    let (span, _) = traceresponse(&read, TRACE);
    let id = read.json()["id"].as_str().expect("it has an id").to_owned();
    // It is killed.
    drop(program);
    let program = start(&arguments, &[]);
    wait(&program, &format!("/v1/searches/{id}"));
    end(program);
    let spans = collector.spans();
    let [resumed] = named(&spans, "search resumed")[..] else { panic!("not one: {spans:#?}") };
    assert_eq!(resumed.links, [(TRACE.to_owned(), span)]);
    assert!(resumed.parent.is_empty() && resumed.trace != TRACE);
    assert_eq!(resumed.attribute("tesuji.job.id"), id);
    let children = named(&spans, "search").into_iter().filter(|span| span.parent == resumed.id);
    assert_eq!(children.count(), 1, "{spans:#?}");
}
