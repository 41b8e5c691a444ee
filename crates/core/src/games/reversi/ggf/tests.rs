//! GGF is read as servers and programs write it, refused by the field that is wrong, and read back as it was written.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::rng::Rng;

const BOARD: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

/// A game with these properties before the board, and these moves.
fn game(properties: &str, moves: &str) -> Result<Record, Malformed> {
    read(&format!("(;GM[Othello]{properties}{BOARD}{moves};)")).expect("it is GGF")
}

#[test]
fn a_servers_record_is_read() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[2010.10.17_05:23:05.MDT]PB[hercule]PW[scorp+]RB[2082.33]RW[1669.67]\
        TI[10:00//02:00]TY[8]RE[+6.000:t]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
        B[D3//3.95]W[c5/-18.40/0.10]B[E6/2];)\n";
    let record = read(text).expect("it is GGF").expect("it is right");
    assert_eq!(record.place.as_deref(), Some("GGS/os"));
    assert_eq!(record.players, [Some("hercule".to_owned()), Some("scorp+".to_owned())]);
    assert_eq!((record.ratings, record.position), ([Some(2082.33), Some(1669.67)], None));
    let clock = Clock { main: Duration::from_secs(600), grace: Duration::from_secs(120), ..Clock::default() };
    assert_eq!(record.clocks, [Some(clock); 2]);
    assert_eq!(record.result, Some(RecordedResult { margin: 6.0, early: Some(EarlyEnd::Timeout) }));
    let moves: Vec<_> = record.moves.iter().map(|mv| (mv.mv.as_str(), mv.margin, mv.seconds)).collect();
    assert_eq!(moves, [("d3", None, Some(3.95)), ("c5", Some(-18.4), Some(0.1)), ("e6", Some(2.0), None)]);
    let clocks = game("TB[05:00/00:01.5]TW[1:00:00//01:00]", "").expect("it is right").clocks;
    assert_eq!(clocks[0].map(|clock| clock.increment), Some(Duration::from_millis(1500)));
    assert_eq!(clocks[1].map(|clock| clock.main), Some(Duration::from_secs(3600)));
}

/// Black cannot turn the corner; White can turn the rest of the edge.
#[test]
fn passes_are_written_in_several_ways_or_left_out() {
    let before =
        |moves: &str| read(&format!("(;GM[Othello]BO[8 O******-{} *]{moves};)", "-".repeat(56))).expect("it is GGF");
    let passed = before("B[PA]W[h1]").expect("it is right");
    assert_eq!(passed.moves, [RecordedMove::new("pass"), RecordedMove::new("h1")]);
    for moves in ["B[pass]W[h1]", "B[Pa]W[H1]", "W[h1]"] {
        assert_eq!(before(moves).as_ref(), Ok(&passed), "{moves}");
    }
    let refusal = before("W[h2]").expect_err("it is refused");
    assert_eq!(refusal, wrong("W", "h2", "expected an empty square that turns at least one disc"));
}

#[test]
fn what_is_wrong_names_the_field_and_what_was_expected() {
    for (properties, moves, expected) in [
        ("TY[10]", "", "TY[10]: expected a board of size 8"),
        ("TY[8a]", "", "TY[8a]: expected a game that more discs win"),
        ("TI[soon]", "", "TI[soon]: expected `MAIN/INCREMENT/GRACE`"),
        ("TB[1:2:3:4]", "", "TB[1:2:3:4]: expected"),
        ("TI[-5]", "", "TI[-5]: expected"),
        ("TI[1e300]", "", "TI[1e300]: expected"),
        ("RB[x]", "", "RB[x]: expected a rating"),
        ("RE[black]", "", "RE[black]: expected Black's margin"),
        ("RE[+2:x]", "", "RE[+2:x]: expected Black's margin"),
        ("PB[a]PB[b]", "", "PB[b]: expected this property once"),
        ("", "W[d3]", "W[d3]: Black is to move"),
        ("", "B[d3]B[c3]", "B[c3]: White is to move"),
        ("", "B[d9]", "B[d9]: expected a column letter a..h"),
        ("", "B[a1]", "B[a1]: expected an empty square"),
        ("", "B[PA]", "B[PA]: a side that can turn a disc may not pass"),
        ("", "B[d3/x]", "B[d3/x]: expected `MOVE/EVALUATION/SECONDS`"),
        ("", "B[d3/inf]", "B[d3/inf]: expected `MOVE/EVALUATION/SECONDS`"),
        ("", "B[d3/1/2/3]", "B[d3/1/2/3]: expected `MOVE/EVALUATION/SECONDS`, and no more"),
        ("", "B[d3", "`B[d3;)`: expected `]`"),
        ("", "d3", "`d3;)`: expected a property"),
    ] {
        let refusal = game(properties, moves).expect_err("it is refused").to_string();
        assert!(refusal.starts_with(expected), "{properties}{moves}: {refusal}");
    }
    for (text, expected) in [
        ("(;GM[Go];)", "GM[Go]: expected `Othello`"),
        ("(;PB[a];)", "no GM: expected `GM[Othello]`"),
        ("(;GM[Othello];)", "no BO: expected the board"),
        ("(;GM[Othello]BO[8 ---- *];)", "BO[8 ---- *]: expected `8`, 64 squares"),
        ("(;GM[Othello]BO[];)", "BO[]: expected `8`, 64 squares"),
        ("(;GM[Othello]", "the end: expected a property"),
        ("2 (;GM[Othello];)(;GM[Othello];)", "2 games: expected one"),
        ("(;GM[Othello];)(;GM[Othello];)", "`(;GM[Othello];)` after `;)`: expected one game"),
    ] {
        let refusal = read(text).expect("it is GGF").expect_err("it is refused").to_string();
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
    for text in ["", "f5d6", "12. f5", "("] {
        assert_eq!(read(text), None, "{text}");
    }
}

/// A line of play from the start or from a position on the way, with numbers beside some moves.
fn line(seed: u64, skipped: usize, length: usize, numbers: &[Option<f64>]) -> (Option<String>, Vec<RecordedMove>) {
    let (mut position, mut rng) = (Reversi::start(&ReversiVariant::default()), Rng::new(seed, 0));
    let mut begin = None;
    let mut moves = Vec::new();
    for index in 0..skipped + length {
        if index == skipped && index > 0 {
            begin = Some(position.to_string());
        }
        if position.outcome().is_some() {
            break;
        }
        let mv = position.random_move(&mut rng);
        position.play(mv);
        if index >= skipped {
            let number = |offset: usize| numbers.get((index + offset) % numbers.len().max(1)).copied().flatten();
            moves.push(RecordedMove { mv: mv.to_string(), margin: number(0), seconds: number(1).map(f64::abs) });
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
    (-64.0..=64.0, early).prop_map(|(margin, early)| RecordedResult { margin, early })
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
        let record = Record { place, date, players: [black, white], ratings, clocks, position, moves, result };
        let text = write(&record).expect("it can be written");
        prop_assert_eq!(read(&text).expect("it is GGF"), Ok(record), "{}", text);
    }
}
