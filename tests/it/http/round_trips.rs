//! Responses are read back without loss: reading and writing again gives the same text, byte for byte. Readers ignore unknown
//! fields.

use std::fmt::Debug;
use std::sync::LazyLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tesuji_core::api::batch::{self, Item, Totals};
use tesuji_core::api::review::Document;
use tesuji_core::api::{Knowledge, OutcomePart, ProblemDetails, ScorePart, SearchResponse};
use tesuji_core::catalog::{Catalog, Setup};
use tesuji_core::position::Side;
use tesuji_core::search::{Below, Bound, Bounds, Child, Evaluation, Outlook, Report, StopReason};

use super::{SHARED, bad_requests, reviews};

/// The text of a response.
fn ask(method: &str, path: &str, accept: &str, body: impl Into<Body>) -> String {
    let request = Request::builder().method(method).uri(path).header("accept", accept);
    let response = SHARED.raw(request.body(body.into()).expect("it is a request"));
    String::from_utf8(response.into_body()).expect("responses are texts")
}

fn search(body: &Value) -> String {
    ask("POST", "/v1/searches", "application/json", body.to_string())
}

#[track_caller]
fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is JSON")
}

/// Reads a text and writes it again, unchanged and with fields that a later version may add.
#[track_caller]
fn check<T: DeserializeOwned + Serialize>(text: &str) {
    assert_eq!(write(&read::<T>(text)), text);
    let mut later: Value = read(text);
    extend(&mut later);
    assert_eq!(write(&read::<T>(&later.to_string())), text);
}

/// Adds a field to every object except those with open keys: a variant's parameters, an engine's options.
fn extend(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(extend),
        Value::Object(object) => {
            let known = object.iter_mut().filter(|(name, _)| !["variant", "options"].contains(&name.as_str()));
            known.for_each(|(_, value)| extend(value));
            object.insert("added_later".to_owned(), json!({"to": ["every", "object"]}));
        }
        _ => {}
    }
}

#[test]
fn searches_of_every_game_and_engine() {
    let catalog = Catalog::standard();
    for game in catalog.names() {
        let session = catalog.open(game, Setup::default()).expect("the game is on offer");
        for engine in session.engines() {
            for perspective in ["side_to_move", "first_player"] {
                let (budget, tree) = (json!({"nodes": 400, "time_ms": 5000}), json!({"depth": 2}));
                check::<SearchResponse>(&search(&json!({"game": game, "engine": engine, "budget": budget,
                    "perspective": perspective, "moves": [session.legal_moves()[0]], "report": {"tree": tree}})));
            }
        }
        let body = json!({"game": game, "budget": {"nodes": 2000}, "report": {"interval_ms": 10}});
        let messages = ask("POST", "/v1/searches", "application/x-ndjson", body.to_string());
        assert!(messages.lines().count() >= 2, "{messages}");
        messages.lines().for_each(check::<SearchResponse>);
    }
}

#[test]
fn finished_games() {
    for body in [
        json!({"game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1"]}),
        json!({"game": "reversi", "position": format!("{} X", "X".repeat(64))}),
    ] {
        let text = search(&body);
        let outcome = read::<SearchResponse>(&text).position.outcome.expect("the game is over");
        assert!(outcome.winner == Some(Side::First) && !outcome.reason.is_empty(), "{text}");
        check::<SearchResponse>(&text);
    }
    // Gomoku and Xiangqi name the broken rule.
    let offence = r#"{"winner":"second","reason":"overline","margin":null,"offence":{"side":"first","pieces":[{"piece":"stone","square":"h8"}]},"adjudicated":false}"#;
    check::<OutcomePart>(offence);
}

#[test]
fn reviews_and_their_messages() {
    let review = reviews::review(&json!({"game": "reversi", "moves": ["f5", "d6", "c3", "d3"], "engine": "mcts",
        "budget": {"simulations": 100}, "seed": 3}));
    for id in [review["id"].as_str().expect("reviews have ids"), &reviews::kept_review()] {
        let path = format!("/v1/reviews/{id}");
        check::<Document>(&ask("GET", &path, "application/json", Body::empty()));
        let events = ask("GET", &format!("{path}/events"), "text/event-stream", Body::empty());
        events.lines().filter_map(|line| line.strip_prefix("data: ")).for_each(check::<Document>);
    }
}

#[test]
fn batches_and_their_messages() {
    let body =
        json!({"defaults": {"game": "reversi", "budget": {"nodes": 100}}, "searches": [{}, {"moves": ["a1"]}, {}]});
    check::<batch::Document>(&ask("POST", "/v1/batches", "application/json", body.to_string()));
    let messages = ask("POST", "/v1/batches", "application/x-ndjson", body.to_string());
    let mut lines = messages.lines();
    check::<Totals>(lines.next_back().expect("there is a last line"));
    assert_eq!(lines.map(check::<Item>).count(), 3);
}

#[test]
fn problems() {
    check::<ProblemDetails>(&ask("GET", "/nowhere", "application/json", Body::empty()));
    for case in bad_requests::cases() {
        check::<ProblemDetails>(&ask("POST", "/v1/searches", "application/json", case.body));
    }
}

static RESPONSE: LazyLock<SearchResponse> =
    LazyLock::new(|| read(&search(&json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 50}}))));

fn float() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("JSON has finite numbers only", |float| float.is_finite())
}

fn maybe<S: Strategy>(value: S) -> impl Strategy<Value = Option<S::Value>>
where
    S::Value: Clone + Debug,
{
    prop::option::of(value)
}

fn knowledge() -> impl Strategy<Value = Knowledge> {
    let chances = (maybe(float()), maybe(float()), maybe(float()), maybe(float()), maybe(float()));
    (chances, maybe((float(), ".*")), maybe(any::<u32>())).prop_map(
        |((value, win, draw, loss, stderr), score, distance)| Knowledge {
            value,
            win,
            draw,
            loss,
            stderr,
            score: score.map(|(value, unit)| ScorePart { value, unit: unit.into() }),
            bound: value.map(|_| Bound::Lower),
            proven: None,
            distance,
        },
    )
}

fn evaluation() -> impl Strategy<Value = Evaluation> {
    let outlook = (float(), float(), float()).prop_map(|(win, draw, loss)| Outlook { win, draw, loss });
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let bounds = any::<(i16, i16)>().prop_map(|(lo, hi)| Bounds { lo, hi });
    (maybe(outlook), maybe(float()), maybe(float()), bound, bounds, maybe(any::<u32>())).prop_map(
        |(outlook, score, stderr, bound, bounds, distance)| Evaluation {
            outlook,
            score,
            stderr,
            bound,
            bounds,
            distance,
        },
    )
}

fn child() -> impl Strategy<Value = Child<String>> {
    let parts =
        (".*", maybe(any::<u64>()), maybe(float()), evaluation(), any::<u32>(), prop::collection::vec(".*", 0..3));
    let leaf = parts.prop_map(|(mv, visits, prior, evaluation, depth, pv)| Child {
        mv,
        visits,
        nodes: visits,
        prior,
        evaluation,
        depth,
        pv,
        below: None,
    });
    leaf.prop_recursive(2, 8, 3, |child| {
        (child.clone(), prop::collection::vec(child, 0..3))
            .prop_map(|(above, children)| Child { below: Some(Below { mover: Side::Second, children }), ..above })
    })
}

const STOPS: [StopReason; 13] = [
    StopReason::Time,
    StopReason::Cpu,
    StopReason::Simulations,
    StopReason::Nodes,
    StopReason::Depth,
    StopReason::Memory,
    StopReason::Proven,
    StopReason::SingleMove,
    StopReason::Settled,
    StopReason::Terminal,
    StopReason::Deadline,
    StopReason::Cancelled,
    StopReason::Shutdown,
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_keep_every_bit(root in knowledge(), best in knowledge(), times in (float(), float())) {
        let mut response = RESPONSE.clone();
        response.root.knowledge = root;
        response.children[0].knowledge = best;
        (response.timing.queued_ms, response.budget.used.memory_mb) = times;
        let text = write(&response);
        let again: SearchResponse = read(&text);
        prop_assert_eq!(again.timing.queued_ms.to_bits(), times.0.to_bits());
        prop_assert_eq!(write(&again), text);
    }

    #[test]
    fn reports_of_searches(
        (root, children) in (evaluation(), prop::collection::vec(child(), 0..4)),
        (visits, nodes, bytes, reused) in any::<(Option<u64>, u64, u64, u64)>(),
        (depth, cpu, stop) in (any::<u32>(), any::<Duration>(), prop::sample::select(&STOPS[..])),
    ) {
        let report = Report { root, children, visits, nodes, depth, bytes, cpu, reused, stop, choice: None };
        let text = write(&report);
        prop_assert_eq!(read::<Report<String>>(&text), report);
    }
}
