//! Written records read back the same, in every format: random games with random words, and public ones.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tesuji_core::catalog::{MOVES, Played, ReadOptions, Setup};
use tesuji_core::position::Side;
use tesuji_core::record::{Clock, EarlyEnd, Record, RecordedMove, RecordedResult};
use tesuji_core::rng::Rng;

use super::{CATALOG, write};
use crate::data::public;

/// A game of random moves, from the start or from a position on the way.
fn line(game: &str, variant: &Value, seed: u64, skipped: usize, length: usize) -> (Option<String>, Vec<RecordedMove>) {
    let setup = Setup { variant: Some(variant), ..Setup::default() };
    let (mut session, mut rng) = (CATALOG.open(game, setup).expect("it is on offer"), Rng::new(seed, 0));
    let (mut begin, mut moves) = (None, Vec::new());
    for index in 0..skipped + length {
        if index == skipped && index > 0 {
            begin = Some(session.board());
        }
        let legal = session.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = &legal[rng.below(legal.len() as u32) as usize];
        session.play(mv).expect("it is legal");
        if index >= skipped {
            moves.push(RecordedMove::new(mv));
        }
    }
    (begin, moves)
}

/// Reads a written game.
fn again(played: &Played, format: &str) -> Played {
    let text = write(played, format);
    let variant = played.session.view().variant;
    let asked = ReadOptions { game: Some(&*played.game), variant: Some(&variant), format: Some(format), number: None };
    CATALOG.read_record(&text, &asked).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// The parts of a record that a format keeps.
fn kept(record: &Record, format: &str) -> Record {
    let mut kept = record.clone();
    let is_pgn = format.starts_with("pgn");
    for mv in &mut kept.moves {
        mv.margin = mv.margin.filter(|_| format == "ggf");
        mv.seconds = mv.seconds.filter(|_| ["ggf", "psq"].contains(&format));
        mv.seconds_left = mv.seconds_left.filter(|_| format == "sgf");
        mv.comment = mv.comment.take().filter(|_| is_pgn || format == "sgf");
    }
    if is_pgn || format == "sgf" {
        return kept;
    }
    let Record { position, moves, result, .. } = kept;
    let mut rest = Record { position, moves, ..Record::default() };
    if format == "ggf" {
        let Record { place, date, ratings, clocks, players, .. } = record.clone();
        let ratings = ratings.map(|rating| rating.filter(|rating| rating.parse::<f64>().is_ok()));
        // A value ends with the first `]`.
        let text = |text: Option<String>| text.map(|text| text.replace(']', ")"));
        let (place, date, players) = (text(place), text(date), players.map(text));
        rest = Record { place, date, ratings, clocks, players, ..rest };
        rest.result = result.filter(|result| result.margin.is_some() || result.winner.is_none());
    } else if format == "psq" {
        rest.players = record.players.clone();
    }
    rest
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[A-Za-z王天一\"\\\\;:(){\\[][ -z王天\\\\]{0,8}[a-z王]")
}

fn comment() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[!-z王][ -z王一\n]{0,12}[!-z王]")
}

fn result() -> impl Strategy<Value = Option<RecordedResult>> {
    let early = prop::sample::select(vec![EarlyEnd::Resigned, EarlyEnd::Timeout, EarlyEnd::Forfeited]);
    let won = (any::<bool>(), early).prop_map(|(first, early)| RecordedResult {
        winner: Some(if first { Side::First } else { Side::Second }),
        margin: None,
        early: Some(early),
    });
    prop::option::of(won)
}

const GAMES: [(&str, &str); 11] = [
    ("gomoku", r#"{"name":"renju"}"#),
    ("gomoku", r#"{"name":"caro","size":9}"#),
    ("gomoku", r#"{"size":22}"#),
    ("hex", r#"{"size":5}"#),
    ("reversi", "{}"),
    ("reversi", r#"{"size":6}"#),
    ("reversi", r#"{"size":10}"#),
    ("xiangqi", "{}"),
    ("xiangqi", r#"{"ranks":"from_one"}"#),
    ("connect-four", "{}"),
    ("dots-and-boxes", "{}"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn written_records_read_back_the_same(
        (game, seed) in (0..GAMES.len(), any::<u64>()),
        (skipped, length) in (prop_oneof![Just(0), 0..20usize], 0..60usize),
        texts in prop::array::uniform6(text()),
        ratings in prop::array::uniform2(prop::option::of(0..3000u16)),
        clock in prop::option::of((0..10_000_000u64, 0..10_000_000u64)),
        comments in prop::collection::vec(comment(), 1..5),
        numbers in prop::collection::vec(prop::option::of(-64.0..64.0), 1..7),
        result in result(),
    ) {
        let (game, variant) = (GAMES[game].0, serde_json::from_str(GAMES[game].1).expect("it is JSON"));
        let (position, mut moves) = line(game, &variant, seed, skipped, length);
        for (index, mv) in moves.iter_mut().enumerate() {
            let number = |offset: usize| numbers[(index + offset) % numbers.len()];
            mv.comment = comments[index % comments.len()].clone();
            // Whole milliseconds, as all formats have them.
            (mv.margin, mv.seconds_left) = (number(0), number(1).map(f64::abs));
            mv.seconds = number(2).map(|seconds: f64| (seconds.abs() * 1000.0).ceil() / 1000.0 + 0.001);
        }
        let time = Duration::from_millis;
        let clock = clock.map(|(main, increment)| Clock { main: time(main), increment: time(increment), ..Clock::default() });
        let [event, round, place, date, first, second] = texts;
        let record = Record {
            event, round, place, date, players: [first, second], clocks: [clock; 2], position, moves, result,
            ratings: ratings.map(|rating| rating.map(|rating| rating.to_string())),
            comment: comments[0].clone(),
        };
        let played = CATALOG.play_record(game, Some(&variant), record).expect("it is a game");
        for format in CATALOG.formats(game) {
            let cannot = format == "psq" && played.record.position.is_some()
                || format == MOVES && played.record.moves.is_empty() && played.record.position.is_none();
            if cannot {
                continue;
            }
            let again = again(&played, format);
            let mut record = kept(&played.record, format);
            let mut read = again.record.clone();
            // The seconds of a time in milliseconds come back as the nearest number.
            let round = |mv: &mut RecordedMove| mv.seconds = mv.seconds.map(|seconds| (seconds * 1000.0).round() / 1000.0);
            record.moves.iter_mut().for_each(round);
            read.moves.iter_mut().for_each(round);
            // Where the game ended, its result is known without the record.
            if again.session.outcome().is_some() {
                (record.result, read.result) = (None, None);
            }
            prop_assert_eq!(read, record, "{}: {}", format, write(&played, format));
            prop_assert_eq!(again.session.view().variant, played.session.view().variant);
        }
    }
}

/// Games that others have published, in place: each is read as a list of moves, and reads back from every format.
#[test]
fn public_games_survive_every_format() {
    let mut games: Vec<(&str, Value, String)> = Vec::new();
    for set in ["L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1"] {
        let text = public(&format!("connect-four/Test_{set}.txt")).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_whitespace().next());
        games.extend(lines.take(40).map(|line| ("connect-four", json!({}), line.to_owned())));
    }
    for (file, name) in
        [("freestyle15_short_300", "freestyle"), ("renju15_100", "renju"), ("standard15_100", "standard")]
    {
        let text = public(&format!("gomoku/openings/rapfi_opengen_{file}.txt")).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim().is_empty()).take(60);
        games.extend(lines.map(|line| ("gomoku", json!({ "name": name }), line.trim().to_owned())));
    }
    let text = public("xiangqi/openings.json").unwrap_or_else(|| "[]".to_owned());
    let openings: Vec<Vec<String>> = serde_json::from_str(&text).expect("it is JSON");
    games.extend(openings.into_iter().map(|moves| ("xiangqi", json!({"ranks": "from_one"}), moves.join(" "))));
    for (game, variant, text) in games {
        let asked = ReadOptions { game: Some(game), variant: Some(&variant), ..ReadOptions::default() };
        let played = CATALOG.read_record(&text, &asked).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        for format in CATALOG.formats(game) {
            assert_eq!(again(&played, format).record.moves, played.record.moves, "{format}: {text}");
        }
    }
}
