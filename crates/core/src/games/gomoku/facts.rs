//! Facts for thin clients: stones, forbidden points, the winning five, and the stage of swap2.

use serde::Serialize;

use super::lines::Colour;
use super::opening::Phase;
use super::renju::Foul;
use super::variant::Rule;
use super::{End, Gomoku, Move};
use crate::position::Side;

/// The facts of a position that a thin client shows.
#[derive(Debug, Serialize)]
pub struct Facts {
    cells: Vec<String>,
    forbidden: Option<Vec<Forbidden>>,
    five: Option<Vec<String>>,
    opening: Option<OpeningFacts>,
}

/// A point that Black may not take.
#[derive(Debug, Serialize)]
struct Forbidden {
    point: String,
    kind: Foul,
}

impl Facts {
    pub(super) fn of<const LINES: usize>(position: &Gomoku<LINES>) -> Self {
        let row = |row| (0..position.size()).map(|column| position.letter(column, row)).collect();
        let five = match position.end {
            Some(End::Five(colour)) => position.rule.find_five(&position.lines, colour),
            _ => None,
        };
        let five = five.map(|(at, direction, length)| {
            let start = if direction == 1 { at.row } else { at.column };
            (0..length).map(|step| at.along(direction, u32::from(start) + step).to_string()).collect()
        });
        let forbidden = position.forbidden().map(|(at, kind)| Forbidden { point: at.to_string(), kind });
        Self {
            cells: (0..position.size()).map(row).collect(),
            forbidden: (position.rule == Rule::Renju).then(|| forbidden.collect()),
            five,
            opening: position.is_swap2().then(|| OpeningFacts::of(position.phase, position.stones.into())),
        }
    }
}

/// The stage of swap2.
#[derive(Debug, Serialize)]
pub struct OpeningFacts {
    /// `opening`, `choose`, `place` or `play`.
    phase: &'static str,
    /// Who places stones or chooses next.
    side: Side,
    /// Who plays Black, once that is settled.
    black: Option<Side>,
    /// The available choices.
    choices: Vec<ChoiceFacts>,
}

/// A choice and its meaning.
#[derive(Debug, Serialize)]
struct ChoiceFacts {
    #[serde(rename = "move")]
    mv: String,
    meaning: &'static str,
}

impl OpeningFacts {
    pub(super) fn of(phase: Phase, stones: u32) -> Self {
        let black = if let Phase::Play { black, .. } = phase { Some(black) } else { None };
        let choice = |mv: &Move| ChoiceFacts {
            mv: mv.to_string(),
            meaning: match mv {
                Move::Take(Colour::Black) => "play Black; White is to move",
                Move::Take(Colour::White) => "play White, and move",
                _ => "place a white and a black stone; the first player then chooses",
            },
        };
        Self {
            phase: if black.is_some() { "play" } else { phase.word() },
            side: phase.turn(stones),
            black,
            choices: phase.choices(stones).iter().map(choice).collect(),
        }
    }
}
