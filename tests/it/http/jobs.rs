//! The list of a client's jobs, and their cancellation together.

use std::time::Duration;

use serde_json::{Value, json};
use tesuji::settings::{Settings, fresh_key};

use super::contract;
use super::owners::{ASYNC, Who, begin};
use super::{Answer, Server};
use crate::program::Serving;

fn ask(server: &Server, who: Who<'_>, method: &str, query: &str) -> Answer {
    server.ask(method, &format!("/v1/jobs{query}"), &[who], "")
}

/// The jobs of an answer: their paths and states.
fn states(list: &Value) -> Vec<(&str, &str)> {
    let jobs = list["jobs"].as_array().expect("jobs are a list");
    jobs.iter().map(|job| (of(job, "location"), of(job, "status"))).collect()
}

fn of<'a>(job: &'a Value, field: &str) -> &'a str {
    job[field].as_str().expect("it is a text")
}

fn listed(server: &Server, who: Who<'_>, query: &str) -> Vec<String> {
    let list = ask(server, who, "GET", query).ok();
    states(&list).into_iter().map(|(path, _)| path.to_owned()).collect()
}

fn long() -> Value {
    json!({"game": "reversi", "engine": "mcts", "budget": {"time_ms": 60_000}})
}

fn short() -> Value {
    json!({"game": "tic-tac-toe", "engine": "mcts", "budget": {"simulations": 50}})
}

/// A search, a batch of two games and a review, which take a minute; the newest first.
fn begin_all(server: &Server, who: Who<'_>) -> [String; 3] {
    let mut other = long();
    other["game"] = "hex".into();
    let mut review = long();
    review["moves"] = json!(["f5"]);
    let bodies =
        [("/v1/searches", long()), ("/v1/batches", json!({"searches": [long(), other]})), ("/v1/reviews", review)];
    let mut paths = bodies.map(|(route, body)| {
        // Ids of one millisecond have any order.
        std::thread::sleep(Duration::from_millis(2));
        begin(server, who, route, &body)
    });
    paths.reverse();
    paths
}

#[test]
fn clients_list_and_cancel_their_own_jobs_alone() {
    let names = ["alice", "alice", "bob"].map(|name| fresh_key(name).expect("there are random numbers"));
    let api_keys = names.iter().map(|(_, setting)| setting.clone()).collect();
    let server = Server::set_up(&Settings { api_keys, ..Settings::default() });
    let keys = names.map(|(key, _)| format!("Bearer {key}"));
    let [alice, newer, bob] = keys.each_ref().map(|key| ("authorization", key.as_str()));
    let [review, batch, search] = &begin_all(&server, alice);
    let own = begin(&server, bob, "/v1/searches", &long());
    assert_eq!(server.ask("GET", "/v1/jobs", &[], "").status, 401);

    let list = ask(&server, newer, "GET", "").ok();
    let jobs = list["jobs"].as_array().expect("jobs are a list");
    let reported: Vec<_> =
        jobs.iter().map(|job| (of(job, "location"), of(job, "kind"), job["game"].as_str())).collect();
    let expected =
        [(&**review, "review", Some("reversi")), (batch, "batch", None), (search, "search", Some("reversi"))];
    assert_eq!((reported, &list["next"]), (expected.to_vec(), &Value::Null));
    for job in jobs {
        assert!(of(job, "location").ends_with(of(job, "id")));
        assert!(["queued", "running"].contains(&of(job, "status")));
        assert!(of(job, "created").starts_with("20") && of(job, "created").ends_with('Z'), "{job}");
    }
    assert_eq!(listed(&server, bob, ""), [&*own]);
    for (query, expected) in [
        ("?kind=batch", vec![batch]),
        ("?status=queued,running&kind=search", vec![search]),
        ("?status=done", vec![]),
        ("?status=cancelled,failed", vec![]),
    ] {
        assert_eq!(listed(&server, alice, query).iter().collect::<Vec<_>>(), expected, "{query}");
    }

    let ended = ask(&server, newer, "DELETE", "?kind=review").ok();
    assert_eq!(states(&ended), [(&**review, "cancelled")]);
    let ended = ask(&server, alice, "DELETE", "").ok();
    assert_eq!(states(&ended), [(&**batch, "cancelled"), (search, "cancelled")]);
    assert_eq!(ask(&server, alice, "DELETE", "").ok(), json!({"jobs": [], "next": null}), "there are no more");
    assert_eq!(listed(&server, alice, "?status=cancelled").len(), 3, "they are kept");
    let found = server.ask("GET", search, &[alice], "").ok();
    assert_eq!((&found["status"], &found["final"]), (&json!("cancelled"), &json!(true)));
    let running = ask(&server, bob, "GET", "?status=queued,running").ok();
    assert_eq!(running["jobs"][0]["location"], *own, "nobody has cancelled bob's");
    assert_eq!(states(&ask(&server, bob, "DELETE", "").ok()), [(&*own, "cancelled")]);
}

#[test]
fn without_keys_a_client_is_its_address() {
    let server = Server::set_up(&Settings { trust_forwarded_for: true, ..Settings::default() });
    let addresses = ["192.0.2.1", "192.0.2.2", "2001:db8:1:2::3", "2001:db8:1:2:ffff::4"];
    let [one, other, here, neighbour] = addresses.map(|address| ("x-forwarded-for", address));
    let [own, others] = [one, other].map(|who| begin(&server, who, "/v1/searches", &long()));
    assert_eq!((listed(&server, one, ""), listed(&server, other, "")), (vec![own.clone()], vec![others.clone()]));
    assert_eq!(states(&ask(&server, other, "DELETE", "").ok()), [(&*others, "cancelled")]);
    let running = server.ask("GET", &own, &[other], "").ok();
    assert_eq!(running["final"], false, "its id leads to it, and nobody has cancelled it");
    ask(&server, one, "DELETE", "").ok();
    // An IPv6 network of 64 bits is one client.
    let path = begin(&server, here, "/v1/searches", &short());
    assert_eq!(listed(&server, neighbour, ""), [path]);
}

#[test]
fn a_list_has_what_is_kept_part_by_part() {
    let server = Server::new(2, 64);
    let who = ("x-test", "1");
    server.ask("POST", "/v1/searches", &[who], short().to_string()).ok();
    server.ask("POST", "/v1/batches", &[who], json!({"searches": [short()]}).to_string()).ok();
    assert!(listed(&server, who, "").is_empty(), "nothing is kept of what was answered at once");
    let keyed = server.ask("POST", "/v1/searches", &[("idempotency-key", "one")], short().to_string()).ok();
    let mut all = vec![format!("/v1/searches/{}", of(&keyed, "id"))];
    for route in ["/v1/searches", "/v1/batches", "/v1/searches", "/v1/batches"] {
        std::thread::sleep(Duration::from_millis(2));
        let body = if route == "/v1/batches" { json!({"searches": [short(), short()]}) } else { short() };
        all.insert(0, begin(&server, who, route, &body));
        server.ask("GET", &all[0], &[("prefer", "wait=60")], "").ok();
    }
    assert_eq!(listed(&server, who, ""), all);
    let (mut parts, mut before) = (Vec::new(), String::new());
    loop {
        let list = ask(&server, who, "GET", &format!("?limit=2&status=done{before}")).ok();
        parts.push(states(&list).into_iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>());
        let Some(next) = list["next"].as_str() else { break };
        before = format!("&before={next}");
    }
    assert_eq!(parts, [&all[..2], &all[2..4], &all[4..]]);
    let games: Vec<Value> = ask(&server, who, "GET", "?kind=batch").ok()["jobs"]
        .as_array()
        .expect("jobs are a list")
        .iter()
        .map(|job| job["game"].clone())
        .collect();
    assert_eq!(games, ["tic-tac-toe", "tic-tac-toe"], "all searches of a batch have one");
}

#[test]
fn jobs_leave_the_list_with_their_results() {
    let server = Server::set_up(&Settings { keep_ms: 300, ..Settings::default() });
    let who = ("x-test", "1");
    let path = begin(&server, who, "/v1/searches", &short());
    server.ask("GET", &path, &[("prefer", "wait=60")], "").ok();
    assert_eq!(listed(&server, who, ""), [path]);
    std::thread::sleep(Duration::from_millis(400));
    assert!(listed(&server, who, "").is_empty());
}

#[test]
fn unknown_parameters_are_refused() {
    let server = Server::new(1, 4);
    for (method, query, named) in [
        ("GET", "?limit=0", "limit 0: expected 1 to 1000"),
        ("GET", "?limit=1001", "limit 1001: expected 1 to 1000"),
        ("GET", "?limit=many", "limit: invalid digit"),
        ("GET", "?status=busy", "status: unknown variant `busy`, expected one of `queued`"),
        ("GET", "?status=done,", "status: unknown variant ``"),
        ("GET", "?kind=game", "kind: unknown variant `game`, expected one of `search`"),
        ("GET", "?before=yesterday", "before: "),
        ("GET", "?after=1", "after: unknown field `after`"),
        ("DELETE", "?status=running", "unknown field `status`, expected `kind` or `before`"),
        ("DELETE", "?kind=none", "kind: unknown variant `none`"),
    ] {
        let refused = server.ask(method, &format!("/v1/jobs{query}"), &[], "");
        let detail = refused.body["detail"].as_str().unwrap_or_default();
        assert_eq!((refused.status, refused.code()), (422, "invalid_request"), "{query}");
        assert!(detail.contains(named), "{query}: {detail}");
    }
    assert_eq!(server.ask("GET", "/v1/jobs", &[("accept", "text/html")], "").status, 406);
}

#[test]
fn paths_are_below_the_base_path() {
    let base_path = "/ai".parse().expect("it is a path");
    let server = Server::set_up(&Settings { base_path, ..Settings::default() });
    let who = ("x-test", "1");
    // A minute long, so that the response is always 202 with a `Location`.
    let accepted = server.ask("POST", "/v1/searches", &[who, ASYNC], long().to_string());
    let location = accepted.header("location").expect("an accepted search has a Location");
    assert_eq!(location, format!("/ai/v1/searches/{}", of(&accepted.body, "id")));
    assert_eq!(listed(&server, who, ""), [location]);
}

/// Searches that a crash has interrupted are listed with those that had ended, and are cancelled with the others.
#[test]
fn lists_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().to_str().expect("its name is text");
    let start = || Serving::start(&["--data-dir", path, "--trust-forwarded-for"]);
    let one = ("x-forwarded-for", "192.0.2.1");
    let program = start();
    let begin = |program: &Serving, who: Who<'_>, body: &Value| {
        let read = program.ask("POST", "/v1/searches", &[who, ASYNC], body.to_string());
        format!("/v1/searches/{}", of(&read.json(), "id"))
    };
    let ask = |program: &Serving, method: &str, who: Who<'_>| {
        let read = program.ask(method, "/v1/jobs", &[who], "");
        assert_eq!(read.status, 200, "{read:?}");
        contract::check("/components/schemas/JobList", &read.json());
        read.json()
    };
    let ended = begin(&program, one, &short());
    program.ask("GET", &ended, &[("prefer", "wait=60")], "");
    std::thread::sleep(Duration::from_millis(2));
    let running = begin(&program, one, &long());
    let others = begin(&program, ("x-forwarded-for", "192.0.2.2"), &long());
    drop(program);

    let program = start();
    let list = ask(&program, "GET", one);
    let reported = states(&list);
    assert_eq!((reported[0].0, reported[1]), (&*running, (&*ended, "done")));
    assert_eq!((&list["jobs"][0]["game"], &list["jobs"][1]["game"]), (&json!("reversi"), &json!("tic-tac-toe")));
    assert_eq!(states(&ask(&program, "DELETE", one)), [(&*running, "cancelled")]);
    let theirs = ask(&program, "GET", ("x-forwarded-for", "192.0.2.2"));
    assert!(matches!(states(&theirs)[..], [(path, "queued" | "running")] if path == others), "{theirs}");
    drop(program);
    let program = start();
    assert_eq!(states(&ask(&program, "GET", one)), [(&*running, "cancelled"), (&*ended, "done")]);
}
