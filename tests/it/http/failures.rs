//! Failures on the server's side: a search that panics, and more searches than there is room for.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji::service::router;
use tesuji_core::catalog::Catalog;
use tesuji_core::games::{Description, EngineList, Game, Geometry, Notation, SideNames, Translated, Variant};
use tesuji_core::notation::Malformed;
use tesuji_core::parameters::{Invalid, OnlyVariant, Parameter};
use tesuji_core::position::{IllegalMove, Outcome, Position, Side};
use tesuji_core::search::{Control, Engine, Evaluation, Limits, Report, StopReason, Task};

use super::{RUNTIME, Server, forgetful, service};

/// A game in which everything goes wrong that can.
#[derive(Clone)]
struct Fragile;

/// Its one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Go;

impl fmt::Display for Fragile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whole")
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")
    }
}

impl Position for Fragile {
    type Move = Go;

    fn turn(&self) -> Side {
        Side::First
    }
    fn ply(&self) -> u32 {
        0
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn moves(&self) -> impl Iterator<Item = Go> {
        [Go, Go].into_iter()
    }
    fn play(&mut self, _: Go) {
        panic!("the rules panicked");
    }
    fn parse_move(&self, _: &str) -> Result<Go, IllegalMove> {
        Ok(Go)
    }
    fn key(&self) -> u64 {
        0
    }
}

tesuji_core::parameters! {
    struct NoVariant {
        names OnlyVariant;
    }
}

impl Variant for NoVariant {
    type Name = OnlyVariant;
}

impl Game for Fragile {
    const NAME: &'static str = "fragile";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Fragile", zh: "易碎" },
        sides: SideNames {
            first: Translated { en: "First", zh: "先手" },
            second: Translated { en: "Second", zh: "后手" },
        },
        how_to_play: Translated { en: "Touch it.", zh: "碰它。" },
        notation: Notation { position: "", position_example: "whole", moves: "", moves_example: &["go"] },
        geometry: Geometry::Cells,
        rules: "Whoever moves breaks it.",
    };
    type Variant = NoVariant;
    type Facts = ();

    fn plays(_: &NoVariant) -> bool {
        true
    }
    fn start(_: &NoVariant) -> Self {
        Self
    }
    fn parse(_: &NoVariant, _: &str) -> Result<Self, Malformed> {
        Ok(Self)
    }
    fn facts(&self) {}
    fn draw(&self) -> String {
        String::new()
    }
    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Clumsy>();
    }
}

/// Panics while it searches, or when the workers' results are merged.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Clumsy {
    late: bool,
}

impl Engine<Fragile> for Clumsy {
    const NAME: &'static str = "clumsy";
    const LIMITS: Limits = Limits {
        simulations: true,
        nodes: true,
        depth: true,
        threads: true,
        default_memory: 1 << 20,
        bytes_per_node: 64,
    };

    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }
    type Shared = ();

    fn share(&self, _: &Task<'_, Fragile>, _: u32) {}

    fn search(&self, _: &Task<'_, Fragile>, _: &Control<'_, Go>, (): &()) -> Report<Go> {
        assert!(self.late, "the search panicked");
        Report {
            root: Evaluation::unknown(1),
            children: Vec::new(),
            visits: None,
            nodes: 0,
            depth: 0,
            bytes: 0,
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop: StopReason::Depth,
        }
    }
    fn merge(&self, _: &Fragile, _: Vec<Report<Go>>, (): &()) -> Report<Go> {
        panic!("the merge panicked");
    }
}

fn fragile(threads: u32, max_searches: u32) -> Server {
    Server(router(service(Catalog::standard().with::<Fragile>(), &forgetful(threads, max_searches))))
}

#[track_caller]
fn breaks(server: &Server, path: &str, body: &serde_json::Value) {
    let answer = server.ask("POST", path, &[("x-request-id", "broken")], body.to_string());
    assert_eq!((answer.status, answer.code()), (500, "internal"), "{body}");
    assert_eq!(answer.body["request_id"], "broken");
    assert!(!answer.body.to_string().contains("panicked"), "what happened is for the log: {}", answer.body);
}

#[test]
fn a_panic_fails_one_request_alone() {
    let server = fragile(2, 8);
    let running = json!({"game": "connect-four", "budget": {"simulations": 50_000}, "seed": 1});
    let undisturbed = server.search(&running).ok();
    let meanwhile = {
        let (server, running) = (server.clone(), running.clone());
        RUNTIME.spawn(async move { server.send("POST", "/v1/searches", &[], running.to_string()).await })
    };
    for order in [
        json!({"game": "fragile"}),
        json!({"game": "fragile", "engine": {"name": "clumsy", "late": true}}),
        json!({"game": "fragile", "budget": {"nodes": 100}, "threads": 5}),
        json!({"game": "fragile", "moves": ["go"]}),
    ] {
        breaks(&server, "/v1/searches", &order);
    }
    breaks(&server, "/v1/positions", &json!({"game": "fragile", "moves": ["go"]}));
    let meanwhile = RUNTIME.block_on(meanwhile).expect("it does not panic").ok();
    assert_eq!(meanwhile["children"], undisturbed["children"]);
    assert_eq!(server.search(&running).ok()["children"], undisturbed["children"]);
}

#[test]
fn a_panic_frees_its_thread_and_its_place() {
    let server = fragile(1, 1);
    for _ in 0..5 {
        breaks(&server, "/v1/searches", &json!({"game": "fragile"}));
        server.search(&json!({"game": "tic-tac-toe", "budget": {"simulations": 10}})).ok();
    }
}

/// Polls until the service is ready, or is not.
pub async fn until_ready_is(server: &Server, status: u16) {
    for _ in 0..2000 {
        if server.send("GET", "/readyz", &[], "").await.status == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("/readyz did not become {status} in ten seconds");
}

#[test]
fn a_full_service_refuses_with_a_reason() {
    let server = Server::new(1, 1);
    let long = json!({"game": "reversi", "budget": {"time_ms": 60_000}}).to_string();
    RUNTIME.block_on(async {
        let running = {
            let server = server.clone();
            tokio::spawn(async move { server.send("POST", "/v1/searches", &[], long).await })
        };
        until_ready_is(&server, 503).await;
        let refused = server.send("POST", "/v1/searches", &[], r#"{"game":"reversi"}"#).await;
        assert_eq!((refused.status, refused.code(), refused.header("retry-after")), (503, "overloaded", Some("1")));
        let ready = server.send("GET", "/readyz", &[], "").await;
        assert_eq!((ready.code(), ready.header("retry-after")), ("overloaded", Some("1")));

        // Requests without a search are still answered.
        assert_eq!(server.send("GET", "/livez", &[], "").await.status, 200);
        assert_eq!(server.send("POST", "/v1/positions", &[], r#"{"game":"reversi"}"#).await.status, 200);
        let finished = r#"{"game":"tic-tac-toe","moves":["a1","a2","b1","b2","c1"]}"#;
        assert_eq!(server.send("POST", "/v1/searches", &[], finished).await.status, 200);
        // So are invalid requests.
        assert_eq!(server.send("POST", "/v1/searches", &[], r#"{"game":"chess"}"#).await.status, 422);

        running.abort();
        until_ready_is(&server, 200).await;
        let short = r#"{"game":"reversi","budget":{"depth":2}}"#;
        assert_eq!(server.send("POST", "/v1/searches", &[], short).await.status, 200);
    });
}

#[test]
fn a_stream_that_has_begun_ends_with_the_failure() {
    let server = fragile(1, 8);
    let lines = [("accept", "application/x-ndjson")];
    let answer = RUNTIME.block_on(server.exchange("POST", "/v1/searches", &lines, r#"{"game":"fragile"}"#));
    let text = answer.body.as_str().expect("a stream is text");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["status"], &last["final"], &last["move"]), (&json!("failed"), &json!(true), &json!(null)));
    assert!(!text.contains("panicked"), "what happened is for the log");
}
