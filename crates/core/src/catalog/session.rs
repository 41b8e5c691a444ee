//! One game set up: a typed position behind an untyped door.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::engines::{Root, each_engine, prepare};
use super::json::written;
use super::refusal::{Refusal, RefusalKind};
use super::reuse::follow;
use super::{AnySearch, LegalMove, PlayedMove, Policy, SearchSpec, Setup};
use crate::games::{Game, Offence};
use crate::perft::perft;
use crate::position::{IllegalMove, Outcome, Side};

/// A game set up at some position.
pub trait AnySession: Send + Sync {
    /// The position as clients see it.
    fn view(&self) -> View;

    /// The canonical text.
    fn text(&self) -> String;

    /// The position's text as a board, even where the canonical text is a line of moves.
    fn board(&self) -> String;

    /// Whose move it is; like the next two a part of the view, without the cost of the whole.
    fn turn(&self) -> Side;

    /// How many more moves a player is likely to have to think about, where the position tells.
    fn moves_ahead(&self) -> Option<u32>;

    /// How the game ended; none while it goes on.
    fn outcome(&self) -> Option<Ended>;

    /// Plays on where the game has been adjudicated: it has no outcome any more, and the verdict is among the `warnings`.
    /// Playing a move does the same. Nothing changes where the game goes on, or is over for good.
    fn resume(&mut self);

    /// What was guessed or left out where the text of its first position was read, and the adjudications that were played past,
    /// each with its ply.
    fn warnings(&self) -> Vec<String>;

    /// All legal moves, in the game's order; those too with which an adjudicated game may be played on.
    fn legal_moves(&self) -> Vec<String>;

    /// The same, with what each does to the board.
    fn legal(&self) -> Vec<LegalMove>;

    /// The games of a text of moves and positions: one, unless the game's lines tell several apart.
    fn split_games<'a>(&self, text: &'a str) -> Vec<&'a str>;

    /// Parts a pasted text into a position, if it has one, and moves. Whether they are any good is not looked at.
    fn split_pasted<'a>(&self, text: &'a str) -> (Option<&'a str>, Vec<&'a str>);

    /// What stands between the moves of a list that is written as a record.
    fn separator(&self) -> &'static str;

    /// The legal moves that lead to an image of the position that `mv` leads to, in a mirror or turned, `mv` among them; none
    /// where it is not legal.
    fn equivalent_moves(&self, mv: &str) -> Vec<String>;

    /// The board as lines of text.
    fn draw(&self) -> String;

    /// Reads one legal move without playing it, and gives it in its canonical text.
    ///
    /// # Errors
    /// When it is no move, or not legal here.
    fn read_move(&self, text: &str) -> Result<String, IllegalMove>;

    /// Reads a text of one or several moves without playing them, and gives each in its canonical text.
    ///
    /// # Errors
    /// At the first move that is not legal when those before it are played.
    fn read_moves(&self, text: &str) -> Result<Vec<String>, IllegalMove>;

    /// Plays one move, or several in one text.
    ///
    /// # Errors
    /// When one of them is illegal; then none is played.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Plays one move, or several in one text, and puts them down in `line` with what they did.
    ///
    /// # Errors
    /// When one of them is illegal; then none is played.
    fn play_described(&mut self, text: &str, line: &mut Vec<PlayedMove>) -> Result<(), IllegalMove>;

    /// Makes the tables that searches of it read, if they have not been made before.
    fn prepare(&self);

    /// Prepares a search of the position; of an adjudicated game as it is played on.
    ///
    /// # Errors
    /// When the engine, its options, the budget or the filter is refused.
    fn search(&self, spec: &SearchSpec<'_>, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal>;

    /// The engines that play this variant, the strongest first: not every engine of a game plays all.
    fn engines(&self) -> Vec<&'static str>;

    /// Counts the lines of play to a depth.
    fn perft(&self, depth: u32) -> u64;
}

/// A position as clients see it.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// The variant, with all its parameters.
    pub variant: Value,
    /// The canonical text.
    pub text: String,
    /// Whose move it is, or would be.
    pub to_move: Side,
    /// Moves played, as far as the position tells.
    pub ply: u32,
    /// A hash of the position, in hexadecimal.
    pub key: String,
    /// How the game ended; null while it goes on.
    pub outcome: Option<Ended>,
    /// All legal moves, in the game's order; empty where the game is over for good.
    pub legal_moves: Vec<String>,
    /// The unit of margins; null where the game is not played for points.
    #[serde(skip)]
    pub unit: Option<&'static str>,
    /// What the game adds: cells to draw and the like.
    #[serde(flatten)]
    pub facts: Value,
}

/// How a game ended, as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Winner, reason, margin.
    #[serde(flatten)]
    pub result: Outcome,
    /// The broken rule that decided the game; null where there was none.
    pub offence: Option<Offence>,
    /// Whether a rule has decided the game although there are legal moves, so that it may be played on.
    pub adjudicated: bool,
}

/// A typed game.
#[derive(Clone)]
pub(super) struct Session<G: Game> {
    variant: G::Variant,
    position: G,
    /// The moves from the start, if that is where it began.
    line: Option<Vec<String>>,
    /// A hash of the position that the text told, and of the moves played since.
    trail: u64,
    /// How many moves have been played since.
    plies: usize,
    /// What was guessed or left out where the first position was read, and the adjudications that were played past.
    warnings: Vec<String>,
}

impl<G: Game> Session<G> {
    pub fn start(variant: G::Variant) -> Self {
        let position = G::start(&variant);
        let trail = position.key();
        Self { variant, position, line: Some(Vec::new()), trail, plies: 0, warnings: Vec::new() }
    }

    /// Sets up a checked variant's game.
    pub fn open(variant: G::Variant, setup: Setup<'_>) -> Result<Self, Refusal> {
        let mut session = Self::start(variant);
        if let Some(text) = setup.position {
            // A text of moves is played from the start, in games where positions are written so.
            if let Some(moves) = G::LINE.and_then(|_| G::split_line(text)) {
                for mv in moves {
                    session.play(mv).map_err(|illegal| {
                        Refusal::new(RefusalKind::InvalidPosition, "/position", illegal.to_string())
                    })?;
                }
            } else {
                session.position = G::parse(&session.variant, text).map_err(|malformed| Refusal {
                    reads_as_moves: session.begins_with_move(text),
                    ..Refusal::new(RefusalKind::InvalidPosition, "/position", malformed.to_string())
                })?;
                session.warnings = G::position_warnings(text);
                session.line = None;
                session.trail = session.position.key();
            }
        }
        for (index, mv) in setup.moves.iter().enumerate() {
            session.play(mv).map_err(|illegal| {
                Refusal::new(RefusalKind::IllegalMove, format!("/moves/{index}"), illegal.to_string())
            })?;
        }
        Ok(session)
    }

    /// Whether a text that is no position reads as moves from here, as far as its first word tells.
    fn begins_with_move(&self, text: &str) -> bool {
        let is_move = |word: &&str| self.position.parse_move(word).is_ok();
        !G::is_board(text) && G::split_pasted(text).first().is_some_and(is_move)
    }

    /// The position in which the next move is played.
    fn onward(&self) -> Cow<'_, G> {
        self.position.resumed().map_or(Cow::Borrowed(&self.position), Cow::Owned)
    }

    /// Plays a legal move.
    fn step(&mut self, mv: G::Move) {
        self.resume();
        self.position.play(mv);
        self.plies += 1;
        self.trail = follow(self.trail, mv);
        if let Some(line) = &mut self.line {
            line.push(mv.to_string());
        }
    }
}

/// Splits a text at the first `moves` that is a word of its own.
fn split_at_moves(text: &str) -> Option<(&str, &str)> {
    let ends = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let mut parts = text.match_indices("moves").map(|(begin, word)| (&text[..begin], &text[begin + word.len()..]));
    let (before, after) =
        parts.find(|(before, after)| ends(before.chars().next_back()) && ends(after.chars().next()))?;
    Some((before.trim(), after))
}

impl<G: Game> AnySession for Session<G> {
    fn view(&self) -> View {
        let position = &self.position;
        View {
            variant: written(&self.variant),
            text: AnySession::text(self),
            to_move: self.turn(),
            ply: position.ply(),
            key: format!("{:016x}", position.key()),
            outcome: self.outcome(),
            legal_moves: self.legal_moves(),
            unit: G::UNIT,
            facts: written(&position.facts()),
        }
    }

    fn text(&self) -> String {
        match (G::LINE, &self.line) {
            (Some(separator), Some(line)) => line.join(separator),
            _ => self.position.to_string(),
        }
    }

    fn board(&self) -> String {
        self.position.to_string()
    }

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn moves_ahead(&self) -> Option<u32> {
        self.position.moves_ahead()
    }

    fn outcome(&self) -> Option<Ended> {
        let adjudicated = || self.position.resumed().is_some();
        let ended = |result| Ended { result, offence: self.position.offence(), adjudicated: adjudicated() };
        self.position.outcome().map(ended)
    }

    fn resume(&mut self) {
        let (Some(resumed), Some(verdict)) = (self.position.resumed(), self.position.outcome()) else { return };
        let result = verdict.winner.map_or_else(|| "a draw".to_owned(), |side| format!("a win of the {side} player"));
        let (ply, reason) = (self.plies, verdict.reason);
        self.warnings.push(format!("ply {ply}: the rules adjudicate the game as {result} ({reason}); play goes on"));
        self.position = resumed;
        // No tree in which the game was over here is of use.
        self.trail = follow(self.trail, "resumed");
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.onward().moves().map(|mv| self.position.write_move(mv)).collect()
    }

    fn legal(&self) -> Vec<LegalMove> {
        let position = &*self.onward();
        let legal = |mv| LegalMove { mv: position.write_move(mv), facts: position.describe_move(mv) };
        position.moves().map(legal).collect()
    }

    fn split_games<'a>(&self, text: &'a str) -> Vec<&'a str> {
        G::split_games(text)
    }

    fn split_pasted<'a>(&self, text: &'a str) -> (Option<&'a str>, Vec<&'a str>) {
        if let Some((position, moves)) = split_at_moves(text) {
            (Some(position).filter(|text| !text.is_empty()), G::split_pasted(moves))
        } else if G::is_board(text) {
            let (position, moves) = G::split_board(text);
            (Some(position.trim()), G::split_pasted(moves))
        } else {
            (None, G::split_pasted(text))
        }
    }

    fn separator(&self) -> &'static str {
        G::SEPARATOR
    }

    fn equivalent_moves(&self, mv: &str) -> Vec<String> {
        let onward = self.onward();
        let after = |mv: G::Move| {
            let mut position = G::clone(&onward);
            position.play(mv);
            (position.turn(), position.canonical_key())
        };
        let Ok(wanted) = onward.parse_move(mv).map(after) else { return Vec::new() };
        let alike = onward.moves().filter(|&mv| after(mv) == wanted);
        alike.map(|mv| self.position.write_move(mv)).collect()
    }

    fn draw(&self) -> String {
        self.position.draw()
    }

    fn read_move(&self, text: &str) -> Result<String, IllegalMove> {
        Ok(self.position.write_move(self.onward().parse_move(text)?))
    }

    fn read_moves(&self, text: &str) -> Result<Vec<String>, IllegalMove> {
        let played = self.position.clone().replay(text)?;
        Ok(played.into_iter().map(|mv| self.position.write_move(mv)).collect())
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let played = self.position.clone().replay(text)?;
        played.into_iter().for_each(|mv| self.step(mv));
        Ok(())
    }

    fn play_described(&mut self, text: &str, line: &mut Vec<PlayedMove>) -> Result<(), IllegalMove> {
        for mv in self.position.clone().replay(text)? {
            let (side, facts) = (self.turn(), self.position.describe_move(mv));
            let text = self.position.write_move(mv);
            self.step(mv);
            line.push(PlayedMove { ply: line.len() + 1, side, mv: text, facts, position: AnySession::text(self) });
        }
        Ok(())
    }

    fn prepare(&self) {
        self.position.prepare();
    }

    fn search(&self, spec: &SearchSpec<'_>, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal> {
        let mut onward = Cow::Borrowed(self);
        if self.position.resumed().is_some() {
            onward.to_mut().resume();
        }
        let Self { position, variant, trail, warnings, .. } = &*onward;
        prepare(Root { position, variant, trail: *trail, warnings }, spec, policy)
    }

    fn engines(&self) -> Vec<&'static str> {
        each_engine::<G>().into_iter().map(|engine| engine.name).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }
}
