//! A full disk and a damaged data file, as whoever runs the program meets them; and whose a search is after a crash.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji_core::rng::Rng;

use super::contract;
use super::endurance::exchange;
use super::wire::PATIENCE;

/// The program with its log.
struct Program {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts it with a data folder; what it says when it refuses to start.
    fn start(folder: &Path, options: &[&str]) -> Result<Self, String> {
        // Writes past a limit of the file's size fail like those on a full disk, once its signal is ignored.
        let mut command = Command::new("bash");
        command.args(["-c", "trap '' XFSZ; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_tesuji"), "serve"]);
        command
            .args(["--listen", "127.0.0.1:0", "--log", "info,tower_http=warn", "--data-dir"])
            .arg(folder)
            .args(options);
        let mut child = command
            .env("NO_COLOR", "1")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let log = Arc::new(Mutex::new(String::new()));
        let (own, errors) = (Arc::clone(&log), child.stderr.take().expect("it is piped"));
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(errors).lines() {
                let line = line.expect("logs are text") + "\n";
                own.lock().expect("nobody panics with it").push_str(&line);
            }
        });
        let mut greeting = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut greeting).expect("it can be read");
        let mut program = Self { child, address: String::new(), log, reader: Some(reader) };
        match greeting.trim().split_once("http://") {
            Some((_, address)) => {
                address.clone_into(&mut program.address);
                Ok(program)
            }
            None => {
                let status = program.child.wait().expect("it ends");
                assert!(status.code().is_some_and(|code| code != 0), "{status}");
                program.reader.take().map(JoinHandle::join);
                Err(program.log())
            }
        }
    }

    fn log(&self) -> String {
        self.log.lock().expect("nobody panics with it").clone()
    }

    /// Sends a request; the status, head and body of the answer, which is held against the contract.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String, Value) {
        let (status, head, body) = exchange(&self.address, request, headers, body);
        let body: Value = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"));
        if status >= 400 {
            contract::check("/components/schemas/Problem", &body);
        }
        (status, head, body)
    }

    fn get(&self, path: &str) -> Value {
        let (status, _, body) = self.ask(&format!("GET {path}"), "", "");
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    fn storage(&self) -> Value {
        let ready = self.get("/readyz");
        contract::check("/components/responses/Ready/content/application~1json/schema", &ready);
        ready["storage"].clone()
    }

    /// Begins a search, and returns its id, or the head and body of the refusal.
    fn begin(&self, body: &str) -> Result<String, (String, Value)> {
        let (status, head, body) = self.ask("POST /v1/searches", "Prefer: respond-async\r\n", body);
        match status {
            200 | 202 => Ok(body["id"].as_str().expect("searches have ids").to_owned()),
            503 => Err((head, body)),
            _ => panic!("{status}: {body}"),
        }
    }

    /// Waits for a final message.
    fn last(&self, id: &str) -> Value {
        let (status, _, body) = self.ask(&format!("GET /v1/searches/{id}"), "Prefer: wait=60\r\n", "");
        assert_eq!((status, &body["final"]), (200, &json!(true)), "{body}");
        body
    }

    /// Bytes that its files may have from now on.
    #[cfg(target_os = "linux")]
    fn limit(&self, bytes: u64) {
        let limit = Some((bytes, rlimit::INFINITY));
        rlimit::prlimit(self.child.id() as i32, rlimit::Resource::FSIZE, limit, None).expect("it is our child");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[track_caller]
fn eventually(what: &str, done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_is_no_end() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = Program::start(folder.path(), &[]).expect("it starts");
    assert_eq!(program.storage(), json!({"state": "ok", "reason": null}));
    let size = std::fs::metadata(folder.path().join("searches.journal")).expect("it is there").len();
    let begun =
        program.begin(r#"{"game":"reversi","engine":"mcts","budget":{"time_ms":8000}}"#).expect("there is room");
    let short = json!({"game": "tic-tac-toe", "engine": "mcts", "budget": {"simulations": 10}}).to_string();
    // Requests are stored as they come: these are mostly blanks.
    let large = short.clone() + &" ".repeat(60_000);

    program.limit(size);
    let mut accepted = Vec::new();
    let (head, refusal) = loop {
        match program.begin(&large) {
            Ok(id) => accepted.push(id),
            Err(refused) => break refused,
        }
        assert!(accepted.len() < 1000, "the disk does not fill up");
    };
    assert_eq!(refusal["code"], "storage_unavailable", "{refusal}");
    assert!(refusal["detail"].to_string().contains("File too large"), "{refusal}");
    assert!(head.contains("\r\nretry-after: "), "{head}");
    let storage = program.storage();
    assert_eq!(storage["state"], "unavailable");
    assert!(storage["reason"].to_string().contains("File too large"), "{storage}");
    // All else goes on, and small requests with a key are not taken either.
    let (status, ..) = program.ask("POST /v1/searches", "", &short);
    assert_eq!(status, 200);
    let (status, _, body) = program.ask("POST /v1/searches", "Idempotency-Key: full\r\n", &short);
    assert_eq!((status, &body["code"]), (503, &json!("storage_unavailable")));
    // The search that was accepted before has ended by then, and no result is reported that is not stored.
    let told = || program.get(&format!("/v1/searches/{begun}"));
    eventually("it ends", || told()["warnings"].to_string().contains("once the server can store it"));
    std::thread::sleep(Duration::from_millis(2500));
    let told = told();
    contract::check("/components/schemas/SearchResponse", &told);
    assert_eq!((&told["final"], &told["status"]), (&json!(false), &json!("running")));
    assert_eq!(program.log().matches("searches cannot be stored").count(), 1, "{}", program.log());
    assert_eq!(program.log().matches("can be stored again").count(), 0, "{}", program.log());

    program.limit(u64::MAX);
    eventually("it goes on by itself", || program.storage()["state"] == "ok");
    let mut results = vec![program.last(&begun)];
    accepted.push(program.begin(&large).expect("there is room again"));
    results.extend(accepted.iter().map(|id| program.last(id)));
    let (status, ..) = program.ask("POST /v1/searches", "Idempotency-Key: full\r\n", &short);
    assert_eq!(status, 200, "the key of a refused request is free");
    assert_eq!(program.log().matches("searches cannot be stored").count(), 1, "{}", program.log());
    assert_eq!(program.log().matches("can be stored again").count(), 1, "{}", program.log());
    drop(program);

    let program = Program::start(folder.path(), &[]).expect("it starts");
    for result in results {
        assert_eq!(program.last(result["id"].as_str().expect("a text")), result, "what was reported is stored");
    }
}

#[test]
fn a_damaged_file_is_refused_and_repaired() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    let program = Program::start(folder.path(), &[]).expect("it starts");
    let short = json!({"game": "tic-tac-toe", "engine": "mcts", "budget": {"simulations": 10}}).to_string();
    let ids: Vec<String> = (0..20).map(|_| program.begin(&short).expect("there is room")).collect();
    ids.iter().for_each(|id| drop(program.last(id)));
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
        if let Err(said) = Program::start(folder.path(), &[]) {
            refused += 1;
            let names_it = said.contains("searches.journal is damaged") && said.contains("--repair-data");
            assert!(names_it && !said.contains("panicked at"), "block {block}: {said}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "it leaves nothing");
            // A refusal may have begun to mend the file.
            std::fs::write(&path, &bytes).expect("it can be written");
            let program =
                Program::start(folder.path(), &["--repair-data"]).unwrap_or_else(|said| panic!("{block}: {said}"));
            let log = program.log();
            assert!(
                log.contains("the data file was repaired") && log.contains("kept=") && log.contains("lost="),
                "{log}"
            );
            let found = |id: &&String| program.ask(&format!("GET /v1/searches/{id}"), "", "").0 == 200;
            kept += ids.iter().filter(found).count();
            program.begin(&short).expect("it takes more");
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

/// A file without content is what is left of one that was truncated, and not a new one.
#[test]
fn an_empty_file_is_refused_and_repaired() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    drop(Program::start(folder.path(), &[]).expect("it makes one"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "it leaves nothing else");
    std::fs::write(&path, "").expect("it can be written");
    let said = Program::start(folder.path(), &[]).map(|_| ()).expect_err("it is damaged");
    assert!(
        said.contains("searches.journal is damaged (the file is empty)") && said.contains("--repair-data"),
        "{said}"
    );
    assert_eq!(std::fs::read(&path).expect("it can be read"), b"", "it is left alone");
    let program = Program::start(folder.path(), &["--repair-data"]).expect("it is repaired");
    assert!(program.log().contains("the data file was repaired"), "{}", program.log());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "the empty file is kept aside");
}

/// Posts a search of the first move; how many visits were there already.
fn reused(program: &Program, key: &str) -> u64 {
    let body = json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 1000}}).to_string();
    let (status, _, body) = program.ask("POST /v1/searches", &format!("Authorization: Bearer {key}\r\n"), &body);
    assert_eq!(status, 200, "{body}");
    body["reuse"]["visits"].as_u64().expect("it is reported")
}

#[test]
fn a_search_is_its_clients_own_after_a_crash() {
    let key = || {
        let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).args(["key", "x"]).output().expect("it runs");
        let said = String::from_utf8(output.stdout).expect("it is text");
        let word = |start: &str| {
            said.split_whitespace().find(|word| word.starts_with(start)).expect("it is printed").to_owned()
        };
        (word("tesuji_"), word("x:")[2..].to_owned())
    };
    let ((alice, first), (bob, second)) = (key(), key());
    let keys = format!("alice:{first},bob:{second}");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = Program::start(folder.path(), &["--api-keys", &keys]).expect("it starts");
    let long = json!({"game": "connect-four", "engine": "mcts", "budget": {"simulations": 100_000}}).to_string();
    let headers = format!("Authorization: Bearer {alice}\r\nPrefer: respond-async\r\n");
    let (status, _, begun) = program.ask("POST /v1/searches", &headers, &long);
    assert_eq!(status, 202, "{begun}");
    drop(program);

    let bytes = std::fs::read(folder.path().join("searches.journal")).expect("it can be read");
    assert!(!bytes.windows(alice.len()).any(|part| part == alice.as_bytes()), "the key itself is not stored");
    let program = Program::start(folder.path(), &["--api-keys", &keys]).expect("it starts");
    let path = format!("/v1/searches/{}", begun["id"].as_str().expect("a text"));
    let request = format!("GET {path}");
    let refused = |program: &Program| {
        for request in [&request, &format!("{request}/events"), &format!("DELETE {path}")] {
            let (status, _, problem) = program.ask(request, &format!("Authorization: Bearer {bob}\r\n"), "");
            assert_eq!((status, &problem["code"]), (404, &json!("not_found")), "{request}");
        }
    };
    refused(&program);
    let headers = format!("Authorization: Bearer {alice}\r\nPrefer: wait=60\r\n");
    let (_, _, ended) = program.ask(&request, &headers, "");
    assert_eq!((&ended["final"], &ended["status"]), (&json!(true), &json!("done")), "nobody has cancelled it");
    refused(&program);
    assert_eq!(reused(&program, &bob), 0, "bob sees nothing of it");
    assert!(reused(&program, &alice) > 0, "alice goes on with her tree");
    drop(program);
    let program = Program::start(folder.path(), &["--api-keys", &keys]).expect("it starts");
    refused(&program);
    assert_eq!(program.ask(&request, &headers, "").2, ended);
}
