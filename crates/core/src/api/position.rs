//! The rules alone, without a search: what thin clients need to draw a board, to know what may be played, and to list a line of
//! moves.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Code, Problem, strict};
use crate::catalog::{Catalog, Ended, LegalMove, Line, Moves, PlayedMove, Setup, View};
use crate::position::Side;

/// Where a game stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// The game's name.
    pub game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    pub variant: Option<Value>,
    /// The position in the game's notation; the start when absent.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves played from there.
    #[serde(default)]
    pub moves: Option<Moves>,
    /// A pasted text in place of both.
    #[serde(default)]
    pub text: Option<String>,
}

/// A position, described.
#[derive(Debug, Serialize)]
pub struct PositionResponse {
    game: String,
    variant: Value,
    position: String,
    #[serde(flatten)]
    view: Rules,
}

/// What the rules say.
#[derive(Debug, Serialize)]
struct Rules {
    to_move: Side,
    ply: u32,
    key: String,
    outcome: Option<Ended>,
    legal_moves: Vec<String>,
    legal: Vec<LegalMove>,
    start: Option<String>,
    line: Vec<PlayedMove>,
    warnings: Vec<String>,
    #[serde(flatten)]
    facts: Value,
}

impl PositionRequest {
    /// Describes the position.
    ///
    /// # Errors
    /// When the request is refused.
    pub fn describe(self, catalog: &Catalog) -> Result<PositionResponse, Problem> {
        let Line { session, start, moves: line, warnings } = self.follow(catalog)?;
        let View { variant, text, to_move, ply, key, outcome, legal_moves, facts, .. } = session.view();
        let view =
            Rules { to_move, ply, key, outcome, legal_moves, legal: session.legal(), start, line, warnings, facts };
        Ok(PositionResponse { game: self.game, variant, position: text, view })
    }

    /// Sets up the game, by `position` and `moves` or by a pasted text, and describes its moves.
    fn follow(&self, catalog: &Catalog) -> Result<Line, Problem> {
        let Self { game, variant, position, moves, text } = self;
        let Some(text) = text else {
            let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
            return Ok(Moves::play(moves.as_ref(), catalog, game, setup, |setup| catalog.follow(game, setup))?);
        };
        if position.is_some() || moves.is_some() {
            let problem = "`text` conflicts with `position` and `moves`: expected either";
            return Err(Problem::at(Code::InvalidRequest, "/text", problem));
        }
        Ok(catalog.paste(game, variant.as_ref(), text)?)
    }
}
