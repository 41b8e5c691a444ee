//! Positions without a search: everything that thin clients need to draw a board and to list legal moves and lines.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Code, OutcomePart, Problem, strict};
use crate::catalog::{Catalog, Ended, LegalMove, Line, Moves, PlayedMove, Setup, View};
use crate::position::Side;
use crate::schema;

/// A position: `position` and `moves`, or a pasted `text`.
// `P` is the type of the picture's options.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(bound(deserialize = "P: Deserialize<'de>"), deny_unknown_fields)]
#[schemars(extend("dependentSchemas" = {
    "game": {"$ref": "#/components/x-variants-of-games/requested"}, "text": {"$ref": "#/components/x-text-or-moves"}
}))]
pub struct PositionRequest<P = NoPicture> {
    /// The game's name.
    #[schemars(with = "schema::GameName")]
    pub game: String,
    /// Its variant: a name, or an object with parameters.
    #[serde(default, deserialize_with = "strict::named")]
    #[schemars(with = "schema::RequestedVariant")]
    pub variant: Option<Value>,
    /// The position in the game's notation; the start when absent.
    #[serde(default)]
    #[schemars(with = "schema::RequestedPosition")]
    pub position: Option<String>,
    /// Moves played from there.
    #[serde(default)]
    #[schemars(with = "schema::RequestedMoves")]
    pub moves: Option<Moves>,
    /// A pasted text in place of both.
    #[serde(default)]
    #[schemars(with = "schema::PastedText")]
    pub text: Option<String>,
    /// How its picture looks; refused where the response is JSON.
    #[serde(default, deserialize_with = "strict::object")]
    #[schemars(with = "Option<schema::Picture>")]
    pub picture: Option<P>,
}

/// The `picture` of a request that is answered in JSON: refused, since it would have no effect.
#[derive(Debug)]
pub enum NoPicture {}

impl<'de> Deserialize<'de> for NoPicture {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("expected the header `Accept: image/svg+xml` or `image/png`, since JSON has no picture"))
    }
}

/// The description of a position.
#[derive(Debug, Serialize)]
pub struct PositionResponse {
    game: String,
    variant: Value,
    #[serde(flatten)]
    common: PositionFacts,
}

/// The fields that every position has.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(extend("additionalProperties" = true))]
pub struct PositionFacts {
    #[schemars(with = "schema::PositionText")]
    position: String,
    to_move: Side,
    #[schemars(with = "schema::Ply")]
    ply: u32,
    #[schemars(with = "schema::PositionKey")]
    key: String,
    /// How the game ended; null while it goes on.
    #[schemars(with = "Option<OutcomePart>")]
    outcome: Option<Ended>,
    #[schemars(with = "schema::LegalMoves")]
    legal_moves: Vec<String>,
    /// All legal moves with their effects, in the order of `legal_moves`.
    legal: Vec<LegalMove>,
    /// The position before `line`; null for the game's start.
    #[schemars(with = "Option<schema::PositionText>")]
    start: Option<String>,
    /// The moves played from `start`, including passes that the request omits because there was no other move.
    line: Vec<PlayedMove>,
    /// Guesses and omissions of the text's reader, and adjudications that later moves ignored.
    warnings: Vec<String>,
    #[serde(flatten)]
    #[schemars(skip)]
    facts: Value,
}

impl<P> PositionRequest<P> {
    /// Describes the position.
    ///
    /// # Errors
    /// When the request is refused.
    pub fn describe(self, catalog: &Catalog) -> Result<PositionResponse, Problem> {
        let Line { session, start, moves: line, warnings } = self.follow(catalog)?;
        let View { variant, text, to_move, ply, key, outcome, legal_moves, facts, .. } = session.view();
        let legal = session.legal();
        let common = PositionFacts {
            position: text,
            to_move,
            ply,
            key,
            outcome,
            legal_moves,
            legal,
            start,
            line,
            warnings,
            facts,
        };
        Ok(PositionResponse { game: self.game, variant, common })
    }

    /// The board as lines of text.
    ///
    /// # Errors
    /// When the request is refused.
    #[cfg(not(target_family = "wasm"))]
    pub fn draw(&self, catalog: &Catalog) -> Result<String, Problem> {
        Ok(self.follow(catalog)?.session.draw())
    }

    /// Sets up the game from `position` and `moves` or from a pasted text, and describes its moves.
    ///
    /// # Errors
    /// When the request is refused.
    pub fn follow(&self, catalog: &Catalog) -> Result<Line, Problem> {
        let Self { game, variant, position, moves, text, .. } = self;
        let Some(text) = text else {
            let setup = Setup { variant: variant.as_ref(), position: position.as_deref(), moves: &[] };
            return Ok(Moves::play(moves.as_ref(), catalog, game, setup, |setup| catalog.follow(game, setup))?);
        };
        if position.is_some() || moves.is_some() {
            let problem = "expected either `text`, or `position` and `moves`, not both";
            return Err(Problem::at(Code::InvalidRequest, "/text", problem));
        }
        Ok(catalog.paste(game, variant.as_ref(), text)?)
    }
}
