//! Every form of a command that asks for a move is answered exactly once.

use tesuji_core::rng::Rng;

use crate::program::Dialogue;

/// The words of a protocol.
struct Speech {
    command: &'static str,
    /// Words that may follow `go`.
    words: &'static [&'static str],
    /// The beginning of an answer.
    best: &'static str,
    none: &'static str,
}

const UCI: Speech = Speech {
    command: "uci",
    words: &[
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "foo",
        "h2e2",
        "e2e5",
        "a0a1",
    ],
    best: "bestmove ",
    none: "bestmove 0000",
};

const UCCI: Speech = Speech {
    command: "ucci",
    words: &[
        "ponder",
        "draw",
        "infinite",
        "depth",
        "nodes",
        "time",
        "movestogo",
        "increment",
        "opptime",
        "oppmovestogo",
        "oppincrement",
        "foo",
    ],
    best: "bestmove ",
    none: "nobestmove",
};

const VALUES: [&str; 14] = [
    "0",
    "1",
    "3",
    "50",
    "-1",
    "-999999999999999999999",
    "255",
    "999999999",
    "1000000000000",
    "18446744073709551616",
    "99999999999999999999999999",
    "x",
    "1.5",
    "",
];

/// A line of words and values drawn at random, some missing, some repeated.
fn line(words: &[&str], rng: &mut Rng) -> String {
    let mut line = "go".to_owned();
    for _ in 0..=rng.below(5) {
        let word = words[rng.below(words.len() as u32) as usize];
        line.push_str(&format!(" {word} {}", VALUES[rng.below(VALUES.len() as u32) as usize]));
    }
    line.trim_end().to_owned()
}

/// Asks, stops, and counts the answers.
fn answers(program: &mut Dialogue, speech: &Speech, go: &str) -> usize {
    program.send(&[go, "isready", "stop", "isready"]);
    let mut output = program.read_until("readyok");
    output.extend(program.read_until("readyok"));
    let is_answer = |line: &&String| line.starts_with(speech.best) || line.starts_with(speech.none);
    output.iter().filter(is_answer).count()
}

#[test]
fn every_go_is_answered_once() {
    for speech in [UCI, UCCI] {
        let mut program = Dialogue::start(speech.command);
        let mut rng = Rng::new(50, 0);
        for _ in 0..150 {
            let go = line(speech.words, &mut rng);
            assert_eq!(answers(&mut program, &speech, &go), 1, "{} {go}", speech.command);
        }
        // Without a position too.
        program.send(&["position nowhere"]);
        for _ in 0..20 {
            let go = line(speech.words, &mut rng);
            assert_eq!(answers(&mut program, &speech, &go), 1, "{} {go}", speech.command);
        }
    }
}

/// No `stop` is needed where a limit was meant.
#[test]
fn limits_that_make_no_sense_are_replaced() {
    for (speech, lines) in [
        (
            UCI,
            &[
                "go searchmoves e2e5 movetime 50",
                "go mate 0",
                "go movetime 50 depth 99 foo",
                "go depth",
                "go depth x",
                "go foo",
                "go movetime -5",
                "go nodes 0",
                "go depth -1",
                "go btime 1000",
                "go movestogo 3",
                "go wtime -3 btime 5",
                "go searchmoves e2e5",
                "go movetime 20 movetime 30",
            ][..],
        ),
        (
            UCCI,
            &[
                "go depth 3 foo",
                "go depth",
                "go time x",
                "go foo",
                "go increment 3",
                "go depth 1 nodes 5",
                "go nodes -7",
            ],
        ),
    ] {
        let mut program = Dialogue::start(speech.command);
        for go in lines {
            program.send(&["position startpos", go]);
            let output = program.read_until(speech.best);
            let is_named =
                output.iter().any(|line| line.starts_with("info string go: ") || line.starts_with("info message go: "));
            assert!(is_named || !go.contains("foo"), "{go}: {output:?}");
        }
    }
}

/// Values above the program's limits are clamped, with a message.
#[test]
fn limits_beyond_the_caps_are_clamped() {
    for (speech, go, limit) in [
        (UCI, "go depth 255", "info string go: depth: 250 in place of 255"),
        (UCI, "go nodes 1000000000000", "info string go: nodes: 100000000000 in place of 1000000000000"),
        (UCI, "go wtime 999999999 btime 999999999", "info string go: time_ms: 86400000 in place of "),
        (UCI, "go movetime 999999999", "info string go: time_ms: 86400000 in place of 999999999"),
        (UCI, "go mate 1000", ""),
        (UCCI, "go depth 255", "info message go: depth: 250 in place of 255"),
        (UCCI, "go time 999999999", "info message go: time_ms: 86400000 in place of "),
    ] {
        let mut program = Dialogue::start(speech.command);
        program.send(&["position startpos", go, "isready", "stop"]);
        let output = program.read_until(speech.best);
        assert!(output.iter().any(|line| line.starts_with(limit)), "{go}: {output:?}");
    }
}

/// Gomocup's limits come before the command that asks for a move, NBoard's depth and clocks too.
#[test]
fn limits_set_before_do_not_prevent_a_move() {
    let mut rng = Rng::new(51, 0);
    let keys = [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "max_node",
        "max_depth",
        "thread_num",
        "strength",
        "foo",
    ];
    let mut program = Dialogue::start("gomocup");
    for _ in 0..40 {
        program.send(&["START 15"]);
        program.wait_for_line("OK");
        let mut infos = Vec::new();
        for _ in 0..4 {
            let key = keys[rng.below(keys.len() as u32) as usize];
            infos.push(format!("INFO {key} {}", VALUES[rng.below(VALUES.len() as u32) as usize]));
        }
        let lines: Vec<&str> =
            infos.iter().map(String::as_str).chain(["INFO max_node 50", "INFO rule 0", "BEGIN", "ABOUT"]).collect();
        program.send(&lines);
        let output = program.read_until("name=");
        let points =
            output.iter().filter(|line| line.split_once(',').is_some_and(|(column, _)| column.parse::<u32>().is_ok()));
        assert_eq!(points.count(), 1, "{infos:?}: {output:?}");
    }
    let mut program = Dialogue::start("nboard");
    for (depth, clock) in
        [("1000000000000", "00:03"), ("2", "9999999:00:00"), ("18446744073709551616", "0"), ("x", "00:00/00:01")]
    {
        let game = format!(
            "(;GM[Othello]PB[a]PW[b]TI[{clock}]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)"
        );
        program.send(&[&format!("set depth {depth}"), "set depth 2", &format!("set game {game}"), "go", "ping 1"]);
        let output = program.read_until("pong");
        assert_eq!(output.iter().filter(|line| line.starts_with("===")).count(), 1, "{depth} {clock}: {output:?}");
        program.send(&["set depth 250"]);
    }
}
