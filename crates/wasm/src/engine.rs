//! The resources of the HTTP API as functions from a request's body to the response's.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use tesuji_core::api::{
    Code, Games, PositionRequest, PreparedSearch, Problem, ReviewRequest, Reviewing, SearchRequest, Status, game, parse,
};
use tesuji_core::catalog::{Caps, Catalog, Policy, Setup};
use tesuji_core::search::{Report, Signals, StopReason};

use crate::runner::{Found, Host, run, since};

/// Mebibytes of tree or table at most. The module's memory never shrinks: what one search has taken, its page keeps.
const MOST_MEMORY_MB: u64 = 128;

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status that the server would answer with.
    pub status: u16,
    /// The body, JSON.
    pub body: String,
}

impl Answer {
    fn of(result: Result<impl Serialize, Problem>) -> Self {
        match result {
            Ok(document) => Self { status: 200, body: written(&document) },
            Err(problem) => Self { status: problem.code().status(), body: written(&problem.details(None)) },
        }
    }
}

fn written(document: &impl Serialize) -> String {
    // Texts and finite numbers only.
    serde_json::to_string(document).expect("responses are JSON")
}

/// The games, and what a search may spend.
#[derive(Debug)]
pub struct Engine {
    catalog: Catalog,
    policy: Policy,
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

    /// `POST /v1/searches` of a search with this id. With `telling`, the host is told every message but the final one, as the
    /// server's stream has them.
    pub fn search(&self, id: &str, body: &[u8], telling: bool, host: &dyn Host) -> Answer {
        let prepared = parse::<SearchRequest>(body)
            .and_then(|request| PreparedSearch::new(id.to_owned(), &request, &self.catalog, &self.policy, None));
        Answer::of(prepared.map(|prepared| {
            let PreparedSearch { blank, extent, interval, search } = prepared;
            if blank.is_over() {
                return blank;
            }
            let signals = Signals::default();
            let seq = std::cell::Cell::new(0);
            let next = || seq.replace(seq.get() + 1);
            if telling {
                next();
                host.tell(&written(&blank));
            }
            let tell = |report: Report<String>| {
                let mut message = blank.clone();
                message.seq = next();
                message.progress(report, (Duration::ZERO, since(&signals)), extent);
                host.tell(&written(&message));
            };
            let Found { report, searched } = run(&*search, &signals, host, telling.then_some((interval, &tell)));
            let mut last = blank.clone();
            last.seq = next();
            match report {
                Some(report) => last.fill(report, (Duration::ZERO, searched), extent),
                None => last.cancel(StopReason::Cancelled),
            }
            last
        }))
    }

    /// `POST /v1/reviews` of a review with this id. With `telling`, the host is told every message but the final one.
    pub fn review(&self, id: &str, body: &[u8], telling: bool, host: &dyn Host) -> Answer {
        let review = parse::<ReviewRequest>(body)
            .and_then(|request| Reviewing::new(id.to_owned(), request, &self.catalog, &self.policy));
        Answer::of(review.and_then(|mut review| {
            let internal = |error: String| Problem::new(Code::Internal, error);
            let mut status = Status::Done;
            while !review.is_complete() {
                if telling {
                    host.tell(&written(review.document()));
                }
                let report = if review.is_over() {
                    None
                } else {
                    let search = review.search(&self.policy)?;
                    let signals = Signals::default();
                    let Found { report, .. } = run(&*search, &signals, host, None);
                    if signals.is_cancelled() {
                        status = Status::Cancelled;
                        break;
                    }
                    report
                };
                review.add(report).map_err(|illegal| internal(illegal.to_string()))?;
            }
            review.end(status);
            Ok(review.document().clone())
        }))
    }

    /// The file that a game's searches use, and whether it has been loaded; null where there is none.
    #[must_use]
    pub fn file(&self, game: &str) -> Answer {
        let file = self.catalog.file(game);
        Answer::of(Ok(
            file.map(|file| json!({ "name": file.name, "needed": file.is_needed, "loaded": file.is_present() }))
        ))
    }

    /// Takes a file's bytes.
    pub fn load(&self, name: &str, bytes: Vec<u8>) -> Answer {
        let file = self.catalog.names().filter_map(|game| self.catalog.file(game)).find(|file| file.name == name);
        let file = file.ok_or_else(|| Problem::new(Code::NotFound, "no game uses a file of this name"));
        let conflict = |problem| Problem::new(Code::Conflict, problem);
        Answer::of(file.and_then(|file| file.load(bytes).map_err(conflict)))
    }

    /// The lines of play from a position to a depth; none where the request is refused. A measure of the rules' speed.
    #[must_use]
    pub fn perft(&self, body: &[u8], depth: u32) -> Option<u64> {
        let request: PositionRequest = parse(body).ok()?;
        let moves = request.moves.unwrap_or_default();
        let setup = Setup { variant: request.variant.as_ref(), position: request.position.as_deref(), moves: &moves };
        Some(self.catalog.open(&request.game, setup).ok()?.perft(depth))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::Value;

    use super::*;

    /// Hears all messages, and stops after so many.
    #[derive(Default)]
    struct Listener {
        heard: RefCell<Vec<Value>>,
        patience: Option<usize>,
    }

    impl Host for Listener {
        fn tell(&self, message: &str) {
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
