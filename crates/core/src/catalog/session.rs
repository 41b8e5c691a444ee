//! A game set up: a typed position behind an untyped interface.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::alike::Images;
use super::engines::{Root, each_engine, prepare};
use super::json::to_json;
use super::refusal::{Refusal, RefusalKind};
use super::reuse::extend_trail;
use super::{AnySearch, LegalMove, PlayedMove, Policy, SearchSpec, Setup};
use crate::data::DataFile;
#[cfg(not(target_family = "wasm"))]
use crate::forced::forced_wins;
use crate::games::{Game, Offence};
use crate::grade::Graded;
use crate::perft::perft;
use crate::position::{IllegalMove, Outcome, Side, write_line};

/// A game set up at some position.
pub trait AnySession: Send + Sync {
    /// The position for clients.
    fn view(&self) -> View;

    /// The canonical text.
    fn text(&self) -> String;

    /// The position as a board, even if the canonical text is a line of moves.
    fn board(&self) -> String;

    /// The side to move, without the cost of a view.
    fn turn(&self) -> Side;

    /// The number of moves that a player is likely to have left, if the position suggests it.
    fn moves_ahead(&self) -> Option<u32>;

    /// How the game ended; `None` before that.
    fn outcome(&self) -> Option<Ended>;

    /// Continues an adjudicated game: the outcome is removed, and the verdict is added to the `warnings`. Playing a move does
    /// the same. Other positions do not change.
    fn resume(&mut self);

    /// Guesses and omissions of the first position's reader, and adjudications that later moves ignored, each with its ply.
    fn warnings(&self) -> Vec<String>;

    /// All legal moves, in the game's order, including those of an adjudicated game.
    fn legal_moves(&self) -> Vec<String>;

    /// The same, with the effect of each.
    fn legal(&self) -> Vec<LegalMove>;

    /// The games of a text of moves and positions: one, unless the game separates several by lines.
    fn split_games<'a>(&self, text: &'a str) -> Vec<&'a str>;

    /// Splits a pasted text into a position, if there is one, and moves, without checking either.
    fn split_pasted<'a>(&self, text: &'a str) -> (Option<&'a str>, Vec<&'a str>);

    /// The separator of the moves in a written record.
    fn separator(&self) -> &'static str;

    /// A move to be graded by a search of the position; none if it is illegal.
    fn graded(&self, mv: &str) -> Option<Graded>;

    /// The board as lines of text.
    #[cfg(not(target_family = "wasm"))]
    fn draw(&self) -> String;

    /// Reads one legal move without playing it, and returns its canonical text.
    ///
    /// # Errors
    /// When it is not a move, or is illegal.
    fn read_move(&self, text: &str) -> Result<String, IllegalMove>;

    /// Reads a text of one or several moves without playing them, and returns the canonical texts.
    ///
    /// # Errors
    /// At the first move that is illegal after those before it.
    fn read_moves(&self, text: &str) -> Result<Vec<String>, IllegalMove>;

    /// Plays one move, or several in one text.
    ///
    /// # Errors
    /// When one of them is illegal; then none is played.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Plays one move, or several in one text, and adds them to `line` with their effects.
    ///
    /// # Errors
    /// When one of them is illegal; then none is played.
    fn play_described(&mut self, text: &str, line: &mut Vec<PlayedMove>) -> Result<(), IllegalMove>;

    /// Builds the tables that its searches read, unless they exist.
    fn prepare(&self);

    /// The data file that its searches use, if they use one.
    fn file(&self) -> Option<&'static DataFile>;

    /// Prepares a search of the position, or of the continuation of an adjudicated game.
    ///
    /// # Errors
    /// When the engine, its options, the budget or the filter is refused.
    fn search(&self, spec: &SearchSpec<'_>, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal>;

    /// The engines that play this variant, the strongest first.
    fn engines(&self) -> Vec<&'static str>;

    /// Counts the lines of play to a depth.
    fn perft(&self, depth: u32) -> u64;

    /// The moves that win by force within some plies, each with the minimum number of plies ([`forced_wins`]).
    #[cfg(not(target_family = "wasm"))]
    fn forced_wins(&self, plies: u32) -> Vec<(String, u32)>;

    /// A hash that all symmetric images of the position share.
    #[cfg(not(target_family = "wasm"))]
    fn canonical_key(&self) -> u64;
}

/// A position for clients.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// The variant, with all its parameters.
    pub variant: Value,
    /// The canonical text.
    pub text: String,
    /// The side to move, or that would move.
    pub to_move: Side,
    /// The number of moves played, if the position shows it.
    pub ply: u32,
    /// A hash of the position, in hexadecimal.
    pub key: String,
    /// How the game ended; null before that.
    pub outcome: Option<Ended>,
    /// All legal moves, in the game's order; empty if the game is over for good.
    pub legal_moves: Vec<String>,
    /// The unit of margins; null where the game is not played for points.
    #[serde(skip)]
    pub unit: Option<&'static str>,
    /// Game-specific facts, such as the cells to draw.
    #[serde(flatten)]
    pub facts: Value,
}

/// The end of a game, for clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Winner, reason, margin.
    #[serde(flatten)]
    pub result: Outcome,
    /// The broken rule that decided the game; null if there was none.
    pub offence: Option<Offence>,
    /// Whether a rule decided the game although there are legal moves, so that play can continue.
    pub adjudicated: bool,
}

/// A typed game.
#[derive(Clone)]
pub(super) struct Session<G: Game> {
    variant: G::Variant,
    position: G,
    /// The moves from the start, if the game began there.
    line: Option<Vec<String>>,
    /// A hash of the position that was read, and of the moves since.
    trail: u64,
    /// The number of moves since then.
    plies: usize,
    /// Guesses and omissions of the first position's reader, and adjudications that later moves ignored.
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
            // In games whose positions are lines of moves, such a text is played from the start.
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
            let played = session.play(mv);
            played.map_err(|illegal| Refusal::of_move(RefusalKind::IllegalMove, "/moves", index, &illegal))?;
        }
        Ok(session)
    }

    /// Whether a text that is not a position reads as moves from here, judged by its first word.
    fn begins_with_move(&self, text: &str) -> bool {
        let is_move = |word: &&str| self.position.parse_move(word).is_ok();
        !G::is_board(text) && G::split_pasted(text).first().is_some_and(is_move)
    }

    /// The position that the next move is played in: the resumed one if the game was adjudicated.
    fn playable(&self) -> Cow<'_, G> {
        self.position.resumed().map_or(Cow::Borrowed(&self.position), Cow::Owned)
    }

    /// Plays a legal move.
    fn step(&mut self, mv: G::Move) {
        self.resume();
        self.position.play(mv);
        self.plies += 1;
        self.trail = extend_trail(self.trail, mv);
        if let Some(line) = &mut self.line {
            line.push(mv.to_string());
        }
    }
}

/// Splits a text at the first word `moves`.
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
            variant: to_json(&self.variant),
            text: AnySession::text(self),
            to_move: self.turn(),
            ply: position.ply(),
            key: format!("{:016x}", position.key()),
            outcome: self.outcome(),
            legal_moves: self.legal_moves(),
            unit: G::UNIT,
            facts: to_json(&position.facts()),
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
        // A tree in which the game was over here cannot be reused.
        self.trail = extend_trail(self.trail, "resumed");
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.playable().moves().map(|mv| self.position.write_move(mv)).collect()
    }

    fn legal(&self) -> Vec<LegalMove> {
        let position = &*self.playable();
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

    fn graded(&self, mv: &str) -> Option<Graded> {
        let playable = self.playable();
        Images::of(&*playable).read(mv).ok().map(|(graded, _)| graded)
    }

    #[cfg(not(target_family = "wasm"))]
    fn draw(&self) -> String {
        self.position.draw()
    }

    fn read_move(&self, text: &str) -> Result<String, IllegalMove> {
        Ok(self.position.write_move(self.playable().parse_move(text)?))
    }

    fn read_moves(&self, text: &str) -> Result<Vec<String>, IllegalMove> {
        let played = self.position.clone().replay(text)?;
        Ok(write_line(&self.position, played, G::write_move))
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

    fn file(&self) -> Option<&'static DataFile> {
        G::file()
    }

    fn search(&self, spec: &SearchSpec<'_>, policy: &Policy) -> Result<Arc<dyn AnySearch>, Refusal> {
        let mut playable = Cow::Borrowed(self);
        if self.position.resumed().is_some() {
            playable.to_mut().resume();
        }
        let Self { position, variant, trail, warnings, .. } = &*playable;
        prepare(Root { position, variant, trail: *trail, warnings }, spec, policy)
    }

    fn engines(&self) -> Vec<&'static str> {
        each_engine::<G>().into_iter().map(|engine| engine.name).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    #[cfg(not(target_family = "wasm"))]
    fn forced_wins(&self, plies: u32) -> Vec<(String, u32)> {
        let wins = forced_wins(&self.position, plies);
        wins.into_iter().map(|(mv, plies)| (self.position.write_move(mv), plies)).collect()
    }

    #[cfg(not(target_family = "wasm"))]
    fn canonical_key(&self) -> u64 {
        self.position.canonical_key()
    }
}
