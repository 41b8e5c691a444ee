//! `tesuji ucci` in dialogues with interfaces and with `tesuji match`.

use std::io::Write;
use std::thread;
use std::time::Duration;

use crate::program::{Dialogue, run};

/// Red mates by its rook on the last rank; the pawn saves Black from stalemate.
const MATE: &str = "position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1";
/// Red has nothing but two pawns, Black two rooks.
const LOST: &str = "position fen 3k5/9/9/4r4/r8/9/P7P/9/9/5K3 w - - 0 1";

#[test]
fn it_introduces_itself_is_ready_and_quits() {
    let mut program = Dialogue::start("ucci");
    program.send(&["ucci"]);
    let output = program.read_until("ucciok");
    assert!(output[0].starts_with("id name tesuji "), "{output:?}");
    for option in ["option usemillisec type check default false", "option hashsize type spin min 1 max 4096 default 64"]
    {
        assert!(output.iter().any(|line| line == option), "{output:?}");
    }
    program.send(&["isready", "quit"]);
    program.wait_for_line("readyok");
    program.wait_for_line("bye");
    assert!(program.ends_well());
}

#[test]
fn mates_are_numbers_and_searches_keep_their_limit() {
    let mut program = Dialogue::start("ucci");
    program.send(&[MATE, "go depth 3"]);
    let output = program.read_until("bestmove");
    assert!(
        output.iter().any(|line| line.starts_with("info depth ") && line.contains(" score 9999 pv i0i9")),
        "{output:?}"
    );
    assert_eq!(output.last().map(String::as_str), Some("bestmove i0i9"));
    program.send(&["setoption usemillisec true", "position startpos moves h2e2"]);
    for go in ["go nodes 500", "go time 300 movestogo 9", "go time 300 increment 10 opptime 200 oppincrement 10"] {
        program.send(&[go]);
        let output = program.read_until("bestmove");
        assert!(output.iter().any(|line| line.starts_with("info time ")), "{go}: {output:?}");
    }
    // Seconds take longer.
    program.send(&["setoption usemillisec false", "go time 60"]);
    thread::sleep(Duration::from_millis(300));
    program.send(&["stop"]);
    program.wait_for_line("bestmove");
}

#[test]
fn banned_moves_are_not_played_until_the_position_changes() {
    let mut program = Dialogue::start("ucci");
    program.send(&[MATE, "banmoves i0i9", "go depth 2"]);
    assert!(!program.wait_for_line("bestmove").starts_with("bestmove i0i9"));
    program.send(&[MATE, "go depth 2"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
    // No move is left if the game is over, or all moves are banned.
    program.send(&["position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "go depth 1"]);
    program.wait_for_line("nobestmove");
    program.send(&["position fen 3k5/9/9/4r4/9/9/8p/9/9/5K3 w - - 0 1", "banmoves f0f1", "go depth 1"]);
    program.wait_for_line("nobestmove");
}

#[test]
fn a_draw_is_accepted_unless_the_engine_stands_better() {
    let mut program = Dialogue::start("ucci");
    // However soon the search is over.
    for _ in 0..40 {
        program.send(&[LOST, "go draw depth 1"]);
        let output = program.wait_for_line("bestmove");
        assert!(output.ends_with(" draw"), "{output}");
    }
    program.send(&[LOST, "go depth 3"]);
    let output = program.wait_for_line("bestmove");
    assert!(!output.ends_with(" draw"), "nobody has offered one: {output}");
    program.send(&[MATE, "go draw depth 3"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
    program.send(&[LOST, "go ponder time 1"]);
    program.send(&["ponderhit draw"]);
    let output = program.wait_for_line("bestmove");
    assert!(output.ends_with(" draw"), "{output}");
}

#[test]
fn commands_of_a_file_wait_for_each_other() {
    let mut program = Dialogue::start("ucci");
    program.send(&["setoption batch true", MATE, "go depth 3", "position startpos", "go depth 2", "quit"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
    assert_ne!(program.wait_for_line("bestmove"), "bestmove i0i9");
    program.wait_for_line("bye");
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let mut program = Dialogue::start("ucci");
    program.send(&[MATE]);
    for (line, problem) in [
        ("setoption hashsize 0", "info message hashsize: expected a whole number from 1 to 4096, not `0`"),
        ("setoption usemillisec perhaps", "info message usemillisec: expected true or false, not `perhaps`"),
        ("setoption randomness wild", "info message randomness: expected one of none, tiny, small"),
        ("setoption bookfiles BOOK.DAT", "info message unknown option `bookfiles`"),
        ("banmoves a0a9", "info message banmoves: move `a0a9`: "),
        ("ponderhit loudly", "info message ponderhit: expected nothing or `draw`, not `loudly`"),
        ("probe startpos", "info message unknown command `probe`"),
    ] {
        program.send(&[line]);
        let output = program.wait_for_line("info message ");
        assert!(output.starts_with(problem), "{line}: {output}");
    }
    // Names in GBK do no harm.
    program.input().write_all(b"setoption bookfiles \xbf\xaa\xbe\xd6.dat\n").expect("the program listens");
    program.wait_for_line("info message unknown option");
    program.send(&["go depth 3"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
}

#[test]
fn no_older_position_is_searched_after_one_that_was_refused() {
    let mut program = Dialogue::start("ucci");
    program.send(&[MATE]);
    for (refused, problem) in [
        ("position startpos moves h2h8", "info message "),
        ("position here", "info message expected `position startpos`"),
    ] {
        program.send(&[refused]);
        let output = program.wait_for_line("info message ");
        assert!(output.starts_with(problem), "{refused}: {output}");
        program.send(&["banmoves i0i9", "go depth 3", "isready"]);
        let output = program.read_until("readyok");
        assert!(
            output.contains(&"nobestmove".to_owned()) && !output.iter().any(|line| line.starts_with("bestmove")),
            "{output:?}"
        );
    }
    program.send(&[MATE, "go depth 3"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
}

#[test]
fn games_are_played_on_past_adjudications() {
    let mut program = Dialogue::start("ucci");
    program.send(&["position startpos moves h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9 b2e2", "go nodes 500"]);
    let output = program.read_until("bestmove");
    assert!(
        output[0].starts_with("info message ply 8: the rules adjudicate the game as a draw (repetition)"),
        "{output:?}"
    );
    program.send(&["position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "go depth 1"]);
    program.wait_for_line("bestmove");
}

#[test]
fn it_plays_against_itself() {
    let program = format!("ucci[nodes=300,lost_after_ms=30000]:'{}' ucci", env!("CARGO_BIN_EXE_tesuji"));
    let arguments = ["match", "xiangqi", program.as_str(), "negamax:nodes=300", "--games", "2", "--max-plies", "30"];
    let ran = run(&arguments);
    assert!(ran.code == Some(0) && !ran.out.contains("fault"), "{}{}", ran.out, ran.err);
}
