//! A correct game passes, and games that break one rule fail with its name.

use super::*;
use crate::{Outcome, Side, position};

position! {
    /// Players take one to three; the player who takes the last one wins.
    struct Nim {
        left: u8,
        turn: Side,
    }
}

/// Nim; a `FAULT` other than 0 breaks one rule.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Faulty<const FAULT: u8>(Nim);

impl<const FAULT: u8> Field for Faulty<FAULT> {
    const SIZE: usize = Nim::SIZE;

    fn write(&self, bytes: &mut [u8]) {
        self.0.write(bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let mut nim = Nim::read(bytes);
        nim.left -= u8::from(FAULT == 1 && nim.left == 5);
        Self(nim)
    }
}

impl<const FAULT: u8> Game for Faulty<FAULT> {
    const DESCRIPTION: &'static str = r#"{
        "name": "nim",
        "names": {"en": "Nim"},
        "parameters": [{"name": "left", "default": 9, "minimum": 1, "maximum": 99}],
        "variants": [{"name": "standard"}, {"name": "long", "left": 30}]
    }"#;

    fn start(variant: &Variant) -> Self {
        Self(Nim { left: variant.number("left") as u8, turn: Side::First })
    }

    fn turn(&self) -> Side {
        self.0.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0.left == 0).then_some(Outcome::Win(self.0.turn.other()))
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=u32::from(self.0.left.min(3)));
        moves.extend((FAULT == 2 && self.0.left == 4).then_some(1));
        moves.extend((FAULT == 3 && self.0.left == 0).then_some(1));
    }

    fn play(&mut self, mv: u32) {
        let taken = if FAULT == 4 { 0 } else { mv as u8 };
        *self = Self(Nim { left: self.0.left - taken, turn: self.0.turn.other() });
    }

    fn move_text(&self, mv: u32) -> String {
        if FAULT == 5 { format!("take {mv}") } else { mv.to_string() }
    }

    fn position_text(&self) -> String {
        format!("{} {}", self.0.left, self.0.turn as u8)
    }

    fn parse_position(_: &Self, text: &str) -> Result<Self, String> {
        let (left, turn) = text.split_once(' ').ok_or("expected two numbers")?;
        let turn = if turn == "0" || FAULT == 6 { Side::First } else { Side::Second };
        Ok(Self(Nim { left: left.parse().map_err(|_| "expected a number")?, turn }))
    }
}

#[test]
fn a_correct_game_passes() {
    check::<Faulty<0>>(500);
    let start = start::<Faulty<0>>(r#"{"left": 4}"#);
    // 111, 112, 121 and 211.
    assert_eq!(perft(&start, 3), 4);
    assert_eq!(variants::<Faulty<0>>()[1].number("left"), 30);
    assert_eq!(variants::<Faulty<0>>()[1].name(), "long");
}

#[test]
#[should_panic(expected = "the bytes of a position read back as another one")]
fn bytes_that_read_back_otherwise() {
    check::<Faulty<1>>(500);
}

#[test]
#[should_panic(expected = "`moves` gives a move twice")]
fn duplicate_moves() {
    check::<Faulty<2>>(500);
}

#[test]
#[should_panic(expected = "expected moves exactly while there is no outcome")]
fn moves_after_the_end() {
    check::<Faulty<3>>(500);
}

#[test]
#[should_panic(expected = "the text of a move is empty or has blanks")]
fn blanks_in_moves() {
    check::<Faulty<5>>(500);
}

#[test]
#[should_panic(expected = "reads back as another position")]
fn texts_that_read_back_otherwise() {
    check::<Faulty<6>>(500);
}

#[test]
#[should_panic(expected = "a game has not ended after 10000 moves")]
fn games_without_an_end() {
    let mut endless = start::<Faulty<4>>("{}");
    endless.play(1);
    assert_eq!(endless.0.left, 9);
    check::<Faulty<4>>(1);
}
