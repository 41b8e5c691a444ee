//! Adjudication is not legality: games continue after verdicts of the rules, everywhere except after a real end.

use serde_json::{Value, json};
use tesuji_core::api::{PositionRequest, PreparedSearch, ReviewRequest, Reviewing, SearchRequest};
use tesuji_core::catalog::{Catalog, Policy, ReadOptions, SearchSpec, Setup, WorkerContext};
use tesuji_core::rng::Rng;
use tesuji_core::search::Signals;

use super::open_variant;

/// Red's rook chases a cannon: the rules end the game after the eighth ply.
const CHASE: &str = "1c1k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1";
const MOVES: [&str; 8] = ["a8b8", "b9a9", "b8a8", "a9b9", "a8b8", "b9a9", "b8a8", "a9b9"];
const VERDICT: &str =
    "ply 8: the rules adjudicate the game as a win of the second player (perpetual_chase); play goes on";

fn request(moves: &[&str]) -> Value {
    json!({ "game": "xiangqi", "position": CHASE, "moves": moves })
}

fn described(request: Value) -> Value {
    let request: PositionRequest = serde_json::from_value(request).expect("a request");
    let response = request.describe(&Catalog::standard()).unwrap_or_else(|problem| panic!("{problem:?}"));
    serde_json::to_value(response).expect("it is JSON")
}

#[test]
fn positions_at_and_after_a_verdict() {
    let at = described(request(&MOVES));
    assert_eq!((&at["outcome"]["reason"], &at["outcome"]["adjudicated"]), (&json!("perpetual_chase"), &json!(true)));
    assert_eq!(at["warnings"], json!([]));
    let legal = at["legal_moves"].as_array().expect("a list");
    assert!(!legal.is_empty() && legal.len() == at["notations"].as_array().map_or(0, Vec::len));
    // Each of them is a move, and after it the game continues.
    for mv in legal.iter().map(|mv| mv.as_str().expect("a move")) {
        let after = described(request(&[&MOVES[..], &[mv]].concat()));
        assert_eq!((&after["outcome"], &after["warnings"]), (&Value::Null, &json!([VERDICT])), "{mv}");
    }
    // Nothing is played after a mate.
    let mate =
        json!({ "game": "xiangqi", "position": "3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", "moves": ["b7b9", "d9d8"] });
    let request: PositionRequest = serde_json::from_value(mate).expect("a request");
    assert!(request.describe(&Catalog::standard()).is_err());
}

/// The count starts again after a verdict: the same loop is adjudicated again after three more occurrences.
#[test]
fn what_led_to_a_verdict_is_counted_anew() {
    let again = [&MOVES[..], &MOVES[..]].concat();
    assert_eq!(described(request(&again[..15]))["outcome"], Value::Null);
    let verdict = described(request(&again));
    assert_eq!(verdict["outcome"]["reason"], "perpetual_chase");
    let text = "r3k4/9/9/9/9/9/9/9/9/3K4R w - - 130 90";
    let at = described(json!({ "game": "xiangqi", "position": text }));
    assert_eq!(at["outcome"]["reason"], "no_capture");
    let after = described(json!({ "game": "xiangqi", "position": text, "moves": ["i0i1"] }));
    assert_eq!((&after["outcome"], &after["no_capture"]), (&Value::Null, &json!({ "plies": 131, "limit": 250 })));
    assert_eq!(after["position"], "r3k4/9/9/9/9/9/9/9/8R/3K5 b - - 131 90");
}

fn run(search: &dyn tesuji_core::catalog::AnySearch) -> Option<String> {
    search.run(0, WorkerContext::new(&Signals::default()));
    search.finish()?.children.first().map(|best| best.mv.clone())
}

#[test]
fn searches_play_on() {
    let (catalog, policy) = (Catalog::standard(), Policy::default());
    for engine in ["negamax", "mcts"] {
        let limit = if engine == "mcts" { "simulations" } else { "nodes" };
        for (setup, verdict) in [
            (request(&MOVES), VERDICT),
            (request(&[&MOVES[..], &["a8a7"]].concat()), VERDICT),
            (
                json!({ "game": "xiangqi", "position": "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1" }),
                "ply 0: the rules adjudicate the game as a draw (insufficient_material); play goes on",
            ),
            (
                json!({ "game": "xiangqi", "position": "r3k4/9/9/9/9/9/9/9/9/3K4R w - - 120 90" }),
                "ply 0: the rules adjudicate the game as a draw (no_capture); play goes on",
            ),
        ] {
            let mut asked = setup.clone();
            (asked["engine"], asked["budget"], asked["seed"]) = (json!(engine), json!({ limit: 400 }), json!(1));
            let asked: SearchRequest = serde_json::from_value(asked).expect("a request");
            let prepared = PreparedSearch::new("id".to_owned(), &asked, &catalog, &policy, None)
                .unwrap_or_else(|problem| panic!("{setup}: {problem:?}"));
            assert!(!prepared.blank.is_over(), "{setup}");
            assert!(prepared.blank.warnings.iter().any(|warning| warning == verdict), "{:?}", prepared.blank.warnings);
            let best = run(&*prepared.search).expect("a move");
            let legal = described(setup)["legal_moves"].clone();
            assert!(legal.as_array().is_some_and(|legal| legal.contains(&json!(best))), "{best}");
        }
    }
}

#[test]
fn records_and_reviews_go_on() {
    let catalog = Catalog::standard();
    let line = "position startpos moves h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9 b2e2";
    let asked = ReadOptions { game: Some("xiangqi"), format: Some("ucci"), ..ReadOptions::default() };
    let played = catalog.read_record(line, &asked).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(played.record.moves.len(), 9);
    assert!(played.warnings[0].starts_with("ply 8: the rules adjudicate the game as a draw (repetition)"));
    assert!(played.record.result.is_none(), "the game goes on");
    for format in catalog.formats("xiangqi") {
        let text = catalog.write_record(&played, format).unwrap_or_else(|refusal| panic!("{format}: {refusal}"));
        let again = catalog.read_record(&text, &ReadOptions { format: Some(format), ..asked });
        assert_eq!(again.unwrap_or_else(|refusal| panic!("{text}: {refusal}")).record.moves.len(), 9, "{format}");
    }
    let mut asked = request(&[&MOVES[..], &["a8a7", "b9b1"]].concat());
    asked["budget"] = json!({ "nodes": 50 });
    let asked: ReviewRequest = serde_json::from_value(asked).expect("a request");
    let policy = Policy::default();
    let mut review = Reviewing::new("id".to_owned(), asked, &catalog, &policy).unwrap_or_else(|p| panic!("{p:?}"));
    assert_eq!(review.document().warnings, [VERDICT]);
    while !review.is_complete() {
        assert!(!review.is_over(), "every position is searched");
        let search = review.search(&policy).expect("a search");
        search.run(0, WorkerContext::new(&Signals::default()));
        review.add(search.finish()).expect("the moves are legal");
    }
    let moves = &review.document().moves;
    assert!(moves.len() == 10 && moves.iter().all(|mv| mv.class.is_some()), "{moves:?}");
}

/// Random games far past their verdicts: every legal move is accepted, alone and in a line, until the game ends for good.
#[test]
fn every_sequence_of_legal_moves_is_accepted() {
    let variant = json!({ "no_capture_plies": 10 });
    let mut rng = Rng::new(50, 0);
    for begin in [CHASE, "3ak4/4a4/9/9/9/9/9/9/4A4/3AK4 w - - 0 1", "r3k4/9/9/9/9/9/9/9/9/3K4R w - - 4 1"] {
        let mut session = open_variant(&variant, Some(begin), &[]);
        let mut moves = Vec::new();
        while moves.len() < 120 {
            let legal = session.legal_moves();
            assert_eq!(legal.is_empty(), session.outcome().is_some_and(|ended| !ended.adjudicated));
            let Some(mv) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else { break };
            session.play(mv).unwrap_or_else(|illegal| panic!("{moves:?}: {illegal}"));
            moves.push(mv.clone());
        }
        let setup = Setup { variant: Some(&variant), position: Some(begin), moves: &moves };
        let whole = Catalog::standard().open("xiangqi", setup).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!((whole.text(), whole.warnings()), (session.text(), session.warnings()));
        assert!(moves.len() < 20 || !whole.warnings().is_empty(), "{begin}: {moves:?}");
        whole.search(&SearchSpec::default(), &Policy::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
}
