//! The results of all functions of a game for a position.

use tesuji_core::custom::{Fault, MoveCells, Rules, State};
use tesuji_core::position::Outcome;

/// Maximum number of moves played per position.
const MOVES: usize = 16;
/// Seeds of the playouts from a position.
const SEEDS: [u64; 2] = [1, 0x9e37_79b9_7f4a_7c15];

/// Results of calls for a position.
pub(super) struct CallResults {
    pub state: State,
    /// The moves that led here, as texts.
    pub line: Vec<String>,
    pub text: String,
    pub moves: Vec<u32>,
    pub played: Vec<MoveResults>,
    pub cells: Vec<String>,
    pub symmetry: Option<u64>,
    pub value: i32,
    pub playouts: Vec<Option<Outcome>>,
}

/// Results of calls for a move.
pub(super) struct MoveResults {
    pub mv: u32,
    pub state: State,
    pub text: String,
    pub cells: MoveCells,
    pub priority: Option<i32>,
}

impl CallResults {
    pub fn of(rules: &dyn Rules, state: &State, evaluates: bool) -> Result<Self, Fault> {
        let position = &*state.bytes;
        let is_over = state.status.outcome.is_some();
        let mut moves = Vec::new();
        rules.moves(position, &mut moves)?;
        let play = |&mv: &u32| {
            Ok(MoveResults {
                mv,
                state: rules.play(position, mv)?,
                text: rules.write_move(position, mv)?,
                cells: rules.move_cells(position, mv)?,
                priority: if evaluates { rules.priority(position, mv)? } else { None },
            })
        };
        let played = if is_over { &[] } else { &*moves };
        let played = played.iter().step_by(moves.len().div_ceil(MOVES).max(1)).map(play).collect::<Result<_, _>>()?;
        let seeds = if is_over { &[][..] } else { &SEEDS };
        Ok(Self {
            state: state.clone(),
            line: Vec::new(),
            text: rules.write_position(position)?,
            moves,
            played,
            cells: rules.cells(position)?,
            symmetry: rules.symmetry(position)?,
            value: if evaluates && !is_over { rules.evaluate(position)? } else { 0 },
            playouts: seeds.iter().map(|seed| rules.playout(position, *seed)).collect::<Result<_, _>>()?,
        })
    }

    /// The first function whose results differ.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let of_moves = |equal: fn(&MoveResults, &MoveResults) -> bool| {
            self.played.iter().zip(&other.played).all(|(one, other)| equal(one, other))
        };
        let checks = [
            ("moves", self.moves == other.moves),
            ("play", of_moves(|one, other| one.state == other.state)),
            ("move_text", of_moves(|one, other| one.text == other.text)),
            ("move_cells", of_moves(|one, other| one.cells == other.cells)),
            ("priority", of_moves(|one, other| one.priority == other.priority)),
            ("position_text", self.text == other.text),
            ("cells", self.cells == other.cells),
            ("symmetry", self.symmetry == other.symmetry),
            ("evaluate", self.value == other.value),
            ("playout", self.playouts == other.playouts),
        ];
        checks.into_iter().find(|(_, equal)| !equal).map(|(function, _)| function)
    }
}
