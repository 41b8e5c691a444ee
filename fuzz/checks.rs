//! What the fuzz targets assert of every game's parsers. `tests/it/properties.rs` calls the same functions with random bytes,
//! so that every test run compiles and exercises them.
//!
//! With a nightly toolchain and `cargo install cargo-fuzz`, in the repository's root:
//!
//! ```text
//! cargo +nightly fuzz run positions -- -max_total_time=60      # or moves, records, variants
//! ```
//!
//! The first byte of an input chooses the game and its variant; the second and third say which part of a valid text the rest
//! replaces. So most inputs come close to something valid, and no corpus has to be kept.

use std::sync::LazyLock;

use serde_json::Value;
use tesuji_core::catalog::{AnySession, Catalog, Described, Played, ReadOptions, Setup};

/// A game, one of its variants, and valid texts for the game's default variant.
#[derive(Debug)]
pub struct Case {
    /// The game's name.
    pub game: &'static str,
    /// Its variant.
    pub variant: Value,
    position: &'static str,
    moves: String,
}

/// Variants beside those that the catalog lists: small boards, large ones, those of another type.
const MORE: [(&str, &str); 10] = [
    ("tic-tac-toe", r#"{"columns": 5, "rows": 4, "k": 4}"#),
    ("tic-tac-toe", r#"{"columns": 19, "rows": 19, "k": 6}"#),
    ("connect-four", r#"{"columns": 10, "rows": 9, "blocked": "c1"}"#),
    ("connect-four", r#"{"columns": 12, "rows": 12, "connect": 5}"#),
    ("dots-and-boxes", r#"{"columns": 1, "rows": 4}"#),
    ("dots-and-boxes", r#"{"columns": 6, "rows": 6}"#),
    ("reversi", r#"{"size": 6}"#),
    ("reversi", r#"{"size": 10}"#),
    ("xiangqi", r#"{"no_capture_plies": 4}"#),
    ("xiangqi", r#"{"ranks": "from_one"}"#),
];

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::standard);

/// Every variant that the catalog lists, with its defaults, and some more.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut cases = Vec::new();
    for (game, about) in CATALOG.names().filter_map(|name| Some((name, CATALOG.about(name)?))) {
        let Described::BuiltIn(description) = about.description else { continue };
        let notation = description.notation;
        let more = MORE.iter().filter(|(known, _)| *known == game);
        let more = more.map(|(_, variant)| serde_json::from_str(variant).expect("the variant is JSON"));
        for variant in about.variants.iter().map(|variant| variant.default.clone()).chain(more) {
            let (position, moves) = (notation.position_example, notation.moves_example.join(";"));
            cases.push(Case { game, variant, position, moves });
        }
    }
    cases
});

/// A game and the rest of the input.
fn choose(data: &[u8]) -> Option<(&'static Case, &[u8])> {
    let (&choice, rest) = data.split_first()?;
    Some((&CASES[usize::from(choice) % CASES.len()], rest))
}

/// The valid text with a part replaced; where the part begins and how long it is, the first two bytes say.
fn spoil(valid: &str, data: &[u8]) -> String {
    let [begin, length, text @ ..] = data else { return valid.to_owned() };
    let head: String = valid.chars().take((*begin).into()).collect();
    let tail: String = valid.chars().skip(usize::from(*begin) + usize::from(*length)).collect();
    head + &String::from_utf8_lossy(text) + &tail
}

fn open(case: &Case, position: Option<&str>) -> Option<Box<dyn AnySession>> {
    CATALOG.open(case.game, Setup { variant: Some(&case.variant), position, moves: &[] }).ok()
}

/// The canonical text is accepted and prints as itself.
fn reprints(case: &Case, session: &dyn AnySession) {
    let text = session.view().text;
    let again = open(case, Some(&text)).unwrap_or_else(|| panic!("{}: {text} is refused", case.game));
    assert_eq!(again.view().text, text, "{}", case.game);
}

/// Position texts.
pub fn positions(data: &[u8]) {
    let Some((case, rest)) = choose(data) else { return };
    if let Some(session) = open(case, Some(&spoil(case.position, rest))) {
        reprints(case, &*session);
        check_moves(&*session);
    }
}

/// Move texts, played from the start; `;` separates them, and those that are refused are passed over.
pub fn moves(data: &[u8]) {
    let Some((case, rest)) = choose(data) else { return };
    let mut session = open(case, None).expect("the start can be set up");
    for text in spoil(&case.moves, rest).split(';').take(40) {
        if let Ok(canonical) = session.read_move(text) {
            assert_eq!(session.read_move(&canonical).as_ref(), Ok(&canonical), "{}", case.game);
        }
        drop(session.play(text));
    }
    reprints(case, &*session);
    check_moves(&*session);
    pasted(case, &spoil(&case.moves, rest).replace(';', " "));
}

/// What is taken of a pasted text is a line that leads to the same position when its canonical moves are played.
fn pasted(case: &Case, text: &str) {
    let Ok(line) = CATALOG.paste(case.game, Some(&case.variant), text) else { return };
    let moves: Vec<String> = line.moves.iter().map(|played| played.mv.clone()).collect();
    let setup = Setup { variant: Some(&case.variant), position: line.start.as_deref(), moves: &moves };
    let again = CATALOG.open(case.game, setup).expect("canonical moves are legal");
    assert_eq!(again.view().key, line.session.view().key, "{}", case.game);
}

/// A record in each format, with the game that it names or could be of.
const RECORDS: [(&str, &str); 15] = [
    (
        "gomoku",
        "(;GM[4]FF[4]SZ[15]RU[renju]PB[a\\]b]WR[1d]TM[60]OT[5 fischer]RE[B+R]C[x\ny];B[hh]BL[59]C[c];W[hg](;B[gg];W[gf])(;B[ii]))",
    ),
    ("gomoku", "(;GM[4]SZ[9:9]AB[ee][df:dg]AW[aa:ba]PL[W]RE[Draw];W[ii];B[hh])"),
    ("gomoku", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,1500\n7,8,20\nblack\nwhite\n-1\n"),
    ("hex", "(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c3];W[d4])"),
    ("reversi", "(;GM[2]PB[x]RE[W+12];B[fe];W[fd]C[d];B[cd])"),
    (
        "reversi",
        "(;GM[Othello]PB[a]RB[1]TI[01:00/00:01]TY[8]RE[+2.00:r]BO[8 \
         ---------------------------O*------*O--------------------------- *]B[F5/1.5/0.2]W[D6];)",
    ),
    (
        "xiangqi",
        "[Game \"Chinese Chess\"]\n[Red \"a\\\"b\"]\n[Result \"1-0\"]\n[TimeControl \"60+5\"]\n{x}\n1. 炮二平五 {y} 马8进7 \
         (1. ... 马2进3)\n2. H2+3 h9-g7? 1-0\n",
    ),
    ("xiangqi", "[Event \"e\"]\n[FEN \"4k4/9/9/9/9/9/9/9/4P4/4K4 w - - 0 1\"]\n[Format \"ICCS\"]\n1. E1-E2 E9-E8 *\n"),
    ("xiangqi", "position startpos moves h2e2 h9g7"),
    (
        "xiangqi",
        "head\n[Red a]\n[FEN \"4k4/9/9/9/9/9/9/9/4P4/4K4 w 0 0\"]\n1. Pe2 Ke8 2. Ｐ５＋１ 1-0 end\n=====\n1. Che3 Nhg8 *\n-----",
    ),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/4P4/4K4 w\n兵五进一 将5进1"),
    (
        "reversi",
        "  a b c d e f g h\n1 - - - - - - - -\n2 . . . . . . . .\n3 - - - - - - - -\n4 - - - o x - - -\n5 - - - * w b - -\n6 - - - - - - - -\n7 - - - - - - - -\n8 - - - - - - - - o; d6:+2\nd6c3",
    ),
    (
        "reversi",
        "% x\n[8 --------/--------/--------/---O*---/---*O---/--------/--------/-------- *] f5\n8/8/8/3OX3/3XO3/8/8/8 x;",
    ),
    ("connect-four", "1. 4 4 2. 3 3"),
    ("dots-and-boxes", "h0,0 v0,0 h1,0"),
];

/// Records in every format: what is read can be written in each format that can hold it, and is read again the same.
pub fn records(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let (game, text) = RECORDS[usize::from(choice) % RECORDS.len()];
    let text = spoil(text, rest);
    for asked in [ReadOptions::default(), ReadOptions { game: Some(game), ..ReadOptions::default() }] {
        match CATALOG.read_record(&text, &asked) {
            Ok(played) => CATALOG.formats(&played.game).iter().for_each(|format| rewritten(&played, format)),
            Err(refusal) => assert!(!refusal.detail.is_empty(), "{text}"),
        }
    }
}

/// Writes a game in a format that can hold it, and reads it.
fn rewritten(played: &Played, format: &str) {
    let Ok(text) = CATALOG.write_record(played, format) else { return };
    let variant = played.session.view().variant;
    let asked = ReadOptions { game: Some(&*played.game), format: Some(format), variant: Some(&variant), number: None };
    let again = match CATALOG.read_record(&text, &asked) {
        Ok(again) => again,
        // A list of no moves is none.
        Err(_) if played.record.moves.is_empty() && played.record.position.is_none() && format == "moves" => return,
        Err(refusal) => panic!("{format}: {text}: {refusal}"),
    };
    let line = |played: &Played| {
        let moves = played.record.moves.iter().map(|mv| (mv.mv.clone(), mv.side));
        (played.record.position.clone(), moves.collect::<Vec<_>>())
    };
    assert_eq!(line(&again), line(played), "{format}: {text}");
    // What a format cannot hold is lost once, and nothing after that.
    assert_eq!(CATALOG.write_record(&again, format).as_deref(), Ok(text.as_str()), "{format}");
}

/// Legal moves are read as themselves.
fn check_moves(session: &dyn AnySession) {
    for mv in session.view().legal_moves {
        assert_eq!(session.read_move(&mv).as_ref(), Ok(&mv));
    }
}

/// Variants.
pub fn variants(data: &[u8]) {
    let Some((case, rest)) = choose(data) else { return };
    let Ok(variant) = serde_json::from_str::<Value>(&spoil(&case.variant.to_string(), rest)) else { return };
    let open = |variant| CATALOG.open(case.game, Setup { variant: Some(variant), position: None, moves: &[] });
    if let Ok(session) = open(&variant) {
        let canonical = session.view().variant;
        let again = open(&canonical).unwrap_or_else(|refusal| panic!("{}: {canonical}: {refusal:?}", case.game));
        assert_eq!(again.view().variant, canonical);
        assert_eq!(again.view().text, session.view().text);
    }
}
