//! Every request that cannot be granted is refused precisely: status, code, and a pointer to what is wrong.

use serde::Deserialize;

use super::SHARED;
use crate::data;

/// The largest body that a server with its default settings takes.
pub const LARGEST_BODY: usize = 64 << 10;

/// A body that must be refused.
pub struct Case {
    /// What is wrong with it.
    pub what: String,
    pub body: Vec<u8>,
    pub status: u16,
    pub code: String,
    /// Where `errors` points to; `None` when there is nothing to point to.
    pub pointer: Option<String>,
}

/// Bodies that are not JSON, or too long: 400 or 413.
fn unreadable() -> Vec<Case> {
    let refused = |what: &str, body, status, code: &str| Case {
        what: what.to_owned(),
        body,
        status,
        code: code.to_owned(),
        pointer: None,
    };
    let case = |what, body: &[u8]| refused(what, body.to_vec(), 400, "malformed_json");
    let too_large = |what, body| refused(what, body, 413, "too_large");
    let nested = |depth| [br#"{"game":"reversi","variant":{"a":"#.to_vec(), b"[".repeat(depth)].concat();
    let wordy = |length| [br#"{"game":""#.to_vec(), b"x".repeat(length), br#""}"#.to_vec()].concat();
    vec![
        case("empty", b""),
        case("blanks", b" \n\t "),
        case("no JSON at all", b"game=reversi"),
        case("a word", b"reversi"),
        case("cut off", br#"{"game":"reversi""#),
        case("cut off in a text", br#"{"game":"reve"#),
        case("single quotes", b"{'game':'reversi'}"),
        case("a comma too many", br#"{"game":"reversi",}"#),
        case("a comma too few", br#"{"game":"reversi" "moves":[]}"#),
        case("a comment", br#"{"game":"reversi"/* black */}"#),
        case("something behind", br#"{"game":"reversi"} x"#),
        case("another body behind", br#"{"game":"reversi"}{"game":"reversi"}"#),
        case("a byte order mark", b"\xef\xbb\xbf{\"game\":\"reversi\"}"),
        case("no UTF-8", b"{\"game\":\"\xff\xfe\"}"),
        case("a control character in a text", b"{\"game\":\"a\x01\"}"),
        case("half a surrogate pair", br#"{"game":"\ud800"}"#),
        case("no escape", br#"{"game":"\x"}"#),
        case("not a number", br#"{"game":"reversi","variant":NaN}"#),
        case("a leading zero", br#"{"game":"reversi","variant":{"a":01}}"#),
        case("a number that no double holds", br#"{"game":"reversi","variant":{"a":1e400}}"#),
        case("30,000 brackets", &nested(30_000)),
        too_large("100,000 brackets", nested(100_000)),
        too_large("one byte too many", wordy(LARGEST_BODY - 10)),
        too_large("10 MB", wordy(10_000_000)),
    ]
}

/// A request of `tests/data/refusals.jsonl`.
#[derive(Deserialize)]
struct Refused {
    /// What it is about: `position` means the same to `/v1/positions`.
    about: String,
    what: String,
    body: String,
    code: String,
    pointer: String,
}

/// Bodies that are JSON and are refused: 422.
fn refused(searches: bool) -> impl Iterator<Item = Case> {
    let refused = data::own::<Refused>("refusals.jsonl").into_iter();
    refused.filter(move |case| searches || case.about == "position").map(
        |Refused { what, body, code, pointer, .. }| Case {
            what,
            body: body.into_bytes(),
            status: 422,
            code,
            pointer: Some(pointer),
        },
    )
}

/// All bodies that `/v1/searches` must refuse.
pub fn cases() -> Vec<Case> {
    unreadable().into_iter().chain(refused(true)).collect()
}

#[track_caller]
fn check(path: &str, case: Case) {
    let Case { what, body, status, code, pointer } = case;
    let answer = SHARED.ask("POST", path, &[], body);
    let pointers: Vec<_> =
        answer.body["errors"].as_array().into_iter().flatten().map(|part| &part["pointer"]).collect();
    let found = (answer.status, answer.code(), pointers);
    assert_eq!(
        found,
        (status, &*code, pointer.map(|text| text.into()).iter().collect()),
        "{path}, {what}: {:#}",
        answer.body
    );
}

#[test]
fn searches_refuse_precisely() {
    assert!(cases().len() > 100);
    cases().into_iter().for_each(|case| check("/v1/searches", case));
}

#[test]
fn positions_refuse_precisely() {
    unreadable().into_iter().chain(refused(false)).for_each(|case| check("/v1/positions", case));
    for field in ["budget", "engine", "threads", "seed", "moves_filter", "perspective", "report"] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], format!(r#"{{"game":"reversi","{field}":1}}"#));
        assert_eq!(answer.body["errors"][0]["pointer"], format!("/{field}"), "searches have it, positions do not");
    }
}

#[test]
fn caps_are_named() {
    let answer = SHARED.ask("POST", "/v1/searches", &[], r#"{"game":"reversi","budget":{"time_ms":60001}}"#);
    let detail = answer.body["errors"][0]["detail"].as_str().expect("it is a text");
    assert!(detail.starts_with("expected 1 to 60000 ") && detail.ends_with(", not 60001"), "{detail}");
}

#[test]
fn what_was_sent_does_not_come_back_whole() {
    let long = "x".repeat(10_000);
    for body in [
        format!(r#"{{"game":"tic-tac-toe","moves":["{long}"]}}"#),
        format!(r#"{{"game":"tic-tac-toe","position":"{long}"}}"#),
        format!(r#"{{"game":"connect-four","position":"3/{long} x"}}"#),
        format!(r#"{{"game":"connect-four","variant":{{"blocked":"{long}"}}}}"#),
        format!(r#"{{"game":"dots-and-boxes","position":"{long} {long} first"}}"#),
    ] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], body);
        assert!(answer.status == 422 && answer.body.to_string().len() < 1000, "{:#}", answer.body);
    }
}
