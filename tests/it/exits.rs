//! How every command ends: one rule for exit codes (docs/operations.md), also where nobody reads the output.

use std::io::{Write as _, pipe};
use std::process::Stdio;

use crate::program::{Ran, command, run, run_with};

/// A command's arguments, its input, and its exit code.
type Case<'a> = (&'a [&'a str], &'a str, i32);

const SMALL: &str = "mcts:simulations=5";

/// Calls of every command that end well.
const DONE: [Case<'static>; 26] = [
    (&["--help"], "", 0),
    (&["analyze", "--help"], "", 0),
    (&["--version"], "", 0),
    (&["serve", "--print-config"], "", 0),
    (&["analyze", "tic-tac-toe", "--simulations", "20"], "", 0),
    (&["analyze", "tic-tac-toe", "--simulations", "20", "--json"], "", 0),
    (&["explain", "tic-tac-toe", "b2 a2", "a1", "--simulations", "20", "--language", "zh"], "", 0),
    (&["explain", "tic-tac-toe", "b2", "--simulations", "20", "--json"], "", 0),
    (&["review", "tic-tac-toe", "b2 a1", "--simulations", "20"], "", 0),
    (&["review", "tic-tac-toe", "b2 a1", "--simulations", "20", "--json"], "", 0),
    (&["convert", "--game", "gomoku", "--to", "sgf"], "h8 h9", 0),
    (&["play", "tic-tac-toe", "--simulations", "20"], "a1\nmoves\n", 0),
    (&["perft", "tic-tac-toe", "3"], "", 0),
    (&["perft", "tic-tac-toe", "3", "--json"], "", 0),
    (&["bench", "--thousandths", "1", "--json"], "", 0),
    (&["match", "tic-tac-toe", SMALL, SMALL, "--games", "2"], "", 0),
    (&["match", "tic-tac-toe", SMALL, SMALL, "--games", "2", "--json", "-"], "", 0),
    (&["gomocup"], "ABOUT\nSTART 15\nEND\n", 0),
    (&["nboard"], "nboard 2\nquit\n", 0),
    (&["uci"], "uci\nposition startpos\ngo nodes 50\nquit\n", 0),
    (&["ucci"], "ucci\nposition startpos\ngo nodes 50\nquit\n", 0),
    (&["mcp"], "", 0),
    (&["puzzles", "tic-tac-toe", "--count", "1", "--most-games", "9", "--seed", "1"], "", 0),
    (&["puzzles", "xiangqi", "--check", "web/puzzles/xiangqi.json"], "", 0),
    (&["key", "alice"], "", 0),
    (&["game", "check", "examples/games/number-scrabble.js"], "", 0),
];

/// Calls of every command that must refuse something: its arguments, its settings, its input.
const REFUSED: [Case<'static>; 39] = [
    (&["fly"], "", 2),
    (&["serve", "--max-searches", "0"], "", 2),
    (&["serve", "--max-searches", "many"], "", 2),
    (&["serve", "--config", "/no/such/file"], "", 2),
    (&["serve", "--cluster", "nats://127.0.0.1:1", "--cluster-nkey", "/no/such/file"], "", 2),
    (&["analyze", "go"], "", 2),
    (&["analyze", "tic-tac-toe", "hello"], "", 2),
    (&["analyze", "tic-tac-toe", "--depth", "999"], "", 2),
    (&["analyze", "tic-tac-toe", "--record", "/no/such/file"], "", 2),
    (&["analyze", "tic-tac-toe", "--record", "-"], "hello", 2),
    (&["analyze", "tic-tac-toe", "--weights", "/no/such/file"], "", 2),
    (&["explain", "tic-tac-toe"], "", 2),
    (&["explain", "tic-tac-toe", "b2", "b2"], "", 2),
    (&["review", "tic-tac-toe", "b2", "b2"], "", 2),
    (&["convert", "--to", "sgf"], "hello", 2),
    (&["convert", "--to", "chess"], "(;GM[4]SZ[15];B[hh])", 2),
    (&["convert", "/no/such/file", "--to", "sgf"], "", 2),
    (&["play", "tic-tac-toe", "--threads", "0"], "", 2),
    (&["perft", "gomoku", "1", "--position", "h8,h9"], "", 2),
    (&["match", "tic-tac-toe", "fritz", SMALL], "", 2),
    (&["match", "tic-tac-toe", SMALL, SMALL, "--openings", "/no/such/file"], "", 2),
    (&["gomocup", "--engine", "fritz"], "", 2),
    (&["nboard", "--depth", "999"], "", 2),
    (&["uci", "--depth", "1"], "", 2),
    (&["ucci", "--depth", "1"], "", 2),
    (&["healthcheck", "--max-searches", "0"], "", 2),
    (&["mcp", "--max-searches", "0"], "", 2),
    (&["key", "a b"], "", 2),
    (&["bench", "--speed"], "", 2),
    (&["book", "connect-four", "--facts", "/no/such/file", "--out", "/no/such/folder/book"], "", 2),
    (&["puzzles", "gomoku", "--plies", "5-3"], "", 2),
    (&["puzzles", "gomoku", "--check", "Cargo.toml"], "", 2),
    (&["export"], "", 2),
    (&["completions", "dos"], "", 2),
    (&["manual"], "", 2),
    (&["serve", "--role", "worker"], "", 2),
    (&["serve", "--games", "/no/such/folder"], "", 2),
    (&["game", "new", "A name"], "", 2),
    (&["game", "check", "Cargo.toml"], "", 2),
];

/// Valid calls whose work fails.
const BROKEN: [Case<'static>; 10] = [
    (&["serve", "--listen", "192.0.2.1:1", "--allow-anonymous"], "", 1),
    (&["serve", "--listen", "127.0.0.1:0", "--data-dir", "/dev/null/folder"], "", 1),
    (&["healthcheck", "--listen", "127.0.0.1:1"], "", 1),
    (&["mcp", "--data-dir", "/dev/null/folder"], "", 1),
    (&["convert", "--game", "gomoku", "--to", "sgf", "--output", "/no/such/folder/game"], "h8 h9", 1),
    (&["match", "xiangqi", "negamax:nodes=1", "uci:/no/such/engine"], "", 1),
    (&["match", "tic-tac-toe", SMALL, SMALL, "--json", "/no/such/folder/games"], "", 1),
    (&["puzzles", "tic-tac-toe", "--count", "0", "--out", "/no/such/folder/file"], "", 1),
    (&["export", "/dev/null/folder"], "", 1),
    (&["manual", "/dev/null/folder"], "", 1),
];

fn all() -> impl Iterator<Item = Case<'static>> {
    DONE.into_iter().chain(REFUSED).chain(BROKEN)
}

#[test]
fn exit_codes_follow_one_rule() {
    for (arguments, input, code) in all() {
        let Ran { code: ended, err, .. } = run_with(arguments, &[], input);
        assert_eq!(ended, Some(code), "{arguments:?}: {err}");
        assert!(code == 0 || !err.is_empty(), "{arguments:?} fails in silence");
    }
}

/// Closed pipes do not change exit codes, with one exception: output that is no longer read is not a failure.
#[test]
fn commands_survive_a_closed_output() {
    for (arguments, input, code) in all() {
        // Only successful commands write to both.
        let streams: &[bool] = if code == 0 { &[false, true] } else { &[false] };
        for &out in streams {
            let closed = |closed: bool| {
                let (reader, writer) = pipe().expect("pipes can be made");
                drop(reader);
                if closed { Stdio::from(writer) } else { Stdio::null() }
            };
            let mut child = command(arguments)
                .stdin(Stdio::piped())
                .stdout(closed(out))
                .stderr(closed(true))
                .spawn()
                .expect("the program starts");
            drop(child.stdin.take().expect("the input is a pipe").write_all(input.as_bytes()));
            let ended = child.wait().expect("the program ends").code();
            assert_eq!(ended, Some(code), "{arguments:?}, standard output closed: {out}");
        }
    }
}

/// The tables cover every command.
#[test]
fn every_command_is_in_the_tables() {
    let help = run(&["--help"]).out;
    let commands =
        help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    let names = commands.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(all().any(|(arguments, ..)| arguments[0] == name), "{name} is in no table");
    }
}
