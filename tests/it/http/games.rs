//! The list of games is complete and correct.

use serde_json::{Value, json};
use tesuji_core::catalog::Catalog;

use super::{get, position, search};

fn games() -> Vec<Value> {
    get("/v1/games").ok()["games"].as_array().expect("games are a list").clone()
}

#[test]
fn all_games_are_listed() {
    let names: Vec<_> = games().iter().map(|game| game["name"].clone()).collect();
    assert_eq!(names, Catalog::standard().names().collect::<Vec<_>>());
}

#[test]
fn each_game_is_described_the_same_alone() {
    for game in games() {
        assert_eq!(get(&format!("/v1/games/{}", game["name"].as_str().expect("a text"))).ok(), game);
    }
}

#[test]
fn texts_are_in_both_languages() {
    for game in games() {
        let texts = [&game["names"], &game["sides"]["first"], &game["sides"]["second"], &game["how_to_play"]];
        for text in texts.map(|text| text["zh"].as_str().expect("a text")) {
            assert!(!text.is_ascii(), "{text} is not Chinese");
        }
        assert_ne!(game["sides"]["first"], game["sides"]["second"]);
        assert!(texts[3]["en"].as_str().expect("a text").len() > 100, "{game} is not explained");
    }
}

#[test]
fn notation_examples_work() {
    for game in games() {
        let notation = &game["notation"];
        let response = position(&json!({"game": game["name"], "position": notation["position_example"]}));
        assert_eq!(response["position"], notation["position_example"], "it is canonical");
        position(&json!({"game": game["name"], "moves": notation["moves_example"]}));
    }
}

#[test]
fn start_positions_are_what_a_bare_request_gives() {
    for game in games() {
        let mut response = position(&json!({"game": game["name"]}));
        let response = response.as_object_mut().expect("it is an object");
        for name in ["game", "start", "line", "warnings"] {
            response.remove(name).expect("it is reported");
        }
        let text = response.remove("position").expect("it is reported");
        response.insert("text".to_owned(), text);
        assert_eq!(&*response, game["start"].as_object().expect("it is an object"));
    }
}

#[test]
fn reported_variants_can_be_sent_back() {
    for game in games() {
        for variant in game["variants"].as_array().expect("variants are a list") {
            let response = position(&json!({"game": game["name"], "variant": variant["default"]}));
            assert_eq!(response["variant"], variant["default"]);
            position(&json!({"game": game["name"], "variant": variant["name"]}));
        }
    }
}

#[test]
fn engines_play_with_the_budgets_they_name() {
    for game in games() {
        for engine in game["engines"].as_array().expect("engines are a list") {
            for limit in engine["budget"].as_array().expect("limits are a list") {
                let limit = limit.as_str().expect("limits are texts");
                let budget = json!({limit: 1, "time_ms": 1});
                search(&json!({"game": game["name"], "engine": engine["name"], "budget": budget}));
            }
        }
    }
}

#[test]
fn auto_is_the_first_engine_that_understands_the_budget() {
    for game in games() {
        let auto = |budget: Value| search(&json!({"game": game["name"], "budget": budget}))["engine"]["name"].clone();
        assert_eq!(auto(json!({"time_ms": 1})), game["engines"][0]["name"]);
        assert_eq!(auto(json!({"simulations": 1})), "mcts");
        assert_eq!(auto(json!({"depth": 1})), "negamax");
    }
}

#[test]
fn positions_are_canonical_and_come_back_the_same() {
    for (asked, canonical) in [
        (json!({"game": "tic-tac-toe", "moves": ["B2"]}), "3/1x1/3 o"),
        (json!({"game": "connect-four", "position": "44", "moves": ["5", "3"]}), "4453"),
        (json!({"game": "connect-four", "position": "7/7/7/7/7/3xo2 x", "moves": ["1"]}), "7/7/7/7/7/x2xo2 o"),
        (json!({"game": "connect-four", "variant": {"columns": 12}, "moves": ["A", "c"]}), "ac"),
        (
            json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}, "moves": ["h0,0 v0,1"]}),
            "1001 0-0 first",
        ),
    ] {
        let response = position(&asked);
        assert_eq!(response["position"], canonical);
        let again = position(&json!({"game": asked["game"], "variant": response["variant"], "position": canonical}));
        let same = |response: Value| {
            let Value::Object(mut response) = response else { panic!("it is an object") };
            // The start and the line leading there may differ.
            response.retain(|name, _| name != "start" && name != "line");
            response
        };
        assert_eq!(same(again), same(response));
    }
}
