//! Searches with repetitions that began in the game, before the searched position.

use super::{best_move, output_of};

/// The last score that was reported, as `cp N` or `mate N`.
fn score(output: &str) -> (&str, i32) {
    let line = output.lines().rev().find(|line| line.contains(" score ")).expect("a score");
    let mut words = line.split_whitespace().skip_while(|word| *word != "score").skip(1);
    let kind = words.next().expect("a kind");
    (kind, words.next().and_then(|number| number.parse().ok()).expect("a number"))
}

/// Black's rook returns to where it was attacked once; it may still turn away before the third time.
#[test]
fn a_loop_that_began_in_the_game_is_not_decided_at_its_second_time() {
    let begin = "position fen r1bakab1r/9/c1n3nC1/p1p1p1p1p/9/9/P1P1P1P1P/1R4N2/1C1R5/1NcAKAB2 w - - 0 8";
    for line in ["", " moves d0e1 g9e7 b2b7 i9h9 h7i7 h9i9"] {
        let output = output_of(&[&format!("{begin}{line}"), "go nodes 100000"]);
        let (kind, value) = score(&output);
        assert!(kind == "cp" && value.abs() < 1000, "{line}: {output}");
    }
}

/// Red's rook has chased a cannon with every move; at the third occurrence that loses.
const CHASE: &str = "position fen 1c1k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1 moves a8b8 b9a9 b8a8 a9b9 a8b8 b9a9";

#[test]
fn a_third_occurrence_that_loses_is_avoided_and_one_that_wins_is_found() {
    let output = output_of(&[CHASE, "go depth 4"]);
    assert_ne!(best_move(&output), "b8a8", "{output}");
    // Forced to continue, Red knows that it loses.
    let output = output_of(&[CHASE, "go depth 4 searchmoves b8a8"]);
    assert_eq!(score(&output), ("mate", -1), "{output}");
    let output = output_of(&[&format!("{CHASE} b8a8"), "go depth 4"]);
    assert_eq!((best_move(&output), score(&output)), ("a9b9", ("mate", 1)), "{output}");
}
