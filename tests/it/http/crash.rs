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
