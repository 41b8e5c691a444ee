//! A full disk and a damaged data file, as an operator meets them; and the owner of a search after a crash.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji::settings::fresh_key;
use tesuji_core::rng::Rng;

use super::contract;
use super::wire::Read;
use crate::program::{Serving, TIMEOUT};

/// Starts the program with a data folder.
///
/// # Errors
/// Its log when it refuses to start.
fn try_start(folder: &Path, options: &[&str]) -> Result<Serving, String> {
    // Writes past a limit of the file's size fail like those on a full disk, once its signal is ignored.
    let mut command = Command::new("bash");
    command.args(["-c", "trap '' XFSZ; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_tesuji"), "serve"]);
    command.args(["--log", "info,tower_http=warn", "--data-dir"]).arg(folder).args(options);
    Serving::of(command)
}

#[track_caller]
fn start(folder: &Path, options: &[&str]) -> Serving {
    try_start(folder, options).unwrap_or_else(|log| panic!("it refuses to start: {log}"))
}

/// Sends a request; a refusal is held against the contract.
fn ask(program: &Serving, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Read {
    let read = program.ask(method, path, headers, body);
    if read.status >= 400 {
        contract::check("/components/schemas/Problem", &read.json());
    }
    read
}

fn get(program: &Serving, path: &str) -> Value {
    let read = ask(program, "GET", path, &[], "");
    assert_eq!(read.status, 200, "{path}: {read:?}");
    read.json()
}

fn storage_of(program: &Serving) -> Value {
    let ready = get(program, "/readyz");
    contract::check("/components/responses/Ready/content/application~1json/schema", &ready);
    ready["storage"].clone()
}

/// Begins a search, and returns its id, or the refusal.
fn begin(program: &Serving, body: &str) -> Result<String, Read> {
    let read = ask(program, "POST", "/v1/searches", &[("Prefer", "respond-async")], body);
    match read.status {
        200 | 202 => Ok(read.json()["id"].as_str().expect("searches have ids").to_owned()),
        503 => Err(read),
        _ => panic!("{read:?}"),
    }
}

/// Waits for a final message.
fn last(program: &Serving, id: &str) -> Value {
    let read = ask(program, "GET", &format!("/v1/searches/{id}"), &[("Prefer", "wait=60")], "");
    let message = read.json();
    assert_eq!((read.status, &message["final"]), (200, &json!(true)), "{message}");
    message
}

/// Sets the maximum size of a program's files from now on, in bytes.
#[cfg(target_os = "linux")]
fn limit(program: &Serving, bytes: u64) {
    let limit = Some((bytes, rlimit::INFINITY));
    rlimit::prlimit(program.id() as i32, rlimit::Resource::FSIZE, limit, None).expect("it is our child");
}

#[track_caller]
fn eventually(what: &str, done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_recovered_from() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = start(folder.path(), &[]);
    assert_eq!(storage_of(&program), json!({"state": "ok", "reason": null}));
    let size = std::fs::metadata(folder.path().join("searches.journal")).expect("it is there").len();
    let begun =
        begin(&program, r#"{"game":"reversi","engine":"mcts","budget":{"time_ms":8000}}"#).expect("there is room");
    let short = json!({"game": "tic-tac-toe", "engine": "mcts", "budget": {"simulations": 10}}).to_string();
    // Requests are stored as they come: these are mostly blanks.
    let large = short.clone() + &" ".repeat(60_000);

    limit(&program, size);
    let mut accepted = Vec::new();
    let refused = loop {
        match begin(&program, &large) {
            Ok(id) => accepted.push(id),
            Err(refused) => break refused,
        }
        assert!(accepted.len() < 1000, "the disk does not fill up");
    };
    let refusal = refused.json();
    assert_eq!(refusal["code"], "storage_unavailable", "{refusal}");
    assert!(refusal["detail"].to_string().contains("File too large"), "{refusal}");
    assert!(refused.head.contains("\r\nretry-after: "), "{refused:?}");
    let storage = storage_of(&program);
    assert_eq!(storage["state"], "unavailable");
    assert!(storage["reason"].to_string().contains("File too large"), "{storage}");
    // Everything else continues; small requests with a key are refused too.
    assert_eq!(ask(&program, "POST", "/v1/searches", &[], &short).status, 200);
    let key = [("Idempotency-Key", "full")];
    let read = ask(&program, "POST", "/v1/searches", &key, &short);
    assert_eq!((read.status, &*read.code()), (503, "storage_unavailable"));
    // The search that was accepted before has ended by then, and no result is reported that is not stored.
    let response = || get(&program, &format!("/v1/searches/{begun}"));
    eventually("it ends", || response()["warnings"].to_string().contains("once the server can store it"));
    std::thread::sleep(Duration::from_millis(2500));
    let response = response();
    contract::check("/components/schemas/SearchResponse", &response);
    assert_eq!((&response["final"], &response["status"]), (&json!(false), &json!("running")));
    assert_eq!(program.log().matches("searches cannot be stored").count(), 1, "{}", program.log());
    assert_eq!(program.log().matches("can be stored again").count(), 0, "{}", program.log());

    limit(&program, u64::MAX);
    eventually("it goes on by itself", || storage_of(&program)["state"] == "ok");
    let mut results = vec![last(&program, &begun)];
    accepted.push(begin(&program, &large).expect("there is room again"));
    results.extend(accepted.iter().map(|id| last(&program, id)));
    let read = ask(&program, "POST", "/v1/searches", &key, &short);
    assert_eq!(read.status, 200, "the key of a refused request is free");
    assert_eq!(program.log().matches("searches cannot be stored").count(), 1, "{}", program.log());
    assert_eq!(program.log().matches("can be stored again").count(), 1, "{}", program.log());
    drop(program);

    let program = start(folder.path(), &[]);
    for result in results {
        assert_eq!(last(&program, result["id"].as_str().expect("a text")), result, "what was reported is stored");
    }
}

#[test]
fn a_damaged_file_is_refused_and_repaired() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    let program = start(folder.path(), &[]);
    let short = json!({"game": "tic-tac-toe", "engine": "mcts", "budget": {"simulations": 10}}).to_string();
    let ids: Vec<String> = (0..20).map(|_| begin(&program, &short).expect("there is room")).collect();
    ids.iter().for_each(|id| drop(last(&program, id)));
    drop(program);
    let sound = std::fs::read(&path).expect("it can be read");

    let mut rng = Rng::new(4, 0);
    let (mut refused, mut kept) = (0, 0);
    for case in 0..24 {
        // The first blocks one by one, then any.
        let block = if case < 12 { case } else { rng.below((sound.len() / 4096) as u32) } as usize;
        let mut bytes = sound.clone();
        bytes[block * 4096..(block + 1) * 4096].fill_with(|| rng.below(256) as u8);
        std::fs::write(&path, &bytes).expect("it can be written");
        if let Err(output) = try_start(folder.path(), &[]) {
            refused += 1;
            let names_it = output.contains("searches.journal is damaged") && output.contains("--repair-data");
            assert!(names_it && !output.contains("panicked at"), "block {block}: {output}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "it leaves nothing");
            // A refusal may have begun to mend the file.
            std::fs::write(&path, &bytes).expect("it can be written");
            let program = start(folder.path(), &["--repair-data"]);
            let log = program.log();
            assert!(
                log.contains("the data file was repaired") && log.contains("kept=") && log.contains("lost="),
                "{log}"
            );
            let found = |id: &&String| ask(&program, "GET", &format!("/v1/searches/{id}"), &[], "").status == 200;
            kept += ids.iter().filter(found).count();
            begin(&program, &short).expect("it takes more");
            drop(program);
            let aside: Vec<_> = std::fs::read_dir(folder.path())
                .expect("a folder")
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.to_string_lossy().contains("searches.journal.damaged-20"))
                .collect();
            assert_eq!(aside.len(), 1, "{aside:?}");
            assert_eq!(std::fs::read(&aside[0]).expect("it can be read"), bytes, "the damaged file is as it was");
            std::fs::remove_file(&aside[0]).expect("it can be removed");
        }
    }
    println!("{refused} of 24 files refused; {kept} of {} results kept by repairs", refused * ids.len());
    assert!(refused >= 3 && kept >= refused * ids.len() / 2, "{refused} refused, {kept} kept");
}

/// An empty file is the rest of a truncated one, not a new one.
#[test]
fn an_empty_file_is_refused_and_repaired() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    drop(start(folder.path(), &[]));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "it leaves nothing else");
    std::fs::write(&path, "").expect("it can be written");
    let output = try_start(folder.path(), &[]).map(|_| ()).expect_err("it is damaged");
    assert!(
        output.contains("searches.journal is damaged (the file is empty)") && output.contains("--repair-data"),
        "{output}"
    );
    assert_eq!(std::fs::read(&path).expect("it can be read"), b"", "it is left alone");
    let program = start(folder.path(), &["--repair-data"]);
    assert!(program.log().contains("the data file was repaired"), "{}", program.log());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "the empty file is kept aside");
}

/// Posts a search of the first move; returns how many visits its tree already had.
fn reused(program: &Serving, key: &str) -> u64 {
    let body = json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 1000}}).to_string();
    let read = ask(program, "POST", "/v1/searches", &[("Authorization", key)], &body);
    assert_eq!(read.status, 200, "{read:?}");
    read.json()["reuse"]["visits"].as_u64().expect("it is reported")
}

#[test]
fn a_search_is_its_clients_own_after_a_crash() {
    let [(alice, first), (bob, second)] = ["alice", "bob"].map(|name| fresh_key(name).expect("there is chance"));
    let keys = format!("{first},{second}");
    let [alice, bob] = [alice, bob].map(|key| format!("Bearer {key}"));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = start(folder.path(), &["--api-keys", &keys]);
    let long = json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 100_000}}).to_string();
    let headers = [("Authorization", &*alice), ("Prefer", "respond-async")];
    let begun = ask(&program, "POST", "/v1/searches", &headers, &long);
    assert_eq!(begun.status, 202, "{begun:?}");
    drop(program);

    let bytes = std::fs::read(folder.path().join("searches.journal")).expect("it can be read");
    let secret = alice.strip_prefix("Bearer ").expect("it begins so").as_bytes();
    assert!(!bytes.windows(secret.len()).any(|part| part == secret), "the key itself is not stored");
    let program = start(folder.path(), &["--api-keys", &keys]);
    let path = format!("/v1/searches/{}", begun.json()["id"].as_str().expect("a text"));
    let refused = |program: &Serving| {
        for (method, path) in [("GET", path.clone()), ("GET", format!("{path}/events")), ("DELETE", path.clone())] {
            let read = ask(program, method, &path, &[("Authorization", &bob)], "");
            assert_eq!((read.status, &*read.code()), (404, "not_found"), "{method} {path}");
        }
    };
    refused(&program);
    let headers = [("Authorization", &*alice), ("Prefer", "wait=60")];
    let ended = ask(&program, "GET", &path, &headers, "").json();
    assert_eq!((&ended["final"], &ended["status"]), (&json!(true), &json!("done")), "nobody has cancelled it");
    refused(&program);
    assert_eq!(reused(&program, &bob), 0, "bob sees nothing of it");
    assert!(reused(&program, &alice) > 0, "alice goes on with her tree");
    drop(program);
    let program = start(folder.path(), &["--api-keys", &keys]);
    refused(&program);
    assert_eq!(ask(&program, "GET", &path, &headers, "").json(), ended);
}
