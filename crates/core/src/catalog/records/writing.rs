//! Writing records.

use super::{MOVES, Played};
use crate::catalog::{Catalog, Refusal, RefusalKind, Setup};
use crate::position::shorten;
use crate::records::Written;

impl Catalog {
    /// Writes a played game in a format.
    ///
    /// # Errors
    /// When the game does not have the format, or the format cannot hold the game.
    pub fn write_record(&self, played: &Played, format: &str) -> Result<String, Refusal> {
        let refuse = |problem: String| Refusal::new(RefusalKind::InvalidRecord, "/write", problem);
        let variant = played.session.view().variant;
        let Played { game, record, .. } = played;
        let setup = Setup { variant: Some(&variant), position: record.position.as_deref(), moves: &[] };
        let mut session = self.open(game, setup)?;
        let turn = session.turn();
        if format == MOVES {
            let moves: Vec<&str> = record.moves.iter().map(|mv| mv.mv.as_str()).collect();
            return Ok(write_moves(record.position.as_deref(), &moves, session.separator()));
        }
        let formats = self.default_type(game).map(|game| (game, game.formats()));
        let known = formats.as_ref().and_then(|(game, formats)| {
            let index = formats.iter().position(|known| known.name == format)?;
            Some((*game, index, formats[index].notation))
        });
        let Some((any, index, notation)) = known else {
            let names = self.formats(game).join(", ");
            return Err(refuse(format!("`{}`: expected one of {names}", shorten(format))));
        };
        let mut line = Vec::new();
        for mv in &record.moves {
            session.play_described(&mv.mv, &mut line).map_err(|illegal| refuse(illegal.to_string()))?;
        }
        let texts = line.into_iter().map(|mv| {
            let text = mv.facts.notations.iter().find(|(name, _)| *name == notation);
            text.map_or(mv.mv, |(_, text)| text.clone())
        });
        let moves: Vec<String> = texts.collect();
        any.write_record(index, &Written { variant: &variant, record, moves: &moves, turn }).map_err(refuse)
    }
}

fn write_moves(position: Option<&str>, moves: &[&str], separator: &str) -> String {
    let moves = moves.join(separator);
    match position {
        None => format!("{moves}\n"),
        Some(position) => format!("{}\n", format!("{position} moves {moves}").trim_end()),
    }
}
