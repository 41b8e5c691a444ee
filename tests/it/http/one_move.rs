//! A win at hand is taken and a loss at hand is stopped, in every game, by every engine.
//!
//! The positions prove themselves: before an engine is asked, every move is tried by the rules alone. A side wins *at once*
//! when it can win without the other moving in between; in Dots and Boxes that may take several moves.

use serde_json::{Value, json};

use super::{position, search};

/// Where a game stands, as requests say it.
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

    fn told(&self) -> Value {
        position(&self.request())
    }

    fn after(&self, mv: &str) -> Self {
        let mut request = self.request();
        request["moves"] = json!([mv]);
        let told = position(&request);
        Self { position: told["position"].as_str().expect("it is a text").to_owned(), ..self.clone() }
    }

    fn moves(&self) -> Vec<String> {
        let told = self.told();
        let moves = told["legal_moves"].as_array().expect("it is a list").iter();
        moves.map(|mv| mv.as_str().expect("moves are texts").to_owned()).collect()
    }

    /// Whether `side` has won here, or is to move and can do so without the other moving.
    fn is_won_at_once(&self, side: &Value) -> bool {
        let told = self.told();
        match &told["outcome"] {
            Value::Null => {
                told["to_move"] == *side && self.moves().iter().any(|mv| self.after(mv).is_won_at_once(side))
            }
            outcome => outcome["winner"] == *side,
        }
    }

    /// Has both engines search, and holds what they found.
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
    let side = place.told()["to_move"].clone();
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
    let side = place.told()["to_move"].clone();
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
