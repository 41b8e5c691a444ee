//! Progress in streams: server-sent events and lines of JSON, one schema, exactly one final message.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::contract::check;
use super::{Answer, RUNTIME, SHARED, Server, results};

/// Asks for a stream.
fn ask(server: &Server, accept: &str, body: &Value) -> Answer {
    server.ask("POST", "/v1/searches", &[("accept", accept)], body.to_string())
}

/// The messages of an answer, each checked against the contract, and all against the guarantees of a stream.
#[track_caller]
pub fn messages(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("content-encoding"), None);
    let text = answer.body.as_str().expect("a stream is text");
    let messages: Vec<Value> = match answer.header("content-type") {
        Some("text/event-stream") => text.split_terminator("\n\n").filter_map(event).collect(),
        _ => text.lines().map(|line| serde_json::from_str(line).expect("lines are JSON")).collect(),
    };
    for (index, message) in messages.iter().enumerate() {
        check("/components/schemas/SearchResponse", message);
        assert_eq!(message["id"], messages[0]["id"]);
        assert_eq!(message["final"], index + 1 == messages.len(), "one message is final, the last: {message:#}");
    }
    assert!(messages.is_sorted_by_key(|message| message["seq"].as_u64()), "{messages:#?}");
    messages
}

/// The message of a server-sent event; comments have none.
#[track_caller]
fn event(text: &str) -> Option<Value> {
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let message: Value = serde_json::from_str(field("data")?).expect("events carry JSON");
    assert_eq!(field("id"), Some(message["seq"].to_string().as_str()));
    Some(message)
}

#[test]
fn progress_comes_and_one_result_ends_it() {
    let order = json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 60_000}, "report": {"interval_ms": 10}, "seed": 5});
    let quiet = super::search(&order);
    for accept in ["text/event-stream", "application/x-ndjson"] {
        let messages = messages(&ask(&SHARED, accept, &order));
        assert_eq!((&messages[0]["status"], &messages[0]["move"]), (&json!("queued"), &Value::Null));
        let (last, before) = messages.split_last().expect("there is a final one");
        let running: Vec<_> = before.iter().filter(|message| message["status"] == "running").collect();
        assert!(!running.is_empty(), "progress was reported");
        for message in &running {
            assert!(message["move"].is_string() && message["stop_reason"].is_null(), "{message:#}");
        }
        let visits: Vec<_> = running.iter().map(|message| message["root"]["visits"].as_u64()).collect();
        assert!(visits.is_sorted(), "{visits:?}");
        results::check(last);
        assert_eq!((&last["status"], &last["stop_reason"]), (&json!("done"), &json!("simulations")));
        assert_eq!(last["children"], quiet["children"], "who listens changes nothing");
    }
}

#[test]
fn alpha_beta_reports_them_too() {
    // Depth 9 takes about as long as the interval.
    let order = json!({"game": "reversi", "engine": "negamax", "budget": {"depth": 14}, "report": {"interval_ms": 10, "max_children": 2, "pv_length": 3}});
    let messages = messages(&ask(&SHARED, "text/event-stream", &order));
    assert!(messages.iter().any(|message| message["status"] == "running"));
    for message in &messages {
        let children = message["children"].as_array().expect("a list");
        assert!(
            children.len() <= 2 && children.iter().all(|child| child["pv"].as_array().is_some_and(|pv| pv.len() <= 3))
        );
    }
}

#[test]
fn a_finished_game_is_one_message() {
    let order = json!({"game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1"]});
    for accept in ["text/event-stream", "application/x-ndjson"] {
        let messages = messages(&ask(&SHARED, accept, &order));
        assert_eq!((messages.len(), &messages[0]["stop_reason"]), (1, &json!("terminal")));
    }
}

#[test]
fn what_is_refused_is_a_problem_and_no_stream() {
    for (body, status) in [
        (json!({"game": "chess"}), 422),
        (json!({"game": "reversi", "report": {"interval_ms": 9}}), 422),
        (json!({"game": "reversi", "report": {"interval_ms": 60_001}}), 422),
    ] {
        let answer = ask(&SHARED, "text/event-stream", &body);
        assert_eq!((answer.status, answer.header("content-type")), (status, Some("application/problem+json")));
    }
}

#[test]
fn a_reader_that_hangs_up_stops_its_search() {
    // One place: the next search is only admitted when the first has ended.
    let server = Server::new(1, 1);
    RUNTIME.block_on(async {
        let long = r#"{"game":"reversi","budget":{"time_ms":60000},"report":{"interval_ms":10}}"#;
        let request = Request::post("/v1/searches").header("accept", "text/event-stream").body(Body::from(long));
        let Server(router) = server.clone();
        let mut answer = router.oneshot(request.expect("it is a request")).await.expect("the router answers");
        for _ in 0..3 {
            let frame = answer.body_mut().frame().await.expect("it goes on").expect("it does not fail");
            assert!(frame.into_data().is_ok_and(|data| data.starts_with(b"id: ")));
        }
        drop(answer);
        super::failures::until_ready_is(&server, 200).await;
    });
}
