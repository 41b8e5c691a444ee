//! Game records in every format: reads a text with the formats of the games and plays its moves; plays and writes a record.

mod playing;
mod writing;

use serde_json::Value;

pub(super) use self::playing::resigns;
use self::playing::{check_result, play, resign};
use super::json::to_json;
use super::{AnyGame, AnySession, Catalog, Refusal, RefusalKind, Setup, read_variant};
use crate::games::{Game, Variant};
use crate::position::{IllegalMove, shorten};
use crate::record::{Record, RecordedMove};
use crate::records::{About, Draft, Misread, Source, Written, place};

/// The format of every game: its moves in a line, after the position if it is not the start.
pub const MOVES: &str = "moves";

/// What a request specifies besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'a> {
    /// The game; by default from the text's format.
    pub game: Option<&'a str>,
    /// The variant, instead of the record's.
    pub variant: Option<&'a Value>,
    /// The format, or the part of its name before a hyphen; detected by default.
    pub format: Option<&'a str>,
    /// Which of several games in the text to read, from 1.
    pub number: Option<usize>,
}

/// A record whose game has been played.
pub struct Played {
    /// The game's name.
    pub game: String,
    /// The format of the text; `None` if the record was not read from one.
    pub format: Option<&'static str>,
    /// The record. Moves are in canonical text, including inserted passes, each with its side.
    pub record: Record,
    /// The game after the last move.
    pub session: Box<dyn AnySession>,
    /// Omissions and assumptions.
    pub warnings: Vec<String>,
}

impl std::fmt::Debug for Played {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Played").field("game", &self.game).field("record", &self.record).finish_non_exhaustive()
    }
}

/// A text read in a game's format, with the variant's type erased.
pub(super) type AnyDraft = Draft<Value>;

/// A format with the game's type erased.
pub(super) struct AnyFormat {
    pub name: &'static str,
    pub notation: &'static str,
    pub recognises: fn(&str) -> bool,
}

pub(super) fn formats<G: Game<Variant: Variant>>() -> Vec<AnyFormat> {
    let format = |format: &crate::records::Format<G::Variant>| AnyFormat {
        name: format.name,
        notation: format.notation,
        recognises: format.recognises,
    };
    G::formats().iter().map(format).collect()
}

pub(super) fn read<G: Game<Variant: Variant>>(
    format: usize,
    source: &Source<'_, Value>,
) -> Result<AnyDraft, ReadError> {
    let variant = source.variant.as_ref().map(|variant| read_variant::<G::Variant>(Some(variant))).transpose();
    let variant = variant.map_err(ReadError::Refused)?;
    let source = Source { text: source.text, variant, number: source.number, is_named: source.is_named };
    let draft = (G::formats()[format].read)(&source).map_err(ReadError::Misread)?;
    let Draft { variant, record, position_at, moves, warnings } = draft;
    Ok(Draft { variant: to_json(&variant), record, position_at, moves, warnings })
}

pub(super) fn write<G: Game<Variant: Variant>>(format: usize, game: &Written<'_, Value>) -> Result<String, String> {
    let variant = read_variant::<G::Variant>(Some(game.variant)).map_err(|refusal| refusal.detail)?;
    let Written { record, moves, turn, .. } = *game;
    (G::formats()[format].write)(&Written { variant: &variant, record, moves, turn })
}

/// Why a text is not a game record in a format.
pub(super) enum ReadError {
    /// A part of the text.
    Misread(Misread),
    /// A move of it, with its number.
    Illegal(Misread),
    /// Something outside the text.
    Refused(Refusal),
}

/// Why a record's moves cannot be played to the end.
enum PlayError {
    /// Its game, variant or position.
    Refused(Refusal),
    /// The move of this index.
    Illegal(usize, IllegalMove),
}

impl ReadError {
    /// How far the text was read, to guess the intended format.
    fn reach(&self) -> Option<usize> {
        match self {
            Self::Misread(Misread { about: About::Game, .. }) => None,
            Self::Misread(misread) | Self::Illegal(misread) => Some(misread.at),
            Self::Refused(_) => Some(0),
        }
    }

    /// The refusal, which names line and column.
    fn into_refusal(self, format: &str, text: &str) -> Refusal {
        let (kind, misread) = match self {
            Self::Refused(refusal) => return refusal,
            Self::Misread(Misread { about: About::Number, problem, .. }) => {
                return Refusal::new(RefusalKind::InvalidRecord, "/number", problem);
            }
            Self::Misread(misread) => (RefusalKind::InvalidRecord, misread),
            Self::Illegal(misread) => (RefusalKind::IllegalMove, misread),
        };
        let (line, column) = Misread::line_and_column(misread.at, text);
        Refusal::new(kind, "/text", format!("{format}, line {line}, column {column}: {}", misread.problem))
    }
}

impl Catalog {
    /// The formats of a game's records, by their names in the API.
    #[must_use]
    pub fn formats(&self, game: &str) -> Vec<&'static str> {
        let formats = self.default_type(game).map(AnyGame::formats).unwrap_or_default();
        formats.iter().map(|format| format.name).chain([MOVES]).collect()
    }

    /// Reads a game from a text in any format, and plays its moves.
    ///
    /// # Errors
    /// When there is no such game, variant or format, the format is not detected, or the text is refused, which points to
    /// `/text` and names line and column.
    pub fn read_record(&self, text: &str, options: &ReadOptions<'_>) -> Result<Played, Refusal> {
        if let Some(game) = options.game {
            self.entry(game)?;
        }
        self.check_format(options)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut found, mut failed): (Vec<Played>, Option<(ReadError, &str)>) = (Vec::new(), None);
        let mut is_recognised = false;
        for (name, game) in self.possible_games(options).filter_map(|name| Some((name, self.default_type(name)?))) {
            let formats = game.formats();
            let is_meant = |format: &AnyFormat| (format.recognises)(text);
            let mut allowed: Vec<_> =
                formats.iter().enumerate().filter(|(_, format)| options.allows(format.name)).collect();
            allowed.retain(|(_, format)| options.format.is_some() || is_meant(format));
            // Several formats can match the requested name: the likeliest for this text comes first.
            allowed.sort_by_key(|(_, format)| !is_meant(format));
            for (index, format) in allowed {
                match self.try_format(text, options, (name, game), (index, format)) {
                    Ok(played) => {
                        found.push(played);
                        break;
                    }
                    Err(error) => {
                        is_recognised |= options.game.is_some() || error.reach().is_some();
                        keep_farthest(&mut failed, error, format.name);
                    }
                }
            }
        }
        if found.is_empty() && !is_recognised && options.allows(MOVES) {
            for name in self.possible_games(options) {
                match self.read_moves(text, options, name) {
                    Ok(played) => found.push(played),
                    Err(error) => keep_farthest(&mut failed, error, MOVES),
                }
            }
        }
        let is_of_another = |(error, format): &(ReadError, &str)| {
            error.reach().is_none() || *format == MOVES && options.format.is_none()
        };
        if found.is_empty()
            && failed.as_ref().is_some_and(is_of_another)
            && let Some(refusal) = self.of_another_game(text, options)
        {
            return Err(refusal);
        }
        match (found.len(), failed) {
            (0, Some((error, format))) if options.game.is_some() || is_recognised || options.format.is_some() => {
                Err(error.into_refusal(format, text))
            }
            (0, _) => Err(self.unrecognised(text, options)),
            (1, _) => Ok(found.remove(0)),
            _ => {
                let games: Vec<&str> = found.iter().map(|played| &*played.game).collect();
                let problem =
                    format!("the text fits several games ({}): expected `game` to name one", games.join(" or "));
                Err(Refusal::new(RefusalKind::InvalidRecord, "/game", problem))
            }
        }
    }

    /// Whether a text appears to be a record in one of the game's formats, lists of moves aside.
    #[must_use]
    pub fn is_record(&self, game: &str, text: &str) -> bool {
        let formats = self.default_type(game).map(AnyGame::formats).unwrap_or_default();
        formats.iter().any(|format| (format.recognises)(text))
    }

    /// The refusal of a record of a different game than the requested one.
    pub(super) fn of_another_game(&self, text: &str, options: &ReadOptions<'_>) -> Option<Refusal> {
        let game = options.game?;
        let mut others =
            self.names().filter(|name| *name != game).filter_map(|name| Some((name, self.default_type(name)?)));
        let (name, format) = others.find_map(|(name, any)| {
            let formats = any.formats();
            let mut matching = formats.iter().enumerate().filter(|(_, format)| (format.recognises)(text));
            let read = |(index, format): &(usize, &AnyFormat)| {
                let options = ReadOptions { variant: None, ..*options };
                let error = self.try_format(text, &options, (name, any), (*index, format)).err();
                error.is_none_or(|error| error.reach().is_some())
            };
            matching.find(read).map(|(_, format)| (name, format.name))
        })?;
        let problem = format!("the text is a record of {name} ({format}): expected that game, or a record of {game}");
        Some(Refusal::new(RefusalKind::InvalidRecord, "/game", problem))
    }

    /// The games that a text can belong to.
    fn possible_games<'a>(&'a self, options: &'a ReadOptions<'_>) -> impl Iterator<Item = &'a str> + 'a {
        self.names().filter(|name| options.game.is_none_or(|game| game == *name))
    }

    fn check_format(&self, options: &ReadOptions<'_>) -> Result<(), Refusal> {
        let Some(format) = options.format else { return Ok(()) };
        let mut names: Vec<&str> = self.possible_games(options).flat_map(|game| self.formats(game)).collect();
        if names.iter().any(|name| options.allows(name)) {
            return Ok(());
        }
        names.sort_unstable();
        names.dedup();
        let problem = format!("`{}`: expected one of {}", shorten(format), names.join(", "));
        Err(Refusal::new(RefusalKind::InvalidRecord, "/format", problem))
    }

    fn unrecognised(&self, text: &str, options: &ReadOptions<'_>) -> Refusal {
        let formats = self.possible_games(options).map(|game| format!("{game} ({})", self.formats(game).join(", ")));
        let formats: Vec<String> = formats.collect();
        let begin = text.trim().lines().next().unwrap_or_default();
        let problem = format!(
            "line 1, column 1: `{}` is not a game record: expected one of {}",
            shorten(begin),
            formats.join("; ")
        );
        Refusal::new(RefusalKind::InvalidRecord, "/text", problem)
    }

    fn try_format(
        &self,
        text: &str,
        options: &ReadOptions<'_>,
        (name, game): (&str, &dyn AnyGame),
        (index, format): (usize, &AnyFormat),
    ) -> Result<Played, ReadError> {
        let ReadOptions { number, .. } = *options;
        let is_named = options.format.is_some();
        let source = Source { text, variant: options.variant.cloned(), number, is_named };
        let draft = game.read_record(index, &source)?;
        self.play_draft(name, format.name, draft)
    }

    /// Reads a line of moves, a position, or both with `moves` in between.
    fn read_moves(&self, text: &str, options: &ReadOptions<'_>, name: &str) -> Result<Played, ReadError> {
        let setup = Setup { variant: options.variant, ..Setup::default() };
        let session = self.open(name, setup).map_err(ReadError::Refused)?;
        let source = Source::<()> { text, variant: None, number: options.number, is_named: options.format.is_some() };
        let games = session.split_games(text).into_iter().map(|game| (place(text, game), game)).collect();
        let game = source.choose(games).map_err(ReadError::Misread)?;
        let (position, moves) = session.split_pasted(game);
        // A game without moves is written as an empty line, which cannot be read without the game's name.
        if position.is_none() && moves.is_empty() && options.game.is_none() {
            return Err(ReadError::Misread(Misread::new(0, "expected moves")));
        }
        let record = Record { position: position.map(str::to_owned), ..Record::default() };
        let moves = moves.into_iter().map(|mv| (place(text, mv), RecordedMove::new(mv))).collect();
        let position_at = position.map(|position| place(text, position)).unwrap_or_default();
        let draft = Draft { record, moves, position_at, ..Draft::new(session.view().variant) };
        self.play_draft(name, MOVES, draft)
    }

    /// Plays the moves of a draft.
    fn play_draft(&self, game: &str, format: &'static str, draft: AnyDraft) -> Result<Played, ReadError> {
        let Draft { variant, mut record, position_at, moves, warnings } = draft;
        let (places, moves): (Vec<usize>, Vec<RecordedMove>) = moves.into_iter().unzip();
        record.moves = moves;
        let played = self.play_all(game, Some(&variant), record).map_err(|stop| match stop {
            PlayError::Refused(refusal) if refusal.kind == RefusalKind::InvalidPosition => {
                ReadError::Misread(Misread::new(position_at, refusal.detail))
            }
            PlayError::Refused(refusal) => ReadError::Refused(refusal),
            PlayError::Illegal(index, illegal) => {
                let IllegalMove { text, problem } = illegal;
                ReadError::Illegal(Misread::new(places[index], format!("move {}, `{text}`: {problem}", index + 1)))
            }
        })?;
        let warnings = [warnings, played.warnings].concat();
        Ok(Played { format: Some(format), warnings, ..played })
    }

    /// Plays the moves of a record that was not read from a text, so that it can be written.
    ///
    /// # Errors
    /// When the game, the variant, the position or a move is refused.
    pub fn play_record(&self, game: &str, variant: Option<&Value>, record: Record) -> Result<Played, Refusal> {
        self.entry(game)?;
        self.play_all(game, variant, record).map_err(|stop| match stop {
            PlayError::Refused(refusal) => refusal,
            PlayError::Illegal(index, illegal) => Refusal::of_move(RefusalKind::IllegalMove, "/moves", index, &illegal),
        })
    }

    fn play_all(&self, game: &str, variant: Option<&Value>, mut record: Record) -> Result<Played, PlayError> {
        let setup = Setup { variant, position: record.position.as_deref(), moves: &[] };
        let mut session = self.open(game, setup).map_err(PlayError::Refused)?;
        let start = self.open(game, Setup { position: None, ..setup }).map_err(PlayError::Refused)?;
        record.position = Some(session.board()).filter(|board| *board != start.board());
        let mut moves = std::mem::take(&mut record.moves);
        let resignation = moves.pop_if(|last| resigns(&last.mv));
        for (index, mv) in moves.into_iter().enumerate() {
            record.moves.extend(play(&mut *session, mv).map_err(|illegal| PlayError::Illegal(index, illegal))?);
        }
        let mut warnings = session.warnings();
        if let Some(resignation) = resignation {
            resign(&*session, &mut record, &resignation, &mut warnings);
        }
        check_result(&*session, &mut record, &mut warnings);
        Ok(Played { game: game.to_owned(), format: None, record, session, warnings })
    }
}

impl ReadOptions<'_> {
    /// Whether the request allows this format.
    fn allows(&self, name: &str) -> bool {
        self.format
            .is_none_or(|format| name == format || name.strip_prefix(format).is_some_and(|rest| rest.starts_with('-')))
    }
}

fn keep_farthest<'a>(kept: &mut Option<(ReadError, &'a str)>, error: ReadError, format: &'a str) {
    if kept.as_ref().is_none_or(|(before, _)| before.reach() < error.reach()) {
        *kept = Some((error, format));
    }
}
