//! Every request that cannot be granted is refused precisely: status, code, and a pointer to what is wrong.

use super::SHARED;

/// The largest body that a server with its default settings takes.
pub const LARGEST_BODY: usize = 64 << 10;

/// A body that must be refused.
pub struct Case {
    /// What is wrong with it.
    pub what: &'static str,
    pub body: Vec<u8>,
    pub status: u16,
    pub code: &'static str,
    /// Where `errors` points to; `None` when there is nothing to point to.
    pub pointer: Option<&'static str>,
}

/// Bodies that are no JSON, or too long: 400 or 413.
fn unreadable() -> Vec<Case> {
    let case =
        |what, body: &[u8]| Case { what, body: body.to_vec(), status: 400, code: "malformed_json", pointer: None };
    let too_large = |what, body| Case { what, body, status: 413, code: "too_large", pointer: None };
    let nested = |depth| [br#"{"game":"reversi","variant":{"a":"#.to_vec(), b"[".repeat(depth)].concat();
    let wordy = |length| [br#"{"game":""#.to_vec(), b"x".repeat(length), br#""}"#.to_vec()].concat();
    vec![
        case("empty", b""),
        case("blanks", b" \n\t "),
        case("no JSON at all", b"game=reversi"),
        case("a word", b"reversi"),
        case("cut off", br#"{"game":"reversi""#),
        case("cut off in a text", br#"{"game":"reve"#),
        case("single quotes", b"{'game':'reversi'}"),
        case("a comma too many", br#"{"game":"reversi",}"#),
        case("a comma too few", br#"{"game":"reversi" "moves":[]}"#),
        case("a comment", br#"{"game":"reversi"/* black */}"#),
        case("something behind", br#"{"game":"reversi"} x"#),
        case("another body behind", br#"{"game":"reversi"}{"game":"reversi"}"#),
        case("a byte order mark", b"\xef\xbb\xbf{\"game\":\"reversi\"}"),
        case("no UTF-8", b"{\"game\":\"\xff\xfe\"}"),
        case("a control character in a text", b"{\"game\":\"a\x01\"}"),
        case("half a surrogate pair", br#"{"game":"\ud800"}"#),
        case("no escape", br#"{"game":"\x"}"#),
        case("not a number", br#"{"game":"reversi","variant":NaN}"#),
        case("a leading zero", br#"{"game":"reversi","variant":{"a":01}}"#),
        case("a number that no double holds", br#"{"game":"reversi","variant":{"a":1e400}}"#),
        case("30,000 brackets", &nested(30_000)),
        too_large("100,000 brackets", nested(100_000)),
        too_large("one byte too many", wordy(LARGEST_BODY - 10)),
        too_large("10 MB", wordy(10_000_000)),
    ]
}

/// Bodies that are JSON and ask for what cannot be: 422. What is wrong, the body, the code, the pointer.
type Refused = (&'static str, &'static str, &'static str, &'static str);

const SHAPES: &[Refused] = &[
    ("null", "null", "invalid_request", ""),
    ("a list of fields", r#"["reversi"]"#, "invalid_request", ""),
    ("a text", r#""reversi""#, "invalid_request", ""),
    ("no game", "{}", "invalid_request", ""),
    ("the game is null", r#"{"game":null}"#, "invalid_request", "/game"),
    ("the game is a number", r#"{"game":4}"#, "invalid_request", "/game"),
    ("two games", r#"{"game":"reversi","game":"reversi"}"#, "invalid_request", "/game"),
    ("an unknown field", r#"{"game":"reversi","bugdet":{"time_ms":1}}"#, "invalid_request", "/bugdet"),
    ("a field that needs escaping", r#"{"game":"reversi","a/b~c":1}"#, "invalid_request", "/a~1b~0c"),
    ("moves in a number", r#"{"game":"connect-four","moves":4433}"#, "invalid_request", "/moves"),
    ("moves in an object", r#"{"game":"reversi","moves":{"0":"f5"}}"#, "invalid_request", "/moves"),
    ("a move that is a list", r#"{"game":"connect-four","moves":[4,[4]]}"#, "invalid_request", "/moves/1"),
    ("a column of two digits", r#"{"game":"connect-four","moves":[12]}"#, "invalid_request", "/moves/0"),
    ("column 0 as a number", r#"{"game":"connect-four","moves":[4,0]}"#, "invalid_request", "/moves/1"),
    ("a move that is null", r#"{"game":"reversi","moves":["f5",null]}"#, "invalid_request", "/moves/1"),
    ("a position that is a list", r#"{"game":"reversi","position":[]}"#, "invalid_request", "/position"),
    ("a variant that is a list", r#"{"game":"tic-tac-toe","variant":["standard",4]}"#, "invalid_request", "/variant"),
    ("a parameter twice", r#"{"game":"tic-tac-toe","variant":{"k":3,"k":2}}"#, "invalid_request", "/variant/k"),
    ("an unknown game", r#"{"game":"chess"}"#, "unknown_game", "/game"),
    ("a game in capitals", r#"{"game":"Reversi"}"#, "unknown_game", "/game"),
];

const VARIANTS: &[Refused] = &[
    ("an unknown name", r#"{"game":"reversi","variant":"blitz"}"#, "invalid_variant", "/variant/name"),
    ("an unknown parameter", r#"{"game":"reversi","variant":{"size":8}}"#, "invalid_variant", "/variant/size"),
    ("too narrow", r#"{"game":"tic-tac-toe","variant":{"columns":0}}"#, "invalid_variant", "/variant/columns"),
    ("too high", r#"{"game":"tic-tac-toe","variant":{"rows":20}}"#, "invalid_variant", "/variant/rows"),
    ("a line too long", r#"{"game":"tic-tac-toe","variant":{"k":4}}"#, "invalid_variant", "/variant/k"),
    ("a negative size", r#"{"game":"tic-tac-toe","variant":{"k":-1}}"#, "invalid_variant", "/variant/k"),
    ("half a column", r#"{"game":"tic-tac-toe","variant":{"columns":3.5}}"#, "invalid_variant", "/variant/columns"),
    ("no size", r#"{"game":"tic-tac-toe","variant":{"columns":null}}"#, "invalid_variant", "/variant/columns"),
    ("13 columns", r#"{"game":"connect-four","variant":{"columns":13}}"#, "invalid_variant", "/variant/columns"),
    ("2 in a row", r#"{"game":"connect-four","variant":{"connect":2}}"#, "invalid_variant", "/variant/connect"),
    (
        "a cell off the board",
        r#"{"game":"connect-four","variant":{"blocked":"h1"}}"#,
        "invalid_variant",
        "/variant/blocked",
    ),
    ("no cell", r#"{"game":"connect-four","variant":{"blocked":"1a"}}"#, "invalid_variant", "/variant/blocked"),
    ("7 boxes wide", r#"{"game":"dots-and-boxes","variant":{"columns":7}}"#, "invalid_variant", "/variant/columns"),
];

const POSITIONS: &[Refused] = &[
    ("two rows", r#"{"game":"tic-tac-toe","position":"3/3 x"}"#, "invalid_position", "/position"),
    ("a row too wide", r#"{"game":"tic-tac-toe","position":"3/4/3 x"}"#, "invalid_position", "/position"),
    ("a strange stone", r#"{"game":"tic-tac-toe","position":"3/1z1/3 x"}"#, "invalid_position", "/position"),
    ("no side", r#"{"game":"tic-tac-toe","position":"3/3/3"}"#, "invalid_position", "/position"),
    ("the wrong side", r#"{"game":"tic-tac-toe","position":"x2/3/3 x"}"#, "invalid_position", "/position"),
    (
        "a line of the side to move",
        r#"{"game":"tic-tac-toe","position":"xxx/oo1/o2 x"}"#,
        "invalid_position",
        "/position",
    ),
    ("a stone that hangs", r#"{"game":"connect-four","position":"7/7/7/7/x6/7 o"}"#, "invalid_position", "/position"),
    ("too many stones", r#"{"game":"connect-four","position":"7/7/7/7/7/xx5 o"}"#, "invalid_position", "/position"),
    (
        "a blocked cell out of place",
        r#"{"game":"connect-four","position":"7/7/7/7/7/6# x"}"#,
        "invalid_position",
        "/position",
    ),
    ("a column overfull", r#"{"game":"connect-four","position":"1111111"}"#, "invalid_position", "/position"),
    (
        "63 squares",
        r#"{"game":"reversi","position":"--------------------------OX------XO--------------------------- X"}"#,
        "invalid_position",
        "/position",
    ),
    (
        "a letter of no colour",
        r#"{"game":"reversi","position":"---------------------------OX------XO--------------------------- y"}"#,
        "invalid_position",
        "/position",
    ),
    ("too few edges", r#"{"game":"dots-and-boxes","position":"000 0-0 first"}"#, "invalid_position", "/position"),
    (
        "a score out of nowhere",
        r#"{"game":"dots-and-boxes","position":"000000000000000000000000 1-0 first"}"#,
        "invalid_position",
        "/position",
    ),
    (
        "a score too high for a byte",
        r#"{"game":"dots-and-boxes","position":"000000000000000000000000 256-0 first"}"#,
        "invalid_position",
        "/position",
    ),
    (
        "no score",
        r#"{"game":"dots-and-boxes","position":"000000000000000000000000 first"}"#,
        "invalid_position",
        "/position",
    ),
];

const MOVES: &[Refused] = &[
    ("a taken cell", r#"{"game":"tic-tac-toe","moves":["b2","b2"]}"#, "illegal_move", "/moves/1"),
    ("a cell off the board", r#"{"game":"tic-tac-toe","moves":["d1"]}"#, "illegal_move", "/moves/0"),
    ("after the end", r#"{"game":"tic-tac-toe","moves":["a1","a2","b1","b2","c1","c2"]}"#, "illegal_move", "/moves/5"),
    ("nothing", r#"{"game":"tic-tac-toe","moves":[""]}"#, "illegal_move", "/moves/0"),
    ("a full column", r#"{"game":"connect-four","moves":["1","1","1","1","1","1","1"]}"#, "illegal_move", "/moves/6"),
    ("column 8", r#"{"game":"connect-four","moves":["8"]}"#, "illegal_move", "/moves/0"),
    ("column 0", r#"{"game":"connect-four","moves":["0"]}"#, "illegal_move", "/moves/0"),
    ("nothing turned", r#"{"game":"reversi","moves":["a1"]}"#, "illegal_move", "/moves/0"),
    ("a number in a game without", r#"{"game":"gomoku","moves":[4,4]}"#, "illegal_move", "/moves/0"),
    ("a taken cell, in a text", r#"{"game":"tic-tac-toe","moves":"b2 b2"}"#, "illegal_move", "/moves"),
    ("a full column, in a text", r#"{"game":"connect-four","moves":"1111111"}"#, "illegal_move", "/moves"),
    ("a position as moves", r#"{"game":"tic-tac-toe","moves":"xo1/1x1/3 o"}"#, "illegal_move", "/moves"),
    ("moves as a position", r#"{"game":"gomoku","position":"h8,h9"}"#, "invalid_position", "/position"),
    ("an early pass", r#"{"game":"reversi","moves":["pass"]}"#, "illegal_move", "/moves/0"),
    ("nothing turned, in a joined line", r#"{"game":"reversi","moves":["f5d6a1"]}"#, "illegal_move", "/moves/0"),
    ("an edge drawn already", r#"{"game":"dots-and-boxes","moves":["h0,0","h0,0"]}"#, "illegal_move", "/moves/1"),
    ("an edge off the board", r#"{"game":"dots-and-boxes","moves":["v3,0"]}"#, "illegal_move", "/moves/0"),
];

const BUDGETS: &[Refused] = &[
    ("an unknown limit", r#"{"game":"reversi","budget":{"time":1}}"#, "invalid_request", "/budget/time"),
    ("a list of limits", r#"{"game":"reversi","budget":[100]}"#, "invalid_request", "/budget"),
    ("no time", r#"{"game":"reversi","budget":{"time_ms":0}}"#, "invalid_budget", "/budget/time_ms"),
    ("less than no time", r#"{"game":"reversi","budget":{"time_ms":-1}}"#, "invalid_request", "/budget/time_ms"),
    ("half a millisecond", r#"{"game":"reversi","budget":{"time_ms":0.5}}"#, "invalid_request", "/budget/time_ms"),
    ("time as a text", r#"{"game":"reversi","budget":{"time_ms":"100"}}"#, "invalid_request", "/budget/time_ms"),
    ("a minute and more", r#"{"game":"reversi","budget":{"time_ms":60001}}"#, "invalid_budget", "/budget/time_ms"),
    ("2^64", r#"{"game":"reversi","budget":{"time_ms":18446744073709551616}}"#, "invalid_request", "/budget/time_ms"),
    ("2^64 - 1", r#"{"game":"reversi","budget":{"nodes":18446744073709551615}}"#, "invalid_budget", "/budget/nodes"),
    (
        "no simulations",
        r#"{"game":"connect-four","budget":{"simulations":0}}"#,
        "invalid_budget",
        "/budget/simulations",
    ),
    (
        "too many of them",
        r#"{"game":"connect-four","budget":{"simulations":1000000001}}"#,
        "invalid_budget",
        "/budget/simulations",
    ),
    ("too deep", r#"{"game":"connect-four","budget":{"depth":251}}"#, "invalid_budget", "/budget/depth"),
    (
        "too much memory",
        r#"{"game":"connect-four","budget":{"memory_mb":4097}}"#,
        "invalid_budget",
        "/budget/memory_mb",
    ),
    (
        "simulations for negamax",
        r#"{"game":"reversi","engine":"negamax","budget":{"simulations":9}}"#,
        "invalid_budget",
        "/budget/simulations",
    ),
    (
        "depth for mcts",
        r#"{"game":"reversi","engine":{"name":"mcts"},"budget":{"depth":9}}"#,
        "invalid_budget",
        "/budget/depth",
    ),
    (
        "limits that no engine unites",
        r#"{"game":"reversi","budget":{"depth":9,"simulations":9}}"#,
        "invalid_budget",
        "/budget",
    ),
    ("no threads", r#"{"game":"reversi","threads":0}"#, "invalid_budget", "/threads"),
    ("65 threads", r#"{"game":"reversi","threads":65}"#, "invalid_budget", "/threads"),
    ("threads as a text", r#"{"game":"reversi","threads":"2"}"#, "invalid_request", "/threads"),
    ("2^32 threads", r#"{"game":"reversi","threads":4294967296}"#, "invalid_request", "/threads"),
];

const ORDERS: &[Refused] = &[
    ("an unknown engine", r#"{"game":"reversi","engine":"alpha"}"#, "invalid_engine", "/engine/name"),
    ("no engine's name", r#"{"game":"reversi","engine":{}}"#, "invalid_engine", "/engine"),
    ("an engine's name that is none", r#"{"game":"reversi","engine":{"name":1}}"#, "invalid_engine", "/engine/name"),
    ("an engine that is a number", r#"{"game":"reversi","engine":1}"#, "invalid_request", "/engine"),
    ("options for auto", r#"{"game":"reversi","engine":{"name":"auto","exploration":1}}"#, "invalid_engine", "/engine"),
    ("an unknown option", r#"{"game":"reversi","engine":{"name":"mcts","c":1}}"#, "invalid_engine", "/engine/c"),
    (
        "another engine's option",
        r#"{"game":"reversi","engine":{"name":"negamax","exploration":1}}"#,
        "invalid_engine",
        "/engine/exploration",
    ),
    (
        "an option too large",
        r#"{"game":"reversi","engine":{"name":"mcts","exploration":10.5}}"#,
        "invalid_engine",
        "/engine/exploration",
    ),
    (
        "an option below zero",
        r#"{"game":"reversi","engine":{"name":"mcts","exploration":-0.5}}"#,
        "invalid_engine",
        "/engine/exploration",
    ),
    (
        "an option beyond all bounds",
        r#"{"game":"reversi","engine":{"name":"mcts","exploration":1e300}}"#,
        "invalid_engine",
        "/engine/exploration",
    ),
    (
        "a choice that another game has",
        r#"{"game":"reversi","engine":{"name":"mcts","playout":"decisive"}}"#,
        "invalid_engine",
        "/engine/playout",
    ),
    (
        "an unknown choice",
        r#"{"game":"reversi","engine":{"name":"mcts","final_move":"best"}}"#,
        "invalid_engine",
        "/engine/final_move",
    ),
    ("a seed that JavaScript cannot hold", r#"{"game":"reversi","seed":9007199254740992}"#, "invalid_engine", "/seed"),
    ("a seed below zero", r#"{"game":"reversi","seed":-1}"#, "invalid_request", "/seed"),
    ("an unknown perspective", r#"{"game":"reversi","perspective":"white"}"#, "invalid_request", "/perspective"),
    ("an empty filter", r#"{"game":"reversi","moves_filter":{}}"#, "invalid_request", "/moves_filter"),
    (
        "two filters",
        r#"{"game":"reversi","moves_filter":{"allow":["d3"],"avoid":["c4"]}}"#,
        "invalid_request",
        "/moves_filter",
    ),
    (
        "an unknown filter",
        r#"{"game":"reversi","moves_filter":{"only":["d3"]}}"#,
        "invalid_request",
        "/moves_filter/only",
    ),
    ("nothing allowed", r#"{"game":"reversi","moves_filter":{"allow":[]}}"#, "invalid_filter", "/moves_filter/allow"),
    (
        "nothing left",
        r#"{"game":"reversi","moves_filter":{"avoid":["d3","c4","f5","e6"]}}"#,
        "invalid_filter",
        "/moves_filter/avoid",
    ),
    (
        "an illegal move in a filter",
        r#"{"game":"reversi","moves_filter":{"allow":["d3","a1"]}}"#,
        "invalid_filter",
        "/moves_filter/allow/1",
    ),
    (
        "no children told",
        r#"{"game":"reversi","report":{"max_children":0}}"#,
        "invalid_request",
        "/report/max_children",
    ),
    (
        "too many children told",
        r#"{"game":"reversi","report":{"max_children":1001}}"#,
        "invalid_request",
        "/report/max_children",
    ),
    ("too long a line told", r#"{"game":"reversi","report":{"pv_length":65}}"#, "invalid_request", "/report/pv_length"),
    ("an unknown report", r#"{"game":"reversi","report":{"graph":{}}}"#, "invalid_request", "/report/graph"),
    ("too deep a tree", r#"{"game":"reversi","report":{"tree":{"depth":9}}}"#, "invalid_request", "/report/tree/depth"),
];

/// Tables whose bodies mean the same to `/v1/positions`.
const RULES: [&[Refused]; 4] = [SHAPES, VARIANTS, POSITIONS, MOVES];

fn refused(tables: &[&[Refused]]) -> impl Iterator<Item = Case> {
    let case = |&(what, body, code, pointer): &Refused| Case {
        what,
        body: body.as_bytes().to_vec(),
        status: 422,
        code,
        pointer: Some(pointer),
    };
    tables.concat().iter().map(case).collect::<Vec<_>>().into_iter()
}

/// All bodies that `/v1/searches` must refuse.
pub fn cases() -> Vec<Case> {
    unreadable().into_iter().chain(refused(&RULES)).chain(refused(&[BUDGETS, ORDERS])).collect()
}

#[track_caller]
fn check(path: &str, case: Case) {
    let Case { what, body, status, code, pointer } = case;
    let answer = SHARED.ask("POST", path, &[], body);
    let pointers: Vec<_> =
        answer.body["errors"].as_array().into_iter().flatten().map(|part| &part["pointer"]).collect();
    let found = (answer.status, answer.code(), pointers);
    assert_eq!(
        found,
        (status, code, pointer.map(|text| text.into()).iter().collect()),
        "{path}, {what}: {:#}",
        answer.body
    );
}

#[test]
fn searches_refuse_precisely() {
    assert!(cases().len() > 100);
    cases().into_iter().for_each(|case| check("/v1/searches", case));
}

#[test]
fn positions_refuse_precisely() {
    unreadable().into_iter().chain(refused(&RULES)).for_each(|case| check("/v1/positions", case));
    for field in ["budget", "engine", "threads", "seed", "moves_filter", "perspective", "report"] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], format!(r#"{{"game":"reversi","{field}":1}}"#));
        assert_eq!(answer.body["errors"][0]["pointer"], format!("/{field}"), "searches have it, positions do not");
    }
}

#[test]
fn caps_are_named() {
    let answer = SHARED.ask("POST", "/v1/searches", &[], r#"{"game":"reversi","budget":{"time_ms":60001}}"#);
    let detail = answer.body["errors"][0]["detail"].as_str().expect("it is a text");
    assert!(detail.starts_with("expected 1 to 60000 ") && detail.ends_with(", not 60001"), "{detail}");
}

#[test]
fn what_was_sent_does_not_come_back_whole() {
    let long = "x".repeat(10_000);
    for body in [
        format!(r#"{{"game":"tic-tac-toe","moves":["{long}"]}}"#),
        format!(r#"{{"game":"tic-tac-toe","position":"{long}"}}"#),
        format!(r#"{{"game":"connect-four","position":"3/{long} x"}}"#),
        format!(r#"{{"game":"connect-four","variant":{{"blocked":"{long}"}}}}"#),
        format!(r#"{{"game":"dots-and-boxes","position":"{long} {long} first"}}"#),
    ] {
        let answer = SHARED.ask("POST", "/v1/positions", &[], body);
        assert!(answer.status == 422 && answer.body.to_string().len() < 1000, "{:#}", answer.body);
    }
}
