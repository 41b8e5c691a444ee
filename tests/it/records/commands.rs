//! `tesuji convert`, and `--record` of the commands that set up a game.

use std::path::PathBuf;

use encoding_rs::GBK;

use crate::program::{Ran, printed, run, run_with};

/// A file of this test alone.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tesuji-records-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}

/// A file of two games.
const TWO: &str = "(;GM[4];B[hh])\n(;GM[4];B[gg])";

#[test]
fn records_are_converted() {
    let (gbk, ..) = GBK.encode("[Red \"王天一\"]\n\n1. 炮二平五 马8进7 (1. ... 马2进3) *\n");
    let path = file("game.pgn", &gbk);
    let name = path.to_str().expect("the path is text");
    let Ran { code, out, err } = run(&["convert", name, "--to", "ucci"]);
    assert_eq!((code, out.as_str()), (Some(0), "position startpos moves h2e2 h9g7\n"));
    assert!(err.contains("does not name its encoding: GBK was guessed\n"), "{err}");
    assert!(err.ends_with("1 variation was left out\n"), "{err}");
    assert!(printed(&["convert", name, "--to", "json"]).contains("\"name\": \"王天一\""));
    let output = run_with(&["convert", "--to", "sgf", "--game", "reversi"], &[], "f5d6");
    assert!(output.out.contains("\n;B[fe]\n;W[df])"), "{}", output.out);
    let target = file("game.ggf", b"");
    let to = target.to_str().expect("the path is text");
    assert_eq!(run_with(&["convert", "--to", "ggf", "--game", "reversi", "-o", to], &[], "f5d6").code, Some(0));
    assert!(std::fs::read_to_string(&target).is_ok_and(|text| text.ends_with("B[F5]W[D6];)\n")));
    for (arguments, input, expected) in [
        (&["convert", "--to", "sgf"][..], "(;GM[4]\n;B[zz])", "-: sgf, line 2, column 4: B[zz]"),
        (&["convert", "--to", "sgf"], TWO, "2 games: expected one, or `--number` to say which, 1 to 2"),
        (
            &["convert", "--to", "json", "--number", "3"],
            TWO,
            "--number: the text holds 2 games: expected 1 to 2, not 3",
        ),
        (&["convert", "--to", "json"], TWO, "2 games: expected one, or `--number` to say which, 1 to 2"),
        (&["analyze", "gomoku", "--record", "-"], TWO, "expected one, or `tesuji convert --number N` to say which"),
        (&["convert", "--to", "png", "--game", "hex"], "a1", "--to: `png`: expected one of sgf, moves"),
        (&["convert", "--to", "sgf", "--from", "x"], "a1", "--from: `x`: expected one of"),
        (&["convert", "--to", "sgf", "--charset", "klingon"], "a1", "-: unknown encoding `klingon`"),
    ] {
        let refused = run_with(arguments, &[], input);
        assert!(refused.code == Some(2) && refused.err.contains(expected), "{}", refused.err);
    }
    for path in [path, target] {
        std::fs::remove_file(path).expect("it was there");
    }
}

#[test]
fn commands_take_records() {
    let path = file("game.sgf", b"(;GM[4]SZ[9]AB[ee];W[ef];B[dd])");
    let name = path.to_str().expect("the path is text");
    let output = printed(&["analyze", "gomoku", "--record", name, "--moves", "a1", "--nodes", "100", "--json"]);
    assert!(output.contains("\"size\":9") && output.contains("9/9/9/3x5/4x4/4o4/9/9/o8 x"), "{output}");
    let table = printed(&["review", "gomoku", "--record", name, "--engine", "mcts", "--simulations", "20"]);
    assert!(table.contains(" e4 ") && table.contains(" d6 "), "{table}");
    let big5 = file("big5.pgn", &encoding_rs::BIG5.encode("[Red \"a\"]\n1. 炮二平五 馬8進7\n=====\n").0);
    let from = big5.to_str().expect("the path is text");
    let Ran { code, err, .. } = run(&["analyze", "xiangqi", "--record", from, "--nodes", "10"]);
    assert!(code == Some(0) && err.contains("Big5 was guessed\n") && err.contains("line 3, `=====`, is not"), "{err}");
    std::fs::remove_file(big5).expect("it was there");
    let output = run_with(&["analyze", "hex", "--record", "-", "--nodes", "10"], &[], "(;GM[11];B[a1];W[a1])");
    assert!(output.code == Some(2) && output.err.contains("-: sgf, line 1, column 18: move 2"), "{}", output.err);
    let both = run(&["analyze", "gomoku", "9/9/9/9/9/9/9/9/9 x", "--record", name]);
    assert!(both.code == Some(2) && both.err.contains("the record has one"), "{}", both.err);
    std::fs::remove_file(path).expect("it was there");
}
