//! Pictures of positions: both formats, by POST and by address; negotiation, options, caching, refusals.

use std::fs;

use axum::body::Body;
use axum::http::{Request, Response};
use serde_json::{Value, json};
use tesuji::settings::{Settings, fresh_key};
use tesuji_core::catalog::Catalog;

use super::{Answer, SHARED, Server, forgetful};
use crate::own_games::TWENTY_ONE;

const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// Posts a request for a format.
fn post(accept: &str, body: &Value) -> Answer {
    SHARED.ask("POST", "/v1/positions", &[("accept", accept)], body.to_string())
}

/// The bytes of a PNG, from an answer that holds them in base64.
fn bytes(answer: &Answer) -> Vec<u8> {
    let text = answer.body.as_str().expect("a file is text here");
    data_encoding::BASE64.decode(text.as_bytes()).expect("it is base64")
}

/// The width and height of a PNG file.
fn size(file: &[u8]) -> (u32, u32) {
    assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"), "it is no PNG");
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

fn get(path: &str) -> Answer {
    SHARED.ask("GET", &format!("/v1/positions/{path}"), &[], "")
}

#[test]
fn every_game_has_both_formats_by_post_and_by_address() {
    for game in Catalog::standard().names() {
        let svg = post(SVG, &json!({"game": game}));
        assert_eq!((svg.status, svg.header("content-type")), (200, Some(SVG)), "{game}: {}", svg.body);
        assert!(svg.body.as_str().is_some_and(|text| text.contains("<title>")), "{game}");
        let png = post(PNG, &json!({"game": game}));
        let (width, height) = size(&bytes(&png));
        assert_eq!(width.max(height), 480, "{game}");
        assert_eq!(get(&format!("picture.svg?game={game}")).body, svg.body, "{game}");
        assert_eq!(get(&format!("picture.png?game={game}")).body, png.body, "{game}");
    }
}

#[test]
fn the_format_is_negotiated() {
    let start = json!({"game": "hex"});
    for (accept, media) in [
        ("*/*", "application/json"),
        ("image/*", SVG),
        ("image/*, image/png", PNG),
        ("image/svg+xml;q=0.5, image/png;q=0.6", PNG),
        ("image/png;q=0.9, application/json", "application/json"),
        ("image/png;q=0, image/*;q=0.1", SVG),
        ("text/html, image/avif, image/webp, image/png;q=0.8", PNG),
    ] {
        let answer = post(accept, &start);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(media)), "{accept}");
    }
    for accept in ["image/gif", "text/html", "image/*;q=0"] {
        let answer = post(accept, &start);
        assert_eq!((answer.status, answer.code()), (406, "not_acceptable"), "{accept}");
    }
}

#[test]
fn options_change_the_picture() {
    let moves = json!(["h8", "i9"]);
    let with = |picture: Value| post(SVG, &json!({"game": "gomoku", "moves": moves, "picture": picture})).ok();
    let usual = with(Value::Null);
    assert_eq!(with(json!({"size": 480, "theme": "light", "coordinates": true, "last_move": true})), usual);
    let label = json!({"candidates": [{"move": "g9", "label": "+0.3"}]});
    let others = [
        json!({"size": 200}),
        json!({"theme": "dark"}),
        json!({"coordinates": false}),
        json!({"last_move": false}),
        json!({"candidates": [{"move": "g9"}]}),
        label,
        json!({"ahead": ["g9", "g8"]}),
    ];
    let mut seen = vec![usual];
    for options in others {
        let svg = with(options.clone());
        assert!(!seen.contains(&svg), "{options} changes nothing");
        seen.push(svg);
    }
    assert_eq!(with(json!({"ahead": "g9 g8"})), seen[7], "moves in a list and in a text");
    let address = "picture.svg?game=gomoku&moves=h8,i9&";
    for (query, index) in [
        ("size=200", 1),
        ("theme=dark", 2),
        ("coordinates=false", 3),
        ("last_move=false", 4),
        ("candidates=g9", 5),
        ("ahead=g9+g8", 7),
    ] {
        assert_eq!(get(&format!("{address}{query}")).ok(), seen[index], "{query}");
    }
}

#[test]
fn an_address_holds_variant_and_position() {
    let moves = "h0,0 v0,1".replace(' ', "+");
    for (query, body) in [
        ("game=gomoku&variant=renju&moves=h8+i9", json!({"game": "gomoku", "variant": "renju", "moves": ["h8", "i9"]})),
        (
            "game=gomoku&variant=%7B%22size%22:9%7D&moves=e5",
            json!({"game": "gomoku", "variant": {"size": 9}, "moves": ["e5"]}),
        ),
        (
            "game=tic-tac-toe&position=x2/1o1/3+x&moves=c3",
            json!({"game": "tic-tac-toe", "position": "x2/1o1/3 x", "moves": ["c3"]}),
        ),
        (&format!("game=dots-and-boxes&moves={moves}"), json!({"game": "dots-and-boxes", "moves": ["h0,0", "v0,1"]})),
        ("game=connect-four&moves=4433", json!({"game": "connect-four", "moves": ["4", "4", "3", "3"]})),
    ] {
        assert_eq!(get(&format!("picture.svg?{query}")).ok(), post(SVG, &body).ok(), "{query}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_its_place() {
    for (picture, code, pointer) in [
        (json!({"size": 63}), "invalid_request", "/picture/size"),
        (json!({"size": 2049}), "invalid_request", "/picture/size"),
        (json!({"size": "big"}), "invalid_request", "/picture/size"),
        (json!({"theme": "blue"}), "invalid_request", "/picture/theme"),
        (json!({"sise": 100}), "invalid_request", "/picture/sise"),
        (json!({"candidates": [{"move": "a1"}]}), "invalid_request", "/picture/candidates/0/move"),
        (json!({"candidates": [{"label": "x"}]}), "invalid_request", "/picture/candidates/0"),
        (json!({"ahead": ["d6", "a1"]}), "illegal_move", "/picture/ahead/1"),
        (json!({"ahead": "d6 a1"}), "illegal_move", "/picture/ahead"),
        (json!([480]), "invalid_request", "/picture"),
    ] {
        let answer = post(PNG, &json!({"game": "reversi", "moves": ["f5"], "picture": picture}));
        let reported = (answer.status, answer.code(), answer.body["errors"][0]["pointer"].as_str());
        assert_eq!(reported, (422, code, Some(pointer)), "{picture}: {}", answer.body);
    }
    // A field that a JSON response would ignore.
    let ignored = post("application/json", &json!({"game": "reversi", "picture": {"size": 100}}));
    assert_eq!((ignored.status, &ignored.body["errors"][0]["pointer"]), (422, &json!("/picture")), "{}", ignored.body);
    post("application/json", &json!({"game": "reversi", "picture": null})).ok();

    // Candidates are written as moves are.
    let of = |candidate: &str| {
        let body = json!({"game": "xiangqi", "picture": {"candidates": [{"move": candidate}]}});
        post(SVG, &body).ok()
    };
    assert_eq!(of("C2.5"), of("h2e2"));
    let long = ["h2e2", "h7e7", "e2h2", "e7h7"].repeat(17);
    let refused = post("image/png", &json!({"game": "xiangqi", "picture": {"ahead": long}}));
    assert_eq!((refused.status, &refused.body["errors"][0]["pointer"]), (422, &json!("/picture/ahead")));

    for (query, code, named) in [
        ("", "invalid_request", "game"),
        ("?game=chess", "unknown_game", "/game"),
        ("?game=hex&game=hex", "invalid_request", "game"),
        ("?game=hex&sise=100", "invalid_request", "sise"),
        ("?game=hex&size=100&size=100", "invalid_request", "size"),
        ("?game=hex&size=big", "invalid_request", "size"),
        ("?game=hex&size=9999", "invalid_request", "/size"),
        ("?game=hex&theme=blue", "invalid_request", "theme"),
        ("?game=hex&moves=z99", "illegal_move", "/moves"),
        ("?game=hex&candidates=z99", "invalid_request", "/candidates/0/move"),
        ("?game=hex&ahead=z99", "illegal_move", "/ahead"),
        ("?game=hex&variant=%7B", "invalid_variant", "/variant"),
        ("?game=hex&variant=odd", "invalid_variant", "/variant"),
        ("?game=hex&position=odd", "invalid_position", "/position"),
    ] {
        let answer = get(&format!("picture.png{query}"));
        let detail = answer.body["detail"].as_str().unwrap_or_default();
        assert_eq!((answer.status, answer.code()), (422, code), "{query}: {detail}");
        assert!(detail.contains(named), "{query}: {detail}");
    }
}

#[test]
fn pictures_by_address_are_cached() {
    let path = "/v1/positions/picture.png?game=xiangqi&moves=h2e2";
    let first = SHARED.ask("GET", path, &[], "");
    assert_eq!(first.header("cache-control"), Some("public, max-age=86400"));
    let tag = first.header("etag").expect("it has a tag");
    let again = SHARED.ask("GET", path, &[("if-none-match", tag)], "");
    assert_eq!((again.status, again.body.is_null(), again.header("etag")), (304, true, Some(tag)));
    let other = SHARED.ask("GET", &path.replace("h2e2", "b2e2"), &[("if-none-match", tag)], "");
    assert_eq!(other.status, 200);
    assert_ne!(other.header("etag"), Some(tag));

    let head = SHARED.ask("HEAD", path, &[], "");
    assert_eq!((head.status, head.body.is_null()), (200, true));
    for name in ["content-type", "content-length", "etag", "cache-control"] {
        assert_eq!(head.header(name), first.header(name), "{name}");
    }
}

/// Gets a picture from a server with a key.
fn with_key(server: &Server, key: &str, query: &str) -> Response<Vec<u8>> {
    let request =
        Request::get(format!("/v1/positions/picture.svg?{query}")).header("authorization", format!("Bearer {key}"));
    server.raw(request.body(Body::empty()).expect("it is a request"))
}

#[test]
fn only_a_clients_own_cache_keeps_what_others_must_not_see() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("twenty-one.js"), TWENTY_ONE).expect("it can be written");
    let (key, setting) = fresh_key("alice").expect("there are random numbers");
    let games = Some(folder.path().to_owned());
    let server = Server::set_up(&Settings { games, api_keys: vec![setting], ..forgetful(1, 4) });
    let refused = Request::get("/v1/positions/picture.svg?game=hex").body(Body::empty()).expect("it is a request");
    assert_eq!(server.raw(refused).status(), 401);
    for (query, control) in [("game=hex", "private, max-age=86400"), ("game=twenty-one&moves=3,3", "private, no-cache")]
    {
        let response = with_key(&server, &key, query);
        assert_eq!(
            (response.status().as_u16(), &response.headers()["cache-control"]),
            (200, &control.parse().expect("a value"))
        );
        assert!(response.body().starts_with(b"<svg"), "{query}");
    }
}
