//! Games that are refused: each file in `tests/games` begins with the reason, followed by the functions in which its game
//! differs from the Nim of `nim.wat`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tesuji_core::custom::{CustomGame, Kind, Limits};
use tesuji_host::{Effort, Report, check, load};

const NIM: &str = include_str!("games/nim.wat");

/// The top-level forms in parentheses of a text.
fn forms(text: &str) -> Vec<&str> {
    let (mut forms, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (index, letter) in text.char_indices() {
        match letter {
            '(' => {
                if depth == 0 {
                    begin = index;
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    forms.push(&text[begin..=index]);
                }
            }
            _ => {}
        }
    }
    forms
}

/// What a form defines: the function, the memory, or the description.
fn defines(form: &str) -> &str {
    let words = form.split(['(', ')', ' ', '\n']).filter(|word| !word.is_empty() && *word != "export");
    let words: Vec<&str> = words.take(4).collect();
    match *words {
        ["data", _, "0", ..] => "description",
        ["data" | "global" | "import" | "table" | "start", ..] => form,
        [_, name, ..] => name.trim_matches(['$', '"']),
        _ => form,
    }
}

/// Nim with some functions replaced.
fn variation(differences: &str) -> Vec<u8> {
    let body = NIM[NIM.find("(module").expect("a module") + "(module".len()..].trim_end().trim_end_matches(')');
    let (mut text, mut first) = (format!("{body})"), String::new());
    let lines: Vec<&str> = differences.lines().filter(|line| !line.starts_with(";;")).collect();
    let differences = lines.join("\n");
    for form in forms(&differences) {
        let base = forms(body).into_iter().find(|base| defines(base) == defines(form));
        match base {
            Some(base) => text = text.replacen(base, form, 1),
            None => first.push_str(form),
        }
    }
    wat::parse_str(format!("(module {first}\n{text}")).expect("a module")
}

fn load_module(bytes: &[u8]) -> Result<CustomGame, String> {
    load(Kind::Module, "nim", bytes, Limits::default()).map_err(|error| error.to_string())
}

fn checked(bytes: &[u8]) -> Result<Report, String> {
    check(&load_module(bytes)?, Effort::QUICK).map_err(|violation| violation.to_string())
}

/// Checks that each file of a folder is refused with its reason. Returns the number of files.
fn refuse_all(folder: &str) -> usize {
    let nim = load_module(&variation("")).expect("Nim is a game");
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games").join(folder)).expect("a folder");
    let mut failures = Vec::new();
    let mut count = 0;
    for file in files.map(|file| file.expect("a file").path()) {
        let text = fs::read_to_string(&file).expect("a text");
        let reason = text.lines().next().and_then(|line| line.strip_prefix(";; ")).expect("a reason");
        let begin = Instant::now();
        let refusal =
            checked(&variation(&text)).map_or_else(|problem| problem, |report| format!("accepted: {report:?}"));
        let (seconds, name) = (begin.elapsed().as_secs_f64(), file.file_stem().unwrap_or_default().to_string_lossy());
        if !refusal.contains(reason) || seconds > 5.0 {
            let shown: String = refusal.chars().take(400).collect();
            failures.push(format!("{name}, {seconds:.1} s: {shown}\n  expected: {reason}"));
        }
        // Other games on this thread still work.
        let start = nim.rules.start(&Value::Null).and_then(|state| nim.rules.play(&state.bytes, 3));
        assert_eq!(start.map(|state| state.bytes.to_vec()), Ok(vec![4, 1]), "after {name}");
        count += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    count
}

#[test]
fn broken_games_are_refused_with_the_reason() {
    assert!(refuse_all("broken") >= 12);
}

#[test]
fn malicious_games_harm_only_themselves() {
    let threads = || fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    // Starts the clock of calls, which is a thread.
    load_module(&variation("")).expect("Nim is a game");
    let before = threads();
    assert!(refuse_all("malicious") >= 8);
    // Another test of this file may start or end its thread for a second instance meanwhile.
    assert!(threads() <= before + 3, "{before} threads became {}", threads());
}

#[test]
fn a_check_ends_where_every_call_is_slow() {
    let limits = Limits { call: Duration::from_secs(20), ..Limits::default() };
    let slow = variation(include_str!("games/slow.wat"));
    let game = load(Kind::Module, "nim", &slow, limits).expect("it loads");
    let violation = check(&game, Effort { plies: 100, time: Duration::from_millis(5) }).expect_err("it is too slow");
    assert!(violation.problem.ends_with("failed: the game is too slow to be checked"), "{violation}");
}

#[test]
fn nim_conforms() {
    let nim = load_module(&variation("")).expect("Nim is a game");
    let report = check(&nim, Effort { plies: 1000, time: Duration::from_secs(20) }).expect("Nim conforms");
    assert_eq!((report.variants, report.longest_game, report.position_bytes, report.moves), (1, 7, 2, 3), "{report:?}");
    assert!(report.games > 100 && report.positions > 500, "{report:?}");
    let nanoseconds = report.nanoseconds;
    assert!(nanoseconds.moves > 0.0 && nanoseconds.play > 0.0 && nanoseconds.playout > Some(0.0), "{report:?}");
    assert!(report.simulations_per_second > 0.0, "{report:?}");
}

#[test]
fn a_violation_has_the_line_that_reproduces_it() {
    let text = include_str!("games/broken/position_text.wat");
    let game = load_module(&variation(text)).expect("it loads");
    let violation = check(&game, Effort { plies: 100, time: Duration::from_secs(5) }).expect_err("it breaks a rule");
    assert_eq!(violation.line.len() % 2, 1, "the second player is to move: {violation}");
    let mut state = game.rules.start(&Value::Null).expect("it starts");
    for text in &violation.line {
        state = game.rules.play(&state.bytes, text.parse().expect("a number")).expect("it plays");
    }
    assert_eq!(game.rules.write_position(&state.bytes), Ok(violation.position));
}

/// A module that is expensive to compile: functions with many local variables, loops or types.
fn expensive(functions: usize, results: usize, locals: usize, loops: usize) -> Vec<u8> {
    let types = format!("(type (func (param i32) (result{})))", " i32".repeat(results));
    let uses: String = (1..=locals).map(|local| format!("(local.set {local} (i32.eqz (local.get {local})))")).collect();
    let (begin, end) = ("loop ".repeat(loops), "local.get 0 br_if 0 end ".repeat(loops));
    let function = format!("(func (param i32) (local{}) {begin} {uses} {end})", " i32".repeat(locals));
    wat::parse_str(format!("(module {types} {})", function.repeat(functions))).expect("a module")
}

#[test]
fn modules_that_are_expensive_to_compile_are_refused_at_once() {
    let cases = [
        (expensive(10_001, 1, 0, 0), "more than 10000 functions"),
        (expensive(1, 1000, 0, 0), "multi-value feature is not enabled"),
        (expensive(1, 1, 40_000, 0), "a function of "),
        (expensive(1, 1, 5000, 5000), "functions with too many local variables and branches"),
        (expensive(40, 1, 300, 300), "functions with too many local variables and branches"),
    ];
    for (module, reason) in cases {
        let begin = Instant::now();
        let problem = load_module(&module).expect_err("it is refused");
        assert!(problem.contains(reason), "{problem}; expected: {reason}");
        assert!(begin.elapsed() < Duration::from_secs(2), "{reason}: {:?}", begin.elapsed());
    }
}
