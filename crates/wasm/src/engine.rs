//! The resources of the HTTP API as functions from a request's body to the response's.

use serde::Serialize;
use serde_json::json;
use tesuji_core::api::{Code, Games, PositionRequest, Problem, ReviewRequest, Reviewing, Status, game, parse};
use tesuji_core::catalog::{Caps, Catalog, Moves, Policy, Setup};
use tesuji_core::search::Signals;

use crate::runner::{Host, run};

/// Maximum mebibytes of tree or table. The module's memory never shrinks: the page keeps what one search has taken.
const MOST_MEMORY_MB: u64 = 128;

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status that the server would return.
    pub status: u16,
    /// The body, as JSON.
    pub body: String,
}

impl Answer {
    pub(crate) fn of(result: Result<impl Serialize, Problem>) -> Self {
        match result {
            Ok(document) => Self { status: 200, body: to_json(&document) },
            Err(problem) => Self { status: problem.code().status(), body: to_json(&problem.details(None)) },
        }
    }
}

fn to_json(document: &impl Serialize) -> String {
    // Texts and finite numbers only.
    serde_json::to_string(document).expect("responses are JSON")
}

/// The games, and the limits of searches.
#[derive(Debug)]
pub struct Engine {
    pub(crate) catalog: Catalog,
    /// The limits, for one core.
    pub(crate) policy: Policy,
}

impl Default for Engine {
    fn default() -> Self {
        let user = Policy::for_one_user();
        let most = Caps { memory_mb: MOST_MEMORY_MB, ..user.most };
        Self { catalog: Catalog::standard(), policy: Policy { most, cores: 1, ..user } }
    }
}

impl Engine {
    /// `GET /v1/games`
    #[must_use]
    pub fn games(&self) -> Answer {
        Answer::of(Ok(Games::new(&self.catalog, self.policy)))
    }

    /// `GET /v1/games/{game}`
    #[must_use]
    pub fn game(&self, name: &str) -> Answer {
        Answer::of(game(&self.catalog, name))
    }

    /// `POST /v1/positions`
    #[must_use]
    pub fn position(&self, body: &[u8]) -> Answer {
        Answer::of(parse::<PositionRequest>(body).and_then(|request| request.describe(&self.catalog)))
    }

    /// `POST /v1/reviews` for a review with this id. With `streams`, the host receives every message except the final one.
    pub fn review(&self, id: &str, body: &[u8], streams: bool, host: &dyn Host) -> Answer {
        let review = parse::<ReviewRequest>(body)
            .and_then(|request| Reviewing::new(id.to_owned(), request, &self.catalog, &self.policy));
        Answer::of(review.and_then(|mut review| {
            let internal = |error: String| Problem::new(Code::Internal, error);
            let mut status = Status::Done;
            while !review.is_complete() {
                if streams {
                    host.send(&to_json(review.document()));
                }
                let report = if review.is_over() {
                    None
                } else {
                    let search = review.search(&self.policy)?;
                    let signals = Signals::default();
                    run(&*search, 0..search.plan().threads, &signals, host, None);
                    if signals.is_cancelled() {
                        status = Status::Cancelled;
                        break;
                    }
                    search.finish()
                };
                review.add(report).map_err(|illegal| internal(illegal.to_string()))?;
            }
            review.end(status);
            Ok(review.document().clone())
        }))
    }

    /// The file that a game's searches use, and whether it has been loaded; null if there is none.
    #[must_use]
    pub fn file(&self, game: &str) -> Answer {
        let file = self.catalog.file(game);
        Answer::of(Ok(
            file.map(|file| json!({ "name": file.name, "needed": file.is_needed, "loaded": file.is_present() }))
        ))
    }

    /// Loads a file from its bytes.
    pub fn load(&self, name: &str, bytes: Vec<u8>) -> Answer {
        let file = self.catalog.names().filter_map(|game| self.catalog.file(game)).find(|file| file.name == name);
        let file = file.ok_or_else(|| Problem::new(Code::NotFound, "no game uses a file of this name"));
        let conflict = |problem| Problem::new(Code::Conflict, problem);
        Answer::of(file.and_then(|file| file.load(bytes).map_err(conflict)))
    }

    /// Counts the lines of play from a position to a depth, to measure the speed of the rules; none if the request is refused.
    #[must_use]
    pub fn perft(&self, body: &[u8], depth: u32) -> Option<u64> {
        let request: PositionRequest = parse(body).ok()?;
        let PositionRequest { game, variant, position, moves, .. } = &request;
        let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
        let session = Moves::play(moves.as_ref(), &self.catalog, game, setup, |setup| self.catalog.open(game, setup));
        Some(session.ok()?.perft(depth))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::Value;

    use super::*;

    /// Records all messages, and stops after `patience` of them.
    #[derive(Default)]
    struct Listener {
        heard: RefCell<Vec<Value>>,
        patience: Option<usize>,
    }

    impl Host for Listener {
        fn send(&self, message: &str) {
            self.heard.borrow_mut().push(serde_json::from_str(message).expect("messages are JSON"));
        }

        fn is_stopped(&self) -> bool {
            self.patience.is_some_and(|patience| self.heard.borrow().len() >= patience)
        }
    }

    fn read(answer: &Answer) -> Value {
        serde_json::from_str(&answer.body).expect("answers are JSON")
    }

    const SEARCH: &[u8] =
        br#"{"game":"tic-tac-toe","engine":"mcts","budget":{"simulations":20000},"seed":7,"report":{"interval_ms":10}}"#;

    #[test]
    fn a_search_is_told_message_by_message() {
        let (engine, host) = (Engine::default(), Listener::default());
        let last = read(&engine.search("a", SEARCH, true, &host));
        let heard = host.heard.borrow();
        assert_eq!(heard[0]["status"], "queued");
        assert!(heard[1..].iter().all(|message| message["status"] == "running" && message["final"] == false));
        assert_eq!((&last["status"], &last["id"]), (&json!("done"), &json!("a")));
        let numbers: Vec<_> = heard.iter().chain([&last]).map(|message| message["seq"].as_u64()).collect();
        assert_eq!(numbers, (0..numbers.len() as u64).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn equal_seeds_give_equal_results() {
        let engine = Engine::default();
        let found = || {
            let mut found = read(&engine.search("", SEARCH, false, &Listener::default()));
            found["timing"].take();
            found["budget"]["used"].take();
            found
        };
        assert_eq!(found(), found());
        assert_eq!(found()["seq"], 0);
    }

    #[test]
    fn a_search_that_is_stopped_gives_its_best() {
        let engine = Engine::default();
        let body = br#"{"game":"gomoku","engine":"mcts","budget":{"time_ms":20000},"report":{"interval_ms":10}}"#;
        let last = read(&engine.search("", body, true, &Listener { patience: Some(3), ..Listener::default() }));
        assert_eq!((&last["status"], &last["stop_reason"]), (&json!("cancelled"), &json!("cancelled")));
        assert!(last["move"].is_string());
        let last = read(&engine.search("", body, true, &Listener { patience: Some(1), ..Listener::default() }));
        assert_eq!((&last["status"], &last["move"]), (&json!("cancelled"), &Value::Null));
    }

    /// The response of a search with an instance of the module for each worker, and one that merges.
    fn together(body: &str, cores: u32, host: &Listener) -> Value {
        let split = read(&Engine::default().split(body.as_bytes(), cores));
        let workers = split["workers"].as_u64().expect("a number") as u32;
        let pieces = (0..workers).rev().map(|worker| {
            let piece = Engine::default().part("a", body.as_bytes(), worker, cores, true, host);
            let piece = read(&piece);
            assert_eq!(piece["decides"], false);
            piece
        });
        let mut pieces: Vec<_> = pieces.collect();
        pieces.reverse();
        let seq = host.heard.borrow().len();
        let assembly = json!({ "body": body, "cores": cores, "seq": seq, "searched_ms": 1.5, "pieces": pieces });
        read(&Engine::default().merge("a", assembly.to_string().as_bytes()))
    }

    #[test]
    fn several_instances_search_together() {
        let body = r#"{"game":"hex","engine":"mcts","threads":3,"budget":{"simulations":3001},"seed":7,
            "report":{"tree":{"depth":2,"min_visits":20},"interval_ms":10}}"#;
        for body in [body, &body.replace("3001", "2"), &body.replace("hex", "gomoku")] {
            let host = Listener::default();
            let mut together = together(body, 2, &host);
            assert_eq!(together["timing"]["search_ms"], 1.5);
            let mut alone = read(&Engine::default().search("a", body.as_bytes(), false, &Listener::default()));
            let heard = host.heard.borrow();
            // Only the first worker reports progress.
            assert_eq!(heard.iter().filter(|message| message["seq"] == 0).count(), 1);
            assert!(heard.iter().all(|message| message["threads"] == together["threads"]));
            assert_eq!(together["seq"], heard.len());
            for last in [&mut together, &mut alone] {
                last["timing"].take();
                last["budget"]["used"]["time_ms"].take();
                last["budget"]["used"]["cpu_ms"].take();
                last["seq"].take();
            }
            assert_eq!(together.to_string(), alone.to_string());
        }
    }

    #[test]
    fn a_search_is_divided_where_its_workers_share_nothing() {
        let workers = |rest: &str, cores| {
            let body = format!(r#"{{"game":"hex","seed":4,"engine":"mcts",{rest}}}"#);
            let split = read(&Engine::default().split(body.as_bytes(), cores));
            assert_eq!(split["seed"], 4);
            split["workers"].as_u64().expect("a number")
        };
        assert_eq!(workers(r#""threads":5,"budget":{"simulations":100}"#, 2), 5);
        assert_eq!(workers(r#""threads":5,"budget":{"simulations":3}"#, 2), 3);
        assert_eq!(workers(r#""threads":5,"budget":{"time_ms":100}"#, 2), 2);
        assert_eq!(workers(r#""threads":5,"budget":{"time_ms":100}"#, 1), 1);
        assert_eq!(workers(r#""budget":{"simulations":100}"#, 2), 1);
        let tree = r#"{"game":"hex","engine":{"name":"mcts","parallel":"tree"},"threads":2,"budget":{"nodes":9}}"#;
        assert_eq!(read(&Engine::default().split(tree.as_bytes(), 2))["workers"], 1);
        let over = r#"{"game":"connect-four","position":"1212121","engine":"mcts","threads":2,"budget":{"nodes":9}}"#;
        assert_eq!(read(&Engine::default().split(over.as_bytes(), 2))["workers"], 1);
    }

    #[test]
    fn workers_that_are_stopped_or_decide_say_so() {
        let engine = Engine::default();
        let body = br#"{"game":"tic-tac-toe","engine":"mcts","threads":2,"budget":{"time_ms":20000},"seed":1}"#;
        let piece = read(&engine.part("", body, 1, 2, false, &Listener::default()));
        assert_eq!((&piece["decides"], &piece["part"]["report"]["stop"]), (&json!(true), &json!("proven")));
        let stopped = Listener { patience: Some(0), ..Listener::default() };
        let piece = read(&engine.part("", body, 0, 2, false, &stopped));
        assert_eq!(piece, json!({ "part": null, "decides": false }));
        let assembly = json!({
            "body": String::from_utf8_lossy(body), "cores": 2, "seq": 0, "searched_ms": 0.0, "pieces": [piece, null],
        });
        let last = read(&engine.merge("", assembly.to_string().as_bytes()));
        assert_eq!((&last["status"], &last["move"]), (&json!("cancelled"), &Value::Null));
    }

    #[test]
    fn parts_that_do_not_fit_are_problems() {
        let (engine, host) = (Engine::default(), Listener::default());
        let body = r#"{"game":"tic-tac-toe","engine":"mcts","threads":2,"budget":{"simulations":40},"seed":1}"#;
        assert_eq!(engine.part("", body.as_bytes(), 2, 2, false, &host).status, 500);
        assert_eq!(engine.part("", b"{}", 0, 2, false, &host).status, 422);
        let piece = read(&engine.part("", body.as_bytes(), 0, 2, false, &host));
        let merge = |body: &str, pieces: Value| {
            let assembly = json!({ "body": body, "cores": 2, "seq": 0, "searched_ms": -1.0, "pieces": pieces });
            engine.merge("", assembly.to_string().as_bytes()).status
        };
        assert_eq!(merge(body, json!([piece, null])), 200);
        assert_eq!(merge(body, json!([piece, piece, piece])), 500);
        assert_eq!(merge(body, json!([{}])), 500);
        assert_eq!(merge(&body.replace("tic-tac-toe", "connect-four"), json!([piece])), 500);
        assert_eq!(merge(&body.replace("\"threads\":2", "\"threads\":1"), json!([piece])), 500);
        assert_eq!(merge("", json!([piece])), 400);
        assert_eq!(engine.merge("", b"").status, 500);
    }

    #[test]
    fn a_review_is_told_ply_by_ply() {
        let (engine, host) = (Engine::default(), Listener::default());
        let body =
            br#"{"game":"tic-tac-toe","moves":["b2","a1","c3"],"budget":{"nodes":5000},"engine":"negamax","seed":1}"#;
        let last = read(&engine.review("r", body, true, &host));
        assert_eq!((&last["status"], &last["plies"]), (&json!("done"), &json!({ "total": 3, "reviewed": 3 })));
        assert_eq!(host.heard.borrow().len(), 4);
        let stopped = Listener { patience: Some(2), ..Listener::default() };
        let last = read(&engine.review("r", body, true, &stopped));
        assert_eq!((&last["status"], &last["plies"]["reviewed"]), (&json!("cancelled"), &json!(0)));
    }

    #[test]
    fn refusals_are_problems() {
        let engine = Engine::default();
        let host = Listener::default();
        let refused = |answer: &Answer, status: u16, code: &str, pointer: Option<&str>| {
            let problem = read(answer);
            assert_eq!((answer.status, &problem["code"], &problem["status"]), (status, &json!(code), &json!(status)));
            assert_eq!(problem["errors"][0]["pointer"].as_str(), pointer, "{problem}");
        };
        refused(&engine.game("go"), 404, "not_found", None);
        refused(&engine.position(b"{"), 400, "malformed_json", None);
        refused(&engine.position(br#"{"game":"go"}"#), 422, "unknown_game", Some("/game"));
        let search = |body: &str| engine.search("", body.as_bytes(), false, &host);
        refused(&search(r#"{"game":"hex","bugdet":{}}"#), 422, "invalid_request", Some("/bugdet"));
        let greedy = r#"{"game":"hex","budget":{"memory_mb":129}}"#;
        refused(&search(greedy), 422, "invalid_budget", Some("/budget/memory_mb"));
        let illegal = br#"{"game":"tic-tac-toe","moves":["b2","b2"]}"#;
        refused(&engine.review("", illegal, false, &host), 422, "illegal_move", Some("/moves/1"));
        refused(&engine.load("chess.book", Vec::new()), 404, "not_found", None);
    }

    #[test]
    fn perft_counts() {
        let engine = Engine::default();
        assert_eq!(engine.perft(br#"{"game":"tic-tac-toe"}"#, 3), Some(9 * 8 * 7));
        assert_eq!(engine.perft(b"", 3), None);
    }
}
