//! Games that are not built in: from a folder, uploaded, on the command line; and the effect of their failures on others.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tesuji::library::Library;
use tesuji::service::router;
use tesuji::settings::{Settings, fresh_key};
use tesuji_core::catalog::Catalog;

use crate::http::{Answer, RUNTIME, Server, forgetful, service};
use crate::program::{Serving, printed, run};

/// Players take turns adding 1, 2 or 3, and reaching the limit wins.
pub const TWENTY_ONE: &str = r#"
const game = {
    name: "twenty-one",
    names: { en: "Twenty-one" },
    parameters: [{ name: "limit", default: 21, minimum: 5, maximum: 40 }],
    variants: [{ name: "standard" }, { name: "short", limit: 10 }],
};
function start(variant) { return { total: 0, limit: variant.limit, player: 1 }; }
function legalPlays(state) { return [1, 2, 3].filter((n) => state.total + n <= state.limit); }
function nextState(state, play) { return { ...state, total: state.total + play, player: 3 - state.player }; }
function winner(state) { return state.total === state.limit ? 3 - state.player : null; }
"#;

/// One line of play in half a million throws an exception.
const FRAGILE: &str = r#"
function start() { return { line: "", player: 1 }; }
function legalPlays(state) { return state.line.length < 6 ? [..."123456789"] : []; }
function nextState(state, play) {
    if (state.line + play === "77777") throw new Error("five sevens");
    return { line: state.line + play, player: 3 - state.player };
}
function winner(state) { return state.line.length < 6 ? null : 0; }
"#;

/// A folder with one game.
fn folder(file: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join(file), text).expect("it can be written");
    folder
}

/// A service with the games of a folder.
fn with_games(folder: &Path) -> Server {
    Server::set_up(&Settings { games: Some(folder.to_owned()), ..forgetful(2, 64) })
}

/// Sends a request about games that are not in the contract.
fn ask(server: &Server, method: &str, path: &str, body: &str) -> Answer {
    RUNTIME.block_on(server.exchange(method, path, &[], body.to_owned()))
}

fn post(server: &Server, path: &str, body: &Value) -> Answer {
    ask(server, "POST", path, &body.to_string())
}

fn search(server: &Server, body: &Value) -> Answer {
    post(server, "/v1/searches", body)
}

#[test]
fn a_game_of_the_folder_has_what_built_in_games_have() {
    let folder = folder("twenty-one.js", TWENTY_ONE);
    let server = with_games(folder.path());
    let listed = ask(&server, "GET", "/v1/games", "").ok();
    let game = listed["games"].as_array().and_then(|games| games.last()).expect("there are games").clone();
    assert_eq!((&game["name"], &game["source"]), (&json!("twenty-one"), &json!("script")));
    assert_eq!(game["hash"].as_str().map(str::len), Some(64));
    assert_eq!(ask(&server, "GET", "/v1/games/twenty-one", "").ok(), game);
    let position =
        post(&server, "/v1/positions", &json!({"game": "twenty-one", "variant": "short", "moves": ["3", "3"]}));
    assert_eq!(position.ok()["legal_moves"], json!(["1", "2", "3"]));
    // Whoever leaves a multiple of four to go wins.
    for engine in ["mcts", "negamax"] {
        let request = json!({"game": "twenty-one", "engine": engine, "budget": {"time_ms": 5000}, "seed": 1});
        let found = search(&server, &request).ok();
        assert_eq!((&found["move"], &found["root"]["proven"]), (&json!("1"), &json!("win")), "{engine}");
    }
    let level =
        search(&server, &json!({"game": "twenty-one", "level": 3, "variety": 0.5, "budget": {"simulations": 50}}));
    assert_eq!(level.ok()["status"], "done");
    let batch =
        json!({"defaults": {"game": "twenty-one", "budget": {"simulations": 20}}, "searches": [{}, {"moves": ["2"]}]});
    let batch = post(&server, "/v1/batches", &batch).ok();
    assert_eq!(batch["items"].as_array().map(Vec::len), Some(2));
    let request = r#"{"game":"twenty-one","seed":1,"budget":{"simulations":50}}"#;
    let lines =
        RUNTIME.block_on(server.exchange("POST", "/v1/searches", &[("accept", "application/x-ndjson")], request));
    assert!(lines.body.as_str().is_some_and(|lines| lines.ends_with('\n')), "{:?}", lines.body);
}

/// The lines of a tree's nodes, each from the root.
fn lines(children: &Value, before: &[Value]) -> Vec<Vec<Value>> {
    let below = children.as_array().into_iter().flatten().flat_map(|child| {
        let line = child["pv"].as_array().expect("each child has a line");
        let after = [before, &[child["move"].clone()]].concat();
        [vec![[before, line].concat()], lines(&child["children"], &after)].concat()
    });
    below.collect()
}

#[test]
fn every_move_of_a_line_is_written_in_its_own_position() {
    // The plays are the remaining ones of nine numbers, so that the same index is another play a move later.
    let server = with_games(Path::new("examples/games"));
    for (engine, report) in [("mcts", json!({"tree": {"depth": 2}})), ("negamax", json!({}))] {
        let budget = if engine == "mcts" { json!({"simulations": 400}) } else { json!({"depth": 5}) };
        let request =
            json!({"game": "number-scrabble", "moves": ["5"], "engine": engine, "budget": budget, "report": report});
        let lines = lines(&search(&server, &request).ok()["children"], &[]);
        assert!(lines.iter().map(Vec::len).max() > Some(3), "{engine}: {lines:?}");
        for line in lines {
            let moves = [&[json!("5")], &line[..]].concat();
            post(&server, "/v1/positions", &json!({"game": "number-scrabble", "moves": moves})).ok();
        }
    }
}

#[test]
fn variants_are_checked() {
    let folder = folder("twenty-one.js", TWENTY_ONE);
    let server = with_games(folder.path());
    for (variant, pointer, detail) in [
        (json!("long"), "/variant", "expected one of standard, short"),
        (json!({"name": "long"}), "/variant/name", "expected one of standard, short"),
        (json!({"limit": 41}), "/variant/limit", "expected a whole number from 5 to 40"),
        (json!({"limit": "9"}), "/variant/limit", "expected a whole number from 5 to 40"),
        (json!({"size": 3}), "/variant/size", "unknown field; expected `name`, `limit`"),
        (json!(7), "/variant", "expected a name, or an object with a name and parameters, not the number 7"),
    ] {
        let refused = post(&server, "/v1/positions", &json!({"game": "twenty-one", "variant": variant}));
        let error = &refused.body["errors"][0];
        assert_eq!((&error["pointer"], &error["detail"]), (&json!(pointer), &json!(detail)));
    }
}

#[test]
fn a_failure_names_the_function_and_ends_its_request_alone() {
    let folder = folder("fragile.js", FRAGILE);
    let server = with_games(folder.path());
    let failing = json!({"game": "fragile", "moves": ["7", "7", "7", "7"], "budget": {"simulations": 1000}});
    let refused = search(&server, &failing);
    assert_eq!((refused.status, refused.code()), (422, "game_failed"));
    let detail = refused.body["detail"].as_str().expect("a text");
    assert!(detail.contains("fragile") && detail.contains("five sevens"), "{detail}");
    let moves = json!({"game": "fragile", "moves": ["7", "7", "7", "7", "7"]});
    assert_eq!(post(&server, "/v1/positions", &moves).code(), "game_failed");
    assert_eq!(post(&server, "/v1/reviews", &moves).code(), "game_failed");
    let batch =
        post(&server, "/v1/batches", &json!({"searches": [moves, {"game": "hex", "budget": {"simulations": 10}}]}));
    let items = batch.ok()["items"].clone();
    assert_eq!(items[0]["problem"]["code"], "game_failed");
    assert_eq!(items[1]["search"]["status"], "done");
    assert_eq!(search(&server, &json!({"game": "fragile", "budget": {"simulations": 10}})).ok()["status"], "done");
}

#[test]
fn a_game_that_keeps_failing_goes_out_of_service() {
    let folder = folder("fragile.js", FRAGILE);
    let settings = Settings { games: Some(folder.path().to_owned()), max_game_failures: 3, ..forgetful(2, 64) };
    let service = service(Catalog::standard(), &settings);
    let (library, server) = (service.library.clone(), Server(router(service)));
    let moves = json!({"game": "fragile", "moves": ["7", "7", "7", "7", "7"]});
    for _ in 0..3 {
        assert_eq!(post(&server, "/v1/positions", &moves).code(), "game_failed");
    }
    let refused = post(&server, "/v1/positions", &json!({"game": "fragile"}));
    let detail = refused.body["detail"].as_str().expect("a text");
    assert!(detail.contains("out of service after 3 failures") && detail.contains("five sevens"), "{detail}");
    assert_eq!(ask(&server, "GET", "/v1/games/fragile", "").status, 200, "it is still described");
    let metrics = ask(&server, "GET", "/metrics", "").body;
    assert!(metrics.as_str().is_some_and(|text| text.contains("\ntesuji_game_failures 3\n")), "{metrics}");
    assert_eq!(library.reload().expect("the folder is valid"), 1);
    assert_eq!(post(&server, "/v1/positions", &json!({"game": "fragile"})).status, 200, "it is in service again");
}

/// Each start takes a while, and a catalog starts the game a few times.
#[test]
fn a_slow_game_does_not_hold_up_other_clients() {
    let busy = "function start(variant) { for (let n = 0; n < 200000; n++); ";
    let text = TWENTY_ONE.replace("function start(variant) { ", busy);
    let settings = Settings { uploads: 1, upload_scripts: true, ..Settings::default() };
    let library = Library::open(Catalog::standard(), &settings).expect("there is no folder");
    let game = library.load("twenty-one", text.as_bytes()).expect("it is valid");
    let (adding, done) = (library.clone(), Arc::new(AtomicBool::new(false)));
    let is_done = Arc::clone(&done);
    let adder = std::thread::spawn(move || {
        let begin = Instant::now();
        for _ in 0..3 {
            adding.set_uploads("alice", [("twenty-one".to_owned(), game.clone())].into());
        }
        is_done.store(true, Ordering::Release);
        begin.elapsed()
    });
    let mut longest = Duration::ZERO;
    while !done.load(Ordering::Acquire) {
        let begin = Instant::now();
        assert!(library.catalog("bob").about("twenty-one").is_none());
        longest = longest.max(begin.elapsed());
    }
    let took = adder.join().expect("it does not panic");
    assert!(library.catalog("alice").about("twenty-one").is_some());
    assert!(longest * 4 < took, "others waited {longest:?} of {took:?}");
}

#[test]
fn the_folder_is_read_again_as_a_whole_or_not_at_all() {
    let folder = folder("twenty-one.js", TWENTY_ONE);
    let settings = Settings { games: Some(folder.path().to_owned()), ..Settings::default() };
    let library = Library::open(Catalog::standard(), &settings).expect("the folder is valid");
    let hash = |library: &Library| library.shared().about("twenty-one").and_then(|about| about.hash);
    let (before, session) = (hash(&library), library.shared().open("twenty-one", Default::default()));
    fs::write(folder.path().join("broken.js"), "function start() {").expect("it can be written");
    let problem = library.reload().expect_err("a file is invalid").to_string();
    assert!(problem.contains("broken.js"), "{problem}");
    assert_eq!(hash(&library), before);
    fs::remove_file(folder.path().join("broken.js")).expect("it is there");
    fs::write(folder.path().join("twenty-one.js"), TWENTY_ONE.replace("[1, 2, 3]", "[1, 2]"))
        .expect("it can be written");
    assert_eq!(library.reload().expect("the folder is valid"), 1);
    assert_ne!(hash(&library), before);
    let moves = |session: &dyn tesuji_core::catalog::AnySession| session.view().legal_moves.len();
    let new = library.shared().open("twenty-one", Default::default()).expect("it is there");
    assert_eq!((moves(&*session.expect("it was there")), moves(&*new)), (3, 2), "a session keeps its rules");
}

#[test]
fn uploads_are_off_unless_allowed() {
    let server = Server::set_up(&forgetful(1, 8));
    let refused = server.ask("PUT", "/v1/games/twenty-one", &[], TWENTY_ONE);
    assert_eq!((refused.status, refused.code()), (409, "conflict"));
    let server = Server::set_up(&Settings { uploads: 1, ..forgetful(1, 8) });
    let refused = server.ask("PUT", "/v1/games/twenty-one", &[], TWENTY_ONE);
    assert_eq!((refused.status, refused.code()), (422, "invalid_game"), "only modules are");
}

#[test]
fn an_upload_is_its_owners_and_survives_a_restart() {
    let data = tempfile::tempdir().expect("a folder can be made");
    let (alice, key_of_alice) = fresh_key("alice").expect("there are random numbers");
    let (bob, key_of_bob) = fresh_key("bob").expect("there are random numbers");
    let settings = Settings {
        uploads: 1,
        upload_scripts: true,
        data_dir: Some(data.path().to_owned()),
        api_keys: vec![key_of_alice, key_of_bob],
        ..forgetful(1, 8)
    };
    let (alice, bob) = (format!("Bearer {alice}"), format!("Bearer {bob}"));
    let server = Server::set_up(&settings);
    let ask = |server: &Server, method: &str, path: &str, key: &str, body: &str| {
        RUNTIME.block_on(server.exchange(method, path, &[("authorization", key)], body.to_owned()))
    };
    const PATH: &str = "/v1/games/twenty-one";
    assert_eq!(ask(&server, "PUT", "/v1/games/twenty-one?dry_run=true", &alice, TWENTY_ONE).status, 200);
    assert_eq!(ask(&server, "GET", PATH, &alice, "").status, 404, "it was only checked");
    let uploaded = ask(&server, "PUT", PATH, &alice, TWENTY_ONE);
    assert_eq!((uploaded.status, &uploaded.body["source"]), (201, &json!("script")));
    assert_eq!(ask(&server, "PUT", PATH, &alice, TWENTY_ONE).status, 200, "it is replaced");
    assert_eq!(ask(&server, "GET", PATH, &bob, "").status, 404);
    let search = r#"{"game":"twenty-one","budget":{"simulations":10}}"#;
    assert_eq!(ask(&server, "POST", "/v1/searches", &alice, search).status, 200);
    assert_eq!(ask(&server, "POST", "/v1/searches", &bob, search).code(), "unknown_game");
    let metrics = ask(&server, "GET", "/metrics", &alice, "").body;
    let metrics = metrics.as_str().expect("a text");
    assert!(metrics.contains("game=\"uploaded\"") && !metrics.contains("game=\"twenty-one\""), "{metrics}");
    assert_eq!(ask(&server, "DELETE", PATH, &bob, "").status, 404);
    for (key, path, body, code) in [
        (&alice, "/v1/games/fragile", FRAGILE, "conflict"),
        (&bob, "/v1/games/other-name", TWENTY_ONE, "invalid_game"),
        (&bob, "/v1/games/hex", "const game = { name: 'hex' };", "invalid_game"),
        (&alice, "/v1/games/twenty-one", "\0asm", "invalid_game"),
        (&alice, "/v1/games/twenty-one?dry=1", TWENTY_ONE, "invalid_request"),
    ] {
        assert_eq!(ask(&server, "PUT", path, key, body).code(), code, "{path}");
    }
    let hex = TWENTY_ONE.replace("\"twenty-one\"", "\"hex\"");
    assert_eq!(ask(&server, "PUT", "/v1/games/hex", &bob, &hex).code(), "conflict");
    let again = Server::set_up(&settings);
    assert_eq!(ask(&again, "GET", PATH, &alice, "").ok(), uploaded.body);
    assert_eq!(ask(&again, "GET", PATH, &bob, "").status, 404);
    assert_eq!(ask(&again, "DELETE", PATH, &alice, "").status, 204);
    assert_eq!(ask(&again, "DELETE", PATH, &alice, "").status, 404);
    assert_eq!(ask(&Server::set_up(&settings), "GET", PATH, &alice, "").status, 404);
}

#[test]
fn a_game_cannot_leave_its_folder_of_uploads() {
    let data = tempfile::tempdir().expect("a folder can be made");
    let settings =
        Settings { uploads: 1, upload_scripts: true, data_dir: Some(data.path().join("data")), ..forgetful(1, 8) };
    let server = Server::set_up(&settings);
    let escaping = TWENTY_ONE.replace("\"twenty-one\"", "\"../../../escaped\"");
    let path = "/v1/games/..%2F..%2F..%2Fescaped";
    let refused = RUNTIME.block_on(server.exchange("PUT", path, &[], escaping));
    assert_eq!(refused.code(), "invalid_game", "{:#}", refused.body);
    assert!(!data.path().join("escaped.js").exists());
}

#[test]
fn commands_know_the_games_of_a_folder() {
    let folder = folder("twenty-one.js", TWENTY_ONE);
    let games = folder.path().to_str().expect("its name is text");
    let analysed = printed(&["analyze", "twenty-one", "--games", games, "--time-ms", "5000", "--seed", "1"]);
    assert!(analysed.contains("best move for first: 1"), "{analysed}");
    let counted = printed(&["perft", "twenty-one", "3", "--variant", "short", "--games", games]);
    assert!(counted.contains("27"), "{counted}");
    let reviewed = printed(&["review", "twenty-one", "2 2", "--games", games, "--simulations", "100", "--seed", "1"]);
    assert!(reviewed.contains('2'), "{reviewed}");
    let engine = "mcts:simulations=20";
    let played = run(&["match", "twenty-one", engine, engine, "--games-folder", games, "--games", "2", "--seed", "1"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    let unknown = run(&["analyze", "twenty-one"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("expected one of"), "{}", unknown.err);
    fs::write(folder.path().join("broken.js"), "1 +").expect("it can be written");
    let refused = run(&["analyze", "twenty-one", "--games", games]);
    assert!(refused.code == Some(2) && refused.err.contains("broken.js"), "{}", refused.err);
}

#[cfg(unix)]
#[test]
fn a_hangup_reads_the_folder_again() {
    let folder = folder("twenty-one.js", TWENTY_ONE);
    let server = Serving::start(&["--games", folder.path().to_str().expect("its name is text")]);
    fs::write(folder.path().join("fragile.js"), FRAGILE).expect("it can be written");
    server.signal("HUP");
    let begin = std::time::Instant::now();
    while server.ask("GET", "/v1/games/fragile", &[], "").status != 200 {
        assert!(begin.elapsed().as_secs() < 30, "the folder is not read again");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
