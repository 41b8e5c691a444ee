//! The Model Context Protocol as its clients see it: over standard input and output, and over HTTP.

mod http;
mod play;
mod session;
mod tools;

use serde_json::{Value, json};

use self::session::Session;

#[test]
fn versions_are_negotiated_and_the_client_learns_what_there_is() {
    for (asked, given) in [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")] {
        let mut session = Session::bare(&[]);
        let response = session.initialize(asked);
        assert_eq!(response["protocolVersion"], given, "{asked}");
        assert_eq!(response["serverInfo"]["name"], "tesuji");
        assert!(response["instructions"].as_str().is_some_and(|text| text.contains("best_move")));
        for capability in ["tools", "resources", "prompts"] {
            assert!(response["capabilities"][capability].is_object(), "{response}");
        }
        assert!(session.ends_well());
    }
}

#[test]
fn a_session_ends_with_its_input() {
    // Also before the first message.
    assert!(Session::bare(&[]).ends_well());
    assert!(Session::start().ends_well());
}

#[test]
fn a_cancelled_call_stops_its_search() {
    // There is room for one search, so that a second one succeeds only after the first has ended.
    let mut session = Session::start_with(&["--max-searches", "1", "--search-threads", "1"]);
    let long = session.send_call("analyze", &json!({ "game": "gomoku", "time_ms": 60_000 }), Some("begun"));
    assert_eq!(session.notification()["method"], "notifications/progress");
    let short = json!({ "game": "gomoku", "time_ms": 10 });
    assert!(session.complaint("analyze", &short).contains("Try again in a second."));
    session.notify("notifications/cancelled", &json!({ "requestId": long, "reason": "test" }));
    session.until_done("analyze", &short);
    assert!(session.ends_well());
}

#[test]
fn progress_is_reported_on_request() {
    let mut session = Session::start();
    let arguments = json!({ "game": "gomoku", "moves": ["h8", "i9"], "time_ms": 1500 });
    let id = session.send_call("analyze", &arguments, Some("token"));
    let result = session.answer(id);
    assert_eq!(result["isError"], false, "{result}");
    let reports = session.take_notifications();
    assert!(!reports.is_empty());
    let mut last = -1.0;
    for report in &reports {
        assert_eq!(report["method"], "notifications/progress");
        let parameters = &report["params"];
        assert_eq!((&parameters["progressToken"], &parameters["total"]), (&json!("token"), &json!(1500.0)));
        assert!(parameters["message"].as_str().is_some_and(|text| text.starts_with("depth ")), "{parameters}");
        let progress = parameters["progress"].as_f64().expect("it is a number");
        assert!(progress > last, "{reports:?}");
        last = progress;
    }
    session.call("analyze", &arguments);
    assert_eq!(session.take_notifications(), [] as [Value; 0]);
    let moves = json!({ "game": "tic-tac-toe", "moves": ["b2", "b1", "a1"], "time_ms": 20 });
    let id = session.send_call("review_game", &moves, Some("review"));
    assert_eq!(session.answer(id)["isError"], false);
    let last = session.take_notifications().pop().expect("reviews report their progress");
    assert_eq!((&last["params"]["progress"], &last["params"]["total"]), (&json!(3.0), &json!(3.0)));
}

#[test]
fn resources_are_rules_and_analyses() {
    let mut session = Session::start();
    let listed = session.ask("resources/list", &json!({}))["resources"].clone();
    let addresses = |listed: &Value| -> Vec<String> {
        let resources = listed.as_array().expect("it is a list").iter();
        resources.filter_map(|resource| resource["uri"].as_str().map(str::to_owned)).collect()
    };
    let listed = addresses(&listed);
    for game in ["rules://hex", "rules://xiangqi/zh"] {
        assert!(listed.iter().any(|uri| uri == game), "{listed:?}");
    }
    let mut read = |uri: &str| session.ask("resources/read", &json!({ "uri": uri }))["contents"][0].clone();
    for uri in &listed {
        let content = read(uri);
        assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!("text/markdown")));
        let (text, heading) =
            (content["text"].as_str().expect("it is text"), if uri.ends_with("/zh") { "玩法" } else { "How to play" });
        assert!(text.contains(heading) && text.len() > 500, "{text}");
    }
    let chinese = read("rules://gomoku/zh");
    assert!(chinese["text"].as_str().is_some_and(|text| text.contains("五子棋") && text.contains("纵线")), "{chinese}");

    let mut analysed = |moves: Value| {
        let result =
            session.call("analyze", &json!({ "game": "tic-tac-toe", "moves": moves, "time_ms": 100, "top": 1 }));
        result["content"][1]["uri"].as_str().expect("it is linked").to_owned()
    };
    let links = [analysed(json!([])), analysed(json!(["b2"]))];
    for (uri, moves) in links.iter().zip([9, 8]) {
        let content = session.ask("resources/read", &json!({ "uri": uri }))["contents"][0].clone();
        let analysis: Value = serde_json::from_str(content["text"].as_str().expect("it is text")).expect("it is JSON");
        assert_eq!(analysis["children"].as_array().map(Vec::len), Some(moves));
    }
    for uri in ["rules://chess", "rules://hex/fr", "file:///etc/passwd", "analysis://last"] {
        assert_eq!(session.refused("resources/read", &json!({ "uri": uri })), -32002, "{uri}");
    }
}

#[test]
fn prompts_begin_conversations() {
    let mut session = Session::start();
    let listed = session.ask("prompts/list", &json!({}))["prompts"].clone();
    let names: Vec<&Value> = listed.as_array().expect("it is a list").iter().map(|prompt| &prompt["name"]).collect();
    assert_eq!(names, ["play_against_me", "explain_game"]);
    let mut text = |name: &str, arguments: Value| {
        let prompt = session.ask("prompts/get", &json!({ "name": name, "arguments": arguments }));
        prompt["messages"][0]["content"]["text"].as_str().expect("it is text").to_owned()
    };
    let play = text("play_against_me", json!({ "game": "reversi", "level": "3", "side": "second" }));
    assert!(play.contains("I play White, you play Black") && play.contains("level 3"), "{play}");
    assert!(text("explain_game", json!({ "game": "hex" })).contains("Hex"));
    assert!(text("explain_game", json!({ "game": "hex", "language": "zh" })).contains("六贯棋"));
    for (name, arguments) in [
        ("play_against_me", json!({})),
        ("play_against_me", json!({ "game": "chess" })),
        ("play_against_me", json!({ "game": "hex", "level": "11" })),
        ("play_against_me", json!({ "game": "hex", "side": "red" })),
        ("sing", json!({ "game": "hex" })),
    ] {
        assert_eq!(
            session.refused("prompts/get", &json!({ "name": name, "arguments": arguments })),
            -32602,
            "{arguments}"
        );
    }
}
