//! Puzzles: positions in which exactly one move reaches the result.
//!
//! - `claim`: finds and proves a puzzle's claim, by full-width search or by an exact engine.
//! - `making`: makes puzzles from self-play and rates their difficulty.
//! - [`Puzzle::all`]: the built-in puzzles, from the page's files `web/puzzles/GAME.json`.

mod claim;
mod making;

use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tesuji_core::position::Side;

use crate::page::PAGE;
pub use claim::Proof;
pub use making::{Maker, Progress};

/// The highest difficulty; 1 is the lowest.
pub const HARDEST: u8 = 5;
/// The longest forced win that is searched for or claimed, in plies: the proof searches every move and every reply.
pub const MOST_PLIES: u32 = 9;

/// A position in which exactly one move reaches the result, which is not a loss.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Its id: the game's name and a number.
    pub id: String,
    /// The game.
    #[schemars(schema_with = "game")]
    pub game: String,
    /// The variant, with all its parameters.
    #[schemars(schema_with = "variant")]
    pub variant: Value,
    /// The moves from the start to the position.
    pub moves: Vec<String>,
    /// The side to move, which solves the puzzle.
    pub side: Side,
    /// The result.
    pub kind: Kind,
    /// The plies within which the side to move wins, counting the moves of both sides and the winning one; no other first move
    /// wins within them. Absent if no other move reaches the result at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = MOST_PLIES))]
    pub plies: Option<u32>,
    /// With `points`, the final margin that the side to move reaches against best play, from its view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i16", range(min = 0))]
    pub score: Option<i16>,
    /// From 1 (the easiest) to 5, by the weakest level of play that finds the first move in at least half of its searches: 1 or
    /// 2, 3 or 4, 5 or 6, 7 or 8, or higher. At least the number of moves that the side to move makes within `plies`.
    #[schemars(range(min = 1, max = HARDEST))]
    pub difficulty: u8,
    /// The main line, which ends with a move of the side to move. Each of its moves is the only one, but the last may be one of
    /// several that win at once. The replies are the longest defence. In games with passes or extra moves, sides need not
    /// alternate.
    #[schemars(length(min = 1))]
    pub solution: Vec<String>,
}

/// The result of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PuzzleKind")]
pub enum Kind {
    /// Only this move wins.
    Win,
    /// Nothing wins, and only this move does not lose.
    Draw,
    /// Only this move reaches the best margin, 0 or more.
    Points,
}

fn game(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/components/schemas/GameName" })
}

fn variant(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/components/schemas/Variant" })
}

impl Puzzle {
    /// The built-in puzzles, by game.
    ///
    /// # Panics
    /// When a file is malformed; a test reads them.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
            let files = PAGE.files.iter().filter(|file| file.path.starts_with("puzzles/"));
            files.flat_map(|file| read(file.plain).expect("the files of puzzles are well-formed")).collect()
        });
        &ALL
    }
}

/// Reads a file of puzzles.
///
/// # Errors
/// When it is malformed.
pub fn read(bytes: &[u8]) -> serde_json::Result<Vec<Puzzle>> {
    serde_json::from_slice(bytes)
}

/// Writes a file of puzzles, one per line.
///
/// # Errors
/// Never for puzzles made by this program.
pub fn write(puzzles: &[Puzzle]) -> serde_json::Result<String> {
    let lines = puzzles.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}
