//! Records of games are read as other programs write them, refused by line and column, and written so that they read back the
//! same, by the catalog, the service and the commands.

mod commands;
mod ggf;
mod hex;
mod pasted;
mod pgn;
mod random;
mod service;
mod sgf;

use std::sync::LazyLock;

use serde_json::{Value, json};
use tesuji_core::catalog::{Catalog, Played, ReadOptions};
use tesuji_core::record::{Record, RecordedMove, RecordedResult};

use crate::data::own;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::standard);

/// Reads a text whose game and format are to be recognised.
#[track_caller]
fn read(text: &str) -> Played {
    CATALOG.read_record(text, &ReadOptions::default()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// Reads a text of a game.
#[track_caller]
fn read_as(game: &str, text: &str) -> Played {
    let asked = ReadOptions { game: Some(game), ..ReadOptions::default() };
    CATALOG.read_record(text, &asked).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// Why a text is refused.
#[track_caller]
fn refusal(asked: &ReadOptions<'_>, text: &str) -> String {
    CATALOG.read_record(text, asked).expect_err("it is refused").detail
}

fn moves(record: &Record) -> Vec<&str> {
    record.moves.iter().map(|mv| mv.mv.as_str()).collect()
}

#[track_caller]
fn write(played: &Played, format: &str) -> String {
    CATALOG.write_record(played, format).unwrap_or_else(|refusal| panic!("{format}: {refusal}"))
}

/// The project's own cases: each text is read as its line states, and reads back when written.
#[test]
fn every_case_is_read_as_stated() {
    let mut count = 0;
    for case in own::<Value>("records.jsonl") {
        let text = case["text"].as_str().expect("a case has a text");
        let game = case["game"].as_str().filter(|_| case["named"] == true);
        let played = CATALOG.read_record(text, &ReadOptions { game, ..ReadOptions::default() });
        if let Some(refused) = case["refused"].as_str() {
            let refusal = played.expect_err("it is refused").detail;
            assert!(refusal.starts_with(refused), "{text}: {refusal}");
        } else {
            let played = played.unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            assert_eq!(
                (&*played.game, played.format),
                (case["game"].as_str().unwrap_or_default(), case["format"].as_str())
            );
            let list: Vec<&str> = case["moves"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            assert_eq!(moves(&played.record), list, "{text}");
            assert_eq!(played.record.position.as_deref(), case["position"].as_str(), "{text}");
            if let Some(warning) = case["warning"].as_str() {
                assert!(
                    played.warnings.iter().any(|found| found.starts_with(warning)),
                    "{text}: {:?}",
                    played.warnings
                );
            } else {
                assert!(played.warnings.is_empty(), "{text}: {:?}", played.warnings);
            }
        }
        count += 1;
    }
    assert!(count > 30, "{count} cases");
}

#[test]
fn lists_of_moves_are_read_as_other_sites_write_them() {
    for (game, text, list) in [
        ("gomoku", "1. h8 i9 2. j10", &["h8", "i9", "j10"][..]),
        ("gomoku", "h8h9i9", &["h8", "h9", "i9"]),
        ("reversi", "f5d6c3", &["f5", "d6", "c3"]),
        ("reversi", "F5 D6 C3", &["f5", "d6", "c3"]),
        ("connect-four", "4433", &["4", "4", "3", "3"]),
        ("connect-four", "1. 4 4 2. 3 3", &["4", "4", "3", "3"]),
        ("xiangqi", "1. 炮二平五 马8进7 2. 马二进三", &["h2e2", "h9g7", "h0g2"]),
        ("hex", "a2 swap f6", &["a2", "swap", "f6"]),
    ] {
        let played = read_as(game, text);
        assert_eq!((played.format, moves(&played.record)), (Some("moves"), list.to_vec()), "{text}");
    }
    assert_eq!(write(&read_as("reversi", "f5 d6 c3"), "moves"), "f5d6c3\n");
    assert_eq!(write(&read_as("connect-four", "4 4"), "moves"), "44\n");
    // A text that only one game understands needs no name.
    assert_eq!(read("4433").game, "connect-four");
    let ambiguous = refusal(&ReadOptions::default(), "a1 b2");
    assert!(ambiguous.starts_with("the text fits several games"), "{ambiguous}");
    let asked = ReadOptions { game: Some("gomoku"), ..ReadOptions::default() };
    assert!(refusal(&asked, "h8 i9\nh8").starts_with("moves, line 2, column 1: move 3, `h8`: the point is taken"));
}

#[test]
fn what_is_asked_for_is_checked() {
    let asked = ReadOptions { game: Some("go"), ..ReadOptions::default() };
    assert!(refusal(&asked, "a1").contains("expected one of tic-tac-toe"));
    let asked = ReadOptions { game: Some("reversi"), format: Some("pgn"), ..ReadOptions::default() };
    assert_eq!(refusal(&asked, "f5"), "`pgn`: expected one of ggf, moves, sgf");
    let asked = ReadOptions { format: Some("psq"), ..ReadOptions::default() };
    assert!(refusal(&asked, "f5d6").starts_with("psq, line 1, column 1: `f5d6`: expected `Piskvorky`"));
    assert!(refusal(&ReadOptions::default(), "(;GM[1]FF[4];B[pd])").contains("is not a game record: expected one of"));
    let asked = ReadOptions { number: Some(2), game: Some("reversi"), ..ReadOptions::default() };
    let refused = CATALOG.read_record("f5", &asked).expect_err("there is one game");
    assert_eq!(
        (refused.pointer.as_str(), refused.detail.as_str()),
        ("/number", "the text holds one game: expected 1, not 2")
    );
}

#[test]
fn positions_of_interfaces_are_read_and_written() {
    let line = "position startpos moves h2e2 h9g7";
    let played = read(line);
    assert_eq!((played.format, moves(&played.record)), (Some("ucci"), vec!["h2e2", "h9g7"]));
    assert_eq!(write(&played, "ucci"), format!("{line}\n"));
    // Ranks from 1: the cannon stands on h3.
    let played = read("position startpos moves h3e3 h10g8");
    assert_eq!((played.format, moves(&played.record)), (Some("uci"), vec!["h3e3", "h10g8"]));
    assert!(write(&played, "pgn-iccs").contains("1. H2-E2 H9-G7\n*"));
    let fen = "4k4/9/9/9/9/9/9/9/4P4/4K4 w - - 0 1";
    let played = read(&format!("fen {fen}"));
    assert_eq!(played.record.position.as_deref(), Some(fen));
    assert_eq!(write(&played, "ucci"), format!("position fen {fen}\n"));
    let asked = ReadOptions { format: Some("ucci"), ..ReadOptions::default() };
    assert!(
        refusal(&asked, "position moves h2e2").starts_with("ucci, line 1, column 10: `moves`: expected `startpos`")
    );
    assert!(refusal(&asked, "startpos moves h2e2 h2e2").starts_with("ucci, line 1, column 21: move 2, "));
}

/// UCCI numbers the ranks from 0, as PGN does, UCI from 1; the variant states how the game itself does.
#[test]
fn ranks_are_renumbered_between_formats() {
    let (ucci, uci) = ("position startpos moves h2e2 h9g7\n", "position startpos moves h3e3 h10g8\n");
    let pgn = "[Red \"a\"]\n1. H2-E2 H9-G7 *\n";
    for (text, list) in [
        (ucci, ["h2e2", "h9g7"]),
        (uci, ["h3e3", "h10g8"]),
        (pgn, ["h2e2", "h9g7"]),
        ("[Red \"a\"]\n1. h2e2h9g7 *", ["h2e2", "h9g7"]),
    ] {
        let played = read(text);
        assert_eq!(moves(&played.record), list);
        assert_eq!((write(&played, "ucci").as_str(), write(&played, "uci").as_str()), (ucci, uci), "{text}");
        assert!(write(&played, "pgn-iccs").contains("1. H2-E2 H9-G7\n*"), "{text}");
    }
    let variants = [json!({"ranks": "from_zero"}), json!({"ranks": "from_one"})];
    for (text, format) in [(ucci, "ucci"), (uci, "uci"), (pgn, "pgn")] {
        for (variant, list) in variants.iter().zip([["h2e2", "h9g7"], ["h3e3", "h10g8"]]) {
            let asked = ReadOptions { variant: Some(variant), format: Some(format), ..ReadOptions::default() };
            let played = CATALOG.read_record(text, &asked).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            assert_eq!(moves(&played.record), list, "{text}");
        }
    }
    let asked = ReadOptions { variant: Some(&variants[0]), format: Some("uci"), ..ReadOptions::default() };
    let refused = refusal(&asked, "startpos moves h0g2");
    assert!(
        refused.starts_with("uci, line 1, column 16: `h0` is not on the board: expected a file a to i and a rank 1"),
        "{refused}"
    );
    // Of two chariots, one stands on e5 counted from 0, and the other counted from 1: the variant decides which is meant.
    let text = "fen 3k5/9/9/9/4R4/4R4/9/9/9/5K3 w - - 0 1 moves e5f5";
    for (variant, format) in variants.iter().zip(["ucci", "uci"]) {
        let played = CATALOG.read_record(text, &ReadOptions { variant: Some(variant), ..ReadOptions::default() });
        assert_eq!(played.map(|played| played.format), Ok(Some(format)));
    }
}

#[test]
fn a_margin_is_compared_with_the_boards() {
    let variant = json!({"columns": 1, "rows": 2});
    let list = ["h0,0", "h1,0", "h2,0", "v0,0", "v0,1", "v1,0", "v1,1"];
    let asked = Record { moves: list.map(RecordedMove::new).to_vec(), ..Record::default() };
    let played = CATALOG.play_record("dots-and-boxes", Some(&variant), asked.clone()).expect("it is a game");
    assert!(played.warnings.is_empty() && played.session.outcome().is_some());
    let known = played.record.result.expect("the rules ended it");
    for (margin, is_told) in [(known.margin, false), (None, false), (known.margin.map(|margin| margin + 1.0), true)] {
        let result = Some(RecordedResult { margin, ..known });
        let played = CATALOG.play_record("dots-and-boxes", Some(&variant), Record { result, ..asked.clone() });
        let warnings = played.expect("it is a game").warnings;
        assert_eq!(warnings.iter().any(|warning| warning.starts_with("the recorded margin")), is_told, "{margin:?}");
    }
}

#[test]
fn files_of_gomocup_are_read_and_written() {
    let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1500\nalpha.exe\nbeta.exe\n-1\n";
    let played = read(text);
    assert_eq!(moves(&played.record), ["h8", "i9"]);
    assert_eq!(played.record.players, ["alpha.exe", "beta.exe"].map(|name| Some(name.to_owned())));
    assert_eq!(played.record.moves[1].seconds, Some(1.5));
    assert_eq!(write(&played, "psq"), text);
    for (text, expected) in [
        ("Piskvorky 15x16, 11:11, 0\n", "psq, line 1, column 1: `Piskvorky 15x16, 11:11, 0`: expected"),
        ("Piskvorky 40x40, 11:11, 0\n", "psq, line 1, column 1: expected a size from 5 to 22"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "psq, line 3, column 1: `16,1,0`: expected a column and a row"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "psq, line 3, column 1: move 2, `h8`: the point is taken"),
    ] {
        let refusal = refusal(&ReadOptions::default(), text);
        assert!(refusal.starts_with(expected), "{refusal}");
    }
}
