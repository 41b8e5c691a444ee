//! A line of play with the effect of every move, so that clients can draw and list it without knowing the rules.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::records::resigns;
use super::{AnySession, Catalog, Played, ReadOptions, Refusal, RefusalKind, Setup};
use crate::games::MoveFacts;
use crate::position::Side;
use crate::schema;

/// A legal move and its effect on the board.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct LegalMove {
    /// Its canonical text, as in `legal_moves`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its effect on the board.
    #[serde(flatten)]
    pub facts: MoveFacts,
}

/// A move of a line and its effect on the board.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct PlayedMove {
    /// Its number in the line, from 1.
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// Its canonical text, as in `legal_moves`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its effect on the board.
    #[serde(flatten)]
    pub facts: MoveFacts,
    /// The position after it.
    #[schemars(with = "schema::PositionText")]
    pub position: String,
}

/// A game set up, and the moves that led to it.
pub struct Line {
    /// The game, after the last move.
    pub session: Box<dyn AnySession>,
    /// The text of the position before the first move; `None` at the game's start.
    pub start: Option<String>,
    /// The moves, including inserted passes.
    pub moves: Vec<PlayedMove>,
    /// Guesses and omissions of the text's reader.
    pub warnings: Vec<String>,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Line").field("start", &self.start).field("moves", &self.moves).finish_non_exhaustive()
    }
}

impl Catalog {
    /// Sets up a game as [`Catalog::open`] does, and describes the moves.
    ///
    /// # Errors
    /// Those of [`Catalog::open`].
    pub fn follow(&self, game: &str, setup: Setup<'_>) -> Result<Line, Refusal> {
        let moves = setup.moves.iter().map(String::as_str);
        self.line(game, Setup { moves: &[], ..setup }, moves, |index| format!("/moves/{index}"))
    }

    /// Sets up a game from a pasted text: a position, moves in any of the game's notations, or a position, the word `moves` and
    /// moves. Commas and move numbers (`12.`) between moves are skipped. Or the text is a game record in one of the game's
    /// formats.
    ///
    /// # Errors
    /// When there is no such game or variant, or the position or a move is refused; the latter point to `/text`.
    pub fn paste(&self, game: &str, variant: Option<&Value>, text: &str) -> Result<Line, Refusal> {
        let setup = Setup { variant, ..Setup::default() };
        let session = self.open(game, setup)?;
        if self.is_record(game, text) {
            let Played { record, session, warnings, .. } =
                self.read_record(text, &ReadOptions { game: Some(game), variant, ..ReadOptions::default() })?;
            let moves = record.moves.iter().map(|recorded| recorded.mv.as_str());
            let variant = session.view().variant;
            let setup = Setup { variant: Some(&variant), position: record.position.as_deref(), moves: &[] };
            let line = self.line(game, setup, moves, |_| "/text".to_owned())?;
            return Ok(Line { warnings, ..line });
        }
        let games = session.split_games(text);
        let [game_text] = games[..] else {
            let problem = format!("{} games: expected one", games.len());
            return Err(Refusal::new(RefusalKind::InvalidRecord, "/text", problem));
        };
        let (position, mut moves) = session.split_pasted(game_text);
        moves.pop_if(|last| resigns(last));
        let line = self.line(game, Setup { position, ..setup }, moves, |_| "/text".to_owned());
        line.map_err(|refusal| {
            let asked = ReadOptions { game: Some(game), variant, ..ReadOptions::default() };
            self.of_another_game(text, &asked).unwrap_or(match refusal.kind {
                RefusalKind::InvalidPosition => Refusal { pointer: "/text".to_owned(), ..refusal },
                _ => refusal,
            })
        })
    }

    /// Plays moves from a setup without moves; `pointer` gives the place of a move in the request by its index.
    fn line<'a>(
        &self,
        game: &str,
        setup: Setup<'_>,
        moves: impl IntoIterator<Item = &'a str>,
        pointer: impl Fn(usize) -> String,
    ) -> Result<Line, Refusal> {
        let mut session = self.open(game, setup)?;
        let usual = self.open(game, Setup { position: None, ..setup })?.text();
        let start = Some(session.text()).filter(|text| *text != usual);
        let mut line = Vec::new();
        for (index, text) in moves.into_iter().enumerate() {
            session
                .play_described(text, &mut line)
                .map_err(|illegal| Refusal::new(RefusalKind::IllegalMove, pointer(index), illegal.to_string()))?;
        }
        Ok(Line { warnings: session.warnings(), session, start, moves: line })
    }
}
