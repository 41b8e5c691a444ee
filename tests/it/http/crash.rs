//! Asynchronous searches survive a crash of the program if they are stored on disk: all finish, none twice.

use serde_json::{Value, json};

use super::results;
use crate::program::{Serving, TIMEOUT, run};

/// Begins a search and returns its id.
fn begin(program: &Serving, body: &Value) -> String {
    let read = program.ask("POST", "/v1/searches", &[("Prefer", "respond-async")], body.to_string());
    // 200 where the result was there before the answer was sent.
    assert!([200, 202].contains(&read.status), "{read:?}");
    read.json()["id"].as_str().expect("searches have ids").to_owned()
}

/// Waits for a result, and returns its text.
#[track_caller]
fn result(program: &Serving, id: &str) -> String {
    let read = program.ask("GET", &format!("/v1/searches/{id}"), &[("Prefer", "wait=120")], "");
    assert_eq!(read.status, 200, "{read:?}");
    read.body
}

#[test]
fn noted_searches_are_made_again_and_results_stay() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let options = ["--data-dir", folder.path().to_str().expect("its name is text")];
    let program = Serving::start(&options);
    let order = |seed: u64, simulations: u64| json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": simulations}, "seed": seed});
    let done = begin(&program, &order(0, 100));
    let before = result(&program, &done);
    // These take long enough to be cut short.
    let cut: Vec<String> = (1..=8).map(|seed| begin(&program, &order(seed, 60_000))).collect();
    drop(program);

    let program = Serving::start(&options);
    assert_eq!(result(&program, &done), before, "what was done is not done again");
    let texts: Vec<String> = cut.iter().map(|id| result(&program, id)).collect();
    for (id, text) in cut.iter().zip(&texts) {
        let message: Value = serde_json::from_str(text).expect("it is JSON");
        assert_eq!((&message["id"], &message["status"]), (&json!(id), &json!("done")));
        assert_eq!(message["stop_reason"], "simulations");
        results::check(&message);
        let events = program.ask("GET", &format!("/v1/searches/{id}/events"), &[], "");
        assert_eq!((events.status, events.body.matches("\"final\":true").count()), (200, 1), "one final: {events:?}");
    }
    drop(program);

    let program = Serving::start(&options);
    for (id, text) in cut.iter().zip(&texts) {
        assert_eq!(result(&program, id), *text, "what was done is not done again");
    }
}

/// They wait in order, can be cancelled while waiting, and then do not hold up others.
#[test]
fn searches_made_again_wait_for_their_places() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let options = ["--data-dir", folder.path().to_str().expect("its name is text")];
    let order = json!({"game": "connect-four", "engine": "mcts", "budget": {"time_ms": 50_000}});
    let program = Serving::start(&options);
    let ids: Vec<String> = (0..4).map(|_| begin(&program, &order)).collect();
    drop(program);

    let program = Serving::start(&[&options[..], &["--max-searches", "1"]].concat());
    let state = |id: &str| program.ask("GET", &format!("/v1/searches/{id}"), &[], "").json();
    let cancel = |id: &str| {
        program.ask("DELETE", &format!("/v1/searches/{id}"), &[], "");
        let ended: Value = serde_json::from_str(&result(&program, id)).expect("it is JSON");
        assert_eq!((&ended["status"], &ended["final"]), (&json!("cancelled"), &json!(true)));
        ended
    };
    let running = |id: &str| {
        let begin = std::time::Instant::now();
        while state(id)["status"] != "running" {
            assert!(begin.elapsed() < TIMEOUT, "{:#}", state(id));
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    running(&ids[0]);
    assert_eq!(state(&ids[1])["status"], "queued");
    assert_eq!(program.ask("GET", "/readyz", &[], "").status, 503, "the only place is taken");
    assert_eq!(cancel(&ids[1])["root"]["nodes"], 0, "it has not begun");
    assert!(cancel(&ids[0])["root"]["nodes"].as_u64() > Some(0));
    running(&ids[2]);
    cancel(&ids[3]);
    cancel(&ids[2]);
}

#[test]
fn a_folder_belongs_to_one_program() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().to_str().expect("its name is text");
    let _first = Serving::start(&["--data-dir", path]);
    let second = run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", path]);
    assert!(second.code != Some(0) && second.err.contains("cannot store searches in"), "{}", second.err);
}
