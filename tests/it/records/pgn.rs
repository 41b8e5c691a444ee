//! PGN of Xiangqi in its three notations.

use std::time::Duration;

use tesuji_core::catalog::ReadOptions;
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
fn a_game_in_chinese_is_read_completely() {
    let played = read(GAME);
    let record = &played.record;
    assert_eq!((&*played.game, played.format), ("xiangqi", Some("pgn-chinese")));
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
        // Without the tag, the first move determines the notation.
        let untold = text.replace(&format!("[Format \"{name}\"]\n"), "");
        assert_eq!((&read(&untold).record, read(&untold).format), (&played.record, Some(format)), "{untold}");
    }
}

/// A game begins with its tags, or with moves: nothing else between them makes another game.
#[test]
fn text_before_the_tags_is_not_a_game() {
    let game = "[Red \"a\"]\n\n1. C2.5 h8+7 1-0\n";
    let asked = ReadOptions { format: Some("pgn"), ..ReadOptions::default() };
    for (before, comment, warnings) in [
        ("{from the club}\n", Some("from the club"), &[][..]),
        ("; from the club\n% exported\n", Some("from the club"), &[]),
        (
            "The club's games\nof this year\n",
            None,
            &["line 1, `The club's games`, is not part of a game and was left out, like 1 more"],
        ),
    ] {
        let read = |text: &str, number| CATALOG.read_record(text, &ReadOptions { number, ..asked });
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
        ("[Game \"Chess\"]\n\n1. e4 e5", "pgn-iccs, line 1, column 8: [Game \"Chess\"]: expected `Chinese Chess`"),
        ("[Red \"a\"]\n[FEN \"9/9 w\"]\n\n*", "pgn-chinese, line 2, column 7: "),
        ("[Red \"a\"]\n\n1. 炮二平五 兵二平五\n2. 马二进三", "pgn-chinese, line 3, column 9: move 2, `兵二平五`: "),
        ("[Red \"a\"]\n1. 炮二平五 {x", "pgn-chinese, line 2, column 9: `{x`: expected `}`"),
        ("[Red \"a\"]\n1. 炮二平五 (x", "pgn-chinese, line 2, column 9: `(x`: expected `)`"),
        ("[Red \"a\"]\n1. 炮二平五 )", "pgn-chinese, line 2, column 9: `)`: expected a move"),
        ("[Red \"a\"]\n1. 炮二平五 1-0 马8进7", "pgn-chinese, line 2, column 13: `马8进7`: expected another game"),
        ("[Red \"a\"]\n[Black \"b]\n", "pgn-chinese, line 2, column 1: `[Black \"b]`: expected a tag like"),
        ("[Red \"a\"]\n*\n[Red \"b\"]\n*", "pgn-chinese, line 3, column 1: 2 games: expected one"),
    ] {
        let refusal = refusal(&ReadOptions::default(), text);
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
}

/// Programs sign their files, and people head their games.
#[test]
fn lines_that_are_not_part_of_a_game_are_left_out() {
    let game = "[Game \"Chinese Chess\"]\n[Red \"a\"]\n\n1. 炮二平五 马8进7\n";
    let footer = "============================\n 欢迎访问《象棋百科全书网》\n http://www.xqbase.com/\n";
    for (text, warning) in [
        (format!("{game} 1-0\n{footer}"), "line 6, `============================`, is not part of a game"),
        (
            format!("{game}{footer}"),
            "line 5, `============================`, is not part of a game and was left out, like 2 more",
        ),
        (format!("{game}1-0 红胜\n[by hand]\n"), "line 5, `红胜`, is not part of a game and was left out, like 1 more"),
        (format!("第24届\n五羊杯\n\n{game}"), "line 1, `第24届`, is not part of a game and was left out, like 1 more"),
        (format!("{}*", game.replace("\n\n", "\n\n中炮对屏风马\n\n")), "line 4, `中炮对屏风马`, is not part of a game"),
    ] {
        let played = read(&text);
        assert_eq!((played.format, moves(&played.record)), (Some("pgn-chinese"), vec!["h2e2", "h9g7"]), "{text}");
        assert!(played.warnings[0].starts_with(warning) && played.warnings.len() == 1, "{:?}", played.warnings);
        assert_eq!(read(&write(&played, "pgn-chinese")).record, played.record);
    }
    // Several games, with a signature behind each, and one without tags.
    let text = format!("{game}1-0\n{footer}\n{game}*\n{footer}\n1. C2.5 *\n{footer}");
    for (number, list) in [(1, &["h2e2", "h9g7"][..]), (2, &["h2e2", "h9g7"]), (3, &["h2e2"])] {
        let played = CATALOG.read_record(&text, &ReadOptions { number: Some(number), ..ReadOptions::default() });
        assert_eq!(moves(&played.expect("it is there").record), list);
    }
    let refused = refusal(&ReadOptions::default(), &text);
    assert!(refused.ends_with("3 games: expected one, or `number` to say which, 1 to 3"), "{refused}");
    // A wrong move is not a line to skip.
    for wrong in ["1. 炮二平十", "炮二平十 马8进7", "1. Chx2"] {
        let refused = refusal(&ReadOptions::default(), &format!("[Red \"a\"]\n{wrong}"));
        assert!(refused.contains("move 1, `"), "{wrong}: {refused}");
    }
    let asked = ReadOptions { format: Some("pgn"), ..ReadOptions::default() };
    assert!(refusal(&asked, "nothing of the kind").ends_with("expected a tag like `[Red \"name\"]`, or a move"));
}

#[test]
fn tags_are_read_without_quotes_or_in_curly_ones() {
    let played = read("[Game \"Chinese Chess\"]\n[Red 王天一]\n[Black “许银川”]\n1、炮二平五 马8进7 2．马二进三\n");
    assert_eq!(played.record.players, ["王天一", "许银川"].map(|name| Some(name.to_owned())));
    assert_eq!((moves(&played.record), played.warnings.len()), (vec!["h2e2", "h9g7", "h0g2"], 0));
}

/// Ranks are numbered from 0 by some programs, and from 1 by others.
#[test]
fn moves_in_letters_and_squares_are_read() {
    let list = ["h2e2", "h9g7", "h0g2", "i9h9", "e2e6"];
    for (line, is_from_one) in [
        ("1. Che2 Nhg7 2. Nhg2 Rih9 3. Cexe6+", false),
        ("1. Che3 Nhg8 2. Nhg3 Rih10 3. Cexe7+", true),
        ("1. che2 hhg7 2. Hhg2 rh9 3. Cxe6", false),
        ("1. h3e3 h10g8 2. h1g3 i10h10 3. e3xe7", true),
        ("1. H3-E3 H10-G8 2. H1-G3 I10-H10 3. E3-E7", true),
        ("1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８ 3. Ｃ５＋４", false),
    ] {
        let played = read(&format!("[Variant \"xiangqi\"]\n\n{line} 1-0\n"));
        assert_eq!(moves(&played.record), list, "{line}");
        let expected = is_from_one.then(|| "the ranks of its squares were taken to be numbered from 1".to_owned());
        assert_eq!(played.warnings, Vec::from_iter(expected), "{line}");
        assert_eq!(moves(&read(&write(&played, "pgn-iccs")).record), list);
    }
    let refused = refusal(&ReadOptions::default(), "[Red \"a\"]\n1. Che2 Nhg7 2. Cc9");
    assert!(refused.starts_with("pgn-iccs, line 2, column 17: move 3, `Cc9`: no legal move fits"), "{refused}");
}

#[test]
fn positions_are_read_as_programs_write_them() {
    let board = "3k5/9/9/9/9/9/9/9/9/R3K4";
    for rest in ["b - - 0 0", "b 0 1", "b - - 0 1", "b"] {
        let played = read(&format!("[Red \"a\"]\n[FEN \"{board} {rest}\"]\n1. ... D9-D8\n"));
        assert_eq!(played.record.position, Some(format!("{board} b - - 0 1")), "{rest}");
    }
}
