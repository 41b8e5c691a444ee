//! Asynchronous searches survive the program's violent end, where they are noted on disk: all finish, none twice.

use serde_json::{Value, json};

use super::endurance::Program;
use super::results;

/// Begins a search and returns its id.
fn begin(program: &Program, body: &Value) -> String {
    let (status, body) = program.ask("POST /v1/searches", "Prefer: respond-async\r\n", &body.to_string());
    // 200 where the result was there before the answer was sent.
    assert!(status == 202 || status == 200, "{status}: {body}");
    let message: Value = serde_json::from_str(&body).expect("it is JSON");
    message["id"].as_str().expect("searches have ids").to_owned()
}

/// Waits for a result, and returns its text.
#[track_caller]
fn result(program: &Program, id: &str) -> String {
    let (status, text) = program.ask(&format!("GET /v1/searches/{id}"), "Prefer: wait=120\r\n", "");
    assert_eq!(status, 200, "{text}");
    text
}

#[test]
fn noted_searches_are_made_again_and_results_stay() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let options = ["--data-dir", folder.path().to_str().expect("its name is text")];
    let program = Program::start_with(&options);
    let order = |seed: u64, simulations: u64| json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": simulations}, "seed": seed});
    let done = begin(&program, &order(0, 100));
    let before = result(&program, &done);
    // These take long enough to be cut short.
    let cut: Vec<String> = (1..=8).map(|seed| begin(&program, &order(seed, 60_000))).collect();
    program.kill();

    let program = Program::start_with(&options);
    assert_eq!(result(&program, &done), before, "what was done is not done again");
    let texts: Vec<String> = cut.iter().map(|id| result(&program, id)).collect();
    for (id, text) in cut.iter().zip(&texts) {
        let message: Value = serde_json::from_str(text).expect("it is JSON");
        assert_eq!((&message["id"], &message["status"]), (&json!(id), &json!("done")));
        assert_eq!(message["stop_reason"], "simulations");
        results::check(&message);
        let (status, events) = program.ask(&format!("GET /v1/searches/{id}/events"), "", "");
        assert_eq!((status, events.matches("\"final\":true").count()), (200, 1), "one final message: {events}");
    }
    program.kill();

    let program = Program::start_with(&options);
    for (id, text) in cut.iter().zip(&texts) {
        assert_eq!(result(&program, id), *text, "what was done is not done again");
    }
}

/// They wait one after the other, can be cancelled there, and hold up nobody when they have been.
#[test]
fn searches_made_again_wait_for_their_places() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let options = ["--data-dir", folder.path().to_str().expect("its name is text")];
    let order = json!({"game": "connect-four", "engine": "mcts", "budget": {"time_ms": 50_000}});
    let program = Program::start_with(&options);
    let ids: Vec<String> = (0..4).map(|_| begin(&program, &order)).collect();
    program.kill();

    let program = Program::start_with(&[&options[..], &["--max-searches", "1"]].concat());
    let state = |id: &str| {
        let (_, text) = program.ask(&format!("GET /v1/searches/{id}"), "", "");
        serde_json::from_str::<Value>(&text).expect("it is JSON")
    };
    let cancel = |id: &str| {
        program.ask(&format!("DELETE /v1/searches/{id}"), "", "");
        let ended: Value = serde_json::from_str(&result(&program, id)).expect("it is JSON");
        assert_eq!((&ended["status"], &ended["final"]), (&json!("cancelled"), &json!(true)));
        ended
    };
    let running = |id: &str| {
        let begin = std::time::Instant::now();
        while state(id)["status"] != "running" {
            assert!(begin.elapsed() < super::wire::PATIENCE, "{:#}", state(id));
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    running(&ids[0]);
    assert_eq!(state(&ids[1])["status"], "queued");
    assert_eq!(program.ask("GET /readyz", "", "").0, 503, "the only place is taken");
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
    let _first = Program::start_with(&["--data-dir", path]);
    let second = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", path])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("cannot keep searches in"), "{said}");
}
