//! Facts for thin clients, beyond the legal moves.

use serde::Serialize;

use super::piece::{FILES, RANKS};
use super::{Xiangqi, notation};
use crate::games::Game;
use crate::position::Position;

/// The facts of a position that a thin client shows.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// Rows from Black's side; letters as in position texts, `.` for an empty crossing.
    cells: Vec<String>,
    in_check: bool,
    repetition: Repetition,
    no_capture: NoCapture,
    /// The legal moves in other notations, in the same order.
    notations: Vec<Notations>,
}

#[derive(Debug, Serialize)]
struct Repetition {
    /// How often the position has occurred, this time included.
    times: u32,
    /// Legal moves that would lose the game at once by perpetual check or chase.
    losing_moves: Vec<String>,
}

/// Progress towards the draw without captures.
#[derive(Debug, Serialize)]
struct NoCapture {
    plies: u32,
    limit: u32,
}

#[derive(Debug, Serialize)]
struct Notations {
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
}

impl Facts {
    pub(super) fn of(position: &Xiangqi) -> Self {
        let row = |rank| (0..FILES).map(|file| position.letter(file, rank)).collect();
        let resumed = position.resumed();
        let playable = resumed.as_ref().unwrap_or(position);
        let loses = |mv: &super::Step| {
            let mut next = playable.clone();
            next.play(*mv);
            next.offender().is_some_and(|(side, _)| side == position.turn())
        };
        let moves: Vec<_> = if playable.outcome().is_some() { Vec::new() } else { playable.moves().collect() };
        let (plies, limit) = position.no_capture();
        let notations = moves.iter().map(|&mv| Notations {
            mv: position.write_move(mv),
            chinese: notation::chinese(&position.board, mv),
            wxf: notation::wxf(&position.board, mv),
        });
        Self {
            cells: (0..RANKS).rev().map(row).collect(),
            in_check: position.safety.in_check,
            repetition: Repetition {
                times: position.occurrences,
                losing_moves: moves.iter().filter(|mv| loses(mv)).map(|&mv| position.write_move(mv)).collect(),
            },
            no_capture: NoCapture { plies, limit },
            notations: notations.collect(),
        }
    }
}
