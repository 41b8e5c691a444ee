//! The command line: what each command prints, and how it fails.

use std::process::Stdio;

use serde_json::{Value, json};
use tesuji_core::games::{Game as _, reversi::Reversi};
use tesuji_core::weights;

use crate::http;
use crate::program::{command, printed, run, run_with};

#[test]
fn weights_are_replaced() {
    let features = <Reversi>::features().expect("its weights can be replaced");
    let header = weights::Header {
        game: "reversi".to_owned(),
        features: features.name.to_owned(),
        count: features.count,
        unit: features.unit.to_owned(),
        made: Value::Null,
    };
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    let other: Vec<i32> = (0..features.count as i32).map(|index| index % 100).collect();
    std::fs::write(&file, weights::write(&header, &other)).expect("it can be written");
    let file = file.path().to_str().expect("its name is text");
    let analysed =
        |weights: &str| printed(&["analyze", "reversi", "--depth", "1", "--seed", "1", "--weights", weights]);
    assert_ne!(analysed(file), analysed("zero:reversi"));
    for (given, message) in [
        ("Cargo.toml", "not a file of weights"),
        ("zero:connect-four", "connect-four has no learned weights"),
        ("zero:go", "--weights, zero:go: `go`: expected one of"),
    ] {
        let ran = run(&["play", "reversi", "--weights", given]);
        assert!(ran.code == Some(2) && ran.err.contains(message), "{given}: {}", ran.err);
    }
    // Only commands that search take weights.
    let searches =
        ["serve", "mcp", "analyze", "explain", "review", "play", "match", "puzzles", "bench", "nboard", "uci"];
    let others = ["convert", "perft", "game", "healthcheck", "key", "book", "export", "completions", "manual"];
    let takes_weights = |command: &&str| printed(&[*command, "--help"]).contains("--weights");
    assert!(searches.iter().all(takes_weights) && !others.iter().any(takes_weights));
}

#[test]
fn a_review_is_a_table_of_moves() {
    let table = printed(&["review", "tic-tac-toe", "b2 b1", "a1", "--engine", "negamax"]);
    let row = table.lines().find(|line| line.contains(" b1 ")).unwrap_or_else(|| panic!("{table}"));
    assert!(row.contains("second") && row.contains("+1.000") && row.contains("blunder"), "{table}");
    assert!(table.contains("first: accuracy 100.0 %, 2 moves: inaccuracies 0, mistakes 0, blunders 0"), "{table}");
    let shown = printed(&["review", "tic-tac-toe", "b2,b1,a1", "--engine", "negamax", "--at-least", "0.1"]);
    // A heading, a rule, the one move, a blank line, its reasons, two sides.
    assert!(shown.contains("blunder") && shown.lines().count() == 7, "{shown}");
    assert!(shown.contains("\n2. b1: It lets the opponent win within "), "{shown}");
    let refused = run(&["review", "tic-tac-toe", "b2", "b2"]);
    assert!(refused.code == Some(2) && refused.err.contains("move number 2"), "{}", refused.err);
}

#[test]
fn a_move_is_explained_in_two_languages() {
    let explained = |more: &[&str]| printed(&[&["explain", "connect-four", "112233", "7"], more].concat());
    let english = explained(&[]);
    let lines: Vec<&str> = english.lines().collect();
    assert_eq!(lines[0], "7 is a blunder. Rank 7 of 7. Loss 2.00.", "{english}");
    assert!(lines.contains(&"It misses a win within 1 ply: 4."), "{english}");
    assert!(lines.contains(&"It lets the opponent win within 31 plies: 7 4 4 4 2 4."), "{english}");
    assert_eq!(lines[lines.len() - 2..], ["Best is 4.", "This is proven."], "{english}");
    let chinese = explained(&["--language", "zh"]);
    assert!(chinese.starts_with("7：败着。") && chinese.contains("错过必胜"), "{chinese}");
    let grade: Value = serde_json::from_str(&explained(&["--json"])).expect("it is JSON");
    let kinds: Vec<&Value> = grade["reasons"].as_array().expect("a list").iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["misses_win", "allows_win"], "{grade}");
    let only = printed(&["explain", "tic-tac-toe", "c1", "--moves", "a1 b2 b1", "--engine", "negamax"]);
    assert!(only.contains("It answers a threat") && only.contains("the only move"), "{only}");
    let refused = run(&["explain", "connect-four", "112233", "8"]);
    assert!(refused.code == Some(2) && refused.err.contains("`8`"), "{}", refused.err);
}

#[test]
fn a_review_in_json_is_the_response_of_the_api() {
    let out = printed(&["review", "tic-tac-toe", "b2 b1 a1", "--engine", "negamax", "--seed", "1", "--json"]);
    let mut review: Value = serde_json::from_str(&out).expect("it is JSON");
    let request = json!({"game": "tic-tac-toe", "moves": ["b2", "b1", "a1"], "engine": "negamax", "seed": 1});
    let mut served = http::reviews::review(&request);
    // Ids, message numbers and what each machine grants necessarily differ.
    for document in [&mut review, &mut served] {
        for field in ["id", "seq", "budget"] {
            assert!(document.as_object_mut().and_then(|fields| fields.remove(field)).is_some(), "{field}");
        }
    }
    assert_eq!(review, served);
}

#[test]
fn counts_and_benches_are_lines_of_json() {
    let lines = |args: &[&str]| -> Vec<Value> {
        printed(args).lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    };
    let counts = lines(&["perft", "tic-tac-toe", "3", "--json"]);
    let leaves: Vec<_> = counts.iter().map(|count| (count["depth"].as_u64(), count["leaves"].as_u64())).collect();
    assert_eq!(leaves, [(Some(1), Some(9)), (Some(2), Some(72)), (Some(3), Some(504))]);
    let bench = lines(&["bench", "--thousandths", "1", "--json"]);
    let (signature, engines) = bench.split_last().expect("there is a line");
    let nodes: u64 = engines.iter().filter_map(|engine| engine["nodes"].as_u64()).sum();
    assert_eq!(signature["signature"], nodes);
    assert!(engines.iter().any(|engine| engine["game"] == "hex" && engine["engine"] == "mcts"), "{bench:?}");
}

#[test]
fn games_have_the_names_that_people_type() {
    for (typed, name) in [
        ("connect4", "connect-four"),
        ("Connect-4", "connect-four"),
        ("othello", "reversi"),
        ("tictactoe", "tic-tac-toe"),
        ("Dots_and_Boxes", "dots-and-boxes"),
    ] {
        let out = printed(&["analyse", typed, "--simulations", "20", "--json"]);
        assert!(out.contains(&format!("\"game\":\"{name}\"")), "{typed}: {out}");
    }
}

#[test]
fn limits_have_units() {
    let granted = |limits: &[&str]| -> Value {
        let out = printed(&[&["analyze", "tic-tac-toe", "b2 a1", "--json"], limits].concat());
        serde_json::from_str::<Value>(&out).expect("it is JSON")["budget"]["requested"].clone()
    };
    assert_eq!(granted(&["--nodes", "1.5k", "--time", "0.5s"]), json!({"nodes": 1500, "time_ms": 500}));
    assert_eq!(granted(&["--simulations", "2k", "--cpu", "80ms"]), json!({"simulations": 2000, "cpu_ms": 80}));
    assert_eq!(granted(&["--nodes", "4.1M", "--time", "16.1s"]), json!({"nodes": 4_100_000, "time_ms": 16_100}));
    for (limits, expected) in [
        (["--nodes", "1.5"], "expected a whole number, e.g. 5000, 10k or 1.5M"),
        (["--nodes", "inf"], "expected a whole number"),
        (["--nodes", "-5k"], "--nodes"),
        (["--time", "5"], "expected a time with a unit"),
        (["--time", "1e400s"], "expected a time with a unit"),
    ] {
        let ran = run(&[&["analyze", "tic-tac-toe"], &limits[..]].concat());
        assert!(ran.code == Some(2) && ran.err.contains(expected), "{limits:?}: {}", ran.err);
    }
}

#[test]
fn colours_are_for_terminals() {
    let review = ["review", "tic-tac-toe", "b2 b1", "--engine", "negamax"];
    assert!(!printed(&review).contains('\u{1b}'));
    let output = command(&review).env("CLICOLOR_FORCE", "1").output().expect("it runs");
    let table = String::from_utf8(output.stdout).expect("it is text");
    let blunder = table.lines().find(|line| line.contains("blunder")).unwrap_or_else(|| panic!("{table}"));
    assert!(blunder.starts_with("\u{1b}[31m"), "{blunder:?}");
}

/// Each text, in this order.
pub fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { panic!("`{part}` is not where it should be in:\n{text}") };
        rest = after;
    }
}

#[test]
fn packages_get_completions_and_a_manual() {
    let script = printed(&["completions", "bash"]);
    assert!(script.contains("complete ") && script.contains("healthcheck"), "{script}");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let pages = folder.path().join("man");
    printed(&["manual", pages.to_str().expect("its name is text")]);
    for page in ["tesuji.1", "tesuji-serve.1", "tesuji-match.1"] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(".SH"), "{page}: {text}");
    }
}

#[test]
fn it_prints_its_version() {
    assert_eq!(printed(&["--version"]), format!("tesuji {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn analyze_shows_the_board_and_a_row_per_move() {
    let out =
        printed(&["analyze", "connect-four", "44556", "--moves", "3", "--engine", "mcts", "--simulations", "500"]);
    assert_in_order(
        &out,
        &[
            "connect-four (columns 7, rows 6, connect 4)  445563\n",
            ". . o x x x .\n1 2 3 4 5 6 7\n",
            "best move for first: 7   proven win in 1 ply\n",
            "mcts: ",
            "stopped: proven",
            "move   visits    value   win %   draw %   loss %   proven",
            " 1   7 ",
            "win in 1",
        ],
    );
    let rows = out.lines().skip_while(|line| !line.starts_with('─')).skip(1);
    assert_eq!(rows.count(), 7);
    assert!(out.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn analyze_takes_moves_in_place_of_a_position() {
    for (game, moves, apart) in [
        ("gomoku", "h8,h9", "h8 h9"),
        ("connect-four", "4433", "4 4 3 3"),
        ("reversi", "f5d6c3", "f5 d6 c3"),
        ("tic-tac-toe", "b2 a1", "b2 a1"),
        ("dots-and-boxes", "h0,1,v1,0", "h0,1 v1,0"),
        ("xiangqi", "炮二平五 马8进7", "h2e2 h9g7"),
        ("hex", "a2 swap", "a2 swap"),
    ] {
        let key = |arguments: &[&str]| {
            let work = ["--json", "--engine", "mcts", "--simulations", "20"];
            let out = printed(&[&["analyze", game], arguments, &work].concat());
            let found: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
            found["position"]["key"].clone()
        };
        assert_eq!(key(&[moves]), key(&["--moves", apart]), "{game}");
    }
}

#[test]
fn analyze_reports_how_a_finished_game_ended() {
    let out = printed(&["analyze", "tic-tac-toe", "xxx/oo1/3 o"]);
    assert!(out.ends_with("The game is over: first wins (line)\n"), "{out}");
}

#[test]
fn analyze_prints_the_same_json_as_the_api() {
    let arguments = ["analyze", "reversi", "--moves", "f5d6", "--engine", "mcts:exploration=0.5", "--seed", "7"];
    let out = printed(&[&arguments[..], &["--simulations", "200", "--json"]].concat());
    let mut response: Value = serde_json::from_str(&out).expect("the answer is JSON");
    let mut served = http::search(&json!({
        "game": "reversi", "moves": ["f5d6"], "engine": { "name": "mcts", "exploration": 0.5 }, "seed": 7,
        "budget": { "simulations": 200 },
    }));
    for answer in [&mut response, &mut served] {
        // What differs between any two searches.
        answer["id"].take();
        answer["timing"].take();
        answer["budget"]["used"]["time_ms"].take();
        answer["budget"]["used"]["cpu_ms"].take();
    }
    assert_eq!(response, served);
}

/// A game's tables are made before the clock starts: even in a new process, 50 ms are 50 ms of search.
#[test]
fn the_first_search_of_a_process_has_all_its_time() {
    for engine in ["negamax", "mcts"] {
        let nodes = |_| {
            let out = printed(&["analyze", "reversi", "--engine", engine, "--time-ms", "50", "--json"]);
            let result: Value = serde_json::from_str(&out).expect("the answer is JSON");
            result["root"]["nodes"].as_u64()
        };
        // Other programs may take the processor at times.
        let most = (0..3).map(nodes).max().flatten();
        assert!(most > Some(200), "{engine}: {most:?} nodes");
    }
}

/// The `leaves` column of a perft.
fn leaves(arguments: &[&str]) -> Vec<u64> {
    let out = printed(&[&["perft"], arguments].concat());
    let second = |line: &str| line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    out.lines().skip(1).map(|line| second(line).expect("the second column is a number")).collect()
}

#[test]
fn perft_counts_the_lines_of_play() {
    assert_eq!(leaves(&["tic-tac-toe", "7"]), [9, 72, 504, 3024, 15120, 54720, 148_176]);
    assert_eq!(leaves(&["connect-four", "6"]), [7, 49, 343, 2401, 16807, 117_649]);
    assert_eq!(leaves(&["reversi", "6"]), [4, 12, 56, 244, 1396, 8200]);
    assert_eq!(leaves(&["tic-tac-toe", "3", "--variant", "columns=2,rows=1,k=2"]), [2, 2, 0]);
    assert_eq!(leaves(&["dots-and-boxes", "1", "--moves", "h0,0, v0,0 h1,0"]), [21]);
    assert_eq!(leaves(&["connect-four", "1", "--position", "1", "--moves", "1 1", "--moves", "1,1,1"]), [6]);
}

#[test]
fn a_game_can_be_played_from_a_script() {
    // After any answer to the fork on c1, one of b1 and c2 wins.
    let arguments = ["play", "tic-tac-toe", "--moves", "a1 b2 c3 a3", "--simulations", "200"];
    let ran = run_with(&arguments, &[], "a1\nmoves\nundo\nc1\nundo\nhint\nc1\nc2\nb1\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_in_order(
        &ran.out,
        &[
            "You play first, the engine second.",
            "3 o . x\n2 . o .\n1 x . .\n  a b c\n",
            "your move> a1\nmove `a1`: the cell is taken: expected an empty one\n",
            "your move> moves\nb1 c1 a2 c2 b3\n",
            "your move> undo\nYou have no move to take back.\n",
            "your move> c1\n",
            "1 x . x\n",
            "The engine plays ",
            "your move> undo\n",
            "1 x . .\n",
            "your move> hint\n    c1   proven win in 3 plies\n",
            "your move> c1\n",
            "The engine plays ",
            "You win (line).\n",
        ],
    );
}

#[test]
fn a_side_can_move_twice_in_a_row() {
    let arguments = ["play", "dots-and-boxes", "--variant", "columns=2,rows=1", "--side", "second"];
    let opening = ["--moves", "h0,0 h1,0 v0,0", "--simulations", "50"];
    let ran = run_with(&[&arguments[..], &opening].concat(), &[], "v0,1\nh0,1\nh1,1\nv0,2\n");
    assert_in_order(
        &ran.out,
        &["your move> v0,1\n", "your move> h0,1\n", "The engine plays ", "You win (board full, margin 2 boxes).\n"],
    );
}

#[test]
fn a_forced_pass_is_played_and_announced() {
    let moves = "d3c5f6e3c3e6f3g6b6b5d6c2h6g7h8b3f4b7b2c4a3f2f1a1a6d7c6g2e2a2a8f7h1a4e7g4g5a7a5g1g3b4d2e8f8d1d8g8e1b8c8c7f5c1b1";
    let ran = run(&["play", "reversi", "--moves", moves, "--side", "second", "--time-ms", "10"]);
    assert_eq!(ran.code, Some(0));
    assert_in_order(&ran.out, &["You have no legal move and pass.\n", "The engine plays "]);
}

#[test]
fn the_bench_signs_every_game_with_the_same_number_every_time() {
    let bench = || printed(&["bench", "--thousandths", "5"]);
    let signature = |out: &str| out.lines().last().expect("the bench prints lines").to_owned();
    let out = bench();
    assert!(signature(&out).starts_with("signature: "));
    assert_eq!(signature(&out), signature(&bench()));
    for game in tesuji_core::catalog::Catalog::standard().names() {
        let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
        let positions = rows.iter().find(|row| row[0] == game).map(|row| row[2]);
        assert!(positions.is_some_and(|count| count != "0"), "{game} has no line in src/cli/bench/positions.txt");
    }
}

#[test]
fn what_is_refused_names_the_argument_and_what_was_expected() {
    let cases: [(&[&str], &str); 18] = [
        (&["fly"], "unrecognized subcommand 'fly'"),
        (&["analyze", "go"], "GAME: expected one of tic-tac-toe"),
        (&["analyze", "reversi", "--jsn"], "not a known option; expected a position in the game's notation"),
        (&["analyze", "tic-tac-toe", "--variant", "{"], "'--variant <VARIANT>': invalid JSON"),
        (&["analyze", "tic-tac-toe", "--variant", "k=3,4"], "`4`: expected KEY=VALUE"),
        (&["perft", "tic-tac-toe", "0"], "0 is not in 1.."),
        (&["match", "hex", "mcts", "mcts", "--record", "-"], "unexpected argument '--record'"),
        (&["analyze", "connect-four", "--variant", "columns=99"], "--variant, columns: expected a whole number"),
        (&["analyze", "connect-four", "--moves", "4 9"], "--moves, number 2: move `9`: expected a column"),
        (&["analyze", "connect-four", "--engine", "fritz"], "--engine: expected auto, solver, mcts"),
        (&["analyze", "connect-four", "--engine", "mcts:x=1"], "--engine, x: unknown field `x`"),
        (&["analyze", "connect-four", "--time-ms", "0"], "--time-ms: expected 1 to "),
        (&["analyze", "reversi", "--depth", "3", "--simulations", "9"], "the limits: no engine"),
        (&["analyze", "tic-tac-toe", "hello"], "position: no side to move"),
        (&["analyze", "gomoku", "h8,h8"], "move number 2: move `h8`:"),
        (&["analyze", "gomoku", "h8", "--moves", "h9 h9"], "--moves, number 2: move `h9`:"),
        (&["perft", "gomoku", "1", "--position", "h8,h9"], "; moves belong in --moves"),
        (&["play", "tic-tac-toe", "--threads", "0"], "--threads: expected 1 to "),
    ];
    for (arguments, words) in cases {
        let ran = run_with(arguments, &[], "b2\n");
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let mut command = command(&["perft", "tic-tac-toe", "9"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
