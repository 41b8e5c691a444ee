//! Gomoku: the rules against slow ones, forbidden points against public and own cases, swap2, wins by fours and by
//! threats, both searches, and a slow proof of what they claim.

mod claims;
mod grid;
mod negamax;
mod problems;
mod proofs;
mod proven;
mod renju;
mod rules;
mod searches;
mod slow;
mod swap2;
mod vcf;
mod vct;
mod zone;

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{Gomoku, GomokuVariant};

/// Wide enough for every size.
type Any = Gomoku<130>;

fn variant(json: &str) -> GomokuVariant {
    serde_json::from_str(json).expect("the variant is valid")
}

/// A variant by its name, on a board of this size.
fn named(name: &str, size: i32) -> GomokuVariant {
    variant(&format!(r#"{{"name":"{name}","size":{size}}}"#))
}

#[track_caller]
fn parse(variant: &GomokuVariant, text: &str) -> Any {
    Any::parse(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A position from the start by a line of moves.
#[track_caller]
fn after(variant: &GomokuVariant, line: &str) -> Any {
    let mut position = Any::start(variant);
    position.replay(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    position
}
