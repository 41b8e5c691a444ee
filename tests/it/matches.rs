//! Matches: the same result every time, other programs over their protocols, and losses for misbehaviour.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::assert_in_order;
use crate::program::{printed, run};

/// The lines of JSON that a match prints: the games, and the summary.
pub fn played(arguments: &[&str]) -> (Vec<Value>, Value) {
    let ran = run(&[&["match"], arguments, &["--json", "-"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
    let read = |line: &str| serde_json::from_str::<Value>(line).expect("each line is JSON");
    let mut lines: Vec<Value> = ran.out.lines().map(read).collect();
    let summary = lines.pop().expect("there is a summary");
    assert_eq!(summary["type"], "summary");
    assert!(lines.iter().all(|line| line["type"] == "game"));
    (lines, summary)
}

/// The same without measured times.
fn timeless((mut games, mut summary): (Vec<Value>, Value)) -> (Vec<Value>, Value) {
    for line in games.iter_mut().chain([&mut summary]) {
        for side in ["a", "b"] {
            line[side]["time_ms"].take();
            line[side]["slowest_ms"].take();
        }
    }
    (games, summary)
}

fn moves(game: &Value) -> Vec<&str> {
    let moves = game["moves"].as_array().expect("a game has moves");
    moves.iter().map(|mv| mv.as_str().expect("a move is a text")).collect()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the file can be written");
    path
}

#[test]
fn the_stronger_engine_wins_the_same_games_every_time() {
    let arguments = ["connect-four", "mcts:simulations=1000", "mcts:simulations=4", "--games", "20", "--seed", "7"];
    let with = |concurrency| timeless(played(&[&arguments[..], &["--concurrency", concurrency]].concat()));
    let (games, summary) = with("1");
    assert_eq!((games.clone(), summary.clone()), with("3"));
    assert_eq!(games.len(), 20);
    assert!(summary["score"].as_f64().is_some_and(|score| score > 0.8), "{summary}");
    assert!(summary["elo"]["low"].as_f64().is_some_and(|low| low > 0.0), "{summary}");
    for (index, pair) in games.chunks(2).enumerate() {
        assert_eq!((&pair[0]["first"], &pair[1]["first"]), (&"a".into(), &"b".into()));
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["game"], 2 * index + 1);
    }
    let openings: std::collections::HashSet<String> = games.iter().map(|game| game["opening"].to_string()).collect();
    assert_eq!(openings.len(), 10, "every pair has an opening of its own");
    let other = played(&["connect-four", "mcts:simulations=20", "mcts:simulations=10", "--games", "2", "--seed", "8"]);
    assert_ne!(other.0[0]["opening"], games[0]["opening"]);
}

#[test]
fn a_test_ends_as_soon_as_it_is_decided() {
    let arguments = ["connect-four", "mcts:simulations=100", "mcts:simulations=10", "--sprt", "0,100", "--seed", "3"];
    let with = |concurrency| timeless(played(&[&arguments[..], &["--concurrency", concurrency]].concat()));
    let (games, summary) = with("1");
    assert_eq!((games.clone(), summary.clone()), with("4"));
    assert!(games.len() < 200 && games.len().is_multiple_of(2), "{} games", games.len());
    assert_eq!(summary["sprt"]["accepted"], 100.0);
    assert!(summary["sprt"]["llr"].as_f64().is_some_and(|llr| llr >= 2.94), "{summary}");
}

#[test]
fn the_result_reads_well() {
    let out =
        printed(&["match", "tic-tac-toe", "negamax:depth=9", "mcts:simulations=2", "--games", "40", "--seed", "1"]);
    assert_in_order(
        &out,
        &[
            "tic-tac-toe (columns 3, rows 3, k 3): openings of 4 random plies, seed 1\n",
            "A: negamax:depth=9\nB: mcts:simulations=2\n\n",
            "A against B: ",
            " lost of 40 games: ",
            "\nElo +",
            " ± ",
            "(95 %: ",
            "A is stronger with probability ",
            "\npairs by A's points: 0: 0, 0.5: 0, 1: ",
            "\nby side: the first player won ",
            "\na move: A ",
            " ms (slowest ",
            "\nended by: board full ",
            ", line ",
        ],
    );
}

/// A clock limits the game, and without one a move takes a second.
#[test]
fn engines_share_a_clock_out_over_their_moves() {
    let contestants = ["reversi", "negamax:clock_ms=500,increment_ms=5", "negamax:depth=1", "--games", "2"];
    let (games, _) = played(&contestants);
    for game in games {
        let spent = game["a"]["time_ms"].as_f64().expect("what its moves took");
        assert!((100.0..10_000.0).contains(&spent), "{spent} ms: {game}");
    }
}

#[test]
fn openings_come_from_a_file() {
    let path = file("openings.txt", "# moves, or a position and moves\nb2 a1\n\nx2/3/2o x |\n3/3/3 x | b2 c3\n");
    let path = path.to_str().expect("the path is a text");
    let arguments = ["tic-tac-toe", "negamax", "negamax", "--moves", "", "--openings", path];
    let (games, _) = played(&[&arguments[..], &["--games", "8", "--balance", "1"]].concat());
    let openings: Vec<String> = games.iter().step_by(2).map(|game| game["opening"].to_string()).collect();
    assert_eq!(
        openings,
        [
            r#"{"moves":["b2","a1"]}"#,
            r#"{"position":"x2/3/2o x","moves":[]}"#,
            r#"{"position":"3/3/3 x","moves":["b2","c3"]}"#,
            r#"{"moves":["b2","a1"]}"#,
        ]
    );
    let out = printed(&[&["match"], &arguments[..], &["--games", "8", "--balance", "1"]].concat());
    assert!(out.ends_with("note: 3 openings for 4 pairs: some were played again\n"), "{out}");
    // The second opening is won for the first player.
    let (games, _) = played(&[&arguments[..], &["--games", "4"]].concat());
    assert_eq!(games[2]["opening"]["position"], "3/3/3 x");
    let left_out = "openings.txt: 1 of 3 left out: their imbalance exceeds 0.5 (--balance)\n";
    let noted = |more: &[&str]| run(&[&["match"], &arguments[..], &["--games", "4"], more].concat()).err;
    assert!(noted(&[]).ends_with(left_out));
    assert_eq!(noted(&["--balance", "1"]), "");
}

#[test]
fn a_game_that_is_too_long_is_drawn() {
    let arguments = ["gomoku", "mcts:simulations=5", "mcts:simulations=5", "--openings", "random:2"];
    let (games, summary) = played(&[&arguments[..], &["--games", "2", "--max-plies", "5"]].concat());
    assert!(games.iter().all(|game| game["reason"] == "max_plies" && game["winner"].is_null()));
    assert_eq!((moves(&games[0]).len(), &summary["draws"]), (3, &2.into()));
}

/// A contestant that is one of the programs beside this file.
fn program(keys: &str, name: &str, arguments: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/programs").join(name);
    format!("{keys}:python3 '{}' {arguments}", path.display())
}

#[test]
fn programs_play_xiangqi_over_uci_in_either_notation() {
    let a = program("uci[time_ms=50,nodes=7,lost_after_ms=30000,ranks=from_one]", "uci.py", "1 none");
    let b = program("uci[time_ms=50,nodes=7,lost_after_ms=30000,Side Step=true]", "uci.py", "0 none");
    let position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 |";
    let path = file("xiangqi.txt", position);
    let from = |openings: &str| played(&["xiangqi", &a, &b, "--games", "2", "--openings", openings]);
    let (games, summary) = from("random:0");
    let (told_by_text, _) = from(path.to_str().expect("the path is a text"));
    assert_eq!(told_by_text.iter().map(moves).collect::<Vec<_>>(), games.iter().map(moves).collect::<Vec<_>>());
    let line = ["h0g2", "b9c7", "g2h0", "c7b9", "h0g2", "b9c7", "g2h0", "c7b9"];
    assert_eq!(moves(&games[0]), line, "{games:?}");
    assert_eq!(moves(&games[1])[..2], ["b0c2", "h9g7"], "{games:?}");
    assert!(games.iter().all(|game| game["reason"] == "repetition" && game["fault"].is_null()), "{games:?}");
    assert_eq!((&summary["draws"], &games[0]["a"]["nodes"]), (&2.into(), &28.into()));
}

/// UCCI has one limit per move, and its own options; a program without a move is asked once more without the history.
#[test]
fn programs_play_xiangqi_over_ucci() {
    let a = program("ucci[nodes=7,lost_after_ms=30000,memory_mb=16]", "ucci.py", "nodes none");
    let b = program("ucci[time_ms=50,lost_after_ms=30000,usebook=false]", "ucci.py", "time forgetful");
    let played_from = |b: &str| played(&["xiangqi", &a, b, "--games", "2", "--openings", "random:0"]).0;
    for game in played_from(&b) {
        let line = ["h0g2", "h9g7", "g2h0", "g7h9", "h0g2", "h9g7", "g2h0", "g7h9"];
        assert_eq!((moves(&game), &game["reason"]), (line.to_vec(), &"repetition".into()), "{game}");
        assert_eq!(game["a"]["nodes"], 28, "{game}");
    }
    let stubborn = program("ucci[time_ms=50,lost_after_ms=30000,usebook=false]", "ucci.py", "time stubborn");
    for game in played_from(&stubborn) {
        assert_eq!((&game["winner"], &game["reason"]), (&"a".into(), &"protocol".into()), "{game}");
        assert_eq!(game["fault"], "the program answered nobestmove", "{game}");
    }
}

#[test]
fn programs_play_gomoku_over_the_gomocup_protocol() {
    let a = program("gomocup[time_ms=50,lost_after_ms=30000]", "gomocup.py", "none");
    let arguments = ["--variant", "standard", "--games", "2"];
    let both = ["gomoku", a.as_str(), a.as_str(), "--openings", "random:0"];
    let (games, _) = played(&[&both[..], &arguments].concat());
    for game in &games {
        // Both fill the rows from the top in turn, until a diagonal is full.
        let moves = moves(game);
        assert_eq!((moves[..3].join(" "), moves.last().copied()), ("a15 b15 c15".to_owned(), Some("a11")));
        assert_eq!((&game["reason"], &game["winner"]), (&"five".into(), &game["first"]));
    }
    let path = file("gomoku.txt", "h8 g7 j10\nh8 g7 j10 j9\n");
    let path = path.to_str().expect("the path is a text");
    let other = ["gomoku", "negamax:depth=2", a.as_str(), "--games", "4", "--openings", path, "--balance", "1"];
    let (games, summary) = played(&[&other[..], &["--variant", "standard"]].concat());
    assert!(games.iter().all(|game| game["reason"] == "five" && game["winner"] == "a"), "{games:?}");
    assert_eq!(summary["elo"]["high"], Value::Null);
}

/// Time before a program can be sent its next command is not charged to it. Limits of nodes and depth are sent as INFO.
#[test]
fn a_program_is_sent_nothing_before_its_delay_is_over() {
    let arguments = ["--variant", "standard", "--games", "2", "--openings", "random:0", "--max-plies", "4"];
    let against = |keys: &str| {
        let hasty = program(&format!("gomocup[time_ms=50,nodes=300,depth=9,{keys}]"), "gomocup.py", "hasty");
        played(&[&["gomoku", hasty.as_str(), "mcts:simulations=1"], &arguments[..]].concat()).0
    };
    for game in against("lost_after_ms=30000,delay_ms=1000") {
        assert_eq!((&game["reason"], &game["fault"]), (&"max_plies".into(), &Value::Null), "{game}");
        assert!(game["a"]["moves"] == 2 && game["a"]["time_ms"].as_f64() < Some(1000.0), "{game}");
    }
    let game = &against("lost_after_ms=30000")[0];
    assert_eq!((&game["reason"], &game["fault"]), (&"protocol".into(), &"ERROR too soon".into()), "{game}");
}

#[test]
fn programs_are_sent_their_remaining_time() {
    let clocked = program("gomocup[time_ms=50,clock_ms=20000,lost_after_ms=30000]", "gomocup.py", "clock");
    let arguments = ["--variant", "standard", "--games", "2", "--openings", "random:0", "--max-plies", "20"];
    let (games, _) = played(&[&["gomoku", clocked.as_str(), "mcts:simulations=1"], &arguments[..]].concat());
    assert!(games.iter().all(|game| game["fault"].is_null()), "{games:?}");
}

#[test]
fn a_misbehaving_program_loses() {
    let good = program("uci[time_ms=50,nodes=7,lost_after_ms=30000]", "uci.py", "0 none");
    let cases = [
        ("crash", "crash", "the program ended: exit status: 3"),
        ("illegal", "illegal_move", "move `a0i9`: the rook on a0 cannot go to i9"),
        ("silent", "timeout", "no answer after 300 ms"),
    ];
    for (misdeed, reason, words) in cases {
        // Short patience only where that is tested: a loaded machine is slow to start a program.
        let patience = if misdeed == "silent" { 300 } else { 30_000 };
        let options = format!("uci[time_ms=50,nodes=7,lost_after_ms={patience}]");
        let bad = program(&options, "uci.py", &format!("0 {misdeed}"));
        let (games, summary) = played(&["xiangqi", &good, &bad, "--games", "2", "--openings", "random:0"]);
        for game in &games {
            assert_eq!((&game["winner"], &game["reason"]), (&"a".into(), &reason.into()), "{game}");
        }
        let fault = games[1]["fault"].as_str().unwrap_or_default();
        assert!(fault.starts_with(words), "{fault}");
        assert_eq!(summary["endings"][0]["fault_of"], "b");
    }
    let cases = [
        ("crash", "crash", "the program ended"),
        ("taken", "illegal_move", "move `a15`: the point is taken"),
        ("outside", "illegal_move", "move `15,0`: not on the board"),
        ("error", "protocol", "ERROR no idea"),
    ];
    for (misdeed, reason, words) in cases {
        let bad = program("gomocup[time_ms=50,lost_after_ms=30000]", "gomocup.py", misdeed);
        let arguments = ["--variant", "standard", "--games", "2"];
        let (games, _) = played(&[&["gomoku", &bad, "mcts:simulations=1"], &arguments[..]].concat());
        for game in &games {
            assert_eq!((&game["winner"], &game["reason"]), (&"b".into(), &reason.into()), "{game}");
            assert!(game["fault"].as_str().is_some_and(|fault| fault.starts_with(words)), "{game}");
        }
    }
    let bad = program("uci[time_ms=50,nodes=7,lost_after_ms=30000]", "uci.py", "0 crash");
    let out = printed(&["match", "xiangqi", &good, &bad, "--games", "2", "--openings", "random:0"]);
    assert_in_order(&out, &["ended by: crash of B 2\n", "fault of B in game 1: the program ended: exit status: 3\n"]);
}

#[test]
fn what_is_refused_names_the_side_and_what_was_expected() {
    let empty = file("empty.txt", "# nothing\n");
    let wrong = file("wrong.txt", "4 4\n4 9\n");
    let over = file("over.txt", "1 2 1 2 1 2 1\n");
    let [empty, wrong, over] = [&empty, &wrong, &over].map(|path| path.to_str().expect("the path is a text"));
    let engine = "mcts:simulations=1";
    let step = program("uci[x=1]", "uci.py", "0 none");
    let small = program("gomocup", "gomocup.py", "none");
    let cases: [(&[&str], i32, &str); 19] = [
        (&["connect-four", engine], 2, "<ENGINE_B>"),
        (&["connect-four", engine, "mcts:simulations=x"], 2, "'<ENGINE_B>': simulations: expected a whole number"),
        (&["connect-four", engine, "uci:"], 2, "'<ENGINE_B>': expected the command"),
        (&["connect-four", engine, engine, "--games", "3"], 2, "expected an even number"),
        (&["connect-four", engine, engine, "--sprt", "5,0"], 2, "the lower one first"),
        (&["connect-four", engine, engine, "--balance", "2"], 2, "expected a number from 0 to 1"),
        (&["connect-four", engine, engine, "--openings", "random:x"], 2, "expected a number of plies"),
        (&["connect-four", "fritz", engine], 2, "ENGINE_A, name: expected auto, solver, mcts"),
        (&["connect-four", engine, "mcts:x=1"], 2, "ENGINE_B, x: unknown field `x`"),
        (&["connect-four", engine, "mcts:c=-1"], 2, "ENGINE_B, exploration: expected a number from 0"),
        (&["connect-four", "mcts:depth=3", engine], 2, "ENGINE_A, depth: engine mcts has no such limit"),
        (&["connect-four", engine, "uci:x"], 2, "ENGINE_B: only xiangqi can be played over this protocol"),
        (&["xiangqi", "negamax", "uci:/no/such/engine"], 1, "ENGINE_B: `/no/such/engine` cannot be started: "),
        (&["xiangqi", "negamax", &step], 2, "ENGINE_B: the program has no option `x`: it offers Side Step"),
        (&["gomoku", &small, "mcts", "--variant", "size=9"], 2, "ENGINE_A: START 9: ERROR size"),
        (&["connect-four", engine, engine, "--openings", "/no/such"], 2, "--openings, /no/such: "),
        (&["connect-four", engine, engine, "--openings", empty], 2, "empty.txt: the file has no openings"),
        (&["connect-four", engine, engine, "--openings", wrong], 2, "wrong.txt: line 2: move `9`: expected a column"),
        (&["connect-four", engine, engine, "--openings", over], 2, "line 1: the game is over after it (line)"),
    ];
    for (arguments, code, words) in cases {
        let ran = run(&[&["match"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}
