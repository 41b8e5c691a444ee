//! What every game must keep, checked over random games of every game and variant.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tesuji_core::bits::Wide;
use tesuji_core::catalog::Catalog;
use tesuji_core::games::connect_four::{ConnectFour, Custom, Standard};
use tesuji_core::games::{self, Game, GameList, Variant};
use tesuji_core::parallel;
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;

use crate::data;

/// Plies of random play per variant.
const PLIES: u32 = 100_000;
/// Of these, how many are checked in every way from the start on; of the others every [`SAMPLE`]th.
const THOROUGH: u32 = 2_000;
/// See [`THOROUGH`].
const SAMPLE: u32 = 32;

/// How often a random game is played on after an adjudication.
const RESUMPTIONS: u32 = 3;

/// Plays random games of a variant and checks the positions on the way.
fn conformance<G: Game>(variant: &G::Variant) {
    variant.check().expect("the variant is in range");
    let mut rng = Rng::new(2026, 0);
    let mut seen = HashMap::new();
    let mut plies = 0;
    while plies < PLIES {
        let mut position = G::start(variant);
        check_position(variant, &position, &mut seen);
        let mut resumptions = 0;
        loop {
            if position.outcome().is_some() {
                match position.resumed().filter(|_| resumptions < RESUMPTIONS) {
                    Some(resumed) => {
                        assert_eq!(resumed.to_string(), position.to_string());
                        assert_eq!(resumed.outcome(), None, "{position}: play goes on");
                        position = resumed;
                        resumptions += 1;
                    }
                    None => break,
                }
            }
            assert!(position.resumed().is_none(), "{position}: nothing has been adjudicated");
            let mv = position.random_move(&mut rng);
            assert!(position.moves().any(|legal| legal == mv), "{position}: random move {mv} is not legal");
            position.play(mv);
            plies += 1;
            let over = position.outcome().is_some();
            assert_eq!(position.moves().next().is_none(), over, "{position}");
            if plies < THOROUGH || plies % SAMPLE == 0 {
                check_position(variant, &position, &mut seen);
            }
        }
        check_position(variant, &position, &mut seen);
    }
}

fn check_position<G: Game>(variant: &G::Variant, position: &G, seen: &mut HashMap<u64, String>) {
    let moves: Vec<G::Move> = position.moves().collect();
    let outcome = position.outcome();
    assert_eq!(moves.is_empty(), outcome.is_some(), "{position}");
    assert_eq!(position.count_moves(), moves.len() as u64, "{position}");
    for (index, mv) in moves.iter().enumerate() {
        assert!(!moves[..index].contains(mv), "{position}: {mv} twice");
        assert_eq!(position.parse_move(&position.write_move(*mv)).as_ref(), Ok(mv), "{position}");
    }
    if let Some(outcome) = outcome {
        let score = outcome.score();
        assert!(score.abs() <= position.score_limit(), "{position}");
        assert_eq!(outcome.margin.is_some(), G::POINTS, "{position}");
        let winner = match score.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        };
        assert_eq!(outcome.winner, winner, "{position}");
    }
    // Printing, then parsing, is the identity; a parsed position plays on as the original.
    let text = position.to_string();
    let parsed = G::parse(variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(parsed.to_string(), text);
    assert_eq!(parsed.turn(), position.turn(), "{text}");
    // Where the past decides things, a text may tell less than the position knew.
    if !G::HISTORY || (parsed.outcome().is_none() && outcome.is_none()) {
        assert_eq!(parsed.outcome(), outcome, "{text}");
        assert!(parsed.moves().eq(moves), "{text}");
    }
    // Equal positions have equal keys; among these few thousand no two others may. Clocks need not be in the key.
    let seen_as = if G::HISTORY {
        text.split(' ').take(2).collect::<Vec<_>>().join(" ")
    } else {
        assert_eq!(parsed.key(), position.key(), "{text}");
        text
    };
    assert_eq!(seen.entry(position.key()).or_insert_with(|| seen_as.clone()), &seen_as, "two positions with one key");
    assert!(!position.draw().is_empty());
}

/// A finished game refuses every move that was legal before, and says why.
fn finished_games_refuse<G: Game>() {
    let mut rng = Rng::new(7, 0);
    let mut position = G::start(&G::Variant::default());
    let mut last = None;
    while position.outcome().is_none() {
        let mv = position.random_move(&mut rng);
        position.play(mv);
        last = Some(mv);
    }
    let refused = position.parse_move(&last.expect("a game has moves").to_string());
    assert!(refused.is_err_and(|error| error.problem == "the game is over"));
}

/// Each legal move comes up about equally often: chi-squared, at a threshold that one in a million fair runs exceeds.
fn random_moves_are_fair<G: Game>() {
    let mut rng = Rng::new(99, 0);
    let mut position = G::start(&G::Variant::default());
    for _ in 0..6 {
        let moves: Vec<G::Move> = position.moves().collect();
        let rounds = 1000 * moves.len();
        let mut counts = vec![0u32; moves.len()];
        for _ in 0..rounds {
            let mv = position.random_move(&mut rng);
            counts[moves.iter().position(|legal| *legal == mv).expect("random moves are legal")] += 1;
        }
        let chi_squared: f64 = counts.iter().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
        let freedom = (moves.len() - 1) as f64;
        assert!(chi_squared < freedom + 7.0 * (2.0 * freedom).sqrt() + 12.0, "{position}: {chi_squared:.1}");
        position.play(moves[0]);
    }
}

/// One variant of a game on which the suite runs.
#[derive(Deserialize)]
struct Case {
    game: String,
    variant: Value,
    /// Whether every type that plays the variant is tried, and not only the one that the catalog takes.
    #[serde(default)]
    all_types: bool,
}

/// Runs the suite on a case, for the types that play it.
struct Suite<'a> {
    case: &'a Case,
    types: u32,
}

impl GameList for Suite<'_> {
    fn add<G: Game>(&mut self) {
        let variant: Option<G::Variant> =
            (G::NAME == self.case.game).then(|| serde_json::from_value(self.case.variant.clone()).expect("a variant"));
        let Some(variant) = variant.filter(|variant| G::plays(variant) && (self.types == 0 || self.case.all_types))
        else {
            return;
        };
        self.types += 1;
        conformance::<G>(&variant);
        if variant == G::Variant::default() {
            finished_games_refuse::<G>();
            random_moves_are_fair::<G>();
        }
    }
}

/// `tests/data/variants.jsonl`: each game's default variant, and others that differ in what may go wrong.
#[test]
fn every_game_conforms() {
    let cases: Vec<Case> = data::own("variants.jsonl");
    for name in Catalog::standard().names() {
        let has_default = cases.iter().any(|case| case.game == name && case.variant == json!({}));
        assert!(has_default, "tests/data/variants.jsonl has no default variant of {name}");
    }
    parallel::map(cases, |case| {
        let mut suite = Suite { case: &case, types: 0 };
        games::all(&mut suite);
        assert!(suite.types > 0, "no type plays {} {}", case.game, case.variant);
    });
}

/// The standard Connect Four board and the general one of the same size play the same game.
#[test]
fn the_general_board_agrees_with_the_standard_one() {
    let variant = Default::default();
    let mut rng = Rng::new(5, 0);
    for _ in 0..200 {
        let mut standard = ConnectFour::<Standard>::start(&variant);
        let mut general = ConnectFour::<Custom<Wide<3>>>::start(&variant);
        while standard.outcome().is_none() {
            let mv = standard.random_move(&mut rng);
            standard.play(mv);
            general.play(mv);
            assert_eq!(standard.to_string(), general.to_string());
            assert_eq!(standard.outcome(), general.outcome());
        }
    }
}
