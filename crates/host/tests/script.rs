//! Games in JavaScript: the four required functions, the optional ones, and the messages of failures.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji_core::custom::{CustomGame, Fault, Kind, Limits, State};
use tesuji_core::position::{Outcome, Side};
use tesuji_host::{LoadError, load};

/// Tic-tac-toe with the four functions only.
const TIC_TAC_TOE: &str = r#"
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
function start() {
    return { player: 1, board: [0, 0, 0, 0, 0, 0, 0, 0, 0] };
}
function legalPlays(state) {
    return state.board.flatMap((piece, cell) => (piece === 0 ? [cell] : []));
}
function nextState({ board, player }, play) {
    return { board: board.with(play, player), player: -player };
}
const winner = ({ board }) => {
    const line = LINES.find(([a, b, c]) => board[a] !== 0 && board[a] === board[b] && board[a] === board[c]);
    return line ? board[line[0]] : board.includes(0) ? null : 0;
};
"#;

fn loaded(source: &str) -> Result<CustomGame, LoadError> {
    load(Kind::Script, "xo", source.as_bytes(), Limits::default())
}

fn game(source: &str) -> CustomGame {
    loaded(source).expect("the script is a game")
}

/// A race to 5 in steps of 1 or 2, with other functions on top.
fn race(more: &str) -> String {
    format!(
        "function start() {{ return {{ at: 0, player: 1 }}; }}
         function legalPlays(state) {{ return [1, 2]; }}
         function nextState(state, play) {{ state.at += play; state.player = 3 - state.player; return state; }}
         function winner(state) {{ return state.at < 5 ? null : 3 - state.player; }}
         {more}"
    )
}

fn begin(game: &CustomGame) -> State {
    game.rules.start(&json!({"name": "standard"})).expect("there is a start")
}

/// The position after some moves by their texts.
fn after(game: &CustomGame, moves: &[&str]) -> State {
    moves.iter().fold(begin(game), |state, text| {
        let mut codes = Vec::new();
        game.rules.moves(&state.bytes, &mut codes).expect("there are moves");
        let written = |code: &u32| game.rules.write_move(&state.bytes, *code).expect("it is written") == *text;
        let code = codes.into_iter().find(written).expect("the move is legal");
        game.rules.play(&state.bytes, code).expect("it is played")
    })
}

fn text(state: &State) -> &str {
    str::from_utf8(&state.bytes).expect("it is JSON")
}

/// The function and the reason of a failure.
fn fault<T: std::fmt::Debug>(result: Result<T, Fault>) -> (&'static str, String) {
    let fault = result.expect_err("it fails");
    assert_eq!(fault.game, "xo");
    (fault.function, fault.reason)
}

/// Replaces a function of the race. Returns the first failure: of the load, `moves` or `play`.
fn failure(function: &str, body: &str) -> (&'static str, String) {
    let source = race(&format!("{function} = function (state, play) {{ {body} }};"));
    match loaded(&source) {
        Ok(game) => {
            let state = begin(&game);
            let mut codes = Vec::new();
            fault(game.rules.moves(&state.bytes, &mut codes).and_then(|()| game.rules.play(&state.bytes, codes[0])))
        }
        Err(LoadError::Failed { function, reason }) => (function, reason),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn four_functions_are_a_game() {
    let game = game(TIC_TAC_TOE);
    assert_eq!((&*game.description.name, &*game.description.names.en, game.evaluates), ("xo", "xo", false));
    let state = begin(&game);
    assert_eq!(text(&state), r#"{"board":[0,0,0,0,0,0,0,0,0],"player":1}"#);
    let state = after(&game, &["4", "0", "3"]);
    assert_eq!((state.status.turn, state.status.outcome), (Side::Second, None));
    assert_eq!(text(&state), r#"{"board":[-1,0,0,1,1,0,0,0,0],"player":-1}"#);
    // Another order of moves: the same bytes.
    assert_eq!(state, after(&game, &["3", "0", "4"]));
    let outcome = |moves: &[&str]| after(&game, moves).status.outcome.map(|outcome| outcome.score());
    assert_eq!(outcome(&["4", "0", "3", "1", "5"]), Some(1));
    assert_eq!(outcome(&["4", "0", "3", "1", "8", "2"]), Some(-1));
    assert_eq!(outcome(&["0", "1", "2", "4", "3", "5", "7", "6", "8"]), Some(0));
    assert_eq!(game.rules.cells(&state.bytes), Ok(vec![]));
    assert_eq!(game.rules.symmetry(&state.bytes), Ok(None));
    assert_eq!(game.rules.write_position(&state.bytes).as_deref(), Ok(text(&state)));
}

#[test]
fn playouts_depend_on_the_seed_only() {
    let game = game(TIC_TAC_TOE);
    let start = begin(&game);
    let scores = || -> Vec<i16> {
        let score = |seed| game.rules.playout(&start.bytes, seed).unwrap().expect("there is a playout").score();
        (0..300).map(score).collect()
    };
    let here = scores();
    assert_eq!(std::thread::scope(|scope| scope.spawn(scores).join().unwrap()), here);
    // Random play of tic-tac-toe: the first player wins 58.5 %, the second 28.8 % (exact values).
    let share = |score| here.iter().filter(|one| **one == score).count() as f64 / 300.0;
    assert!((share(1) - 0.585).abs() < 0.1 && (share(-1) - 0.288).abs() < 0.1, "{} {}", share(1), share(-1));
}

#[test]
fn a_state_may_be_changed_in_place() {
    let game = game(&race(""));
    let start = begin(&game);
    let first = game.rules.play(&start.bytes, 0).unwrap();
    let again = game.rules.play(&start.bytes, 0).unwrap();
    assert_eq!(first, again);
    assert_eq!(text(&first), r#"{"at":1,"player":2}"#);
}

#[test]
fn every_optional_function_is_used() {
    let game = game(&race(
        r#"
        const game = {
            name: "race", names: { en: "Race", zh: "赛跑" }, score_limit: 9,
            parameters: [{ name: "goal", default: 5, minimum: 1, maximum: 9 }],
        };
        start = (variant) => ({ at: 0, goal: variant.goal, name: variant.name });
        legalPlays = () => [{ step: 1 }, { step: 2 }];
        nextState = (state, play) => ({ ...state, at: state.at + play.step, odd: !state.odd || undefined });
        winner = (state) => (state.at < state.goal ? undefined : state.odd ? 1 : 2);
        const points = (state) => (state.odd ? 7 : -7);
        const turn = (state) => (state.odd ? 2 : 1);
        const playText = (state, play) => `${state.at}+${play.step}`;
        const positionText = (state) => `${state.at} of ${state.goal}`;
        const parsePosition = (text, variant) => {
            if (!/^\d of \d$/.test(text)) throw new Error("expected `1 of 5`");
            return { at: Number(text[0]), goal: variant.goal };
        };
        const cells = (state) => ["a", null, ""];
        const moveCells = (state, play) => ({ from: String(state.at), to: String(state.at + play.step) });
        const playout = (state, random) => Math.floor(random() * 5);
        const symmetry = (state) => state.at % 2;
        const evaluate = (state) => state.at * 100.4;
        const priority = (state, play) => play.step;
        "#,
    ));
    assert_eq!((&*game.description.name, game.evaluates), ("race", true));
    assert_eq!(game.description.names.zh.as_deref(), Some("赛跑"));
    let rules = &game.rules;
    let start = rules.start(&json!({"name": "short", "goal": 3})).unwrap();
    assert_eq!(text(&start), r#"{"at":0,"goal":3,"name":"short"}"#);
    assert_eq!(rules.write_move(&start.bytes, 1).as_deref(), Ok("0+2"));
    let next = rules.play(&start.bytes, 1).unwrap();
    assert_eq!((next.status.turn, next.status.outcome), (Side::Second, None));
    assert_eq!(rules.play(&next.bytes, 0).unwrap().status.outcome, Some(Outcome::points(-7, "rules")));
    assert_eq!(rules.write_position(&next.bytes).as_deref(), Ok("2 of 3"));
    let read = rules.read_position(&json!({"goal": 5}), "2 of 5").unwrap().unwrap();
    assert_eq!(text(&read), r#"{"at":2,"goal":5}"#);
    let refused = rules.read_position(&json!({"goal": 5}), "2").unwrap();
    assert_eq!(refused, Err("Error: expected `1 of 5` (line 19)".to_owned()));
    assert_eq!(rules.cells(&next.bytes), Ok(vec!["a".to_owned(), String::new(), String::new()]));
    let cells = rules.move_cells(&next.bytes, 0).unwrap();
    assert_eq!((cells.from.as_deref(), cells.to.as_deref()), (Some("2"), Some("3")));
    let drawn: Vec<i16> = (0..50).map(|seed| rules.playout(&start.bytes, seed).unwrap().unwrap().score()).collect();
    assert!((0..5).all(|score| drawn.contains(&score)), "{drawn:?}");
    let symmetry = |state: &State| rules.symmetry(&state.bytes).unwrap().expect("there is a key");
    assert_eq!(symmetry(&start), symmetry(&next));
    assert_ne!(symmetry(&start), symmetry(&rules.play(&start.bytes, 0).unwrap()));
    assert_eq!(rules.evaluate(&next.bytes), Ok(201));
    assert_eq!(rules.priority(&next.bytes, 1), Ok(Some(2)));
}

#[test]
fn plays_are_texts_numbers_or_json() {
    let game = game(&race(r#"legalPlays = () => ["up", 2.5, { to: [1, 2], from: null }, true];"#));
    let state = begin(&game);
    let texts: Vec<String> = (0..4).map(|code| game.rules.write_move(&state.bytes, code).unwrap()).collect();
    assert_eq!(texts, ["up", "2.5", r#"{"from":null,"to":[1,2]}"#, "true"]);
}

#[test]
fn scripts_that_are_not_games_are_refused() {
    let mut wrong = Vec::new();
    let mut check = |source: &str, expected: &str| {
        let refusal = loaded(source).expect_err("it is refused").to_string();
        wrong.extend((refusal != expected).then_some((refusal, expected.to_owned())));
    };
    check("function start() {", "not a valid script: SyntaxError: unexpected token in expression: '' (line 1)");
    check("\nnull.x", "not a valid script: TypeError: cannot read property 'x' of null (line 2)");
    check("function start() {}", "the script has no function `legalPlays`");
    check("for (;;) {}", "not a valid script: it took longer than allowed");
    check(&race("const turn = 3;"), "`turn` failed: it is int; expected a function");
    check(&race("const game = { score_limit: 9 };"), "the script has no function `points`");
    check(
        &race("const game = { colour: 1 };"),
        "the description: unknown field `colour`, expected one of \
        `name`, `names`, `sides`, `how_to_play`, `score_limit`, `parameters`, `variants`, `board`",
    );
    check(
        &race("const game = { board: { at: [Infinity] } };"),
        "the description: it at `.board.at[0]` is infinite; \
        expected plain JSON values",
    );
    check(
        &race("start = () => ({ at: 0 });"),
        "`start` failed: `state.player` is undefined; expected 1 or 2 (or -1), or a function `turn(state)`",
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    let limits = Limits { file: 10, ..Limits::default() };
    let large = load(Kind::Script, "xo", TIC_TAC_TOE.as_bytes(), limits).expect_err("it is too large");
    assert_eq!(large.to_string(), format!("the file has {} bytes; expected at most 10", TIC_TAC_TOE.len()));
}

#[test]
fn failures_report_function_and_reason() {
    let mut wrong = Vec::new();
    let mut check = |function, body, at, reason: &str| {
        let (failure, expected) = (failure(function, body), (at, reason.to_owned()));
        wrong.extend((failure != expected).then_some((failure, expected)));
    };
    check(
        "legalPlays",
        "\nreturn state.none.x;",
        "legalPlays",
        "TypeError: cannot read property 'x' of undefined (line 6)",
    );
    check("legalPlays", "throw { code: 7 };", "legalPlays", r#"it threw {"code":7}"#);
    check("legalPlays", "for (;;) {}", "legalPlays", "it took longer than allowed");
    check("legalPlays", "for (;;) try { for (;;) {} } catch {}", "legalPlays", "it took longer than allowed");
    check(
        "legalPlays",
        "const all = []; for (;;) all.push(new Uint8Array(1 << 20));",
        "legalPlays",
        "it used more memory than allowed",
    );
    check("legalPlays", "return legalPlays(state);", "legalPlays", "its recursion is too deep");
    check(
        "legalPlays",
        "return Math.random();",
        "legalPlays",
        "Error: Math.random is not available: equal calls must give equal results (line 5)",
    );
    check("legalPlays", "return [Date.now()];", "legalPlays", "ReferenceError: Date is not defined (line 5)");
    check("legalPlays", "return 3;", "legalPlays", "it returned 3; expected an array");
    check("legalPlays", "return [1, undefined];", "legalPlays", "its result is undefined; expected plain JSON values");
    check("legalPlays", "return new Array(5000).fill(1);", "legalPlays", "5000 moves; expected at most 4096");
    check("legalPlays", "return ['x'.repeat(70000)];", "legalPlays", "a result of more than 65536 bytes");
    check(
        "nextState",
        "return { at: [1, NaN], player: 1 };",
        "nextState",
        "its result at `.at[1]` is NaN; expected plain JSON values",
    );
    check(
        "nextState",
        "return { at: new Map(), player: 1 };",
        "nextState",
        "its result at `.at` is a Map; expected plain JSON values",
    );
    check(
        "nextState",
        "return { at: () => 1, player: 1 };",
        "nextState",
        "its result at `.at` is a function; expected plain JSON values",
    );
    check(
        "nextState",
        "return { at: 1 / 0, player: 1 };",
        "nextState",
        "its result at `.at` is infinite; expected plain JSON values",
    );
    check("nextState", "return;", "nextState", "its result is undefined; expected plain JSON values");
    check(
        "nextState",
        "state.all = state; return state;",
        "nextState",
        &format!("its result at `{}` is deeper than 64 levels; expected plain JSON values", ".all".repeat(15)),
    );
    check("nextState", "return { at: 'x'.repeat(5000), player: 1 };", "nextState", "a result of more than 4096 bytes");
    check(
        "nextState",
        "const a = []; a.length = 4294967295; return a;",
        "nextState",
        "its result at `[0]` is undefined; expected plain JSON values",
    );
    check(
        "nextState",
        "return { at: 1, player: 3 };",
        "nextState",
        "`state.player` is 3; expected 1 or 2 (or -1), or a function `turn(state)`",
    );
    let winners = "expected null while the game goes on, 1 or 2 (or -1) for the winner, 0 for a draw";
    check("winner", "return 'X';", "winner", &format!("it returned \"X\"; {winners}"));
    check("winner", "return NaN;", "winner", &format!("it returned NaN; {winners}"));
    check("winner", "return false;", "winner", &format!("it returned false; {winners}"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn numbers_and_texts_are_checked() {
    let state_of = |more: &str| {
        let game = game(&race(more));
        let state = begin(&game);
        (game, state)
    };
    let (game, state) =
        state_of("const evaluate = () => NaN; const priority = () => 1e10; const playout = () => null;");
    assert_eq!(fault(game.rules.evaluate(&state.bytes)).1, "it returned NaN; expected a 32-bit number");
    assert_eq!(fault(game.rules.priority(&state.bytes, 0)).1, "it returned 10000000000; expected a 32-bit number");
    assert!(fault(game.rules.playout(&state.bytes, 0)).1.starts_with("it returned null; expected null while"));
    let (game, state) = state_of("const playText = () => 3; const positionText = () => {}; const cells = () => [1];");
    assert_eq!(
        fault(game.rules.write_move(&state.bytes, 0)),
        ("playText", "it returned 3; expected a string".to_owned())
    );
    assert_eq!(fault(game.rules.write_position(&state.bytes)).1, "it returned undefined; expected a string");
    assert!(fault(game.rules.cells(&state.bytes)).1.starts_with("expected an array of strings: invalid type"));
    assert_eq!(fault(game.rules.write_move(&state.bytes, 9)).0, "playText");
    let (game, state) = state_of(
        "const game = { score_limit: 9 }; let points = () => 5.5; winner = (s) => s.at && 1;
        winner = (s) => (s.at ? 2 : null);",
    );
    let reason = "it returned 5.5; expected a whole number from -9 to 9";
    assert_eq!(fault(game.rules.play(&state.bytes, 0)), ("points", reason.to_owned()));
    let (game, state) = state_of(
        "const game = { score_limit: 9 }; let points = () => 5;
        winner = (s) => (s.at ? 2 : null);",
    );
    assert_eq!(fault(game.rules.play(&state.bytes, 0)).1, "it returned 5 where `winner` returned 2");
}

#[test]
fn a_failure_discards_the_engine() {
    let game =
        game(&race("let broken = 0; const evaluate = () => { broken += 1; if (broken > 1) throw 1; return broken; };"));
    let state = begin(&game);
    let values: Vec<String> =
        (0..4).map(|_| format!("{:?}", game.rules.evaluate(&state.bytes).map_err(|fault| fault.reason))).collect();
    assert_eq!(values, ["Ok(1)", r#"Err("it threw 1")"#, "Ok(1)", r#"Err("it threw 1")"#]);
}

#[test]
fn the_time_of_a_call_is_limited() {
    let limits = Limits { call: Duration::from_millis(20), ..Limits::default() };
    let source = race("const evaluate = () => { for (;;) {} };");
    let game = load(Kind::Script, "xo", source.as_bytes(), limits).unwrap();
    let state = begin(&game);
    let since = Instant::now();
    assert_eq!(fault(game.rules.evaluate(&state.bytes)).1, "it took longer than allowed");
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
}

#[test]
fn positions_are_read_only_by_a_function() {
    let game = game(TIC_TAC_TOE);
    let read = game.rules.read_position(&Value::Null, "{}").unwrap();
    assert_eq!(read, Err("the game reads no positions; expected moves from the start".to_owned()));
}
