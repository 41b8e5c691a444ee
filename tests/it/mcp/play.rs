//! Whole games, by a client that knows no rules.

use serde_json::{Value, json};
use tesuji_core::rng::Rng;

use super::session::Session;

/// More plies than any of these games takes.
const LONGEST: usize = 400;

/// Plays a game: the engine against moves drawn from `legal_moves`. Returns how it ended.
fn play(session: &mut Session, game: &str, rng: &mut Rng) -> String {
    let mut moves: Vec<Value> = Vec::new();
    for _ in 0..LONGEST {
        let state = json!({ "game": game, "moves": moves });
        let legal = session.data("legal_moves", &state);
        if let Some(ended) = legal["ended"].as_str() {
            assert_eq!(session.data("play", &state)["ended"], ended);
            return ended.to_owned();
        }
        let mv = if legal["to_move"] == "first" {
            session.data("best_move", &json!({ "game": game, "moves": moves, "time_ms": 10 }))["move"].clone()
        } else {
            let listed = legal["moves"].as_array().expect("it is a list");
            listed[rng.below(listed.len() as u32) as usize].clone()
        };
        moves.push(mv);
    }
    panic!("{game} does not end: {moves:?}");
}

#[test]
fn a_client_without_rules_plays_every_game_to_its_end() {
    let mut session = Session::start();
    let mut rng = Rng::new(7, 0);
    let listed = session.data("list_games", &json!({}))["games"].clone();
    let games: Vec<String> = listed
        .as_array()
        .expect("it is a list")
        .iter()
        .filter_map(|game| game["game"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(games.len(), 7);
    for game in &games {
        let ended = play(&mut session, game, &mut rng);
        // The engine moves first, and its opponent at random.
        assert!(ended.contains("wins") || game == "tic-tac-toe", "{game}: {ended}");
    }
}
