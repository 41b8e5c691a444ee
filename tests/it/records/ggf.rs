//! GGF is read as servers and programs write it, refused by the field that is wrong, and read back as it was written.

use std::time::Duration;

use proptest::prelude::*;
use tesuji_core::catalog::{Played, ReadOptions, Setup};
use tesuji_core::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};
use tesuji_core::rng::Rng;

use super::{CATALOG, moves, read, refusal, write};

const BOARD: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

/// A game with these properties before the board, and these moves.
fn game(properties: &str, moves: &str) -> String {
    format!("(;GM[Othello]{properties}{BOARD}{moves};)")
}

#[test]
fn a_servers_record_is_read() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[2010.10.17_05:23:05.MDT]PB[hercule]PW[scorp+]RB[2082.33]RW[1669.67]\
        TI[10:00//02:00]TY[8]RE[+6.000:t]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
        B[D3//3.95]W[c5/-18.40/0.10]B[E6/2];)\n";
    let record = read(text).record;
    assert_eq!(record.place.as_deref(), Some("GGS/os"));
    assert_eq!(record.players, [Some("hercule".to_owned()), Some("scorp+".to_owned())]);
    assert_eq!(record.ratings, ["2082.33", "1669.67"].map(|rating| Some(rating.to_owned())));
    assert_eq!(record.position, None);
    let clock = Clock { main: Duration::from_secs(600), grace: Duration::from_secs(120), ..Clock::default() };
    assert_eq!(record.clocks, [Some(clock); 2]);
    assert_eq!(
        record.result,
        Some(RecordedResult { early: Some(EarlyEnd::Timeout), ..RecordedResult::of_margin(6.0) })
    );
    let moves: Vec<_> = record.moves.iter().map(|mv| (mv.mv.as_str(), mv.margin, mv.seconds)).collect();
    assert_eq!(moves, [("d3", None, Some(3.95)), ("c5", Some(-18.4), Some(0.1)), ("e6", Some(2.0), None)]);
    let clocks = read(&game("TB[05:00/00:01.5]TW[1:00:00//01:00]", "")).record.clocks;
    assert_eq!(clocks[0].map(|clock| clock.increment), Some(Duration::from_millis(1500)));
    assert_eq!(clocks[1].map(|clock| clock.main), Some(Duration::from_secs(3600)));
}

#[test]
fn what_programs_add_is_read_or_reported() {
    for kind in ["0", "8", "8r18", "s8r18", "0r14", "", "?"] {
        assert_eq!(read(&game(&format!("TY[{kind}]"), "B[d3]")).warnings, [""; 0], "{kind}");
    }
    assert_eq!(
        read(&game("TY[8k]KO[+2]CO[by hand]", "B[d3]")).warnings,
        ["KO[+2] was left out", "CO[by hand] was left out"]
    );
    assert_eq!(read(&game("KO[0]", "B[d3]")).warnings, [""; 0]);
    // An archive: a number of games before each match, and text around them.
    let archive =
        format!("From the server:\n2 {}{}\n1 {}\n\u{1a}", game("PB[a]", ""), game("PB[b]", ""), game("PB[c]", "B[d3]"));
    let asked = ReadOptions { number: Some(3), ..ReadOptions::default() };
    let third = CATALOG.read_record(&archive, &asked).expect("it is there");
    assert_eq!(third.record.players[0].as_deref(), Some("c"));
    assert_eq!(third.warnings, ["text outside a game was left out: `From the server:`"]);
    assert!(refusal(&ReadOptions::default(), &archive).contains("3 games: expected one, or `number`"));
}

/// Black cannot turn the corner; White can turn the rest of the edge.
#[test]
fn passes_are_written_in_several_ways_or_left_out() {
    let before = |moves: &str| format!("(;GM[Othello]BO[8 O******-{} *]{moves};)", "-".repeat(56));
    for text in ["B[PA]W[h1]", "B[pass]W[h1]", "B[Pa]W[H1]", "W[h1]"] {
        assert_eq!(moves(&read(&before(text)).record), ["pass", "h1"], "{text}");
    }
    let refused = refusal(&ReadOptions::default(), &before("W[h2]"));
    assert!(refused.contains("move 1, `h2`: "), "{refused}");
}

#[test]
fn what_is_wrong_names_the_field_and_what_was_expected() {
    for (properties, moves, expected) in [
        ("TY[10]", "", "TY[10]: expected the board's size, `8`"),
        ("TY[8a]", "", "TY[8a]: expected a game that more discs win"),
        ("TI[soon]", "", "TI[soon]: expected `MAIN/INCREMENT/GRACE`"),
        ("TB[1:2:3:4]", "", "TB[1:2:3:4]: expected"),
        ("TI[-5]", "", "TI[-5]: expected"),
        ("TI[1e300]", "", "TI[1e300]: expected"),
        ("RB[x]", "", "RB[x]: expected a rating"),
        ("RE[black]", "", "RE[black]: expected Black's margin"),
        ("RE[+2:x]", "", "RE[+2:x]: expected Black's margin"),
        ("PB[a]PB[b]", "", "PB[b]: expected this property once"),
        ("", "W[d3]", "move 1, `d3`: the first player is to move"),
        ("", "B[d3]B[c3]", "move 2, `c3`: the second player is to move"),
        ("", "B[d9]", "move 1, `d9`: expected a column letter a..h"),
        ("", "B[a1]", "move 1, `a1`: expected an empty square"),
        ("", "B[PA]", "move 1, `pass`: a side that can turn a disc may not pass"),
        ("", "B[d3/x]", "B[d3/x]: expected `MOVE/EVALUATION/SECONDS`"),
        ("", "B[d3/inf]", "B[d3/inf]: expected `MOVE/EVALUATION/SECONDS`"),
        ("", "B[d3/1/2/3]", "B[d3/1/2/3]: expected `MOVE/EVALUATION/SECONDS`, and no more"),
        ("", "B[d3", "`B[d3;)`: expected `]`"),
        ("", "d3", "`d3;)`: expected a property"),
    ] {
        let refusal = refusal(&ReadOptions::default(), &game(properties, moves));
        assert!(
            refusal.starts_with("ggf, line 1, column ") && refusal.contains(expected),
            "{properties}{moves}: {refusal}"
        );
    }
    let ggf = ReadOptions { format: Some("ggf"), ..ReadOptions::default() };
    for (text, expected) in [
        ("(;GM[Go];)", "column 6: GM[Go]: expected `Othello`"),
        ("(;PB[a];)", "column 1: no GM: expected `GM[Othello]`"),
        ("(;GM[Othello];)", "column 1: no BO: expected the board"),
        ("(;GM[Othello]BO[8 ---- *];)", "column 17: BO[8 ---- *]: expected `8`, 64 squares"),
        ("(;GM[Othello]BO[7 ---- *];)", "column 17: BO[7 ---- *]: expected a board that begins with its size"),
        ("(;GM[Othello]BO[10 ---- *];)", "column 17: BO[10 ---- *]: expected `10`, 100 squares"),
        ("(;GM[Othello]BO[];)", "column 17: BO[]: expected a board that begins with its size"),
        ("(;GM[Othello]", "column 14: the end: expected a property"),
        ("2 (;GM[Othello];)(;GM[Othello];)", "column 18: 2 games: expected one"),
        ("(;GM[Othello];) x", "column 1: no BO: expected the board"),
        ("(;GM[Othello];)(;GM[Othello];)", "column 16: 2 games: expected one"),
        ("", "column 1: expected a game"),
        ("f5d6", "column 1: `f5d6`: expected a game that begins with `(;`"),
        ("12. f5", "column 1: `12. f5`: expected a game that begins with `(;`"),
        ("(", "column 1: `(`: expected a game that begins with `(;`"),
    ] {
        let refusal = refusal(&ggf, text);
        assert!(refusal.starts_with(&format!("ggf, line 1, {expected}")), "{text}: {refusal}");
    }
    // Texts that are not meant as GGF are not taken for it.
    for text in ["", "f5d6", "12. f5", "("] {
        assert!(!CATALOG.is_record("reversi", text), "{text}");
    }
}

/// A line of play from the start or from a position on the way, with numbers beside some moves.
fn line(seed: u64, skipped: usize, length: usize, numbers: &[Option<f64>]) -> (Option<String>, Vec<RecordedMove>) {
    let (mut session, mut rng) =
        (CATALOG.open("reversi", Setup::default()).expect("it is on offer"), Rng::new(seed, 0));
    let mut begin = None;
    let mut moves = Vec::new();
    for index in 0..skipped + length {
        if index == skipped && index > 0 {
            begin = Some(session.text());
        }
        let legal = session.legal_moves();
        if legal.is_empty() {
            break;
        }
        let (mv, side) = (legal[rng.below(legal.len() as u32) as usize].clone(), Some(session.turn()));
        session.play(&mv).expect("it is legal");
        if index >= skipped {
            let number = |offset: usize| numbers.get((index + offset) % numbers.len().max(1)).copied().flatten();
            let (margin, seconds) = (number(0), number(1).map(f64::abs));
            moves.push(RecordedMove { side, margin, seconds, ..RecordedMove::new(mv) });
        }
    }
    (begin, moves)
}

fn clock() -> impl Strategy<Value = Clock> {
    let time = || prop_oneof![Just(0), 0..100_000_000u64].prop_map(Duration::from_millis);
    (time(), time(), time()).prop_map(|(main, increment, grace)| Clock { main, increment, grace })
}

fn result() -> impl Strategy<Value = RecordedResult> {
    let early = prop::option::of(prop::sample::select(vec![EarlyEnd::Resigned, EarlyEnd::Timeout, EarlyEnd::Agreed]));
    (-64.0..=64.0, early).prop_map(|(margin, early)| RecordedResult { early, ..RecordedResult::of_margin(margin) })
}

proptest! {
    #[test]
    fn written_games_read_back_the_same(
        texts in prop::array::uniform4(prop::option::of("[^\\]\\p{Cc}]{0,12}")),
        ratings in prop::array::uniform2(prop::option::of(-3000.0..3000.0)),
        clocks in prop::array::uniform2(prop::option::of(clock())),
        result in prop::option::of(result()),
        (seed, skipped, length) in (any::<u64>(), 0..70usize, 0..70usize),
        numbers in prop::collection::vec(prop::option::of(prop_oneof![-64.0..64.0, any::<f64>().prop_filter("a number", |x| x.is_finite())]), 0..9),
    ) {
        let [place, date, black, white] = texts;
        let (position, moves) = line(seed, skipped, length, &numbers);
        let players = [black, white];
        let ratings = ratings.map(|rating: Option<f64>| rating.map(|rating| rating.to_string()));
        let record = Record { place, date, players, ratings, clocks, position, moves, result, ..Record::default() };
        let played: Played = CATALOG.play_record("reversi", None, record).expect("it is a game");
        let text = write(&played, "ggf");
        prop_assert_eq!(&read(&text).record, &played.record, "{}", text);
    }
}
