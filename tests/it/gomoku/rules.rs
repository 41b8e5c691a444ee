//! What wins, what ends a game, and which texts are refused.

use std::collections::BTreeSet;

use tesuji_core::games::Game;
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;

use super::slow::Board;
use super::{Any, after, named, parse, variant};

const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];

/// A random game whose stones stay close, so that rows meet; every end is reported by the slow rules.
fn play_against_the_slow_rules(rule: &str, size: i32, seed: u64) -> &'static str {
    let mut rng = Rng::new(seed, size as u64);
    let mut position = Any::start(&named(rule, size));
    let mut board = Board(vec![vec![None; size as usize]; size as usize]);
    loop {
        let mv = position.random_move(&mut rng);
        let text = mv.to_string();
        let (column, row) = (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().expect("a number") - 1);
        let near =
            board.points().any(|at| board.get(at).is_some() && (at.0 - column).abs().max((at.1 - row).abs()) <= 1);
        if size > 9 && position.ply() > 0 && !near {
            continue;
        }
        let letter = if position.turn() == Side::First { 'x' } else { 'o' };
        let mover = position.turn();
        position.play(mv);
        board = board.with((column, row), letter);
        assert_eq!(position.to_string(), board.text());
        let outcome = position.outcome();
        if board.wins(rule, (column, row)) {
            let outcome = outcome.unwrap_or_else(|| panic!("{rule}: {position} is won by {mv}"));
            assert_eq!((outcome.winner, outcome.reason), (Some(mover), "five"), "{rule}: {position}");
            return "five";
        }
        if board.empty().is_empty() {
            assert_eq!(outcome.map(|outcome| (outcome.winner, outcome.reason)), Some((None, "board_full")));
            return "board_full";
        }
        if let Some(outcome) = outcome {
            assert_eq!((rule, outcome.reason), ("renju", "no_legal_move"), "{position}");
            return "no_legal_move";
        }
    }
}

#[test]
fn games_end_as_the_slow_rules_say() {
    for rule in RULES {
        let mut reasons = BTreeSet::new();
        for size in [5, 6, 8, 15, 22] {
            for seed in 0..25 {
                reasons.insert(play_against_the_slow_rules(rule, size, seed));
            }
        }
        assert!(reasons.contains("five") && reasons.contains("board_full"), "{rule}: {reasons:?}");
    }
}

#[track_caller]
fn ends(rule: &str, line: &str, expected: Option<(Option<Side>, &str)>) {
    let outcome = after(&named(rule, 15), line).outcome();
    assert_eq!(outcome.map(|outcome| (outcome.winner, outcome.reason)), expected, "{rule}: {line}");
}

const BLACK_WINS: Option<(Option<Side>, &str)> = Some((Some(Side::First), "five"));

#[test]
fn six_in_a_row() {
    let line = "a1 a15 b1 c15 c1 e15 e1 g15 f1 i15 d1";
    ends("freestyle", line, BLACK_WINS);
    ends("standard", line, None);
    ends("caro", line, BLACK_WINS);
    ends("renju", line, Some((Some(Side::Second), "overline_forbidden")));
    // White may make six in renju.
    let white = "a15 a1 c15 b1 e15 c1 g15 e1 i15 f1 k15 d1";
    ends("renju", white, Some((Some(Side::Second), "five")));
    ends("standard", white, None);
}

#[test]
fn closed_fives() {
    let closed = "c3 b3 d3 h3 e3 a15 f3 c15 g3";
    for rule in ["freestyle", "standard", "renju"] {
        ends(rule, closed, BLACK_WINS);
    }
    ends("caro", closed, None);
    // The edge closes nothing; nor does one end.
    ends("caro", "a1 f1 b1 a15 c1 c15 d1 e15 e1", BLACK_WINS);
    ends("caro", "c3 a15 d3 h3 e3 c15 f3 e15 g3", BLACK_WINS);
    // Six, closed at both ends: also closed.
    ends("caro", "c3 b3 d3 i3 e3 a15 f3 c15 h3 e15 g3", None);
}

/// A stone that makes five and six at once wins; so does one that makes five and two fours.
#[test]
fn five_wins_over_every_foul() {
    let variant = named("renju", 15);
    let mut position = parse(&variant, "o1o1o1o1o1o1o1o/15/o14/15/15/15/15/15/15/4x10/4x10/4x10/xxxx11/4x10/4x10 x");
    position.replay("e3").expect("it is legal");
    assert_eq!(position.outcome().map(|outcome| (outcome.winner, outcome.reason)), BLACK_WINS);
    assert_eq!(position.offence(), None);
    let facts = serde_json::to_value(position.facts()).expect("facts are JSON");
    assert_eq!(facts["five"], serde_json::json!(["a3", "b3", "c3", "d3", "e3"]));
    assert_eq!(facts["forbidden"], serde_json::json!([]));
}

/// A point is left, but Black may not take it.
#[test]
fn no_legal_move_is_a_draw() {
    let text = "xooxoxo/xxooxxo/oxxoxoo/xxx1xxx/oooxooo/oxoxoox/ooxxxxo x";
    let position = parse(&named("renju", 7), text);
    assert_eq!(position.outcome().map(|outcome| (outcome.winner, outcome.reason)), Some((None, "no_legal_move")));
    assert_eq!(position.moves().count(), 0);
    assert!(parse(&named("standard", 7), text).outcome().is_none());
    // The same by the last move of a game: White's stone at a1 is taken off and placed again.
    let last = text.rfind("/o").expect("a1 is white");
    let before = format!("{}/1{} o", &text[..last], text[last + 2..].trim_end_matches(" x"));
    let mut position = parse(&named("renju", 7), &before);
    assert!(position.outcome().is_none());
    position.replay("a1").expect("it is legal");
    assert_eq!(position.to_string(), text);
    assert_eq!(position.outcome().map(|outcome| outcome.reason), Some("no_legal_move"));
}

#[test]
fn texts_are_refused_with_reasons() {
    let cases = [
        ("{}", "", "no side to move"),
        ("{}", "15 x", "the board has 1 rows"),
        (r#"{"size":5}"#, "5/5/5/5/5 o", "0 `x` and 0 `o`"),
        (r#"{"size":5}"#, "5/5/5/5/x4 x", "1 `x` and 0 `o`"),
        (r#"{"size":5}"#, "5/5/5/5/xx3 o", "2 `x` and 0 `o`"),
        (r#"{"size":5}"#, "5/5/5/5/5 x first", "`first` after the side to move"),
        (r#"{"size":5}"#, "5/5/5/5/5 x ", "`` after the side to move"),
        (r#"{"size":5}"#, "oooo1/5/5/5/xxxxx x", "4 `o`"),
        (r#"{"size":6}"#, "ooooo1/6/6/6/6/xxxx1x o", "5 `x`"),
        (r#"{"size":6}"#, "ooooo1/6/6/6/x5/xxxx1x o", "the colour to move has five in a row already"),
        (r#"{"size":6}"#, "o1oo1o/o5/6/6/6/xxxxx1 x", "the colour to move has five in a row already"),
        (r#"{"size":5,"name":"renju"}"#, "5/5/5/5/5 x a1", "`a1` after the side to move"),
        (r#"{"size":5,"name":"renju"}"#, "5/5/5/5/x4 o a1", "`a1` after the side to move"),
        (r#"{"size":5,"name":"renju"}"#, "5/5/5/5/x4 o A1", "`A1` after the side to move"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/5 x", "the stage of swap2 is missing"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/5 x begin", "`begin` is not a stage of swap2"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/5 x choose", "`choose` with 0 stones"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/5 x first", "`first` with 0 stones"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/xox2 o opening", "`opening` with 3 stones"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/xoxox o place", "`place` with 5 stones"),
        (r#"{"size":5,"opening":"swap2"}"#, "5/5/5/5/xoxo1 x choose", "`choose` with 4 stones"),
    ];
    for (json, text, expected) in cases {
        let error = Any::parse(&variant(json), text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn moves_are_refused_with_reasons() {
    let position = after(&variant("{}"), "h8");
    for (text, expected) in [
        ("h8", "the point is taken"),
        ("p1", "expected a column letter a..o"),
        ("a16", "expected a column letter"),
        ("black", "expected a column letter"),
        ("", "expected a column letter"),
    ] {
        let error = position.parse_move(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let over = after(&variant("{}"), "a1 a15 b1 c15 c1 e15 d1 g15 e1");
    assert_eq!(over.parse_move("h8").expect_err("it is over").problem, "the game is over");
}

/// The test in lines for a win with the next move agrees with playing every move.
#[test]
fn wins_at_once_are_those_of_some_move() {
    let mut counts = [0; 2];
    for rule in RULES {
        for seed in 0..40 {
            let mut rng = Rng::new(seed, 1);
            let mut position = Any::start(&named(rule, 7));
            while position.outcome().is_none() {
                let wins = position.moves().any(|mv| {
                    let mut after = position.clone();
                    after.play(mv);
                    after.outcome().is_some_and(|outcome| outcome.winner == Some(position.turn()))
                });
                assert_eq!(position.wins_at_once(), wins, "{rule}: {position}");
                counts[usize::from(wins)] += 1;
                position.play(position.random_move(&mut rng));
            }
            assert!(!position.wins_at_once(), "{rule}: {position} is over");
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 100, "{counts:?}");
}

#[test]
fn moves_may_be_joined() {
    let variant = variant("{}");
    assert_eq!(after(&variant, "h8 h9 i8 j10").to_string(), after(&variant, "H8h9i8J10").to_string());
    assert_eq!(Any::split_line("h8BLACKplace a15white"), Some(vec!["h8", "BLACK", "place", "a15", "white"]));
    for text in ["8h", "h", "h8,h9", "hh8", "é8", "h8é"] {
        assert_eq!(Any::split_line(text), None, "{text}");
    }
}

#[test]
fn variants_are_checked() {
    use tesuji_core::games::Variant;
    for (json, field) in
        [(r#"{"size":4}"#, "size"), (r#"{"size":23}"#, "size"), (r#"{"name":"renju","opening":"swap2"}"#, "opening")]
    {
        assert_eq!(variant(json).check().expect_err(json).field, field);
    }
    for json in [r#"{"size":5}"#, r#"{"size":22,"name":"caro","opening":"swap2"}"#] {
        variant(json).check().expect("it is in range");
    }
}
