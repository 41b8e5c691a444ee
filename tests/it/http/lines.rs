//! `/v1/positions` describes every move of a line and every legal move, and reads pasted texts.

use serde_json::{Value, json};

use super::{SHARED, get, position};

/// Some fields of each move of a line.
fn line(request: &Value, fields: &[&str]) -> Vec<Value> {
    let response = position(request);
    let moves = response["line"].as_array().expect("lines are lists");
    moves.iter().map(|mv| fields.iter().map(|field| mv[*field].clone()).collect()).collect()
}

/// The reading of a pasted text: its start and its moves.
fn pasted(game: &str, variant: &Value, text: &str) -> (Value, Value) {
    let response = position(&json!({"game": game, "variant": variant, "text": text}));
    (response["start"].clone(), line_of(&response))
}

fn line_of(response: &Value) -> Value {
    response["line"].as_array().expect("lines are lists").iter().map(|mv| mv["move"].clone()).collect()
}

#[test]
fn connect_four_reports_where_stones_land() {
    let request = json!({"game": "connect-four", "variant": {"blocked": "d1"}, "moves": ["4", "44", "1"]});
    assert_eq!(
        line(&request, &["ply", "side", "move", "to", "position"]),
        [
            json!([1, "first", "4", "d2", "4"]),
            json!([2, "second", "4", "d3", "44"]),
            json!([3, "first", "4", "d4", "444"]),
            json!([4, "second", "1", "a1", "4441"]),
        ]
    );
    let legal = &position(&request)["legal"];
    let places: Vec<_> = legal.as_array().expect("a list").iter().map(|mv| (&mv["move"], &mv["to"])).collect();
    assert_eq!(places[..2], [(&json!("1"), &json!("a2")), (&json!("2"), &json!("b1"))]);
    assert_eq!(places[3], (&json!("4"), &json!("d5")));
}

#[test]
fn reversi_reports_flipped_discs_and_passes() {
    let fields = ["side", "move", "to", "captured", "colour"];
    assert_eq!(
        line(&json!({"game": "reversi", "moves": ["f5d6"]}), &fields),
        [json!(["first", "f5", "f5", ["e5"], "first"]), json!(["second", "d6", "d6", ["d5"], "second"])]
    );
    let start = format!("XXO{} O", "-".repeat(61));
    let passed = json!({"game": "reversi", "position": start, "moves": ["d1"]});
    assert_eq!(
        line(&passed, &fields),
        [json!(["second", "pass", null, [], null]), json!(["first", "d1", "d1", ["c1"], "first"])]
    );
    assert_eq!(position(&passed)["start"], start);
}

#[test]
fn dots_and_boxes_reports_claimed_boxes_and_extra_moves() {
    let variant = json!({"columns": 2, "rows": 1});
    let moves = ["h0,0", "h1,0", "v0,0", "v0,2", "h0,1", "h1,1", "v0,1"];
    let request = json!({"game": "dots-and-boxes", "variant": variant, "moves": moves});
    let line = line(&request, &["side", "to", "claimed"]);
    assert_eq!(line[5..], [json!(["second", "h1,1", []]), json!(["first", "v0,1", ["0,0", "0,1"]])]);
    let request = json!({"game": "dots-and-boxes", "variant": variant, "moves": ["h0,0", "h1,0", "v0,0", "v0,1"]});
    let response = position(&request);
    assert_eq!((&response["line"][3]["claimed"], &response["to_move"]), (&json!(["0,0"]), &json!("second")));
    assert_eq!(response["legal"][0]["colour"], "second");
}

#[test]
fn gomoku_reports_the_colours_of_swap2() {
    let variant = json!({"opening": "swap2"});
    let request = json!({
        "game": "gomoku", "variant": variant,
        "moves": ["h8", "h9", "i9", "place", "g9", "j10", "white", "h10"],
    });
    assert_eq!(
        line(&request, &["side", "move", "to", "colour"]),
        [
            json!(["first", "h8", "h8", "first"]),
            json!(["first", "h9", "h9", "second"]),
            json!(["first", "i9", "i9", "first"]),
            json!(["second", "place", null, null]),
            json!(["second", "g9", "g9", "second"]),
            json!(["second", "j10", "j10", "first"]),
            json!(["first", "white", null, null]),
            json!(["first", "h10", "h10", "second"]),
        ]
    );
}

#[test]
fn xiangqi_reports_captures_and_all_notations() {
    let request = json!({"game": "xiangqi", "moves": ["炮二平五", "h8+7", "e2e6"]});
    let fields = ["side", "move", "from", "to", "captured"];
    assert_eq!(line(&request, &fields)[2], json!(["first", "e2e6", "e2", "e6", ["e6"]]));
    let response = position(&request);
    assert_eq!(response["line"][0]["notations"], json!({"coordinates": "h2e2", "chinese": "炮二平五", "wxf": "C2.5"}));
    assert_eq!(response["line"][1]["notations"], json!({"coordinates": "h9g7", "chinese": "马８进７", "wxf": "H8+7"}));
    let from_one = json!({"game": "xiangqi", "variant": {"ranks": "from_one"}, "text": "C2.5"});
    assert_eq!(line(&from_one, &fields), [json!(["first", "h3e3", "h3", "e3", []])]);
}

#[test]
fn legal_moves_are_described_in_their_order() {
    for game in get("/v1/games").ok()["games"].as_array().expect("games are a list") {
        let response = position(&json!({"game": game["name"]}));
        let legal = response["legal"].as_array().expect("a list");
        assert_eq!(legal.iter().map(|mv| mv["move"].clone()).collect::<Value>(), response["legal_moves"]);
        for mv in legal {
            assert_eq!(mv["notations"]["coordinates"], mv["move"]);
        }
        assert_eq!((&response["start"], &response["line"]), (&Value::Null, &json!([])));
    }
}

/// Each position of a line is the one that its moves so far lead to.
#[test]
fn positions_of_a_line_are_those_of_its_moves() {
    for game in get("/v1/games").ok()["games"].as_array().expect("games are a list") {
        let response = position(&json!({"game": game["name"], "moves": game["notation"]["moves_example"]}));
        let moves = line_of(&response);
        let moves = moves.as_array().expect("a list");
        for (index, mv) in response["line"].as_array().expect("a list").iter().enumerate() {
            assert_eq!(mv["ply"], index + 1);
            let there = position(&json!({"game": game["name"], "moves": moves[..=index]}));
            assert_eq!(mv["position"], there["position"]);
        }
        assert_eq!(response["line"][moves.len() - 1]["position"], response["position"]);
    }
}

/// A game of Reversi in GGF, in which these moves were played.
fn ggf(moves: &str) -> String {
    format!("1 (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)\n")
}

#[test]
fn a_pasted_record_may_begin_anywhere() {
    let text = format!("(;GM[Othello]BO[8 O******-{} *]W[h1];)", "-".repeat(56));
    let start = format!("OXXXXXX-{} X", "-".repeat(56));
    assert_eq!(pasted("reversi", &Value::Null, &text), (start.into(), json!(["pass", "h1"])));
}

#[test]
fn pasted_moves_are_read() {
    let none = Value::Null;
    for (game, text, moves) in [
        ("tic-tac-toe", "1. B2, a1 2. c3b1", json!(["b2", "a1", "c3", "b1"])),
        ("connect-four", "4453", json!(["4", "4", "5", "3"])),
        ("connect-four", "1. 4 4 2. 5, 3", json!(["4", "4", "5", "3"])),
        ("reversi", "1. F5 d6 2.c3, D3", json!(["f5", "d6", "c3", "d3"])),
        ("reversi", "moves f5d6", json!(["f5", "d6"])),
        ("reversi", &ggf("B[F5/1.5/0.2]W[d6]"), json!(["f5", "d6"])),
        ("dots-and-boxes", "1. h0,1, V1,0 2. h0,0;v0,0h1,0", json!(["h0,1", "v1,0", "h0,0", "v0,0", "h1,0"])),
        ("gomoku", "1. h8 H9 2... i9; G7", json!(["h8", "h9", "i9", "g7"])),
        ("gomoku", "h8h9i9", json!(["h8", "h9", "i9"])),
        ("xiangqi", "1. 炮二平五 馬8進7 2. H0-G2 r9.8", json!(["h2e2", "h9g7", "h0g2", "i9h9"])),
        ("xiangqi", "炮二平五，马８进７；", json!(["h2e2", "h9g7"])),
        ("xiangqi", " \n", json!([])),
    ] {
        assert_eq!(pasted(game, &none, text), (Value::Null, moves), "{game}: {text}");
    }
    let swap2 = json!({"opening": "swap2"});
    assert_eq!(pasted("gomoku", &swap2, "h8 h9 i9 WHITE").1, json!(["h8", "h9", "i9", "white"]));
}

#[test]
fn pasted_positions_are_read() {
    for game in get("/v1/games").ok()["games"].as_array().expect("games are a list") {
        let name = game["name"].as_str().expect("a text");
        let text = game["start"]["text"].as_str().expect("a text");
        assert_eq!(pasted(name, &Value::Null, &format!(" {text}\n")), (Value::Null, json!([])), "{name}");
    }
    for (game, start, moves) in [
        ("tic-tac-toe", "xo1/1x1/3 o", json!(["c1", "a1"])),
        ("connect-four", "7/7/7/7/7/3xo2 x", json!(["4", "4"])),
        ("connect-four", "44", json!(["5"])),
        ("reversi", "---------------------------OX------XXX-------------------------- O", json!(["d6"])),
        ("dots-and-boxes", "100000000000000000000000 0-0 second", json!(["h1,0"])),
        ("gomoku", "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o", json!(["h9"])),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1", json!(["e1e2"])),
    ] {
        let words: Vec<_> = moves.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let text = format!("{start} moves {}", words.join(" "));
        assert_eq!(pasted(game, &Value::Null, &text), (start.into(), moves), "{game}");
    }
}

#[test]
fn errors_in_a_pasted_text_are_reported() {
    for (game, text, code, expected) in [
        ("reversi", "f5d6c3 a1", "illegal_move", "move `a1`: expected an empty square that turns at least one disc"),
        ("reversi", &"-".repeat(63), "invalid_position", "expected"),
        ("reversi", &ggf("W[d3]"), "illegal_move", "move 1, `d3`: the first player is to move"),
        ("reversi", "(;GM[Go];)", "invalid_record", "ggf, line 1, column 6: GM[Go]: expected `Othello`"),
        ("gomoku", "(;GM[4]\n;B[zz])", "invalid_record", "sgf, line 2, column 4: B[zz]: expected a point"),
        ("gomoku", "h8 x9z", "illegal_move", "move `x9z`: expected a column letter a..o"),
        ("gomoku", "15/15 x", "invalid_position", "expected 15 rows of 15 cells"),
        ("connect-four", "44.", "illegal_move", "move `44.`: expected a column"),
        ("dots-and-boxes", "h0,1 h9,9", "illegal_move", "move `h9,9`: expected `h` with row"),
        ("dots-and-boxes", "0101 0-0 first", "invalid_position", "expected 24 edges"),
        ("tic-tac-toe", "b2 b2", "illegal_move", "expected an empty"),
        ("xiangqi", "炮二平五 马9进9", "illegal_move", "move `马9进9`"),
        ("xiangqi", "9/9 w moves h2e2", "invalid_position", "rows"),
    ] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], json!({"game": game, "text": text}).to_string());
        assert_eq!((answer.status, answer.code()), (422, code), "{game}, {text}: {:#}", answer.body);
        let error = &answer.body["errors"][0];
        assert_eq!(error["pointer"], "/text", "{game}, {text}");
        let detail = error["detail"].as_str().expect("a text");
        assert!(detail.contains(expected), "{game}, {text}: {detail}");
    }
}

#[test]
fn a_game_has_one_form_only() {
    for more in [json!({"moves": []}), json!({"position": "xo1/1x1/3 o"})] {
        let mut body = json!({"game": "tic-tac-toe", "text": "b2"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let answer = SHARED.ask("POST", "/v1/positions", &[], body.to_string());
        assert_eq!((answer.status, answer.code()), (422, "invalid_request"), "{:#}", answer.body);
        assert_eq!(answer.body["errors"][0]["pointer"], "/text");
    }
    position(&json!({"game": "tic-tac-toe", "text": null, "moves": ["b2"]}));
}
