//! `tesuji gomocup`: a manager's whole dialogue over standard input and output, and games through this project's own referee.

use std::io::Write as _;

use crate::matches::played;
use crate::program::{Dialogue, run, run_with};

/// What the program answers to these lines, without its messages.
fn answers(lines: &[&str]) -> Vec<String> {
    let ran = run_with(&["gomocup"], &[], &(lines.join("\r\n") + "\r\n"));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{lines:?}");
    ran.out.lines().filter(|line| !line.starts_with("MESSAGE ")).map(str::to_owned).collect()
}

/// A game with cheap moves.
const SMALL: [&str; 4] = ["START 15", "INFO timeout_turn 60000", "INFO max_node 300", "INFO rule 0"];

/// The answers to lines that follow a START and limits, without its OK.
fn answers_after_start(lines: &[&str]) -> Vec<String> {
    let mut answers = answers(&[&SMALL[..], lines].concat());
    assert_eq!(answers.remove(0), "OK");
    answers
}

#[track_caller]
fn assert_point(answer: &str, taken: &[&str]) {
    let point = answer.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    assert!(point.is_some_and(|(x, y): (u32, u32)| x < 15 && y < 15) && !taken.contains(&answer), "{answer}");
}

#[test]
fn each_command_is_answered_by_the_protocol() {
    let about = &answers(&["ABOUT"])[0];
    assert!(about.starts_with("name=\"Tesuji\", version=\"") && about.contains(", author=\""), "{about}");
    assert_eq!(answers(&["INFO folder C:\\x", "", "INFO evaluate 1,2", "INFO"]), [""; 0]);
    assert_eq!(answers(&["START 4", "START 23", "START", "RECTSTART 15,14"]).len(), 4);
    assert!(
        answers(&["START 4", "START 23", "START", "RECTSTART 15,14"]).iter().all(|line| line.starts_with("ERROR "))
    );
    assert_eq!(answers(&["START 20", "RECTSTART 9,9", "RESTART"]), ["OK"; 3]);
    for line in ["BEGIN", "TURN 7,7", "RESTART", "TAKEBACK 1,1", "PLAY 1,1"] {
        assert!(answers(&[line])[0].starts_with("ERROR no game"), "{line}");
    }
    assert_eq!(answers(&["YXSHOWINFO now"]), ["UNKNOWN YXSHOWINFO"]);
    // Not a point, not on the board, or not empty.
    let wrong = answers_after_start(&["TURN x", "TURN 15,0", "PLAY 3,3", "TURN 3,3", "TAKEBACK 4,4", "TAKEBACK 3,3"]);
    assert!([0, 1, 3, 4].iter().all(|&index| wrong[index].starts_with("ERROR ")), "{wrong:?}");
    assert_eq!((wrong[2].as_str(), wrong[5].as_str()), ("3,3", "OK"));
}

#[test]
fn moves_follow_the_given_stones() {
    // Black's four has one end left, then the board is set up anew; the program makes five in either colour.
    let four = ["BOARD", "3,3,1", "0,0,2", "4,3,1", "1,0,2", "5,3,1", "2,0,2", "6,3,1", "7,3,2", "DONE"];
    assert_eq!(answers_after_start(&four), ["2,3"]);
    let white = ["BOARD", "3,3,2", "0,0,1", "4,3,2", "1,0,1", "5,3,2", "2,0,1", "7,3,2", "3,0,1", "11,11,2", "DONE"];
    assert_eq!(answers_after_start(&white), ["4,0"]);
    // It stops the opponent's five, also when the moves come one by one.
    let turns = answers_after_start(&["PLAY 10,10", "TURN 3,3", "TAKEBACK 10,10", "TURN 14,14", "RESTART", "BEGIN"]);
    assert_eq!((turns.len(), turns[0].as_str(), turns[2].as_str(), turns[4].as_str()), (6, "10,10", "OK", "OK"));
    assert_point(&turns[1], &["10,10", "3,3"]);
    assert_point(&turns[3], &["3,3", &turns[1], "14,14"]);
    assert_point(&turns[5], &[]);
    let stop = ["BOARD", "3,3,2", "0,0,1", "4,3,2", "1,0,1", "5,3,2", "7,3,1", "6,3,2", "DONE"];
    assert_eq!(answers_after_start(&stop), ["2,3"]);
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let lines =
        ["PLAY 7,7", "BOARD", "1,1,3", "TURN 2,2", "DONE", "BOARD", "1,1,1", "DONE", "BOARD", "1,1,1", "1,1,2", "DONE"];
    let answers = answers_after_start(&[&lines[..], &["TAKEBACK 7,7"]].concat());
    assert_eq!(answers.len(), 5, "{answers:?}");
    assert!(answers[1..4].iter().all(|line| line.starts_with("ERROR ")), "{answers:?}");
    // The board of one stone was read, and has no program to move; the others were not.
    assert!(answers[4].starts_with("ERROR 7,7"), "{answers:?}");
    // After a refused board the older one is not played on, until there is a new one.
    let refused = ["PLAY 7,7", "BOARD", "1,1,3", "DONE", "BEGIN", "TURN 2,2", "PLAY 3,3", "BOARD", "1,1,2", "DONE"];
    let answers =
        answers_after_start(&[&refused[..], &["TURN 4,4", "BOARD", "x", "DONE", "RESTART", "BEGIN"]].concat());
    assert_eq!((answers.len(), answers[8].as_str()), (10, "OK"), "{answers:?}");
    assert!(answers[1..5].iter().all(|line| line.starts_with("ERROR ")), "{answers:?}");
    assert_point(&answers[5], &["1,1"]);
    assert_point(&answers[6], &["1,1", &answers[5], "4,4"]);
    assert!(answers[7].starts_with("ERROR "), "{answers:?}");
    let over = ["BOARD", "3,3,2", "0,0,1", "4,3,2", "1,0,1", "5,3,2", "2,0,1", "6,3,2", "0,2,1", "7,3,2", "DONE"];
    assert!(answers_after_start(&over)[0].starts_with("ERROR the game is over"));
    assert!(answers_after_start(&["INFO rule 9", "BEGIN"])[0].starts_with("ERROR rule 9"));
}

#[test]
fn black_respects_forbidden_points_in_renju() {
    // h8 would be two threes for Black; White's four leaves Black no other stop, and everything else loses as well.
    let stones = ["5,7,1", "6,7,1", "7,8,1", "7,9,1", "12,2,1", "8,6,2", "9,5,2", "10,4,2", "0,14,2", "11,3,2", "DONE"];
    for (rule, stops) in [("INFO rule 4", false), ("INFO rule 0", true)] {
        let answers = answers_after_start(&[&[rule, "BOARD"][..], &stones].concat());
        assert_eq!(answers[0] == "7,7", stops, "{rule}: {answers:?}");
        assert_point(&answers[0], &[]);
    }
}

/// The program's answer to SWAP2BOARD with these stones.
fn opened(rule: &str, stones: &[&str]) -> String {
    let answers = answers_after_start(&[&[rule, "SWAP2BOARD"], stones, &["DONE"]].concat());
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers[0].clone()
}

#[test]
fn a_swap2_opening_is_placed_and_colours_are_chosen() {
    let three = opened("INFO rule 1", &[]);
    let points: Vec<&str> = three.split(' ').collect();
    assert_eq!(points.len(), 3, "{three}");
    points.iter().enumerate().for_each(|(index, point)| assert_point(point, &points[..index]));
    // Two black stones side by side in the middle win, two in far corners do not: the better colour is taken.
    assert_eq!(opened("INFO rule 1", &["7,7", "0,0", "8,7"]), "SWAP");
    let even = ["0,0", "7,7", "14,14"];
    assert_point(&opened("INFO rule 1", &even), &even);
    // Black has an open three; then White has, and is to move.
    assert_eq!(opened("INFO rule 0", &["6,7", "0,0", "7,7", "14,0", "8,7"]), "SWAP");
    let white = ["0,0", "6,7", "14,14", "7,7", "0,14"];
    assert_point(&opened("INFO rule 0", &white), &white);
}

#[test]
fn a_game_goes_on_after_a_swap2_opening() {
    // White's stone was placed on the board: the next one answers Black's.
    let stones = ["0,0", "6,7", "14,14", "7,7", "0,14"];
    let lines = [&["SWAP2BOARD"], &stones[..], &["DONE", "TURN 14,0"]].concat();
    let answers = answers_after_start(&lines);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_point(&answers[1], &[&stones[..], &["14,0", &answers[0]]].concat());
    // After SWAP the program is Black, and the opponent's white stone comes next.
    let lines = ["SWAP2BOARD", "7,7", "0,0", "8,7", "DONE", "TURN 1,1"];
    let answers = answers_after_start(&lines);
    assert_eq!((answers.len(), answers[0].as_str()), (2, "SWAP"), "{answers:?}");
    assert_point(&answers[1], &["7,7", "0,0", "8,7", "1,1"]);
    // Or the manager sends the board again, as the tournament's does.
    let lines = ["SWAP2BOARD", "DONE", "BOARD", "7,7,1", "0,0,2", "8,7,1", "1,1,2", "DONE"];
    let answers = answers_after_start(&lines);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_point(&answers[1], &["7,7", "0,0", "8,7", "1,1"]);
}

#[test]
fn swap2_openings_that_cannot_be_are_refused() {
    for (stones, problem) in [
        (&["7,7"][..], "ERROR SWAP2BOARD: 1 stones: expected 0, 3 or 5"),
        (&["7,7", "7,7", "8,8"], "ERROR 7,7: expected an empty point"),
        (&["7,7", "x", "8,8"], "ERROR expected COLUMN,ROW"),
        (&["7,7", "15,0", "8,8"], "ERROR 15,0: expected a point of the board"),
    ] {
        let answer = opened("INFO rule 0", stones);
        assert!(answer.starts_with(problem), "{answer}");
    }
    assert!(opened("INFO rule 4", &[]).starts_with("ERROR SWAP2BOARD: rule 4 (renju)"));
    assert!(answers(&["SWAP2BOARD", "DONE", "ABOUT"])[0].starts_with("ERROR no game"));
}

/// For any move of the opponent, and any size of the table; a new game begins with an empty one.
#[test]
fn the_table_of_a_move_serves_the_next() {
    let lines = ["INFO max_memory 367001600", "INFO max_node 20000", "TURN 7,7", "TURN 0,0", "RESTART", "TURN 7,7"];
    let ran = run_with(&["gomocup"], &[], &([&SMALL[..], &lines].concat().join("\n") + "\n"));
    let messages: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("MESSAGE ")).collect();
    let empty: Vec<bool> = messages.iter().map(|message| message.contains(" nodes, 0 known before, ")).collect();
    assert_eq!(empty, [true, false, true], "{messages:?}");
}

/// The match's time is divided among its moves, with and without a limit for each.
#[test]
fn a_game_stays_within_its_time() {
    let command = env!("CARGO_BIN_EXE_tesuji");
    for keys in ["clock_ms=2000", "clock_ms=2000,time_ms=100"] {
        let program = format!("gomocup[{keys},lost_after_ms=60000]:'{command}' gomocup");
        let (games, _) = played(&["gomoku", &program, "mcts:simulations=500", "--games", "2", "--seed", "5"]);
        assert!(games.iter().all(|game| game["fault"].is_null()), "{games:?}");
    }
}

/// Invalid UTF-8 belongs to no command, and does not end the program.
#[test]
fn names_in_other_encodings_are_survived() {
    let mut manager = Dialogue::start("gomocup");
    manager.input().write_all(b"INFO folder C:\\\xcf\xf3\n\xff\nSTART 15\n").expect("the program listens");
    assert!(manager.wait_for_line("").starts_with("UNKNOWN "));
    assert_eq!(manager.wait_for_line(""), "OK");
    manager.send(&["END"]);
    assert!(manager.ends_well());
}

/// END stops a search that would take hours, and the program.
#[test]
fn end_ends_at_once() {
    let mut manager = Dialogue::start("gomocup");
    manager.send(&["START 15"]);
    assert_eq!(manager.wait_for_line(""), "OK");
    manager.send(&["INFO timeout_turn 80000000"]);
    manager.send(&["BEGIN"]);
    manager.send(&["END"]);
    assert!(manager.ends_well());
}

/// Through the referee of `tesuji match`, which loses a game for an illegal move, an overrun, an error or a crash.
#[test]
fn games_through_the_referee_end_by_the_rules() {
    let command = env!("CARGO_BIN_EXE_tesuji");
    let program = format!("gomocup[time_ms=60000,max_node=200,memory_mb=48]:'{command}' gomocup");
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let variant = format!("{rule}:size=10");
        let arguments = ["gomoku", &program, "mcts:simulations=50", "--games", "2", "--variant", &variant];
        let (games, summary) =
            played(&[&arguments[..], &["--openings", "random:2", "--seed", "5", "--balance", "1"]].concat());
        assert!(games.iter().all(|game| game["fault"].is_null()), "{games:?}");
        assert_eq!(games.len(), 2, "{summary}");
    }
}

#[test]
fn an_unknown_engine_is_refused_at_once() {
    let ran = run(&["gomocup", "--engine", "oracle"]);
    assert!(ran.code == Some(2) && ran.err.contains("--engine: expected "), "{}", ran.err);
}
