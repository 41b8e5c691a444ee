//! A win at hand is taken and a loss at hand is stopped, in every game, by every engine.
//!
//! The positions prove themselves: before an engine is asked, every move is tried by the rules alone. A side wins *at once*
//! when it can win without the other moving in between; in Dots and Boxes that may take several moves.

use serde_json::{Value, json};

use super::{position, search};

/// A position as in requests.
#[derive(Clone)]
struct Place {
    game: &'static str,
    variant: Value,
    position: String,
}

impl Place {
    fn request(&self) -> Value {
        json!({"game": self.game, "variant": self.variant, "position": self.position})
    }

    fn response(&self) -> Value {
        position(&self.request())
    }

    fn after(&self, mv: &str) -> Self {
        let mut request = self.request();
        request["moves"] = json!([mv]);
        let response = position(&request);
        Self { position: response["position"].as_str().expect("it is a text").to_owned(), ..self.clone() }
    }

    fn moves(&self) -> Vec<String> {
        let response = self.response();
        let moves = response["legal_moves"].as_array().expect("it is a list").iter();
        moves.map(|mv| mv.as_str().expect("moves are texts").to_owned()).collect()
    }

    /// Whether `side` has won here, or is to move and can do so without the other moving.
    fn is_won_at_once(&self, side: &Value) -> bool {
        let response = self.response();
        match &response["outcome"] {
            Value::Null => {
                response["to_move"] == *side && self.moves().iter().any(|mv| self.after(mv).is_won_at_once(side))
            }
            outcome => outcome["winner"] == *side,
        }
    }

    /// Has both engines search, and checks their results.
    #[track_caller]
    fn all_engines_play(&self, mv: &str, hold: impl Fn(&Value)) {
        for order in [
            json!({"engine": "mcts", "budget": {"simulations": 2000}, "seed": 1}),
            json!({"engine": "mcts", "budget": {"simulations": 2000}, "seed": 2, "threads": 2}),
            json!({"engine": {"name": "mcts", "final_move": "max"}, "budget": {"simulations": 2000}, "seed": 3}),
            json!({"engine": {"name": "mcts", "final_move": "secure"}, "budget": {"simulations": 2000}, "seed": 4}),
            json!({"engine": "negamax", "budget": {"depth": 6}}),
        ] {
            let mut request = self.request();
            request.as_object_mut().expect("it is an object").extend(order.as_object().expect("so is this").clone());
            let result = search(&request);
            assert_eq!(result["move"], mv, "{request}: {result:#}");
            hold(&result);
        }
    }
}

fn place(game: &'static str, variant: Value, position: &str) -> Place {
    Place { game, variant, position: position.to_owned() }
}

/// `mv` is the only move that wins at once, and it is played.
#[track_caller]
fn wins(place: Place, mv: &str) {
    let side = place.response()["to_move"].clone();
    let winning: Vec<_> = place.moves().into_iter().filter(|mv| place.after(mv).is_won_at_once(&side)).collect();
    assert_eq!(winning, [mv]);
    assert!(place.moves().len() > 1, "there is a choice");
    place.all_engines_play(mv, |result| {
        assert_eq!(result["root"]["proven"], "win");
        // Games with points have no distances: there the margin counts.
        assert!(result["root"]["distance"] == 1 || result["root"]["score"].is_object(), "{result:#}");
    });
}

/// `mv` is the only move after which the other side does not win at once, and it is played.
#[track_caller]
fn stops(place: Place, mv: &str) {
    let side = place.response()["to_move"].clone();
    let other = if side == "first" { json!("second") } else { json!("first") };
    assert!(!place.is_won_at_once(&side), "it is no question of winning");
    let holding: Vec<_> = place.moves().into_iter().filter(|mv| !place.after(mv).is_won_at_once(&other)).collect();
    assert_eq!(holding, [mv]);
    place.all_engines_play(mv, |_| ());
}

fn connect_four(variant: Value, position: &str) -> Place {
    place("connect-four", variant, position)
}

fn reversi(position: &str) -> Place {
    place("reversi", Value::Null, position)
}

fn xiangqi(position: &str) -> Place {
    place("xiangqi", Value::Null, position)
}

fn dots(position: &str) -> Place {
    place("dots-and-boxes", json!({"columns": 2, "rows": 2}), position)
}

/// Ten by ten; the blocked cell lies at the bottom of column 4, so that stones there land one row higher.
fn course() -> Value {
    json!({"columns": 10, "rows": 10, "blocked": "d1"})
}

/// A large board with a longer line.
fn five() -> Value {
    json!({"columns": 9, "rows": 7, "connect": 5})
}

#[test]
fn tic_tac_toe_wins() {
    wins(place("tic-tac-toe", Value::Null, "3/oo1/xx1 x"), "c1");
    wins(place("tic-tac-toe", json!({"columns": 7, "rows": 6, "k": 4}), "7/7/7/2o4/1xxxo2/2o4 x"), "a2");
}

#[test]
fn tic_tac_toe_stops() {
    stops(place("tic-tac-toe", Value::Null, "3/1o1/xx1 o"), "c1");
    stops(place("tic-tac-toe", json!({"columns": 7, "rows": 6, "k": 4}), "6x/7/7/2o4/oxxx3/2o4 o"), "e2");
}

#[test]
fn connect_four_wins() {
    wins(connect_four(Value::Null, "112233"), "4");
    wins(connect_four(Value::Null, "121314"), "1");
    wins(connect_four(json!({"columns": 6, "rows": 4}), "112233"), "4");
    wins(connect_four(five(), "11223344"), "5");
}

#[test]
fn connect_four_stops() {
    stops(connect_four(Value::Null, "17273"), "4");
    stops(connect_four(Value::Null, "12131"), "1");
    stops(connect_four(json!({"columns": 6, "rows": 4}), "16263"), "4");
    stops(connect_four(five(), "1929394"), "5");
}

#[test]
fn connect_four_wins_above_a_blocked_cell() {
    // Second's three at the bottom are worth nothing beside the blocked cell; first's three above them are.
    wins(connect_four(course(), "91122339"), "4");
}

#[test]
fn connect_four_stops_above_a_blocked_cell() {
    stops(connect_four(course(), "9112233"), "4");
}

#[test]
fn reversi_wins() {
    // Taking every disc on the board.
    wins(reversi(&format!("XO-------XO-------X-----{} X", "-".repeat(40))), "c1");
    wins(reversi("XXXXXX--XOOXXXOOXXXXXXOOXOXXXOOOOXXXOOOOXOXXOOXOXXOOOOOOXXXXXXOO X"), "g1");
}

#[test]
fn reversi_stops() {
    stops(reversi("XXXXXO--XXXXXXX-XOXOXXXXXOXXXOOXXOXXOOOXXOXOXOXXXXOOOXXXXOOOOOOO O"), "g1");
    stops(reversi("XXXXXXX-OOOXXOOOXOOXOXXX-XOXOOXOOOXOXXXOOOOXOOXOOOXXXXXOOOOOOOOO X"), "a4");
}

#[test]
fn dots_and_boxes_wins() {
    // A chain through all four boxes: from this end it is taken whole.
    wins(dots("111011101001 0-0 first"), "v0,1");
}

#[test]
fn dots_and_boxes_stops() {
    // Every other edge opens the boxes to the other side.
    stops(dots("110011101100 0-0 second"), "v1,2");
}

#[test]
fn xiangqi_wins() {
    wins(xiangqi("8r/4a4/1n1C1k3/9/9/7R1/9/4K4/9/N8 w - - 0 1"), "h4f4");
    wins(xiangqi("9/4a4/1C3k3/6r2/3N5/2R6/9/9/5n3/5K3 b - - 0 1"), "g6g0");
}

#[test]
fn xiangqi_stops() {
    stops(xiangqi("9/4a4/5kr2/3R5/7N1/5Cn2/9/4K3R/9/9 b - - 0 1"), "f7f8");
    stops(xiangqi("3k5/3Ca3r/8n/9/1R7/9/9/5N3/4K4/3R5 b - - 0 1"), "e8d7");
}

/// On the full board, in every variant: a five is made, and a four is stopped at its open end.
#[test]
fn gomoku_plays_fives_and_stops_fours() {
    for variant in ["freestyle", "standard", "renju", "caro"] {
        for order in [
            json!({"engine": "mcts", "budget": {"simulations": 3000}, "seed": 3}),
            json!({"engine": "negamax", "budget": {"depth": 2}}),
        ] {
            let play = |moves: &str| {
                let mut request = json!({"game": "gomoku", "variant": variant, "moves": [moves]});
                request
                    .as_object_mut()
                    .expect("it is an object")
                    .extend(order.as_object().expect("so is this").clone());
                let result = search(&request);
                result["move"].as_str().expect("a move").to_owned()
            };
            let five = play("h8 h9 i8 i9 j8 j9 k8 k9");
            assert!(["g8", "l8"].contains(&five.as_str()), "{variant}, {order}: {five}");
            let stop = play("g9 h9 a1 i9 c2 j9 o1 k9");
            // In caro a five closed at both ends does not count.
            assert!(stop == "l9" || variant == "caro" && stop == "m9", "{variant}, {order}: {stop}");
        }
    }
}

/// Black may not stop the four where that would be an overline; White's five wins, and the search knows it.
#[test]
fn renju_forbidden_points_are_never_played_and_always_punished() {
    // Black: b4 c4 d4 f4 g4; e4 would make six. White threatens a column through e4.
    let moves = "b4 e5 c4 e6 d4 e7 f4 a15 g4 e8 o15";
    let mut request = json!({"game": "gomoku", "variant": "renju", "moves": [moves]});
    let response = position(&request);
    assert_eq!(response["forbidden"], json!([{"point": "e4", "kind": "overline"}]), "{response:#}");
    for engine in ["mcts", "negamax"] {
        request["engine"] = json!(engine);
        request["budget"] = json!({"nodes": 3000});
        let result = search(&request);
        assert!(["e4", "e9"].contains(&result["move"].as_str().expect("a move")), "{result:#}");
        assert_eq!(result["root"]["proven"], "win");
    }
    request = json!({"game": "gomoku", "variant": "renju", "moves": [moves, "e4"]});
    assert_eq!(position(&request)["outcome"]["reason"], "five");
    // With White elsewhere, Black to move: the point is not among the moves, and taking it loses.
    let black = "b4 e5 c4 e6 d4 e7 f4 a15 g4 a13";
    request = json!({"game": "gomoku", "variant": "renju", "moves": [black]});
    let legal = position(&request)["legal_moves"].clone();
    assert!(!legal.as_array().expect("a list").contains(&json!("e4")));
    for engine in ["mcts", "negamax"] {
        request["engine"] = json!(engine);
        request["budget"] = json!({"nodes": 2000});
        let result = search(&request);
        let children = result["children"].as_array().expect("a list");
        assert!(children.iter().all(|child| child["move"] != "e4"), "{result:#}");
    }
    request = json!({"game": "gomoku", "variant": "renju", "moves": [black, "e4"]});
    let result = search(&request);
    assert_eq!((&result["move"], &result["stop_reason"]), (&Value::Null, &json!("terminal")));
    let foul = json!({"side": "first", "pieces": [{"piece": "stone", "square": "e4"}]});
    let outcome = json!({"winner": "second", "reason": "overline_forbidden", "margin": null, "offence": foul, "adjudicated": false});
    assert_eq!(result["position"]["outcome"], outcome);
}

/// A rook may not chase a cannon for ever: the move that would complete the third repetition is foreseen, and not played.
#[test]
fn xiangqi_avoids_a_losing_repetition() {
    let mut request = json!({
        "game": "xiangqi",
        "position": "1c1k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1",
        "moves": ["b9a9", "b8a8", "a9b9", "a8b8", "b9a9", "b8a8", "a9b9"],
    });
    assert_eq!(position(&request)["repetition"], json!({"times": 2, "losing_moves": ["a8b8"]}));
    for engine in ["mcts", "negamax"] {
        request["engine"] = json!(engine);
        request["budget"] = json!({"nodes": 5000});
        let result = search(&request);
        assert_ne!(result["move"], "a8b8", "{result:#}");
        let children = result["children"].as_array().expect("it is a list");
        assert!(children.iter().any(|child| child["move"] == "a8b8"), "the losing move is reported as well");
    }
}
