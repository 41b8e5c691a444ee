//! Swap2: who places, who chooses, and who then plays what.

use serde_json::json;
use tesuji_core::games::Game;
use tesuji_core::position::{Position, Side};

use super::{Any, after, parse, variant};

fn swap2() -> super::GomokuVariant {
    variant(r#"{"opening":"swap2"}"#)
}

fn moves(position: &Any) -> Vec<String> {
    position.moves().map(|mv| mv.to_string()).collect()
}

#[test]
fn the_first_player_places_three_stones() {
    let mut position = Any::start(&swap2());
    for (stones, mv) in ["h8", "h9", "k11"].into_iter().enumerate() {
        assert_eq!((position.turn(), moves(&position).len()), (Side::First, 225 - stones));
        assert!(position.to_string().ends_with(if stones == 1 { " o opening" } else { " x opening" }));
        position.replay(mv).expect("it is legal");
    }
    assert_eq!(position.turn(), Side::Second);
    assert_eq!(moves(&position), ["black", "white", "place"]);
    let error = position.parse_move("a1").expect_err("a choice is due").to_string();
    assert!(error.contains("`black` or `white` or `place`"), "{error}");
    let facts = serde_json::to_value(position.facts()).expect("facts are JSON");
    assert_eq!(facts["opening"]["phase"], json!("choose"));
    assert_eq!(facts["opening"]["side"], json!("second"));
    assert_eq!(facts["opening"]["black"], json!(null));
    assert_eq!(facts["opening"]["choices"][2]["move"], json!("place"));
}

/// The player of the five's colour wins, regardless of who places it.
#[test]
fn colours_lead_to_players() {
    for (choices, black) in [
        ("BLACK", Side::Second),
        ("white", Side::First),
        ("place c1 c2 black", Side::First),
        ("place c1 c2 white", Side::Second),
    ] {
        let position = after(&swap2(), &format!("h8 a15 i8 {choices}"));
        assert_eq!(position.turn(), black.other(), "{choices}: White is to move");
        let facts = serde_json::to_value(position.facts()).expect("facts are JSON");
        assert_eq!(facts["opening"], json!({"phase": "play", "side": black.other(), "black": black, "choices": []}));
        let mut won = position.clone();
        won.replay("a1 j8 e1 k8 g1 l8").expect("they are legal");
        let outcome = won.outcome().expect("Black has five");
        assert_eq!((outcome.winner, outcome.reason), (Some(black), "five"), "{choices}");
    }
}

#[test]
fn the_second_player_may_place_two_more() {
    let mut position = after(&swap2(), "h8h9k11place");
    assert_eq!((position.turn(), moves(&position).len()), (Side::Second, 222));
    assert!(position.to_string().ends_with(" o place"));
    position.replay("a1").expect("it is legal");
    assert_eq!(position.turn(), Side::Second);
    assert!(position.to_string().ends_with(" x place"));
    position.replay("a2").expect("it is legal");
    assert_eq!(position.turn(), Side::First);
    assert_eq!(moves(&position), ["black", "white"]);
    assert!(position.to_string().ends_with(" o choose"));
    assert_eq!(position.ply(), 6);
}

#[test]
fn texts_keep_the_stage() {
    for line in ["h8", "h8 h9", "h8 h9 k11", "h8 h9 k11 place", "h8 h9 k11 place a1", "h8 h9 k11 place a1 a2"] {
        let position = after(&swap2(), line);
        let again = parse(&swap2(), &position.to_string());
        assert_eq!(again.to_string(), position.to_string());
        assert_eq!(
            (again.key(), again.ply(), again.turn()),
            (position.key(), position.ply(), position.turn()),
            "{line}"
        );
    }
    let keys = ["h8 h9 k11", "h8 h9 k11 place", "h8 h9 k11 black", "h8 h9 k11 white"];
    let keys: std::collections::BTreeSet<u64> = keys.iter().map(|line| after(&swap2(), line).key()).collect();
    assert_eq!(keys.len(), 4);
}
