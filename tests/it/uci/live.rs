//! Searches whose best move must wait for a command.

use std::thread;
use std::time::Duration;

use crate::program::Dialogue;

/// How long nothing may be reported.
const SILENCE: Duration = Duration::from_millis(400);

/// Listens for a while, in which no best move may be reported.
fn assert_silent(program: &Dialogue) {
    thread::sleep(SILENCE);
    let best_moves: Vec<String> = program.unread().into_iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(best_moves, [""; 0]);
}

/// Red mates at once by i0i9.
const MATE: &str = "position fen 3k5/R8/9/9/9/9/p8/9/9/4K3R w - - 0 1";

#[test]
fn an_infinite_search_waits_for_stop_also_when_it_is_solved() {
    let mut program = Dialogue::start("uci");
    for go in ["go infinite", "go infinite depth 2"] {
        program.send(&[MATE, go]);
        assert!(program.wait_for_line("info depth ").contains("score mate 1 "));
        assert_silent(&program);
        program.send(&["stop"]);
        assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
    }
    // Also if the game is over, and nothing is searched.
    program.send(&["position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "go infinite"]);
    assert_silent(&program);
    program.send(&["stop"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove (none)");
}

#[test]
fn pondering_waits_for_ponderhit_and_then_takes_its_time() {
    let mut program = Dialogue::start("uci");
    program.send(&["setoption name Ponder value true", "position startpos moves h2e2 h9g7"]);
    // Its time would have been over by then.
    program.send(&["go ponder movetime 100"]);
    assert_silent(&program);
    program.send(&["ponderhit"]);
    let output = program.wait_for_line("bestmove");
    assert!(output.split_whitespace().nth(2) == Some("ponder"), "{output}");
    // A clock counts from there on too: this search would not end by itself before.
    program.send(&["go ponder wtime 2000 btime 2000"]);
    assert_silent(&program);
    program.send(&["ponderhit"]);
    program.wait_for_line("bestmove");
    // The opponent played something else.
    program.send(&["go ponder wtime 2000000 btime 2000000"]);
    assert_silent(&program);
    program.send(&["stop"]);
    program.wait_for_line("bestmove");
}

#[test]
fn a_result_solved_while_pondering_is_reported_at_the_ponderhit() {
    let mut program = Dialogue::start("uci");
    program.send(&[MATE, "go ponder movetime 3600000"]);
    assert!(program.wait_for_line("info depth ").contains("score mate 1 "));
    assert_silent(&program);
    program.send(&["ponderhit"]);
    assert_eq!(program.wait_for_line("bestmove"), "bestmove i0i9");
    // Nothing ponders now.
    program.send(&["ponderhit", "isready"]);
    program.wait_for_line("readyok");
}
