//! `POST /v1/records`: requests in JSON, and records as files, in any encoding.

use encoding_rs::GBK;
use serde_json::{Value, json};

use crate::http::{Answer, position, record};

const PATH: &str = "/v1/records";

fn asked(body: &Value) -> Answer {
    record(PATH, &[], body.to_string())
}

#[track_caller]
fn refused(answer: &Answer, code: &str, pointer: &str, detail: &str) {
    assert_eq!((answer.status, answer.code()), (422, code), "{:#}", answer.body);
    let error = &answer.body["errors"][0];
    assert_eq!(error["pointer"], pointer, "{:#}", answer.body);
    assert!(error["detail"].as_str().is_some_and(|response| response.contains(detail)), "{:#}", answer.body);
}

#[test]
fn a_text_is_read_and_written_in_another_format() {
    let text = "[Red \"a\"]\n\n1. 炮二平五 {c} 马8进7 1-0";
    let response = asked(&json!({"text": text, "write": "ucci"})).ok();
    assert_eq!((&response["format"], &response["game"]), (&json!("pgn-chinese"), &json!("xiangqi")));
    assert_eq!(response["written"], json!({"format": "ucci", "text": "position startpos moves h2e2 h9g7\n"}));
    assert_eq!(response["moves"][0]["comment"], "c");
    assert_eq!(response["result"], json!({"winner": "first", "margin": null, "early": null}));
}

#[test]
fn responses_can_be_sent_back_and_written() {
    let mut response =
        asked(&json!({"text": "(;GM[4]SZ[9]AB[ee]TM[60]PB[a]RE[W+T];W[ef]C[c]WL[59];B[dd])", "write": "sgf"})).ok();
    let written = response["written"].take();
    let fields = response.as_object_mut().expect("it is an object");
    for name in ["format", "warnings", "written"] {
        fields.remove(name);
    }
    fields.insert("write".to_owned(), json!("sgf"));
    assert_eq!(asked(&response).ok()["written"], written);
}

/// Moves are written here as in every other request.
#[test]
fn moves_are_given_in_every_form() {
    let list = json!(["4", "4", "3"]);
    for moves in [
        json!("443"),
        json!("1. 4 4 2. 3"),
        json!([4, 4, 3]),
        json!(["44", {"move": 3}]),
        json!([4, "4", {"move": "3"}]),
    ] {
        let response = asked(&json!({"game": "connect-four", "moves": moves})).ok();
        let read: Vec<&Value> = response["moves"].as_array().into_iter().flatten().map(|mv| &mv["move"]).collect();
        assert_eq!(json!(read), list, "{moves}");
    }
}

#[test]
fn the_body_may_be_the_record_itself() {
    let game = "[Game \"Chinese Chess\"]\n[Red \"王天一\"]\n\n1. 炮二平五 马8进7 *\n";
    let (gbk, ..) = GBK.encode(game);
    for (kind, body) in [
        ("text/plain", gbk.to_vec()),
        ("text/plain; charset=GBK", gbk.to_vec()),
        ("text/plain; charset=\"utf-8\"", game.as_bytes().to_vec()),
        ("application/vnd.chess-pgn", gbk.to_vec()),
        ("application/x-www-form-urlencoded", game.as_bytes().to_vec()),
    ] {
        let response = record(PATH, &[("content-type", kind)], body).ok();
        assert_eq!(response["players"]["first"]["name"], "王天一", "{kind}");
        assert_eq!(response["moves"].as_array().map(Vec::len), Some(2), "{kind}");
    }
    let (big5, ..) = encoding_rs::BIG5.encode("[Red \"許銀川\"]\n\n1. 炮二平五 馬8進7 *\n");
    let response = record(PATH, &[("content-type", "text/plain")], big5.to_vec()).ok();
    assert_eq!(
        (&response["players"]["first"]["name"], &response["moves"][1]["move"]),
        (&json!("許銀川"), &json!("h9g7"))
    );
    assert_eq!(response["warnings"], json!(["the text is not UTF-8 and does not name its encoding: Big5 was guessed"]));
    let response =
        record("/v1/records?game=reversi&write=ggf&format=moves", &[("content-type", "text/plain")], "f5d6").ok();
    assert!(response["written"]["text"].as_str().is_some_and(|text| text.ends_with("B[F5]W[D6];)")), "{response}");
    // A comment in braces is not JSON.
    let response = record("/v1/records?format=pgn", &[("content-type", "text/plain")], "{\"x\"} 1. h2e2").ok();
    assert_eq!(response["comment"], "\"x\"");
    let wrong = record(PATH, &[("content-type", "text/plain; charset=utf-8")], gbk.to_vec());
    assert_eq!((wrong.status, wrong.code()), (415, "unsupported_media_type"));
    let wrong = record(PATH, &[("content-type", "image/png")], "x");
    assert_eq!((wrong.status, wrong.code()), (415, "unsupported_media_type"));
    for query in ["?gmae=reversi", "?number=x", "?game=hex&game=hex"] {
        let wrong = record(&format!("{PATH}{query}"), &[("content-type", "text/plain")], "a1");
        assert_eq!((wrong.status, wrong.code()), (422, "invalid_request"), "{query}");
    }
    let mixed = record("/v1/records?write=moves", &[], json!({"text": "f5d6"}).to_string());
    assert_eq!((mixed.status, mixed.code()), (422, "invalid_request"));
}

#[test]
fn refusals_name_line_column_and_what_was_expected() {
    refused(
        &asked(&json!({"text": "(;GM[4]\n;B[zz])"})),
        "invalid_record",
        "/text",
        "sgf, line 2, column 4: B[zz]: expected a point",
    );
    refused(
        &asked(&json!({"text": "(;GM[4];B[hh]\n;W[hh])"})),
        "illegal_move",
        "/text",
        "line 2, column 4: move 2, `h8`",
    );
    refused(&asked(&json!({"text": "a1 b2"})), "invalid_record", "/game", "the text fits several games");
    refused(&asked(&json!({"text": ""})), "invalid_record", "/text", "is not a game record");
    let bare = record("/v1/records?game=tic-tac-toe&format=moves", &[], "");
    refused(&bare, "invalid_record", "/text", "expected a record in the body");
    refused(
        &asked(&json!({"text": "f5", "game": "reversi", "write": "psq"})),
        "invalid_record",
        "/write",
        "expected one of ggf, sgf, moves",
    );
    refused(&asked(&json!({"text": "f5", "format": "png"})), "invalid_record", "/format", "`png`: expected one of");
    refused(&asked(&json!({"text": "f5", "moves": []})), "invalid_request", "/moves", "expected either `text`");
    refused(&asked(&json!({"game": "hex", "format": "sgf"})), "invalid_request", "/format", "expected `text`");
    refused(&asked(&json!({"game": "hex", "moves": ["a1", {"move": "a1"}]})), "illegal_move", "/moves/1", "taken");
    refused(
        &asked(&json!({"game": "hex", "moves": [{"move": "a1", "side": "second"}]})),
        "illegal_move",
        "/moves/0",
        "the first player",
    );
    refused(
        &asked(&json!({"game": "hex", "moves": [{"move": "a1", "ply": 2}]})),
        "invalid_request",
        "/moves/0/ply",
        "expected 1",
    );
    refused(&asked(&json!({"game": "hex", "moves": [{"mv": "a1"}]})), "invalid_request", "/moves/0/mv", "");
    refused(
        &asked(&json!({"game": "hex", "moves": [12]})),
        "invalid_request",
        "/moves/0",
        "a move as text, or a column",
    );
    refused(
        &asked(&json!({"game": "hex", "moves": [null]})),
        "invalid_request",
        "/moves/0",
        "a move as text, a column",
    );
    refused(&asked(&json!({"game": "hex", "moves": 7})), "invalid_request", "/moves", "a list of moves, or a text");
    refused(&asked(&json!({"game": "hex", "moves": "a1 a1"})), "illegal_move", "/moves", "move `a1`: ");
    for field in ["seconds", "seconds_left"] {
        for time in [-1.0, 1e300] {
            let body = json!({"game": "hex", "moves": ["a1", {"move": "b1", field: time}]});
            refused(&asked(&body), "invalid_request", &format!("/moves/1/{field}"), "expected seconds, not below 0");
        }
    }
    for (winner, margin, expected) in [("first", -2.0, "above 0"), ("second", 0.0, "below 0")] {
        let body = json!({"game": "reversi", "moves": "f5", "result": {"winner": winner, "margin": margin}});
        refused(&asked(&body), "invalid_request", "/result/margin", expected);
    }
    refused(&asked(&json!({"moves": []})), "invalid_request", "", "expected `text`");
    let clock = json!({"game": "hex", "players": {"second": {"clock": {"main_s": -1}}}});
    refused(&asked(&clock), "invalid_request", "/players/second/clock", "seconds");
}

/// Pasted texts are read as records are.
#[test]
fn positions_take_records_as_pasted_texts() {
    let response = position(&json!({"game": "gomoku", "text": "(;GM[4]SZ[9]RU[caro];B[ee];W[ef])"}));
    assert_eq!((&response["variant"]["size"], &response["position"]), (&json!(9), &json!("e5 e4")));
    let response = position(&json!({"game": "xiangqi", "text": "[Red \"a\"]\n1. C2.5 h8+7"}));
    assert_eq!(response["line"][1]["move"], "h9g7");
}
