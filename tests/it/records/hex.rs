//! Hex in SGF as its programs and archives write it: swaps of both kinds, White first, and stones set up in any number.

use serde_json::json;
use tesuji_core::catalog::ReadOptions;
use tesuji_core::position::Side;
use tesuji_core::record::{EarlyEnd, RecordedResult};

use super::{CATALOG, moves, read, read_as, write};

/// A record written again is the standard's: Black begins, a swap mirrors the stone, and it reads back without a warning.
#[track_caller]
fn writes(text: &str, expected: &str) {
    let played = read(text);
    let written = write(&played, "sgf");
    let (_, main) = written.split_once("SZ[5]").expect("the size is written");
    assert_eq!(main.replace('\n', ""), expected, "{text}");
    let again = read(&written);
    assert_eq!((&again.record, again.warnings), (&played.record, Vec::new()), "{text}");
}

#[test]
fn every_kind_of_record_is_written_as_the_standard_says() {
    writes("(;GM[11]SZ[5];B[a2];W[SWAP];W[c4];B[a1])", ";B[a2];W[swap-pieces];B[d3];W[a1])");
    writes("(;GM[11]SZ[5];B[a2];W[swap-sides];B[c4])", ";B[a2];W[swap-pieces];B[c4])");
    writes("(;GM[11]SZ[5];W[a2];B[c3])", "PL[W];W[a2];B[c3])");
    writes("(;GM[11]SZ[5];W[a2];B[swap];W[c4])", ";B[b1];W[swap-pieces];B[d3])");
    writes("(;GM[11]SZ[5]AB[a1:a3]AW[e5])", "AB[a1][a2][a3]AW[e5]PL[W])");
    writes(
        "(;FF[4]SZ[5]RE[B]SO[http://www.littlegolem.com];W[cb];B[swap];W[dd];B[resign])",
        "RE[B+R];B[c2];W[swap-pieces];B[d4])",
    );
}

/// Little Golem's first player is `W` among the moves and `B` among names and results; connects top and bottom, as here.
#[test]
fn files_of_little_golem_are_read() {
    let text = "(;FF[4]EV[hex.ch.1]PB[Ada]PW[Bob]SZ[13]RE[W]GC[game #1]SO[https://www.littlegolem.net];W[mf];B[gg];W[de];B[resign])";
    for text in [text.to_owned(), text.replace("FF[4]", "FF[4]GM[11]")] {
        let played = read(&text);
        assert_eq!((&*played.game, moves(&played.record)), ("hex", vec!["m6", "g7", "d5"]));
        assert_eq!(played.record.players, ["Ada", "Bob"].map(|name| Some(name.to_owned())));
        assert!(played.record.moves.iter().map(|mv| mv.side).eq([Side::First, Side::Second, Side::First].map(Some)));
        let winner = played.record.result.and_then(|result| result.winner);
        assert_eq!(
            (winner, played.warnings.len()),
            (Some(Side::Second), 1),
            "the second player resigns, and RE disagrees"
        );
    }
    let played = read(&text.replace("RE[W]", "RE[B]"));
    let resigned = RecordedResult { winner: Some(Side::First), margin: None, early: Some(EarlyEnd::Resigned) };
    assert_eq!((played.record.result, played.warnings.len()), (Some(resigned), 0));
}

/// After a swap of sides Black is the second player in results, clocks and resignations.
#[test]
fn colours_follow_a_swap_of_sides() {
    let text = "(;GM[11]SZ[5]PB[Ada]PW[Bob]RE[W+];B[a2]BL[9];W[swap-pieces]WL[8];W[c4]WL[7];B[b2]BL[6];B[resign])";
    let played = read(text);
    let resigned = RecordedResult { winner: Some(Side::First), margin: None, early: Some(EarlyEnd::Resigned) };
    assert_eq!(played.record.result, Some(resigned));
    assert!(played.record.moves.iter().map(|mv| mv.seconds_left).eq([9.0, 8.0, 7.0, 6.0].map(Some)));
    let names = ["Ada", "Bob"].map(|name| Some(name.to_owned()));
    assert_eq!(played.record.players, names);
    // Where White begins and Black swaps, Black is the second player from the start.
    let played = read("(;GM[11]SZ[5]PB[Bob]PW[Ada]RE[W+];W[a2];B[swap-pieces];W[c4];B[resign])");
    assert_eq!((played.record.result, played.record.players), (Some(resigned), names));
}

#[test]
fn the_winner_of_a_finished_game_has_connected() {
    // White connects left and right in a file that White begins, and top and bottom in one of Little Golem.
    let standard = read("(;GM[11]SZ[3];W[a2];B[a1];W[b2];B[b1];W[c2])");
    assert_eq!(standard.session.outcome().and_then(|ended| ended.result.winner), Some(Side::Second));
    let archive = read("(;SZ[3]SO[littlegolem];W[ba];B[aa];W[bb];B[ab];W[bc])");
    assert_eq!(archive.session.outcome().and_then(|ended| ended.result.winner), Some(Side::First));
    // After a swap of sides, White is the first player and still connects left and right of the file's board.
    let sides = read("(;GM[11]SZ[3];B[b1];W[swap-sides];W[a2];B[c1];W[b2];B[c3];W[c2])");
    assert_eq!(sides.session.outcome().and_then(|ended| ended.result.winner), Some(Side::First));
    assert!(!sides.warnings.iter().any(|warning| warning.contains("result")), "{:?}", sides.warnings);
}

#[test]
fn lists_and_columns_of_moves_know_the_words_of_the_programs() {
    let played = read_as("hex", "a2 swap-pieces f6 resign");
    let resigned = RecordedResult { winner: Some(Side::First), margin: None, early: Some(EarlyEnd::Resigned) };
    assert_eq!((moves(&played.record), played.record.result), (vec!["a2", "swap", "f6"], Some(resigned)));
    for game in CATALOG.names() {
        let empty = CATALOG.play_record(game, None, Default::default()).expect("it is the start");
        let written = write(&empty, "moves");
        let again = read_as(game, &written);
        assert_eq!((again.record, again.format), (empty.record, Some("moves")), "{game}");
    }
    let refused = CATALOG.read_record("", &ReadOptions::default()).expect_err("no game is named");
    assert!(refused.detail.contains("is not a game record"), "{refused}");
    let line = CATALOG.paste("hex", None, "a2 SWAP-PIECES f6 resign").expect("it is a line");
    assert_eq!(line.moves.len(), 3);
    let refused = CATALOG.paste("hex", Some(&json!({"swap": false})), "a2 swap-pieces").expect_err("there is no swap");
    assert!(refused.detail.contains("no swap rule"), "{refused}");
}
