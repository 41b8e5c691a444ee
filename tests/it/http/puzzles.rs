//! The list of puzzles: selection, pages, entity tag, refusals.

use std::fs;

use serde_json::Value;
use tesuji::puzzles::Puzzle;
use tesuji::settings::Settings;

use super::{Answer, SHARED, Server, forgetful, get};

fn ask(query: &str) -> Answer {
    get(&format!("/v1/puzzles{query}"))
}

fn ids(list: &Value) -> Vec<&str> {
    let puzzles = list["puzzles"].as_array().expect("puzzles are a list");
    puzzles.iter().map(|puzzle| puzzle["id"].as_str().expect("ids are texts")).collect()
}

#[test]
fn puzzles_are_those_of_the_page() {
    let file = fs::read("web/puzzles/xiangqi.json").expect("it is there");
    let file: Value = serde_json::from_slice(&file).expect("it is JSON");
    assert_eq!(ask("?game=xiangqi&limit=1000").ok()["puzzles"], file);
}

#[test]
fn queries_select() {
    let of = |fits: &dyn Fn(&Puzzle) -> bool| -> Vec<&str> {
        let all = Puzzle::all().iter().filter(|puzzle| fits(puzzle));
        all.map(|puzzle| puzzle.id.as_str()).collect()
    };
    let hard = ask("?game=reversi&difficulty=4").ok();
    assert_eq!(ids(&hard), of(&|puzzle| puzzle.game == "reversi" && puzzle.difficulty == 4));
    let draws = ask("?kind=draw&limit=1000").ok();
    assert_eq!(ids(&draws), of(&|puzzle| puzzle.kind == tesuji::puzzles::Kind::Draw));
    assert!(!ids(&draws).is_empty() && !ids(&hard).is_empty());
    assert!(ids(&ask("?game=tic-tac-toe").ok()).is_empty());
}

#[test]
fn parts_make_the_list() {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let part = ask(&format!("?game=gomoku&limit=7{after}")).ok();
        found.extend(ids(&part).into_iter().map(str::to_owned));
        let Some(next) = part["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(found, ids(&ask("?game=gomoku&limit=1000").ok()));
    assert_eq!(ids(&ask("").ok()).len(), 100);
}

#[test]
fn what_a_client_has_is_not_sent_again() {
    let list = ask("?game=connect-four");
    let tag = list.header("etag").expect("it has a tag");
    assert_eq!(list.header("cache-control"), Some("private, no-cache"));
    let same = SHARED.ask("GET", "/v1/puzzles?game=connect-four", &[("if-none-match", tag)], "");
    assert_eq!((same.status, same.body.is_null()), (304, true));
    let other = SHARED.ask("GET", "/v1/puzzles?game=reversi", &[("if-none-match", tag)], "");
    assert_eq!(other.status, 200);
}

#[test]
fn other_queries_are_refused() {
    for (query, named) in [
        ("?game=chess", "game chess: expected one of "),
        ("?kind=mate", "kind: unknown variant `mate`, expected one of `win`, `draw`, `points`"),
        ("?difficulty=6", "difficulty 6: expected 1 to 5"),
        ("?difficulty=hard", "difficulty: invalid digit"),
        ("?limit=0", "limit 0: expected 1 to 1000"),
        ("?limit=1001", "limit 1001: expected 1 to 1000"),
        ("?after=gomoku", "after gomoku: expected the id of a puzzle"),
        ("?before=gomoku-1", "unknown field `before`"),
        ("?game=hex&game=gomoku", "duplicate field `game`"),
    ] {
        let refused = ask(query);
        let detail = refused.body["detail"].as_str().unwrap_or_default();
        assert_eq!((refused.status, refused.code()), (422, "invalid_request"), "{query}");
        assert!(detail.contains(named), "{query}: {detail}");
    }
    assert_eq!(SHARED.ask("GET", "/v1/puzzles", &[("accept", "text/html")], "").status, 406);
}

#[test]
#[cfg(feature = "own-games")]
fn other_games_have_none() {
    let server = Server::set_up(&Settings { games: Some("examples/games".into()), ..forgetful(1, 8) });
    let list = server.ask("GET", "/v1/puzzles?game=number-scrabble", &[], "").ok();
    assert_eq!(list, serde_json::json!({"puzzles": [], "next": null}));
}
