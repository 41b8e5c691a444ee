//! Reviews: a whole game reviewed move by move, followed, cancelled, refused.

use serde_json::{Value, json};
use tesuji::settings::Settings;

use super::contract::check;
use super::wire::{Live, Wire, ask};
use super::{Answer, RUNTIME, SHARED, Server};

const SCHEMA: &str = "/components/schemas/Review";

fn post(server: &Server, body: &Value) -> Answer {
    server.ask("POST", "/v1/reviews", &[], body.to_string())
}

/// Begins a review and returns its address.
#[track_caller]
fn begin(server: &Server, body: &Value) -> String {
    let answer = post(server, body);
    assert_eq!(answer.status, 202, "{:#}", answer.body);
    let location = answer.header("location").expect("it says where").to_owned();
    assert_eq!(location, format!("/v1/reviews/{}", answer.body["id"].as_str().expect("a text")));
    location
}

/// Has a game reviewed by the shared service, to the end.
pub fn review(body: &Value) -> Value {
    let path = begin(&SHARED, body);
    let found = SHARED.ask("GET", &path, &[("prefer", "wait=60")], "").ok();
    assert_eq!((&found["status"], &found["final"]), (&json!("done"), &json!(true)), "{found:#}");
    let plies = &found["plies"];
    assert_eq!(plies["total"], plies["reviewed"]);
    assert_eq!(found["moves"].as_array().map(Vec::len), plies["total"].as_u64().map(|total| total as usize));
    found
}

/// The id of a review that the shared service has.
pub fn kept_review() -> String {
    let path = begin(&SHARED, &json!({"game": "tic-tac-toe", "moves": ["b2"], "budget": {"simulations": 10}}));
    path.rsplit('/').next().expect("it ends with the id").to_owned()
}

fn column<'a>(found: &'a Value, field: &str) -> Vec<&'a Value> {
    found["moves"].as_array().expect("moves are a list").iter().map(|mv| &mv[field]).collect()
}

/// What a search finds for one first move, it knows for all its images under mirrors and turns of the board.
#[test]
fn images_of_the_best_move_give_nothing_away() {
    let lost = |game: &str, moves: &[&str]| {
        // Tic-tac-toe has values only where it is solved.
        let nodes = if game == "tic-tac-toe" { 100_000 } else { 300 };
        let found = review(&json!({"game": game, "moves": moves, "budget": {"nodes": nodes}, "engine": "negamax"}));
        let last = found["moves"].as_array().and_then(|moves| moves.last()).expect("there is a move").clone();
        (last["loss"].clone(), last["class"].clone())
    };
    let none = (json!(0.0), json!("best"));
    for mv in ["c4", "d3", "e6", "f5"] {
        assert_eq!(lost("reversi", &[mv]), none, "{mv}");
    }
    for (game, position, images) in [
        ("gomoku", &["h8"][..], &["g8", "h7", "h9", "i8", "g7", "g9", "i7", "i9"][..]),
        ("tic-tac-toe", &["b2"], &["a1", "a3", "c1", "c3"]),
        ("xiangqi", &[], &["h2e2", "b2e2"]),
    ] {
        let of = |mv: &&str| lost(game, &[position, &[mv]].concat());
        // Moves of one class lose the same, be it the best class or not.
        let losses: Vec<_> = images.iter().map(of).collect();
        let best = losses.iter().filter(|loss| **loss == none).count();
        assert!([0, 4, images.len()].contains(&best), "{game}: {losses:?}");
        for class in losses.chunks(4) {
            assert!(class.iter().all(|loss| *loss == class[0]), "{game}: {losses:?}");
        }
    }
    assert_eq!(lost("tic-tac-toe", &["b2", "c3"]), none);
}

#[test]
fn a_blunder_is_found_and_a_perfect_game_is_perfect() {
    // An edge in answer to the centre loses; a corner would have drawn.
    let found = review(&json!({"game": "tic-tac-toe", "moves": ["b2", "b1", "a1"], "engine": "negamax"}));
    assert_eq!(column(&found, "class"), ["best", "blunder", "best"]);
    assert_eq!(column(&found, "side"), ["first", "second", "first"]);
    assert_eq!(column(&found, "loss"), [&json!(0.0), &json!(1.0), &json!(0.0)]);
    let [before, after] = ["value_before", "value_after"].map(|field| column(&found, field));
    assert_eq!(before, [&json!(0.0), &json!(0.0), &json!(1.0)]);
    assert_eq!(after, [&json!(0.0), &json!(-1.0), &json!(1.0)]);
    assert_eq!(found["sides"]["first"]["accuracy"], 100.0);
    // 103.1668 exp(-0.04354 * 50) - 3.1669
    assert_eq!(found["sides"]["second"]["accuracy"], 8.5);
    assert_eq!(found["sides"]["second"]["blunders"], 1);
    let better = column(&found, "best")[1].as_str().expect("a text").to_owned();
    assert!(["a1", "a3", "c1", "c3"].contains(&better.as_str()), "{better}");
}

#[test]
fn passes_finished_games_and_texts_of_many_moves_are_understood() {
    let all = |game: &str, variant: Value, moves: &[&str]| {
        let body =
            json!({"game": game, "variant": variant, "moves": moves, "engine": "negamax", "budget": {"nodes": 2000}});
        review(&body)
    };
    // The second player closes a box and moves again.
    let boxes = super::position(&json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}}));
    let moves: Vec<&str> = boxes["legal_moves"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let found = all("dots-and-boxes", json!({"columns": 1, "rows": 1}), &moves);
    assert_eq!(column(&found, "side"), ["first", "second", "first", "second"]);
    assert_eq!(column(&found, "class")[3], "forced");
    let found = all("reversi", Value::Null, &["f5d6c3d3c4"]);
    assert_eq!(column(&found, "move"), ["f5", "d6", "c3", "d3", "c4"]);
    let empty = all("reversi", Value::Null, &[]);
    assert_eq!((&empty["moves"], &empty["sides"]["first"]["accuracy"]), (&json!([]), &Value::Null));
}

#[test]
fn a_review_is_followed_ply_by_ply() {
    let body = json!({"game": "reversi", "moves": ["f5", "d6", "c3", "d3", "c4"], "budget": {"time_ms": 50}});
    let path = begin(&SHARED, &body);
    let text = SHARED.ask("GET", &format!("{path}/events"), &[("accept", "text/event-stream")], "").ok();
    let events = text.as_str().expect("a text").lines().filter_map(|line| line.strip_prefix("data: "));
    let messages: Vec<Value> = events.map(|data| serde_json::from_str(data).expect("events are JSON")).collect();
    messages.iter().for_each(|message| check(SCHEMA, message));
    let finals = messages.iter().filter(|message| message["final"] == true).count();
    assert_eq!((finals, &messages[messages.len() - 1]["status"]), (1, &json!("done")));
    let numbers: Vec<_> = messages.iter().map(|message| message["seq"].as_u64().expect("a number")).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    let again =
        SHARED.ask("GET", &format!("{path}/events"), &[("last-event-id", &numbers[numbers.len() - 1].to_string())], "");
    assert_eq!(again.status, 204, "all is reported");
}

#[test]
fn a_review_is_cancelled() {
    let body = json!({"game": "reversi", "moves": ["f5", "d6"], "engine": "mcts", "budget": {"time_ms": 60_000}});
    let path = begin(&SHARED, &body);
    let ended = SHARED.ask("DELETE", &path, &[], "");
    assert!([200, 202].contains(&ended.status), "{:#}", ended.body);
    let found = SHARED.ask("GET", &path, &[("prefer", "wait=60")], "").ok();
    assert_eq!(
        (&found["status"], &found["final"], &found["plies"]["reviewed"]),
        (&json!("cancelled"), &json!(true), &json!(0))
    );
    assert_eq!(SHARED.ask("GET", "/v1/reviews/01ARZ3NDEKTSV4RRFFQ69G5FAV", &[], "").status, 404);
}

#[test]
fn a_review_waits_for_its_place() {
    let server = Server::new(1, 1);
    let long = json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 60_000}});
    let long = server.ask("POST", "/v1/searches", &[("prefer", "respond-async")], long.to_string());
    let long = format!("/v1/searches/{}", long.body["id"].as_str().expect("searches have ids"));
    let body = json!({"game": "reversi", "moves": ["f5", "d6"], "engine": "mcts", "budget": {"simulations": 20}});
    let (given_up, path) = (begin(&server, &body), begin(&server, &body));
    let found = |path: &str| server.ask("GET", path, &[("prefer", "wait=60")], "").ok();
    server.ask("DELETE", &given_up, &[], "");
    assert_eq!(found(&given_up)["status"], "cancelled");
    assert_eq!(server.ask("GET", &path, &[], "").ok()["status"], "queued");
    server.ask("DELETE", &long, &[], "");
    assert_eq!(found(&path)["status"], "done");
}

#[test]
fn the_servers_end_ends_reviews() {
    RUNTIME.block_on(async {
        let server = Live::start(Settings { drain_ms: 100, max_searches: 8, ..Settings::default() }).await;
        let body = r#"{"game":"reversi","moves":["f5","d6"],"engine":"mcts","budget":{"time_ms":60000}}"#;
        let begun = ask(server.address, "POST", "/v1/reviews", &[], body).await;
        let mut events = Wire::open(server.address).await;
        let id = begun.json()["id"].as_str().expect("a text").to_owned();
        events.request("GET", &format!("/v1/reviews/{id}/events"), &[("Accept", "text/event-stream")], "").await;
        // The first message shows that the stream has begun.
        let mut first = [0; 1000];
        tokio::io::AsyncReadExt::read(&mut events.0, &mut first).await.expect("the server writes");
        server.stop().await;
        let rest = events.rest().await;
        assert!(rest.contains(r#""status":"cancelled""#) && rest.matches(r#""final":true"#).count() == 1, "{rest}");
    });
}

#[test]
fn what_cannot_be_reviewed_is_refused() {
    for (body, code, pointer) in [
        (json!({"game": "reversi"}), "invalid_request", ""),
        (json!({"game": "chess", "moves": []}), "unknown_game", "/game"),
        (json!({"game": "reversi", "moves": ["f5", "a1"]}), "illegal_move", "/moves/1"),
        (json!({"game": "reversi", "moves": [], "budget": {"time_ms": 0}}), "invalid_budget", "/budget/time_ms"),
        (json!({"game": "reversi", "moves": [], "engine": "oracle"}), "invalid_engine", "/engine/name"),
        (json!({"game": "reversi", "moves": [], "moves_filter": {}}), "invalid_request", "/moves_filter"),
    ] {
        let answer = post(&SHARED, &body);
        assert_eq!((answer.status, answer.code()), (422, code), "{body}");
        assert_eq!(answer.body["errors"][0]["pointer"], pointer, "{body}");
    }
}

#[test]
fn a_review_is_charged_as_a_whole() {
    let server = Server::set_up(&Settings { quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() });
    let body = |time_ms: u32| json!({"game": "reversi", "moves": ["f5", "d6"], "budget": {"cpu_ms": time_ms}});
    let never = post(&server, &body(400));
    assert_eq!((never.status, never.code()), (422, "invalid_budget"), "three searches of 400 ms are more than 1000");
    begin(&server, &body(200));
    assert_eq!(post(&server, &body(200)).status, 429);
}
