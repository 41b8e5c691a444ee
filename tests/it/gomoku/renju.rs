//! Renju's forbidden points: public cases, the project's own, and random boards judged slowly.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{Colour, Point, forbidden_points};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;

use super::slow::{Board, Referee, name};
use super::{Any, named};
use crate::data;

type Kinds = BTreeMap<String, String>;

/// The forbidden points by the rules under test.
fn fast(board: &Board) -> Kinds {
    let colour = |letter| if letter == 'x' { Colour::Black } else { Colour::White };
    let at = |(column, row)| Point::new(column as u32, row as u32);
    let stones = board.points().filter_map(|point| Some((at(point), colour(board.get(point)?))));
    let word = |kind| serde_json::to_value(kind).expect("kinds are JSON").as_str().expect("kinds are words").to_owned();
    let found = forbidden_points(board.size() as u8, stones);
    found.into_iter().map(|(at, kind)| (at.to_string(), word(kind))).collect()
}

fn slow(board: &Board, referee: Referee) -> Kinds {
    board.forbidden(referee).into_iter().map(|(point, kind)| (name(point), kind.to_owned())).collect()
}

/// The kind of a foul, however it is spelt: `double-three`, `DoubleThree`.
fn kind(text: &str) -> String {
    let mut kind = String::new();
    for letter in text.replace('-', "_").chars() {
        if letter.is_ascii_uppercase() && !kind.is_empty() {
            kind.push('_');
        }
        kind.push(letter.to_ascii_lowercase());
    }
    kind
}

fn column_and_number(point: &str) -> (i32, i32) {
    let (letter, digits) = point.split_at(1);
    (i32::from(letter.as_bytes()[0] - b'a'), digits.parse().expect("a point ends with a number"))
}

#[derive(Deserialize)]
struct Public {
    rows_from_15: Vec<String>,
    black: String,
    /// All forbidden points, complete.
    #[serde(alias = "all_forbidden")]
    forbidden: Option<BTreeMap<String, String>>,
    /// Points that a referee without recursion forbids wrongly.
    #[serde(default)]
    false_forbidden_for_naive: Vec<String>,
    /// One point with its kind, or `None`.
    point: Option<String>,
    expected: Option<Value>,
    #[serde(default)]
    expect: Vec<Expectation>,
}

#[derive(Deserialize)]
struct Expectation {
    point: String,
    forbidden: bool,
    /// What happens before: whether a stone is added or taken away, its colour (`X` is Black), and its point as the source
    /// writes it: rows from the top, counted from 0.
    after: Vec<(String, String, String)>,
}

impl Public {
    /// The board with Black as `x`.
    fn board(&self) -> Board {
        let white = if self.black == "x" { "o" } else { "x" };
        let row = |row: &String| row.replace(&self.black, "B").replace(white, "W").replace('B', "x").replace('W', "o");
        let rows: Vec<String> = self.rows_from_15.iter().map(row).collect();
        Board::of_rows(rows.iter().map(String::as_str))
    }
}

#[test]
fn public_cases_are_judged_as_published() {
    for file in ["alphagomoku_renju", "forbidden_generated", "mintaka_forbidden", "quintet_forbidden"] {
        let Some(text) = data::public(&format!("gomoku/renju_{file}.jsonl")) else { continue };
        for line in text.lines().skip(1) {
            let case: Public = serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
            let board = case.board();
            let found = fast(&board);
            if let Some(forbidden) = &case.forbidden {
                let all: Kinds = forbidden.iter().map(|(at, word)| (at.to_ascii_lowercase(), kind(word))).collect();
                assert_eq!(found, all, "{line}");
            }
            for point in &case.false_forbidden_for_naive {
                assert!(!found.contains_key(&point.to_ascii_lowercase()), "{point}: {line}");
            }
            if let Some(point) = &case.point {
                let expected = case.expected.as_ref().and_then(Value::as_str).map(kind);
                assert_eq!(found.get(&point.to_ascii_lowercase()), expected.as_ref(), "{line}");
            }
            for Expectation { point, forbidden, after } in &case.expect {
                let mut changed = board.clone();
                for (what, letter, at) in after {
                    let (column, row_from_top) = column_and_number(at);
                    let row = 14 - row_from_top;
                    let letter = letter.to_ascii_lowercase().chars().next();
                    changed.0[row as usize][column as usize] = letter.filter(|_| what == "add_move");
                }
                let is_forbidden = fast(&changed).contains_key(&point.to_ascii_lowercase());
                assert_eq!(is_forbidden, *forbidden, "{point} after {after:?}: {line}");
            }
        }
    }
}

#[derive(Deserialize)]
struct Own {
    rows: String,
    forbidden: Kinds,
}

/// `tests/data/renju.jsonl`: boards that simpler referees would judge wrongly.
#[test]
fn own_cases_are_judged_as_stored() {
    let cases = data::own::<Own>("renju.jsonl");
    let mut wrong = [0; 3];
    for Own { rows, forbidden } in &cases {
        let board = Board::of_rows(rows.split('/'));
        assert_eq!(&fast(&board), forbidden, "{rows}");
        assert_eq!(&slow(&board, Referee::Exact), forbidden, "{rows}");
        wrong[0] += usize::from(&slow(&board, Referee::FiveAtTheSameTime) != forbidden);
        wrong[1] += usize::from(&slow(&board, Referee::Naive) != forbidden);
        wrong[2] += usize::from(&slow(&board, Referee::Shallow) != forbidden);
    }
    assert!(cases.len() >= 50 && wrong[0] >= 8 && wrong[1] >= 20 && wrong[2] >= 8, "{} cases, {wrong:?}", cases.len());
}

/// A random board: stones in clumps, so that threes and fours come up.
fn random_board(rng: &mut Rng, size: u32) -> Board {
    let mut board = Board(vec![vec![None; size as usize]; size as usize]);
    let centre = (rng.below(size) as i32, rng.below(size) as i32);
    let (spread, density, black) = (2 + rng.below(size), 10 + rng.below(50), 30 + rng.below(65));
    for point in board.points() {
        let near = (point.0 - centre.0).abs().max((point.1 - centre.1).abs()) <= spread as i32;
        if near && rng.below(100) < density {
            board = board.with(point, if rng.below(100) < black { 'x' } else { 'o' });
        }
    }
    board
}

#[test]
fn random_boards_are_judged_as_by_the_slow_judge() {
    let mut rng = Rng::new(1, 0);
    for round in 0..400u32 {
        let size = if round % 3 == 0 { 15 } else { 5 + round % 18 };
        let board = random_board(&mut rng, size);
        assert_eq!(fast(&board), slow(&board, Referee::Exact), "{}", board.text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_board_is_judged_as_by_the_slow_judge(
        cells in prop::collection::vec(prop::sample::select(vec![None, None, None, Some('x'), Some('x'), Some('o')]), 121),
    ) {
        let board = Board(cells.chunks(11).map(<[_]>::to_vec).collect());
        prop_assert_eq!(fast(&board), slow(&board, Referee::Exact));
    }
}

/// Black's moves are all points but the forbidden ones, in the order of the rules; these are accepted and lose.
#[test]
fn forbidden_points_are_no_moves_and_lose() {
    let variant = named("renju", 15);
    let mut rng = Rng::new(3, 0);
    let mut fouls = BTreeMap::new();
    for _ in 0..150 {
        let mut position = Any::start(&variant);
        while position.outcome().is_none() {
            let forbidden: Kinds = serde_json::from_value::<Vec<Value>>(
                serde_json::to_value(position.facts()).expect("JSON")["forbidden"].clone(),
            )
            .expect("a list")
            .iter()
            .map(|entry| {
                (
                    entry["point"].as_str().expect("a text").to_owned(),
                    entry["kind"].as_str().expect("a text").to_owned(),
                )
            })
            .collect();
            let black = position.ply().is_multiple_of(2);
            let moves: Vec<String> = position.moves().map(|mv| mv.to_string()).collect();
            assert_eq!(position.count_moves(), moves.len() as u64);
            for (point, kind) in &forbidden {
                assert_eq!(moves.contains(point), !black);
                let mut next = position.clone();
                let mv = next.parse_move(point).expect("fouls are accepted");
                next.play(mv);
                if black {
                    let outcome = next.outcome().expect("a foul ends the game");
                    assert_eq!(outcome.reason, format!("{kind}_forbidden"));
                    assert_eq!(outcome.winner.map(|side| side.to_string()).as_deref(), Some("second"));
                    let offence = next.offence().expect("there is one");
                    assert_eq!(
                        (offence.side.to_string().as_str(), offence.pieces[0].square.as_str()),
                        ("first", point.as_str())
                    );
                    let again = super::parse(&variant, &next.to_string());
                    assert_eq!(
                        (again.to_string(), again.outcome(), again.key()),
                        (next.to_string(), next.outcome(), next.key())
                    );
                    assert_ne!(
                        next.key(),
                        super::parse(&variant, next.to_string().rsplit_once(' ').expect("a word").0).key()
                    );
                    *fouls.entry(kind.clone()).or_insert(0) += 1;
                }
            }
            if black {
                assert_eq!(moves.len() + forbidden.len(), 225 - position.ply() as usize);
            }
            position.play(position.random_move(&mut rng));
        }
    }
    assert!(fouls.len() == 3 && fouls.values().all(|&count| count >= 10), "{fouls:?}");
}
