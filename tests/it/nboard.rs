//! `tesuji nboard`: a board's dialogue over standard input and output, and games through this project's own referee.

use std::io::Write;
use std::time::Duration;

use crate::matches::played;
use crate::program::{Dialogue, run, run_with};

/// A game in GGF, in which these moves were played.
fn ggf(moves: &str) -> String {
    format!(
        "(;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
    )
}

/// The program's output when started with these arguments and sent these lines.
fn answers(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let ran = run_with(&[&["nboard"], arguments].concat(), &[], &(lines.join("\n") + "\n"));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{lines:?}");
    ran.out.lines().map(str::to_owned).collect()
}

/// The lines that begin with a word.
fn only<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().filter(|line| line.split(' ').next() == Some(word)).map(String::as_str).collect()
}

/// The fields of a line `=== MOVE/EVALUATION/SECONDS`.
#[track_caller]
fn chosen(lines: &[String]) -> (String, Option<f64>) {
    let [line] = only(lines, "===")[..] else { panic!("not one move: {lines:?}") };
    let fields: Vec<&str> = line["=== ".len()..].split('/').collect();
    let [mv, margin, seconds] = fields[..] else { panic!("{line}") };
    assert!(seconds.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0), "{line}");
    (mv.to_owned(), Some(margin).filter(|text| !text.is_empty()).map(|text| text.parse().expect("a number")))
}

#[test]
fn a_board_is_answered_by_the_protocol() {
    let game = format!("set game {}", ggf("B[F5]W[D6/-0.5/1.2]"));
    let lines = answers(&[], &["nboard 2", &game, "set depth 4", "ping 1", "go", ""]);
    assert_eq!(lines[..4], ["set myname Tesuji", "set myname Tesuji4", "pong 1", "status Thinking"]);
    let (mv, margin) = chosen(&lines);
    assert!(["C3", "C4", "C5", "C6", "C7"].contains(&mv.as_str()), "{lines:?}");
    assert!(margin.is_some_and(|margin| margin.abs() < 64.0), "{lines:?}");
    // The line of the search begins with the move, and states its depth; node counts come with it.
    let searched = *only(&lines, "search").last().expect("there is one");
    let words: Vec<&str> = searched.split(' ').collect();
    assert!(words.len() == 5 && words[1].starts_with(&mv) && words[3..] == ["0", "4"], "{searched}");
    assert_eq!(words[2].parse().ok(), margin, "{searched}");
    let stats = *only(&lines, "nodestats").last().expect("there are some");
    assert!(stats.split(' ').nth(1).is_some_and(|nodes| nodes.parse::<u64>().is_ok_and(|nodes| nodes > 10)), "{stats}");
    // The move was not played: the same one is chosen again, and another side moves after it.
    let again = answers(&["--depth", "4"], &[&game, "go"]);
    assert_eq!(chosen(&again).0, mv);
    let after = answers(&["--depth", "4"], &[&game, &format!("move {mv}/1.5/0.01"), "go"]);
    assert_ne!(chosen(&after).0, mv);
}

#[test]
fn hints_evaluate_the_requested_number_of_moves() {
    let game = format!("set game {}", ggf("B[F5]"));
    for (count, expected) in [("1", 1), ("2", 2), ("9", 3)] {
        let lines = answers(&[], &["nboard 2", &game, "set depth 5", &format!("hint {count}")]);
        let searched = only(&lines, "search");
        let moves: std::collections::BTreeSet<&str> =
            searched.iter().rev().take(expected).map(|line| &line["search ".len()..][..2]).collect();
        assert_eq!(moves.len(), expected, "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("status"));
        let margins: Vec<f64> = searched[searched.len() - expected..]
            .iter()
            .map(|line| line.split(' ').nth(2).and_then(|text| text.parse().ok()).expect("a number"))
            .collect();
        assert!(margins.is_sorted_by(|a, b| a >= b), "{lines:?}");
    }
}

/// White has b1 alone and wins all; Black passed before.
#[test]
fn solved_positions_and_passes_are_reported_as_such() {
    let board = format!("(;GM[Othello]BO[8 O******-{} *];)", "-".repeat(56));
    let game = format!("set game {board}");
    let lines = answers(&[], &["set depth 6", &game, "go", "ping 1"]);
    assert_eq!(chosen(&lines), ("PA".to_owned(), None));
    let lines = answers(&[], &["set depth 6", &game, "hint 2"]);
    // On a busy machine the search is reported before it has ended, and then without a proof.
    let searched = only(&lines, "search");
    assert!(searched.iter().all(|line| line.starts_with("search PA")), "{lines:?}");
    assert_eq!(searched.last(), Some(&"search PAH1 -64.00 0 100%"), "{lines:?}");
    let lines = answers(&[], &["set depth 6", &game, "move PA", "hint 1", "go"]);
    assert!(lines.contains(&"search H1 +64.00 0 100%".to_owned()), "{lines:?}");
    assert_eq!(chosen(&lines), ("H1".to_owned(), None));
    // The pass may be left out; then the game is over.
    let lines = answers(&[], &["set depth 6", &game, "move H1", "go", "hint 1", "analyze"]);
    for command in ["go", "hint"] {
        let over = format!("status {command}: the game is over; expected an unfinished game");
        assert!(lines.contains(&over), "{lines:?}");
    }
    let analysis = only(&lines, "analysis");
    assert_eq!(analysis, ["analysis 2 -64.00", "analysis 1 -64.00", "analysis 0 -64.00"]);
}

#[test]
fn a_game_is_analysed_from_its_end() {
    let game = format!("set game {}", ggf("B[F5]W[F4]B[E3]"));
    let lines = answers(&["--nodes", "500"], &[&game, "set depth 4", "analyze"]);
    let analysis = only(&lines, "analysis");
    let numbers: Vec<&str> = analysis.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(numbers, ["3", "2", "1", "0"], "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("status"));
}

#[test]
fn invalid_commands_are_reported_in_the_status_line() {
    let game = format!("set game {}", ggf("B[a1]"));
    for (line, expected) in [
        ("nboard 3", "status nboard: expected version 1 or 2, not 3"),
        ("set depth x", "status set depth: expected a number of plies from 1, not `x`"),
        ("set contempt 5", "status set contempt: no effect: there is no opening book, and draws are worth 0"),
        ("set game f5d6", "status set game: ggf, line 1, column 1: `f5d6`: expected a game that begins with `(;`"),
        (
            game.as_str(),
            "status set game: ggf, line 1, column 108: move 1, `a1`: expected an empty square that turns at least one disc",
        ),
        ("move a1", "status move: move `a1`: expected an empty square that turns at least one disc"),
        ("move PA", "status move: move `pass`: a side that can turn a disc may not pass: expected a square"),
        ("move f5d6", "status move: expected MOVE/EVALUATION/SECONDS, like F5/1.50/0.2, not `f5d6`"),
        ("hint 0", "status hint: expected a number of moves from 1, not `0`"),
        ("ping x", "status ping: expected a whole number, not `x`"),
    ] {
        assert_eq!(answers(&[], &[line]), [expected], "{line}");
    }
    assert_eq!(
        answers(&[], &["learn"]),
        ["learned", "status learn: nothing was stored, since there is no opening book"]
    );
    // Unknown commands are ignored, as the protocol requires; so is a contempt already in use.
    assert_eq!(answers(&[], &["", "set colour red", "remove_tree 3", "F5", "set contempt 0", "ping 2"]), ["pong 2"]);
    // After a wrong game or move no other position is searched in place of the board's.
    for wrong in ["set game x", "move a1", "move"] {
        let lines = answers(&["--depth", "3"], &[wrong, "go", "hint 1", "analyze", "move F5"]);
        let refused =
            lines[1..].iter().all(|line| line.contains("no position, since the last game or move was refused"));
        assert!(lines.len() == 5 && refused, "{lines:?}");
        let game = format!("set game {}", ggf("B[F5]"));
        let lines = answers(&["--depth", "3"], &[wrong, &game, "go"]);
        assert!(["D6", "F4", "F6"].contains(&chosen(&lines).0.as_str()), "{lines:?}");
    }
    // An engine without depths refuses them, and continues with its own limits.
    let lines = answers(&["--engine", "mcts", "--simulations", "50"], &["set depth 3", "go"]);
    assert!(lines[0].starts_with("status set depth: "), "{lines:?}");
    chosen(&lines);
    for (arguments, expected) in [
        (&["--engine", "oracle"][..], "--engine"),
        (&["--depth", "1000"], "--depth: expected 1 to 250"),
        (&["--level", "3", "--engine", "mcts"], "--engine"),
    ] {
        let ran = run(&[&["nboard"], arguments].concat());
        assert!(ran.code == Some(2) && ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn the_first_version_has_bare_moves() {
    let lines = answers(&["--depth", "2"], &["nboard 1", "F5", "d6", "go"]);
    assert!(["C3", "C4", "C5", "C6", "C7"].contains(&chosen(&lines).0.as_str()), "{lines:?}");
}

/// A move gets a part of the clock's time; hints do not depend on it.
#[test]
fn moves_keep_within_the_clock() {
    let game = format!("set game {}", ggf("").replace("TY[8]", "TI[00:03]TY[8]"));
    let started = std::time::Instant::now();
    let lines = answers(&["--depth", "60"], &[&game, "go"]);
    chosen(&lines);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

/// Searches that would take hours end at a ping; a move that was asked for comes before its pong.
#[test]
fn commands_end_the_current_search() {
    let mut program = Dialogue::start("nboard");
    program.send(&["nboard 2", &format!("set game {}", ggf("")), "set depth 60", "hint 4"]);
    program.read_until("search ");
    program.send(&["ping 1"]);
    program.read_until("pong 1");
    program.send(&["go"]);
    program.read_until("search ");
    // Commands that do not change the position stop no search.
    program.send(&["set contempt 1", "learn"]);
    assert!(only(&program.read_until("status learn"), "===").is_empty());
    program.send(&["ping 2"]);
    let output = program.read_until("pong 2");
    assert!(["C4", "D3", "E6", "F5"].contains(&chosen(&output).0.as_str()), "{output:?}");
    program.send(&["analyze"]);
    program.read_until("status Analyzing");
    // The answer is from the search of the new position.
    program.send(&["move F5", "ping 3"]);
    assert!(only(&program.read_until("pong 3"), "analysis").is_empty());
    program.send(&["go"]);
    program.read_until("search ");
    program.send(&["set depth 2", "go"]);
    program.read_until("=== ");
    let output = program.read_until("=== ");
    assert!(["D6", "F4", "F6"].contains(&chosen(&output).0.as_str()), "{output:?}");
    program.send(&["set depth 60", "hint 1"]);
    program.read_until("search ");
    program.send(&["quit"]);
    assert!(program.ends_well());
}

/// Invalid UTF-8 belongs to no command, and does not end the program.
#[test]
fn names_in_other_encodings_are_survived() {
    let mut program = Dialogue::start("nboard");
    let input = program.input();
    input.write_all(b"nboard 2\nset game (;GM[Othello]PB[\xcf\xf3];)\n\xff\nping 1\n").expect("the program listens");
    let output = program.read_until("pong 1");
    assert!(output[1].starts_with("status set game: ggf, line 1, column 1: no BO: expected"), "{output:?}");
    program.send(&["quit"]);
    assert!(program.ends_well());
}

/// Through the referee of `tesuji match`, which loses a game for an illegal move, an overrun or a crash.
#[test]
fn games_through_the_referee_end_by_the_rules() {
    let program = format!("nboard[depth=2,lost_after_ms=60000]:'{}' nboard", env!("CARGO_BIN_EXE_tesuji"));
    let arguments = ["reversi", &program, "negamax:depth=1", "--games", "4", "--openings", "random:6", "--seed", "5"];
    let (games, summary) = played(&[&arguments[..], &["--balance", "1"]].concat());
    assert!(games.iter().all(|game| game["fault"].is_null()), "{games:?}");
    assert_eq!(games.len(), 4, "{summary}");
    assert!(games.iter().all(|game| game["a"]["nodes"].as_u64().is_some_and(|nodes| nodes > 100)), "{games:?}");
    // The other program sees the same positions: at one depth, the same moves are chosen.
    let own =
        ["reversi", "negamax:depth=2", "negamax:depth=1", "--games", "4", "--openings", "random:6", "--seed", "5"];
    let (same, _) = played(&[&own[..], &["--balance", "1"]].concat());
    let openings = |games: &[serde_json::Value]| games.iter().map(|game| game["opening"].clone()).collect::<Vec<_>>();
    assert_eq!(openings(&same), openings(&games));
}

#[test]
fn a_program_that_does_not_play_loses() {
    let silent = "nboard[depth=2,lost_after_ms=300]:sh -c 'while read a b; do [ $a = ping ] && echo pong $b; done'";
    let wrong =
        "nboard[depth=2]:sh -c 'while read a b; do [ $a = ping ] && echo pong $b; [ $a = go ] && echo === A1; done'";
    for (program, reason) in [(silent, "timeout"), (wrong, "illegal_move")] {
        let (games, _) = played(&["reversi", program, "negamax:depth=1", "--games", "2", "--openings", "random:2"]);
        for game in &games {
            assert_eq!((&game["winner"], &game["reason"]), (&"b".into(), &reason.into()), "{game}");
        }
    }
}
