//! Properties of every game through the catalog: no text makes a parser panic, and every line of play prints and parses back.

use proptest::prelude::*;
use serde_json::{Value, json};
use tesuji::catalog::{AnySession, Catalog, Setup};

/// A game and one of its variants.
fn games() -> impl Strategy<Value = (&'static str, Value)> {
    prop::sample::select(vec![
        ("tic-tac-toe", json!({})),
        ("tic-tac-toe", json!({"columns": 5, "rows": 4, "k": 4})),
        ("connect-four", json!({})),
        ("connect-four", json!({"columns": 10, "rows": 9, "blocked": "c1"})),
        ("reversi", json!({})),
        ("dots-and-boxes", json!({})),
        ("dots-and-boxes", json!({"columns": 1, "rows": 4})),
    ])
}

fn open(game: &str, variant: &Value, position: Option<&str>, moves: &[String]) -> Option<Box<dyn AnySession>> {
    Catalog::standard().open(game, Setup { variant: Some(variant), position, moves }).ok()
}

/// Texts that look a little like positions and moves, and texts that do not.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[xoXO#0-9/ -]{0,80}",
        "[01]{10,26} [0-9]{1,3}-[0-9]{1,3} (first|second)",
        "[-XO]{60,66} [XO]",
        "[a-lhv]?[0-9,]{0,4}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic((game, variant) in games(), position in texts(), mv in texts()) {
        if let Some(session) = open(game, &variant, Some(&position), &[]) {
            let text = session.view().text;
            let again = open(game, &variant, Some(&text), &[]).expect("a canonical text is accepted");
            prop_assert_eq!(again.view().text, text);
        }
        drop(open(game, &variant, None, &[mv]));
    }

    #[test]
    fn every_line_of_play_prints_and_parses_back(
        (game, variant) in games(),
        choices in prop::collection::vec(any::<u16>(), 0..80),
    ) {
        let mut session = open(game, &variant, None, &[]).expect("the start can be set up");
        let mut played: Vec<String> = Vec::new();
        for choice in choices {
            let legal = session.view().legal_moves;
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(choice) % legal.len()].clone();
            session.play(&mv).expect("legal moves are accepted");
            played.push(mv);
        }
        let view = session.view();
        prop_assert_eq!(view.legal_moves.is_empty(), view.outcome.is_some());
        let replayed = open(game, &variant, None, &played).expect("the line is legal").view();
        let parsed = open(game, &variant, Some(&view.text), &[]).expect("the text is accepted").view();
        for other in [replayed, parsed] {
            prop_assert_eq!(&other.text, &view.text);
            prop_assert_eq!(&other.key, &view.key);
            prop_assert_eq!(&other.legal_moves, &view.legal_moves);
            prop_assert_eq!(&other.outcome, &view.outcome);
        }
    }
}
