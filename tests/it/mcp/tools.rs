//! Each tool: its description, its example, its result, and what it refuses.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::session::Session;

/// A tool as clients see it.
struct Described {
    example: Value,
    input: Value,
    output: Value,
}

fn described(session: &mut Session) -> BTreeMap<String, Described> {
    let listed = session.ask("tools/list", &json!({}))["tools"].clone();
    let tools = listed.as_array().expect("it is a list").iter().map(|tool| {
        let text = tool["description"].as_str().expect("it is text");
        let (_, example) = text.split_once("Example: ").unwrap_or_else(|| panic!("no example: {text}"));
        let example = serde_json::from_str(example).unwrap_or_else(|error| panic!("{error}: {example}"));
        for field in ["title", "annotations"] {
            assert!(!tool[field].is_null(), "{tool}");
        }
        let (input, output) = (tool["inputSchema"].clone(), tool["outputSchema"].clone());
        (tool["name"].as_str().expect("it is text").to_owned(), Described { example, input, output })
    });
    tools.collect()
}

fn check(schema: &Value, value: &Value) {
    let schema = jsonschema::validator_for(schema).expect("it is a schema");
    let errors: Vec<String> = schema.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}: {value:#}");
}

/// The maximum size of what a model reads at the start of each conversation: descriptions and schemas of all tools.
const MOST_BYTES: usize = 32_000;

#[test]
fn every_example_can_be_called_and_the_result_is_as_described() {
    let mut session = Session::start();
    let listed = session.ask("tools/list", &json!({})).to_string().len();
    assert!(listed < MOST_BYTES, "{listed} bytes");
    let tools = described(&mut session);
    for name in [
        "list_games",
        "game_rules",
        "legal_moves",
        "play",
        "draw_board",
        "best_move",
        "analyze",
        "grade_move",
        "hint",
        "review_game",
        "read_record",
    ] {
        assert!(tools.contains_key(name), "{name}");
    }
    for (name, Described { example, input, output }) in &tools {
        check(input, example);
        let result = session.call(name, example);
        assert_eq!(result["isError"], false, "{name}: {result:#}");
        check(output, &result["structuredContent"]);
        let text = result["content"][0]["text"].as_str().expect("it is text");
        assert!(!text.is_empty() && text.len() < 4000, "{name}: {text}");
        // No references, which many clients do not resolve.
        assert!(!input.to_string().contains("$ref") && !output.to_string().contains("$ref"), "{name}");
    }
}

#[test]
fn results_are_short_and_count_what_they_leave_out() {
    let mut session = Session::start();
    let legal = session.data("legal_moves", &json!({ "game": "gomoku", "moves": ["h8"] }));
    assert_eq!((legal["moves"].as_array().map(Vec::len), &legal["count"]), (Some(40), &json!(224)));
    assert_eq!(legal["left_out"], 184);
    let all = session.data("legal_moves", &json!({ "game": "gomoku", "moves": ["h8"], "limit": 500 }));
    assert_eq!((all["moves"].as_array().map(Vec::len), &all["left_out"]), (Some(224), &json!(0)));

    let analysis = session.data("analyze", &json!({ "game": "gomoku", "moves": ["h8"], "time_ms": 200, "top": 2 }));
    assert_eq!((analysis["moves"].as_array().map(Vec::len), &analysis["left_out"]), (Some(2), &json!(222)));

    let moves = json!(["b2", "b1", "a1", "c3", "a3", "a2", "c1"]);
    let review =
        session.data("review_game", &json!({ "game": "tic-tac-toe", "moves": moves, "time_ms": 50, "top": 1 }));
    assert_eq!(review["mistakes"][0]["move"], "b1", "{review:#}");
    assert_eq!(review["second"]["blunders"], 1);
}

#[test]
fn boards_are_drawn() {
    let mut session = Session::start();
    let asked = json!({ "game": "hex", "moves": ["c3"], "size": 100, "candidates": [{ "move": "d4", "label": "1" }] });
    let result = session.call("draw_board", &asked);
    let [text, image] = result["content"].as_array().expect("a list").as_slice() else { panic!("{result:#}") };
    let text = text["text"].as_str().expect("it is text");
    assert!(text.starts_with("Blue (second) is to move. Position: `"), "{text}");
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")));
    let data = image["data"].as_str().expect("it is text");
    let file = data_encoding::BASE64.decode(data.as_bytes()).expect("it is base64");
    assert!(file.starts_with(b"\x89PNG"));
    for (field, value, expected) in [
        ("size", json!(10), "`size`: 10: expected 64 to 2048 pixels"),
        ("candidates", json!([{ "move": "z9" }]), "`candidates.0.move`: "),
        ("ahead", json!("z9"), "`ahead`: "),
        ("theme", json!("blue"), "`theme`"),
    ] {
        let mut asked = asked.clone();
        asked[field] = value;
        let refused = session.call("draw_board", &asked);
        let text = refused["content"][0]["text"].as_str().expect("it is text");
        assert!(refused["isError"] == true && text.contains(expected), "{field}: {text}");
    }
}

#[test]
fn values_and_boards_are_put_into_words() {
    let mut session = Session::start();
    let won = session.call("best_move", &json!({ "game": "connect-four", "moves": "44", "time_ms": 300 }));
    let (text, data) = (won["content"][0]["text"].as_str().expect("it is text"), &won["structuredContent"]);
    assert!(text.starts_with("Red (first) plays 4: proven: Red wins by force in 39 plies."), "{text}");
    assert!(text.contains("Yellow (second) is to move"), "{text}");
    assert_eq!(
        (&data["move"], &data["worth"]["proven"], &data["worth"]["plies"]),
        (&json!("4"), &json!("win"), &json!(39))
    );
    assert_eq!((&data["after"]["position"], &data["after"]["ply"]), (&json!("444"), &json!(3)));

    let over = json!({ "game": "tic-tac-toe", "position": "xxx/oo1/3 o" });
    for tool in ["play", "legal_moves", "best_move", "analyze", "hint"] {
        let response = session.call(tool, &over);
        let text = response["content"][0]["text"].as_str().expect("it is text");
        assert!(text.contains("The game is over: X wins (line)."), "{tool}: {text}");
    }
    assert!(session.data("best_move", &over)["move"].is_null());

    let hidden = json!({ "game": "tic-tac-toe", "moves": ["a1", "b2", "b1", "c3"], "time_ms": 100 });
    let hint = session.call("hint", &hidden);
    let text = hint["content"][0]["text"].as_str().expect("it is text");
    assert!(text.contains("X wins by force in 1 ply") && text.contains("One move is better"), "{text}");
    assert!(!text.contains("c1") && hint["structuredContent"]["move"].is_null(), "{text}");
    let block = json!({ "game": "tic-tac-toe", "moves": ["a1", "b2", "b1"], "time_ms": 100 });
    let hint = session.call("hint", &block);
    let text = hint["content"][0]["text"].as_str().expect("it is text");
    assert!(text.contains("It is the only move that keeps the result. It answers a threat."), "{text}");
    let lines = hint["structuredContent"]["reasons"].as_array().expect("a list");
    assert!(lines.iter().all(|reason| reason["line"] == json!([])), "{hint:#}");
    let revealed = session.data("hint", &json!({ "reveal": true, "game": "tic-tac-toe", "moves": hidden["moves"] }));
    assert_eq!(revealed["move"], "c1");
}

#[test]
fn a_move_is_graded() {
    let mut session = Session::start();
    let moves = json!(["1", "1", "2", "2", "3", "3"]);
    let blunder = json!({ "game": "connect-four", "moves": moves, "move": "7" });
    let result = session.call("grade_move", &blunder);
    let (text, data) = (result["content"][0]["text"].as_str().expect("it is text"), &result["structuredContent"]);
    let head =
        "7 is a blunder. Rank 7 of 7. Loss 2.00. It throws away a proven result. It misses a win within 1 ply: 4. ";
    assert!(text.starts_with(head), "{text}");
    let reason = &data["reasons"][0];
    assert_eq!(
        (&reason["kind"], &reason["distance"], &reason["proven"]),
        (&json!("misses_win"), &json!(1), &json!(true))
    );
    assert!(text.ends_with("\nBest is 4: 4"), "{text}");
    let known = ["class", "rank", "choices", "proof", "exact", "best"].map(|field| data[field].clone());
    assert_eq!(known, [json!("blunder"), json!(7), json!(7), json!("thrown_away"), json!(true), json!("4")]);
    let best = session.data("grade_move", &json!({ "game": "connect-four", "moves": moves, "move": "4" }));
    assert_eq!((&best["class"], &best["rank"], &best["line"]), (&json!("best"), &json!(1), &json!(["4"])));
    // A mirror image of the move may be searched in its place: what is shown with a grade fits the move.
    for mv in ["a1", "a3", "c1", "c3"] {
        let corner = json!({ "game": "tic-tac-toe", "moves": ["b1"], "move": mv });
        let graded = session.data("grade_move", &corner);
        assert!(graded["class"].is_string(), "{graded:#}");
        let fits = |worth: &Value| worth["value"].as_f64() == Some(-graded["loss"].as_f64().unwrap_or(9.0));
        assert!(graded["worth"].is_null() || fits(&graded["worth"]), "{graded:#}");
    }
    let text = session.complaint("grade_move", &json!({ "game": "connect-four", "moves": moves, "move": "8" }));
    assert!(
        text.starts_with("Illegal move: `move`: ") && text.contains("Legal moves of first: 1 2 3 4 5 6 7."),
        "{text}"
    );
}

#[test]
fn a_refused_call_explains_the_repair() {
    let mut session = Session::start();
    let mut taken = json!({ "game": "tic-tac-toe", "moves": ["b2", "a1", "b2"] });
    let text = session.complaint("play", &taken);
    assert!(text.starts_with("Illegal move: `moves`, number 3: move `b2`: the cell is taken"), "{text}");
    let (_, legal) = text.split_once("Legal moves of first there: ").expect("they are listed");
    taken["moves"][2] = legal.split(' ').next().expect("there is one").into();
    assert_eq!(session.data("play", &taken)["ply"], 3);

    for (tool, arguments, part) in [
        ("play", json!({ "game": "chess" }), "Unknown game: `game`: expected one of tic-tac-toe, connect-four"),
        ("game_rules", json!({ "game": "chess" }), "expected one of tic-tac-toe"),
        ("play", json!({}), "missing field `game`"),
        (
            "play",
            json!({ "game": "hex", "move": "a1" }),
            "`move`: unknown argument: expected game, variant, position, moves",
        ),
        ("list_games", json!({ "game": "hex" }), "expected no arguments"),
        ("play", json!({ "game": "hex", "moves": 5 }), "`moves`"),
        ("play", json!({ "game": "hex", "variant": { "size": 99 } }), "`variant.size`"),
        ("play", json!({ "game": "hex", "position": "nonsense" }), "`position`"),
        ("best_move", json!({ "game": "hex", "time_ms": 100_000_000 }), "`time_ms`: expected 1 to 60000"),
        ("best_move", json!({ "game": "hex", "level": 11 }), "`level`: expected"),
        ("best_move", json!({ "game": "hex", "time_ms": "1000" }), "`time_ms`: expected integer, not \"1000\""),
        ("play", json!({ "game": 5 }), "`game`: expected string, not 5"),
        ("analyze", json!({ "game": "hex", "top": 0 }), "`top`: expected 1 to 1000"),
        ("review_game", json!({ "game": "hex" }), "`moves`: expected the moves of the game"),
        ("read_record", json!({ "text": "hello" }), "is not a game record"),
    ] {
        let text = session.complaint(tool, &arguments);
        assert!(text.contains(part), "{tool} {arguments}: {text}");
        assert!(text.ends_with("Correct the call and try again."), "{text}");
    }
    assert_eq!(session.refused("tools/call", &json!({ "name": "sing", "arguments": {} })), -32602);
}
