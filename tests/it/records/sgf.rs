//! SGF: the main line with comments, set-up stones, escapes, sizes and rules.

use std::time::Duration;

use tesuji_core::catalog::ReadOptions;
use tesuji_core::position::Side;
use tesuji_core::record::{Clock, EarlyEnd, RecordedResult};

use super::{moves, read, read_as, refusal, write};

#[test]
fn a_game_is_read_completely() {
    let text = "(;FF[4]GM[4]CA[UTF-8]AP[x:1]SZ[15:15]RU[Renju]EV[Cup]RO[3]PC[Tallinn\\: hall]DT[2026-01-02]\n\
        PB[Ada \\] B]PW[\u{738b}]BR[5d]WR[2200]TM[600]OT[5 fischer]RE[W+Resign]GC[about\nit]C[before]\n\
        ;B[hh]BL[598.5]C[the centre\\\n of it];W[hg]WL[590](;B[ig]C[main];W[gi])(;B[gg](;W[aa])(;W[bb])))";
    let played = read(text);
    let record = &played.record;
    assert_eq!((&*played.game, played.format), ("gomoku", Some("sgf")));
    assert_eq!(played.session.view().variant["name"], "renju");
    assert_eq!(moves(record), ["h8", "h9", "i9", "g7"]);
    let texts = [&record.event, &record.round, &record.place, &record.date].map(|text| text.as_deref());
    assert_eq!(texts, [Some("Cup"), Some("3"), Some("Tallinn: hall"), Some("2026-01-02")]);
    assert_eq!(record.players, [Some("Ada ] B".to_owned()), Some("王".to_owned())]);
    assert_eq!(record.ratings, [Some("5d".to_owned()), Some("2200".to_owned())]);
    let clock = Clock { main: Duration::from_secs(600), increment: Duration::from_secs(5), ..Clock::default() };
    assert_eq!(record.clocks, [Some(clock); 2]);
    assert_eq!(record.comment.as_deref(), Some("about\nit\nbefore"));
    let comments: Vec<_> = record.moves.iter().map(|mv| (mv.comment.as_deref(), mv.seconds_left)).collect();
    let expected = [(Some("the centre of it"), Some(598.5)), (None, Some(590.0)), (Some("main"), None), (None, None)];
    assert_eq!(comments, expected);
    let resigned = RecordedResult { winner: Some(Side::Second), margin: None, early: Some(EarlyEnd::Resigned) };
    assert_eq!(record.result, Some(resigned));
    assert_eq!(played.warnings, ["3 variations were left out"]);
    let again = read(&write(&played, "sgf"));
    assert_eq!((&again.record, again.session.view().variant), (record, played.session.view().variant));
}

#[test]
fn stones_set_up_are_the_position() {
    let position = "oo7/9/9/9/4xx3/5x3/9/9/9 o";
    let played = read("(;GM[4]SZ[9]AB[ee][fe:fg]AW[aa:ba]AE[fg];W[ii]C[x])");
    assert_eq!(played.record.position.as_deref(), Some(position));
    assert_eq!(moves(&played.record), ["i1"]);
    let text = write(&played, "sgf");
    assert!(text.contains("AB[ee][fe][ff]AW[aa][ba]PL[W]\n;W[ii]C[x])"), "{text}");
    assert_eq!(read(&text).record, played.record);
    // Othello's four discs are there from the start; those that differ are set up.
    let reversi = read("(;GM[2]AB[dd]PL[W])");
    assert_eq!(reversi.record.position.as_deref().map(|text| &text[24..40]), Some("---XX------XO---"));
    assert_eq!(read(&write(&reversi, "sgf")).record, reversi.record);
    // A record that sets up the start position has no `position`.
    assert_eq!(read("(;GM[2]AW[dd][ee]AB[de][ed]PL[B];B[fe])").record.position, None);
}

#[test]
fn points_are_read_in_letters_and_hex_in_letters_and_numbers() {
    assert_eq!(moves(&read("(;GM[2];B[fe];W[fd];B[ec])").record), ["f5", "f4", "e3"]);
    assert_eq!(moves(&read("(;GM[2];B[f5];W[F4])").record), ["f5", "f4"]);
    let hex = read("(;GM[11]SZ[5];B[a2];W[swap-pieces];B[C3];W[d4]C[x])");
    assert_eq!(moves(&hex.record), ["a2", "swap", "c3", "d4"]);
    let text = write(&hex, "sgf");
    assert!(text.contains(";B[a2]\n;W[swap-pieces]\n;B[c3]\n;W[d4]C[x])"), "{text}");
    assert_eq!(read(&text).record, hex.record);
    // In FF[3], names could have small letters.
    let old = read("(;GaMe[4]SiZe[15]PlayerBlack[Ada];Black[hh];White[hg])");
    assert_eq!((moves(&old.record), old.record.players[0].as_deref()), (vec!["h8", "h9"], Some("Ada")));
    // Without GM, the game has to be named.
    assert_eq!(moves(&read_as("gomoku", "(;SZ[15];B[hh])").record), ["h8"]);
}

#[test]
fn passes_are_read_and_written() {
    let text = "(;GM[2]AE[dd][ee][de][ed]AB[aa]AW[ba][ca][da][ea][fa][ga]PL[B];B[];W[ha])";
    assert!(refusal(&ReadOptions::default(), text).contains("move 1"), "Black can turn discs");
    let text = "(;GM[2]AE[dd][ee][de][ed]AW[aa]AB[ba][ca][da][ea][fa][ga]PL[B];B[];W[ha])";
    let played = read(text);
    assert_eq!(moves(&played.record), ["pass", "h1"]);
    assert_eq!(moves(&read(&text.replace("B[];", "")).record), ["pass", "h1"]);
    assert!(write(&played, "sgf").contains("\n;B[]\n;W[ha]"));
}

#[test]
fn results_are_read_in_their_forms() {
    for (value, expected) in [
        ("B+", Some((Some(Side::First), None, None))),
        ("W+R", Some((Some(Side::Second), None, Some(EarlyEnd::Resigned)))),
        ("B+Time", Some((Some(Side::First), None, Some(EarlyEnd::Timeout)))),
        ("w+f", Some((Some(Side::Second), None, Some(EarlyEnd::Forfeited)))),
        ("W+12", Some((Some(Side::Second), Some(-12.0), None))),
        ("W", Some((Some(Side::Second), None, None))),
        ("0", Some((None, Some(0.0), None))),
        ("Draw", Some((None, Some(0.0), None))),
        ("?", None),
    ] {
        let played = read(&format!("(;GM[2]RE[{value}];B[fe])"));
        let reported = played.record.result.map(|result| (result.winner, result.margin, result.early));
        assert_eq!((reported, played.warnings.len()), (expected, 0), "{value}");
    }
    for value in ["Black won", "B+-3", "W+0"] {
        let odd = read(&format!("(;GM[2]RE[{value}];B[fe])"));
        assert_eq!((odd.record.result, odd.warnings), (None, vec![format!("RE[{value}] was left out")]));
    }
}

/// Hex has words in place of a move for the end of a game.
#[test]
fn resigning_in_place_of_a_move_loses() {
    for (text, early) in [
        ("(;GM[11]SZ[5];B[a2];W[b3];B[resign]C[x])", EarlyEnd::Resigned),
        ("(;GM[11]SZ[5]RE[W+];B[a2];W[b3];B[Forfeit])", EarlyEnd::Forfeited),
        ("(;GM[11]SZ[5]RE[W+T];B[a2];W[b3];B[resign])", EarlyEnd::Timeout),
    ] {
        let played = read(text);
        assert_eq!(moves(&played.record), ["a2", "b3"], "{text}");
        let lost = RecordedResult { winner: Some(Side::Second), margin: None, early: Some(early) };
        assert_eq!((played.record.result, played.warnings.len()), (Some(lost), 0), "{text}");
        assert_eq!(read(&write(&played, "sgf")).record, played.record);
    }
}

#[test]
fn a_drawn_game_keeps_its_margin() {
    let result = RecordedResult { winner: None, margin: Some(0.0), early: None };
    let played = read("(;GM[2]RE[Draw];B[fe])");
    assert_eq!(played.record.result, Some(result));
    assert_eq!(read(&write(&played, "sgf")).record.result, Some(result));
    assert_eq!(read(&write(&played, "ggf")).record.result, Some(result));
    // Games without points have no margin, regardless of the result.
    let played = read("(;GM[4]RE[W+5];B[hh])");
    let won = RecordedResult { winner: Some(Side::Second), margin: None, early: None };
    assert_eq!(played.record.result, Some(won));
    assert!(write(&played, "sgf").contains("RE[W+]"));
}

#[test]
fn one_of_several_games_is_chosen() {
    let text = "(;GM[4]PB[a];B[hh])\n(;GM[4]PB[b];B[gg])";
    let several = refusal(&ReadOptions::default(), text);
    assert!(several.starts_with("sgf, line 2, column 1: 2 games: expected one, or `number` to say which"), "{several}");
    let second = super::CATALOG.read_record(text, &ReadOptions { number: Some(2), ..ReadOptions::default() });
    assert_eq!(moves(&second.expect("it is there").record), ["g9"]);
    for number in [0, 3] {
        let asked = ReadOptions { number: Some(number), ..ReadOptions::default() };
        let refused = super::CATALOG.read_record(text, &asked).expect_err("there are two");
        let expected = format!("the text holds 2 games: expected 1 to 2, not {number}");
        assert_eq!((refused.pointer, refused.detail), ("/number".to_owned(), expected));
    }
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let variant = serde_json::json!({"opening": "swap2"});
    let asked = ReadOptions { game: Some("gomoku"), variant: Some(&variant), ..ReadOptions::default() };
    let played = super::CATALOG.read_record("h8 h9 i9 black", &asked).expect("it is a line");
    for format in ["sgf", "psq"] {
        let refused = super::CATALOG.write_record(&played, format).expect_err("it is refused");
        assert!(refused.detail.contains("swap2"), "{refused}");
    }
    let refused = super::CATALOG.write_record(&played, "ggf").expect_err("it is refused");
    assert_eq!(refused.detail, "`ggf`: expected one of sgf, psq, moves");
}
