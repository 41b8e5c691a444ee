//! Properties of every game through the catalog: no text makes a parser panic, and every line of play prints and parses back.

#[path = "../../fuzz/checks.rs"]
mod checks;

use proptest::prelude::*;
use serde_json::Value;
use tesuji_core::catalog::{AnySession, Catalog, Setup};

/// A game and one of its variants.
fn games() -> impl Strategy<Value = &'static checks::Case> {
    (0..checks::CASES.len()).prop_map(|index| &checks::CASES[index])
}

/// Games whose history decides things that a position's text does not contain.
const HISTORY: [&str; 1] = ["xiangqi"];

fn open(game: &str, variant: &Value, position: Option<&str>, moves: &[String]) -> Option<Box<dyn AnySession>> {
    Catalog::standard().open(game, Setup { variant: Some(variant), position, moves }).ok()
}

/// Inputs of the fuzz targets: in place of part of a valid text, texts that look a little like positions and moves, or do not.
fn inputs() -> impl Strategy<Value = Vec<u8>> {
    let texts = prop_oneof![
        "[xoXO#0-9/ -]{0,80}",
        "[01]{10,26} [0-9]{1,3}-[0-9]{1,3} (first|second)",
        "[-XO]{60,66} [XO]",
        "([a-lhv]?[0-9,]{0,4};){0,4}",
        "[KABNRCPkabnrcp1-9/]{0,9}",
        "([炮马车兵CHRP1-3一二三][前后1-3+-][进平退+.-][1-9];){0,4}",
        r#"[:,{}"a-z_ 0-9]{0,12}"#,
        any::<String>(),
    ];
    let head = (any::<u8>(), any::<u8>(), prop_oneof![0..4u8, any::<u8>()]);
    (head, texts).prop_map(|((game, begin, length), text)| [&[game, begin, length], text.as_bytes()].concat())
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(input in inputs(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        for input in [input, bytes] {
            checks::positions(&input);
            checks::moves(&input);
            checks::variants(&input);
            checks::records(&input);
        }
    }

    #[test]
    fn every_line_of_play_prints_and_parses_back(
        case in games(),
        choices in prop::collection::vec(any::<u16>(), 0..80),
    ) {
        let checks::Case { game, variant, .. } = case;
        let mut session = open(game, variant, None, &[]).expect("the start can be set up");
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
        // After an adjudication, play can go on.
        let has_ended = view.outcome.as_ref().is_some_and(|ended| !ended.adjudicated);
        prop_assert_eq!(view.legal_moves.is_empty(), has_ended);
        let replayed = open(game, variant, None, &played).expect("the line is legal").view();
        let parsed = open(game, variant, Some(&view.text), &[]).expect("the text is accepted").view();
        prop_assert_eq!(&parsed.text, &view.text);
        for other in [Some(replayed), Some(parsed).filter(|_| !HISTORY.contains(game))].into_iter().flatten() {
            prop_assert_eq!(&other.text, &view.text);
            prop_assert_eq!(&other.key, &view.key);
            prop_assert_eq!(&other.legal_moves, &view.legal_moves);
            prop_assert_eq!(&other.outcome, &view.outcome);
        }
    }
}
