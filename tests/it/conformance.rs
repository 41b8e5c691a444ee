//! The rules of conformance, checked over random games of every game and variant.

use std::fmt::{self, Display};

use serde::Deserialize;
use serde_json::{Value, json};
use tesuji_core::bits::Wide;
use tesuji_core::catalog::Catalog;
use tesuji_core::conformance::{self, Violation};
use tesuji_core::games::connect_four::{ConnectFour, Custom, Standard};
use tesuji_core::games::{
    self, Description, Game, GameList, Geometry, Notation, SideNames, SingleVariant, Translated, Variant,
};
use tesuji_core::notation::{Malformed, split_side};
use tesuji_core::parallel;
use tesuji_core::position::{Outcome, Position, Side};
use tesuji_core::rng::Rng;

use crate::data;

/// Plies of random play per variant.
const PLIES: u32 = 100_000;

#[path = "../../examples/breakthrough.rs"]
#[expect(dead_code, reason = "its `main` serves the game")]
mod breakthrough;

#[test]
fn the_example_conforms() {
    conformance::check::<breakthrough::Breakthrough>(&SingleVariant::default(), PLIES).expect("it conforms");
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
    fn add<G: Game<Variant: Variant>>(&mut self) {
        let variant: Option<G::Variant> =
            (G::NAME == self.case.game).then(|| serde_json::from_value(self.case.variant.clone()).expect("a variant"));
        let Some(variant) = variant.filter(|variant| G::plays(variant) && (self.types == 0 || self.case.all_types))
        else {
            return;
        };
        self.types += 1;
        if let Err(violation) = conformance::check::<G>(&variant, PLIES) {
            panic!("{} {}: {violation}", self.case.game, self.case.variant);
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

/// A game with one fault: a counter of stones, of which a player takes one or two; the last one wins.
#[derive(Clone)]
struct Faulty<const FAULT: u8> {
    stones: u32,
    turn: Side,
}

const DUPLICATE: u8 = 1;
const NO_OUTCOME: u8 = 2;
const WRONG_TEXT: u8 = 3;
const SAME_KEY: u8 = 4;
const UNFAIR: u8 = 5;
const ENDLESS: u8 = 6;

impl<const FAULT: u8> Display for Faulty<FAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stones, self.turn)
    }
}

impl<const FAULT: u8> Position for Faulty<FAULT> {
    type Move = u32;

    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        0
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0 && FAULT != NO_OUTCOME).then(|| Outcome::win(self.turn.other(), "last_stone"))
    }

    fn moves(&self) -> impl Iterator<Item = u32> {
        (1..=self.stones.min(2)).chain((FAULT == DUPLICATE && self.stones == 3).then_some(2))
    }

    fn play(&mut self, taken: u32) {
        self.stones = if FAULT == ENDLESS && self.stones < 4 { 9 } else { self.stones - taken };
        self.turn = self.turn.other();
    }

    fn key(&self) -> u64 {
        u64::from(if FAULT == SAME_KEY { self.stones / 2 } else { self.stones }) * 2 + self.turn.index() as u64
    }

    fn random_move(&self, rng: &mut Rng) -> u32 {
        let count = self.stones.min(2);
        if FAULT == UNFAIR { 1 } else { 1 + rng.below(count) }
    }
}

const NAMELESS: Translated = Translated { en: "", zh: "" };

impl<const FAULT: u8> Game for Faulty<FAULT> {
    const NAME: &'static str = "faulty";
    const DESCRIPTION: Description = Description {
        names: NAMELESS,
        sides: SideNames { first: NAMELESS, second: NAMELESS },
        how_to_play: NAMELESS,
        notation: Notation { position: "", position_example: "", moves: "", moves_example: &[] },
        geometry: Geometry::Cells,
        rules: "",
    };
    type Variant = SingleVariant;
    type Facts = ();

    fn start(_: &SingleVariant) -> Self {
        Self { stones: 15, turn: Side::First }
    }

    fn parse(_: &SingleVariant, text: &str) -> Result<Self, Malformed> {
        let (stones, turn) = split_side(text, ["first", "second"])?;
        let stones = stones.parse().map_err(|_| Malformed::new("expected a number of stones"))?;
        Ok(Self { stones: if FAULT == WRONG_TEXT && stones == 7 { 8 } else { stones }, turn })
    }

    fn facts(&self) {}
}

fn violation<const FAULT: u8>() -> Violation {
    conformance::check::<Faulty<FAULT>>(&SingleVariant::default(), 10_000).expect_err("it has a fault")
}

/// A broken rule is reported with the moves that lead to it.
#[test]
fn what_breaks_a_rule_is_reported_with_its_line() {
    assert_eq!(conformance::check::<Faulty<0>>(&SingleVariant::default(), 10_000), Ok(()));
    let duplicate = violation::<DUPLICATE>();
    assert_eq!(duplicate.problem, "the move 2 comes twice");
    let mut replayed = Faulty::<DUPLICATE>::start(&SingleVariant::default());
    replayed.replay(&duplicate.line.join(" ")).expect("its moves are legal");
    assert_eq!((replayed.stones, replayed.to_string()), (3, duplicate.position));
    assert_eq!(violation::<NO_OUTCOME>().problem, "it has neither an outcome nor moves");
    assert!(violation::<WRONG_TEXT>().problem.starts_with("its text, read back, is printed as `8 "));
    assert!(violation::<SAME_KEY>().problem.starts_with("it shares its key with"));
    assert!(violation::<UNFAIR>().problem.starts_with("random moves are not equally likely"));
    assert_eq!(violation::<ENDLESS>().problem, "the game has not ended after 100000 plies");
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
