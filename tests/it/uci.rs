//! `tesuji uci` in dialogues with boards, match tools and `tesuji match`.

mod live;
mod loops;

use crate::program::{run, run_with};

/// The program's output for some lines of input.
fn output_of(lines: &[&str]) -> String {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    output_of_bytes(&lines)
}

fn output_of_bytes(lines: &[&[u8]]) -> String {
    let ran = run_with(&["uci"], &[], [&lines.join(&b'\n'), &b"\n"[..]].concat());
    assert_eq!(ran.code, Some(0));
    ran.out
}

fn best_move(output: &str) -> &str {
    let line = output.lines().rev().find_map(|line| line.strip_prefix("bestmove ")).expect("a best move");
    line.split_whitespace().next().expect("a move")
}

#[test]
fn it_introduces_itself_and_is_ready() {
    let output = output_of(&["uci", "isready", "quit"]);
    assert!(output.starts_with("id name tesuji "), "{output}");
    assert!(output.contains("option name Ponder type check default false"), "{output}");
    assert!(output.contains("option name UCI_Variant type combo default xiangqi var xiangqi"), "{output}");
    assert!(output.ends_with("uciok\nreadyok\n"), "{output}");
}

#[test]
fn moves_are_numbered_as_the_option_says() {
    // Red mates by its rook on the last rank; the pawn saves Black from stalemate, which would lose too.
    let mate = "position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1";
    let output = output_of(&[mate, "go depth 3"]);
    assert_eq!(best_move(&output), "i0i9", "{output}");
    assert!(output.contains("score mate 1 "), "{output}");
    let output = output_of(&["setoption name Ranks value from_one", mate, "go depth 3"]);
    assert_eq!(best_move(&output), "i1i10", "{output}");
    let output =
        output_of(&["setoption name Ranks value from_one", "position startpos moves h3e3 h10g8", "go nodes 2000"]);
    assert_ne!(best_move(&output), "(none)", "{output}");
    assert!(!output.contains("info string"), "{output}");
}

#[test]
fn clocks_and_limits_are_kept_and_stop_stops() {
    let output = output_of(&["position startpos", "go wtime 200 btime 200 winc 0 binc 0", "isready"]);
    assert_ne!(best_move(&output), "(none)");
    let output = output_of(&["setoption name Threads value 2", "position startpos", "go infinite", "stop"]);
    assert_eq!(output.lines().filter(|line| line.starts_with("bestmove ")).count(), 1, "{output}");
    // The end of the input stops an infinite search.
    assert_ne!(best_move(&output_of(&["position startpos", "go infinite"])), "(none)");
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    for (line, problem) in [
        ("setoption name Hash value 0", "Hash: expected a whole number from 1"),
        ("setoption name Ponder value perhaps", "Ponder: expected true or false, not `perhaps`"),
        ("setoption name Colour value red", "unknown option `colour`"),
        ("setoption name UCI_Variant value chess", "UCI_Variant: expected xiangqi"),
        ("setoption name Ranks value letters", "info string "),
        ("dance", "unknown command `dance`"),
    ] {
        let output = output_of(&["position startpos moves h2e2", line, "go nodes 500"]);
        assert!(output.contains(problem), "{line}: {output}");
        assert!(!best_move(&output).starts_with("h2"), "{line}: {output}");
    }
    let output = output_of(&["position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "go depth 1"]);
    assert_eq!(best_move(&output), "(none)", "a stalemate ends the game: {output}");
}

#[test]
fn no_older_position_is_searched_after_one_that_was_refused() {
    for refused in [
        "position startpos moves h2h8",
        "position here",
        "position",
        "position fen 9 w",
        "position startpos moves h2e2 h2e2",
    ] {
        let output = output_of(&[
            "position startpos moves h2e2",
            refused,
            "go nodes 500",
            "d",
            "position startpos",
            "go nodes 500",
        ]);
        let best: Vec<_> = output.lines().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!((best.len(), best[0]), (2, "bestmove 0000"), "{refused}: {output}");
        assert_ne!(best[1], "bestmove 0000", "{refused}: {output}");
        assert!(output.contains("info string no position: the last one was refused"), "{refused}: {output}");
    }
}

/// Games adjudicated by these rules may continue elsewhere: the line is followed, the verdict named, and a legal move found.
#[test]
fn games_are_played_on_past_adjudications() {
    let repeated = "position startpos moves h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9";
    for (position, verdict) in [
        (repeated.to_owned(), "info string ply 8: the rules adjudicate the game as a draw (repetition); play goes on"),
        (format!("{repeated} b2e2"), "info string ply 8: "),
        (
            "position fen 1c1k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1 moves a8b8 b9a9 b8a8 a9b9 a8b8 b9a9 b8a8 a9b9"
                .to_owned(),
            "info string ply 8: the rules adjudicate the game as a win of the second player (perpetual_chase); play goes on",
        ),
        (
            "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 d9d8 e1e2".to_owned(),
            "info string ply 0: the rules adjudicate the game as a draw (insufficient_material); play goes on",
        ),
        ("position fen r3k4/9/9/9/9/9/9/9/9/3K4R w - - 130 90".to_owned(), "info string ply 0: the rules adjudicate"),
        ("position fen r3k4/9/9/9/9/9/9/9/9/3K4R w - - 119 90 moves i0i1".to_owned(), "info string ply 1: "),
    ] {
        let output = output_of(&[&position, "go nodes 2000"]);
        assert!(output.contains(verdict), "{position}: {output}");
        let best = best_move(&output).to_owned();
        let line = if position.contains(" moves ") {
            format!("{position} {best}")
        } else {
            format!("{position} moves {best}")
        };
        let output = output_of(&[&line, "go nodes 100"]);
        assert!(!output.contains("bestmove 0000"), "{best} is legal: {output}");
    }
    // No move is accepted after a game that ended for good.
    let mated = "position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1 moves i0i9 d9d8";
    assert_eq!(best_move(&output_of(&[mated, "go nodes 100"])), "0000");
}

/// Red mates with two rooks, at once or after cutting off the rank before the last.
const MATES: [(&str, u32); 2] = [
    ("position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1", 1),
    ("position fen 3k5/9/R8/9/9/9/p8/9/9/5K2R w - - 0 1", 2),
];

#[test]
fn a_mate_is_searched_within_the_given_moves() {
    for (position, moves) in MATES {
        // A longer one is allowed too, and does not hide the shorter.
        for allowed in [moves, 3] {
            let output = output_of(&[position, &format!("go mate {allowed}")]);
            assert!(output.contains(&format!("score mate {moves} ")) && output.contains("bestmove "), "{output}");
        }
    }
    // The search ends if there is none.
    let output = output_of(&[MATES[1].0, "go mate 1"]);
    assert!(best_move(&output) != "(none)" && !output.contains("score mate"), "{output}");
    assert_ne!(best_move(&output_of(&["position startpos", "go mate 2"])), "(none)");
    for least in ["0", "-3"] {
        assert_ne!(best_move(&output_of(&["position startpos", &format!("go mate {least}")])), "(none)");
    }
}

#[test]
fn only_the_requested_moves_are_searched() {
    let (position, mv) = (MATES[0].0, "i0i9");
    for (go, moves) in [
        ("go depth 3 searchmoves e0e1 a8b8", &["e0e1", "a8b8"][..]),
        ("go searchmoves a8b8 nodes 500", &["a8b8"]),
        ("go searchmoves e0e1 i0i9 depth 2", &[mv]),
    ] {
        let output = output_of(&[position, go]);
        assert!(moves.contains(&best_move(&output)), "{go}: {output}");
    }
    // Moves are read in the notation in use.
    let output = output_of(&["setoption name Ranks value from_one", position, "go depth 2 searchmoves e1e2"]);
    assert_eq!(best_move(&output), "e1e2", "{output}");
    for (go, problem) in [
        ("go depth 2 searchmoves a0a9", "info string go: searchmoves: move `a0a9`: "),
        ("go depth 2 searchmoves", "info string go: expected moves after `searchmoves`"),
    ] {
        // Without a legal one among them, all are searched.
        let output = output_of(&[position, go]);
        assert!(output.contains(problem), "{output}");
        assert_eq!(best_move(&output), mv, "{output}");
    }
}

/// Invalid UTF-8 is a wrong value or an unknown command, and does not end the program.
#[test]
fn names_in_other_encodings_are_survived() {
    let output = output_of_bytes(&[b"setoption name X value \xcf\xf3", b"\xff\xfe", b"isready", b"quit"]);
    assert!(output.contains("info string unknown option `x`"), "{output}");
    assert!(output.contains("unknown command") && output.ends_with("readyok\n"), "{output}");
}

/// A match against itself over the protocol, both ways of numbering the ranks: no move is refused.
#[test]
fn it_plays_whole_games() {
    for ranks in ["from_zero", "from_one"] {
        let program = format!("uci[depth=1,Ranks={ranks},ranks={ranks}]:'{}' uci", env!("CARGO_BIN_EXE_tesuji"));
        let arguments = ["match", "xiangqi", "negamax:depth=1", &program, "--games", "2", "--seed", "1"];
        let ran = run(&[&arguments[..], &["--max-plies", "60", "--json", "-"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for fault in ["illegal_move", "crash", "timeout", "protocol"] {
            assert!(!ran.out.contains(&format!(r#""reason":"{fault}""#)), "{}", ran.out);
        }
    }
}
