//! PGN of Xiangqi in its three notations.

use std::time::Duration;

use tesuji_core::catalog::Asked;
use tesuji_core::position::Side;
use tesuji_core::record::{Clock, EarlyEnd, Record, RecordedResult};

use super::{CATALOG, moves, read, refusal, write};

const GAME: &str = "[Game \"Chinese Chess\"]
[Event \"第24届\"五羊杯\"冠军赛\"]
[Site \"广州\"]
[Date \"2004.01.05\"]
[Round \"?\"]
[RedTeam \"河北\"]
[Red \"刘殿中\"]
[BlackElo \"2500\"]
[Black \"许银川\"]
[Result \"0-1\"]
[TimeControl \"3600+30\"]
[Termination \"time forfeit\"]

{开局
一}
1. 炮二平五 {当头炮} 马８进７ $1 (1. ... 马2进3 {x) y} (1. ... 卒7进1)) 
2. 馬二進三! ; a comment to the end of the line
车9平8
0-1
";

#[test]
fn a_game_in_chinese_is_read_with_all_that_it_says() {
    let played = read(GAME);
    let record = &played.record;
    assert_eq!((played.game, played.format), ("xiangqi", Some("pgn-chinese")));
    assert_eq!(moves(record), ["h2e2", "h9g7", "h0g2", "i9h9"]);
    let texts = [&record.event, &record.round, &record.place, &record.date].map(|text| text.as_deref());
    assert_eq!(texts, [Some("第24届\"五羊杯\"冠军赛"), None, Some("广州"), Some("2004.01.05")]);
    assert_eq!(record.players, ["刘殿中", "许银川"].map(|name| Some(name.to_owned())));
    assert_eq!(record.ratings, [None, Some("2500".to_owned())]);
    let clock = Clock { main: Duration::from_secs(3600), increment: Duration::from_secs(30), ..Clock::default() };
    assert_eq!(record.clocks, [Some(clock); 2]);
    let comments: Vec<_> = record.moves.iter().map(|mv| mv.comment.as_deref()).collect();
    assert_eq!(comments, [Some("当头炮"), None, Some("a comment to the end of the line"), None]);
    assert_eq!(record.comment.as_deref(), Some("开局\n一"));
    let lost = RecordedResult { winner: Some(Side::Second), margin: None, early: Some(EarlyEnd::Timeout) };
    assert_eq!(record.result, Some(lost));
    assert_eq!(played.warnings, ["1 variation was left out"]);
}

#[test]
fn three_notations_say_the_same() {
    let played = read(GAME);
    for (format, name, line) in [
        ("pgn-chinese", "Chinese", "\n2. 马二进三\n{a comment to the end of the line}\n车９平８\n0-1\n"),
        ("pgn-iccs", "ICCS", "\n2. H0-G2\n{a comment to the end of the line}\nI9-H9\n0-1\n"),
        ("pgn-wxf", "WXF", "\n2. H2+3\n{a comment to the end of the line}\nR9.8\n0-1\n"),
    ] {
        let text = write(&played, format);
        assert!(text.contains(&format!("[Format \"{name}\"]")) && text.ends_with(line), "{text}");
        let again = read(&text);
        assert_eq!((&again.record, again.format), (&played.record, Some(format)));
        // Without the tag, the first move tells the notation.
        let untold = text.replace(&format!("[Format \"{name}\"]\n"), "");
        assert_eq!((&read(&untold).record, read(&untold).format), (&played.record, Some(format)), "{untold}");
    }
}

/// A game begins with its tags, or with moves: nothing else between them makes another game.
#[test]
fn what_stands_before_the_tags_is_no_game() {
    let game = "[Red \"a\"]\n\n1. C2.5 h8+7 1-0\n";
    let asked = Asked { format: Some("pgn"), ..Asked::default() };
    for (before, comment, warnings) in [
        ("{from the club}\n", Some("from the club"), &[][..]),
        ("; from the club\n% exported\n", Some("from the club"), &[]),
        ("The club's games\nof this year\n", None, &["what stands before the tags was left out"]),
    ] {
        let read = |text: &str, number| CATALOG.read_record(text, &Asked { number, ..asked });
        let played = read(&format!("{before}{game}"), None).unwrap_or_else(|refusal| panic!("{before}: {refusal}"));
        assert_eq!((moves(&played.record), played.record.comment.as_deref()), (vec!["h2e2", "h9g7"], comment));
        assert_eq!(played.warnings, warnings, "{before}");
        let second = read(&format!("{before}{game}{game}"), Some(2)).expect("there are two");
        assert_eq!(moves(&second.record), ["h2e2", "h9g7"]);
    }
    // Moves without tags are a game.
    assert!(refusal(&asked, &format!("1. C2.5 *\n{game}")).contains("2 games: expected one"));
    assert!(refusal(&asked, &format!("1. C2.5\n{game}")).contains("2 games: expected one"));
}

#[test]
fn terminations_are_read_in_the_standards_words() {
    for (words, result, early) in [
        ("Rules infraction", "1-0", Some(EarlyEnd::Forfeited)),
        ("abandoned", "0-1", Some(EarlyEnd::Forfeited)),
        ("abandoned", "1/2-1/2", None),
        ("time forfeit", "1-0", Some(EarlyEnd::Timeout)),
        ("normal", "1-0", None),
        ("adjudication", "1-0", None),
    ] {
        let text = format!("[Red \"a\"]\n[Result \"{result}\"]\n[Termination \"{words}\"]\n1. C2.5 {result}");
        assert_eq!(read(&text).record.result.and_then(|result| result.early), early, "{words}");
    }
}

#[test]
fn comments_lose_control_characters() {
    let record = Record { comment: Some("a\u{7}}\tb\nc".to_owned()), ..Record::default() };
    let played = CATALOG.play_record("xiangqi", None, record).expect("it is a game");
    assert!(write(&played, "pgn-wxf").contains("\n{a ) b\nc}\n"));
}

#[test]
fn games_may_begin_anywhere() {
    let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1";
    let text = format!("[Game \"Chinese Chess\"]\n[FEN \"{fen}\"]\n\n1. ... D9-D8 2. A0-A9! *\n");
    let played = read(&text);
    assert_eq!((played.record.position.as_deref(), moves(&played.record)), (Some(fen), vec!["d9d8", "a0a9"]));
    let text = write(&played, "pgn-iccs");
    assert!(text.contains(&format!("[FEN \"{fen}\"]")) && text.contains("\n1. ... D9-D8\n2. A0-A9 *"), "{text}");
    assert_eq!(read(&text).record, played.record);
}

#[test]
fn what_is_wrong_names_line_and_column() {
    for (text, expected) in [
        ("[Game \"Chess\"]\n\n1. e4 e5", "pgn-wxf, line 1, column 8: [Game \"Chess\"]: expected `Chinese Chess`"),
        ("[Red \"a\"]\n[FEN \"9/9 w\"]\n\n*", "pgn-chinese, line 2, column 7: "),
        ("[Red \"a\"]\n\n1. 炮二平五 兵二平五\n2. 马二进三", "pgn-chinese, line 3, column 9: move 2, `兵二平五`: "),
        ("[Red \"a\"]\n1. 炮二平五 {x", "pgn-chinese, line 2, column 9: `{x`: expected `}`"),
        ("[Red \"a\"]\n1. 炮二平五 (x", "pgn-chinese, line 2, column 9: `(x`: expected `)`"),
        ("[Red \"a\"]\n1. 炮二平五 )", "pgn-chinese, line 2, column 9: `)`: expected a move"),
        ("[Red \"a\"]\n1. 炮二平五 1-0 马8进7", "pgn-chinese, line 2, column 13: `马8进7`: expected another game"),
        ("[Red \"a\"]\n[Black \"b]\n", "pgn-chinese, line 2, column 1: `[Black \"b]`: expected a tag like"),
        ("[Red \"a\"]\n*\n[Red \"b\"]\n*", "pgn-chinese, line 3, column 1: 2 games: expected one"),
    ] {
        let refusal = refusal(&Asked::default(), text);
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
}
