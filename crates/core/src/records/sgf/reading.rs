//! Reading SGF.

use super::super::text::duration;
use super::super::{Draft, Misread, Source, number, place, time, without_variations};
use super::tree::{self, Property, unescape};
use super::{Sgf, Word, start_cells};
use crate::notation::write_board;
use crate::position::{Side, shorten};
use crate::record::{Clock, EarlyEnd, RecordedMove, RecordedResult};

/// Reads a game.
///
/// # Errors
/// Where the text is no SGF, or a property of the main line that matters is not what it should be.
pub fn read<V>(source: &Source<'_, V>, game: &Sgf<V>) -> Result<Draft<V>, Misread>
where
    V: Clone,
{
    let trees = tree::read(source.text)?;
    let tree = source.choose(trees)?;
    let first = |name: &str| {
        let properties = tree.nodes.iter().flatten();
        properties.filter(|property| property.name == name).find_map(|property| property.values.first().copied())
    };
    if let Some(named) = first("GM")
        && named.1.trim() != game.game
    {
        return Err(Misread::of_property("GM", named, &format!("expected the number of the game, {}", game.game)));
    }
    let size = first("SZ").map(read_size).transpose()?;
    let rules = first("RU").map(|(_, value)| unescape(value, true));
    let variant = (game.variant)(source.variant.clone(), size, rules.as_deref());
    let at_size = first("SZ").unwrap_or((place(source.text, source.text), "none"));
    let variant = variant.map_err(|problem| Misread::of_property("SZ", at_size, &problem))?;
    let (size, _) = (game.properties)(&variant).map_err(|problem| Misread::new(at_size.0, problem))?;
    let mut reading = Reading {
        game,
        size,
        draft: Draft::new(variant),
        setup: None,
        to_move: None,
        lost: None,
        left_out: Vec::new(),
    };
    if let Some(rules) = rules.filter(|rules| !(game.knows_rules)(rules)) {
        reading.draft.warnings.push(format!("RU[{}] is no variant of the game that is known here", shorten(&rules)));
    }
    for node in &tree.nodes {
        reading.node(node)?;
    }
    reading.draft.warnings.extend(without_variations(tree.variations));
    Ok(reading.finish())
}

/// The width of a square board: `15`, or `15:15`.
fn read_size(value: (usize, &str)) -> Result<u32, Misread> {
    let (columns, rows) = value.1.split_once(':').unwrap_or((value.1, value.1));
    let [columns, rows] = [columns, rows].map(|side| side.trim().parse::<u32>().ok());
    columns
        .filter(|_| columns == rows)
        .ok_or_else(|| Misread::of_property("SZ", value, "expected the size of a square board"))
}

struct Reading<'a, V: 'static> {
    game: &'a Sgf<V>,
    size: u32,
    draft: Draft<V>,
    /// The board once something has been set up.
    setup: Option<Vec<Option<Side>>>,
    to_move: Option<Side>,
    /// Who ended the game in place of a move, and how.
    lost: Option<(Side, EarlyEnd)>,
    /// The properties that were left out: of each name the first value, and how many there were.
    left_out: Vec<(String, String, usize)>,
}

impl<V> Reading<'_, V> {
    fn node(&mut self, node: &[Property<'_>]) -> Result<(), Misread> {
        let mut has_moved = false;
        // Comments and clocks belong to the move of their node, wherever in it they stand.
        for property in node {
            let side = match property.name.as_str() {
                "B" => Side::First,
                "W" => Side::Second,
                _ => continue,
            };
            for &value in &property.values {
                self.mv(&property.name, side, value)?;
                has_moved = true;
            }
        }
        for property in node {
            self.property(property, has_moved)?;
        }
        Ok(())
    }

    fn mv(&mut self, name: &str, side: Side, (at, value): (usize, &str)) -> Result<(), Misread> {
        let refuse = |expected: &str| Err(Misread::of_property(name, (at, value), expected));
        if self.lost.is_some() {
            return refuse("a move after the end of the game: expected none");
        }
        let mv = match self.game.word(value) {
            Some(Word::Move(mv)) => mv.to_owned(),
            Some(Word::Lost(how)) => {
                self.lost = Some((side, how));
                return Ok(());
            }
            Some(Word::Refused(expected)) => return refuse(expected),
            None => match self.game.point(value, self.size) {
                Some((column, row)) => (self.game.mv)(column, row, self.size),
                None => return refuse(&format!("expected a point of the board of size {}", self.size)),
            },
        };
        self.draft.moves.push((at, RecordedMove { side: Some(side), ..RecordedMove::new(mv) }));
        Ok(())
    }

    fn property(&mut self, property: &Property<'_>, has_moved: bool) -> Result<(), Misread> {
        let name = property.name.as_str();
        let Some(&value) = property.values.first() else { return Ok(()) };
        let record = &mut self.draft.record;
        let text = match name {
            "PB" => &mut record.players[0],
            "PW" => &mut record.players[1],
            "BR" => &mut record.ratings[0],
            "WR" => &mut record.ratings[1],
            "EV" => &mut record.event,
            "RO" => &mut record.round,
            "PC" => &mut record.place,
            "DT" => &mut record.date,
            "GC" | "C" => {
                let last = self.draft.moves.last_mut().filter(|_| has_moved && name == "C");
                add_comment(last.map_or(&mut record.comment, |(_, mv)| &mut mv.comment), value.1);
                return Ok(());
            }
            "TM" => {
                match duration(value.1) {
                    Some(main) => self.clock(|clock| clock.main = main),
                    None => self.leave_out(name, value.1),
                }
                return Ok(());
            }
            "OT" => {
                let increment = value.1.trim().strip_suffix("fischer").and_then(duration);
                match increment {
                    Some(increment) => self.clock(|clock| clock.increment = increment),
                    None => self.leave_out(name, value.1),
                }
                return Ok(());
            }
            "BL" | "WL" => {
                let side = if name == "BL" { Side::First } else { Side::Second };
                let last = self.draft.moves.last_mut().filter(|(_, mv)| has_moved && mv.side == Some(side));
                match (last, time(value.1)) {
                    (Some((_, mv)), Some(seconds)) => mv.seconds_left = Some(seconds),
                    (None, _) => {}
                    (Some(_), None) => self.leave_out(name, value.1),
                }
                return Ok(());
            }
            "RE" => {
                match read_result(&unescape(value.1, true)) {
                    Some(result) => record.result = result,
                    None => self.leave_out(name, value.1),
                }
                return Ok(());
            }
            "AB" | "AW" | "AE" => return self.set_up(property),
            "PL" => {
                self.to_move = match value.1.trim().to_ascii_lowercase().as_str() {
                    "b" | "black" | "1" => Some(Side::First),
                    "w" | "white" | "2" => Some(Side::Second),
                    _ => return Err(Misread::of_property(name, value, "expected `B` or `W`")),
                };
                return self.refuse_late("the side to move given", name, value);
            }
            _ => return Ok(()),
        };
        let said = unescape(value.1, true);
        *text = text.take().or(Some(said).filter(|said| !said.is_empty()));
        Ok(())
    }

    fn clock(&mut self, change: impl Fn(&mut Clock)) {
        self.draft.record.clocks.iter_mut().for_each(|clock| change(clock.get_or_insert_default()));
    }

    /// Notes a property that says nothing that can be understood, and without which the game is still the same.
    fn leave_out(&mut self, name: &str, value: &str) {
        match self.left_out.iter_mut().find(|(known, ..)| known == name) {
            Some((.., count)) => *count += 1,
            None => self.left_out.push((name.to_owned(), shorten(value), 1)),
        }
    }

    /// A record has one position, that before the first move.
    fn refuse_late(&self, what: &str, name: &str, value: (usize, &str)) -> Result<(), Misread> {
        match self.draft.moves.len() {
            0 => Ok(()),
            count => {
                let problem = format!("{what} after {count} moves: expected before the first");
                Err(Misread::of_property(name, value, &problem))
            }
        }
    }

    fn set_up(&mut self, property: &Property<'_>) -> Result<(), Misread> {
        let stone = match property.name.as_str() {
            "AB" => Some(Side::First),
            "AW" => Some(Side::Second),
            _ => None,
        };
        for &value in &property.values {
            self.refuse_late("stones set up", &property.name, value)?;
            let (from, to) = value.1.split_once(':').unwrap_or((value.1, value.1));
            let (Some(from), Some(to)) = (self.game.point(from, self.size), self.game.point(to, self.size)) else {
                let expected = format!("expected points of the board of size {}", self.size);
                return Err(Misread::of_property(&property.name, value, &expected));
            };
            if self.draft.position_at == 0 {
                self.draft.position_at = value.0;
            }
            let (size, start) = (self.size as usize, self.game.start);
            let cells = self.setup.get_or_insert_with(|| start_cells(size, start));
            for row in from.1..=to.1 {
                for column in from.0..=to.0 {
                    cells[row as usize * size + column as usize] = stone;
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Draft<V> {
        let first = self.draft.moves.first().and_then(|(_, mv)| mv.side);
        let is_unusual = self.to_move.is_some_and(|side| side != Side::First);
        if self.setup.is_none() && is_unusual {
            self.setup = Some(start_cells(self.size as usize, self.game.start));
        }
        if let Some(cells) = &self.setup {
            let count = |side| cells.iter().filter(|cell| **cell == Some(side)).count();
            let [black, white] = [Side::First, Side::Second].map(count);
            let by_count = match self.game.is_flat {
                true => (black + white) % 2 == 0,
                false => black <= white,
            };
            let by_count = if by_count { Side::First } else { Side::Second };
            let to_move = self.to_move.or(first).unwrap_or(by_count);
            self.draft.record.position = Some(position_text(cells, self.size, to_move, self.game));
        }
        if let Some((loser, how)) = self.lost {
            self.note_end(loser, how);
        }
        for (name, value, count) in &self.left_out {
            let warning = match count {
                1 => format!("{name}[{value}] was left out"),
                _ => format!("{name}[{value}] was left out, and {} more of its name", count - 1),
            };
            self.draft.warnings.push(warning);
        }
        self.draft
    }

    /// The result of a game that a player ended in place of a move, which `RE` may state too.
    fn note_end(&mut self, loser: Side, how: EarlyEnd) {
        let winner = Some(loser.other());
        let result = self.draft.record.result.get_or_insert(RecordedResult { winner, margin: None, early: None });
        if result.winner == winner {
            result.early = result.early.or(Some(how));
        } else {
            self.draft.warnings.push(format!("the last move says that the {loser} player lost, which RE does not"));
        }
    }
}

fn add_comment(comment: &mut Option<String>, value: &str) {
    let said = unescape(value, false);
    *comment = match comment.take() {
        Some(before) => Some(format!("{before}\n{said}")),
        None => Some(said).filter(|said| !said.is_empty()),
    };
}

fn position_text<V>(cells: &[Option<Side>], size: u32, to_move: Side, game: &Sgf<V>) -> String {
    let letter = |side: Side| game.stones[side.index()];
    let mut text = String::new();
    if game.is_flat {
        text.extend(cells.iter().map(|cell| cell.map_or('-', letter)));
    } else {
        // Writing to a string does not fail.
        let _ = write_board(&mut text, size, size, |column, row| cells[(row * size + column) as usize].map(letter));
    }
    text.extend([' ', letter(to_move)]);
    text
}

/// A result; within, none where the record says that it does not know.
fn read_result(value: &str) -> Option<Option<RecordedResult>> {
    let value = value.trim();
    let (winner, how) = match value.to_ascii_lowercase().as_str() {
        "" | "?" => return Some(None),
        "0" | "draw" => return Some(Some(RecordedResult { winner: None, margin: None, early: None })),
        lower => match (lower.strip_prefix("b+"), lower.strip_prefix("w+")) {
            (Some(how), _) => (Side::First, how.to_owned()),
            (_, Some(how)) => (Side::Second, how.to_owned()),
            _ => return None,
        },
    };
    let early = match how.as_str() {
        "" => None,
        "r" | "resign" => Some(EarlyEnd::Resigned),
        "t" | "time" => Some(EarlyEnd::Timeout),
        "f" | "forfeit" => Some(EarlyEnd::Forfeited),
        points => {
            let margin = number(points).filter(|points| *points > 0.0)? * f64::from(winner.sign());
            return Some(Some(RecordedResult { winner: Some(winner), margin: Some(margin), early: None }));
        }
    };
    Some(Some(RecordedResult { winner: Some(winner), margin: None, early }))
}
