//! Reading SGF.

use super::super::text::duration;
use super::super::{About, Draft, Misread, Source, place, time, without_variations};
use super::colours::Colours;
use super::tree::{self, Property, unescape};
use super::{Sgf, Word, result};
use crate::position::{Side, shorten};
use crate::record::{Clock, EarlyEnd, RecordedMove, RecordedResult};

/// Reads a game.
///
/// # Errors
/// If the text is not valid SGF, or a relevant property of the main line is invalid.
pub fn read<V>(source: &Source<'_, V>, game: &Sgf<V>) -> Result<Draft<V>, Misread>
where
    V: Clone,
{
    let tree::Collection { games, warnings } = tree::read(source.text)?;
    let tree = source.choose(games)?;
    let first = |name: &str| {
        let properties = tree.nodes.iter().flatten();
        properties.filter(|property| property.name == name).find_map(|property| property.values.first().copied())
    };
    if let Some(named) = first("GM")
        && named.1.trim() != game.game
    {
        let misread = Misread::of_property("GM", named, &format!("expected the number of the game, {}", game.game));
        return Err(Misread { about: About::Game, ..misread });
    }
    let size = first("SZ").map(read_size).transpose()?;
    let rules = first("RU").map(|(_, value)| unescape(value, true));
    let variant = (game.variant)(source.variant.clone(), size, rules.as_deref());
    let at_size = first("SZ").unwrap_or((place(source.text, source.text), "none"));
    let variant = variant.map_err(|problem| Misread::of_property("SZ", at_size, &problem))?;
    let (size, _) = (game.properties)(&variant).map_err(|problem| Misread::new(at_size.0, problem))?;
    let (colours, assumed) = Colours::of(&tree, game);
    let mut reading = Reading {
        game,
        size,
        draft: Draft { warnings, ..Draft::new(variant) },
        colours,
        swap: None,
        setup: None,
        to_move: None,
        lost: None,
        left_out: Vec::new(),
    };
    reading.draft.warnings.extend(assumed.map(str::to_owned));
    if let Some(rules) = rules.filter(|rules| !(game.knows_rules)(rules)) {
        reading.draft.warnings.push(format!("RU[{}] is not a known variant of the game", shorten(&rules)));
    }
    for node in &tree.nodes {
        reading.node(node)?;
    }
    reading.draft.warnings.extend(without_variations(tree.variations));
    let record = &mut reading.draft.record;
    if colours.named_first == Side::Second {
        record.players.reverse();
        record.ratings.reverse();
    }
    record.result = record.result.map(|result| reading.colours.result(result));
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

pub(super) struct Reading<'a, V: 'static> {
    pub game: &'a Sgf<V>,
    pub size: u32,
    pub draft: Draft<V>,
    colours: Colours,
    /// A swap whose kind the next move shows: its colour and value.
    swap: Option<(Side, &'a str)>,
    /// The board, once stones have been set up.
    pub setup: Option<Vec<Option<Side>>>,
    pub to_move: Option<Side>,
    /// The player who ended the game instead of moving, and how.
    lost: Option<(Side, EarlyEnd)>,
    /// The properties ignored: of each name the first value, and the number of them.
    left_out: Vec<(String, String, usize)>,
}

impl<'a, V> Reading<'a, V> {
    fn node(&mut self, node: &[Property<'a>]) -> Result<(), Misread> {
        let mut has_moved = false;
        // Comments and clocks belong to the move of their node, regardless of their order.
        for property in node {
            let colour = match property.name.as_str() {
                "B" => Side::First,
                "W" => Side::Second,
                _ => continue,
            };
            for &value in &property.values {
                self.mv(colour, value)?;
                has_moved = true;
            }
        }
        for property in node {
            self.property(property, has_moved)?;
        }
        Ok(())
    }

    fn mv(&mut self, colour: Side, (at, value): (usize, &'a str)) -> Result<(), Misread> {
        let name = if colour == Side::First { "B" } else { "W" };
        let refuse = |expected: &str| Err(Misread::of_property(name, (at, value), expected));
        if self.lost.is_some() {
            return refuse("a move after the end of the game: expected none");
        }
        self.explain_swap(colour);
        let side = self.colours.player(colour);
        let mv = match self.game.word(value) {
            Some(Word::Move(mv)) => mv.to_owned(),
            Some(Word::Swap(mv)) => {
                self.swap = Some((colour, value));
                mv.to_owned()
            }
            Some(Word::Lost(how)) => {
                self.lost = Some((side, how));
                return Ok(());
            }
            None => match self.game.point(value, self.size) {
                Some((column, row)) if self.colours.is_mirrored => (self.game.mv)(row, column, self.size),
                Some((column, row)) => (self.game.mv)(column, row, self.size),
                None => return refuse(&format!("expected a point of the board of size {}", self.size)),
            },
        };
        self.draft.moves.push((at, RecordedMove { side: Some(side), ..RecordedMove::new(mv) }));
        Ok(())
    }

    /// Determines the kind of a swap from the colour of the next move. After a swap of pieces, which mirrors the stone, the
    /// other colour moves next; after a swap of sides, which leaves the stone in place, the same colour moves again, now played
    /// by the other player.
    fn explain_swap(&mut self, colour: Side) {
        let Some((swapper, value)) = self.swap.take() else { return };
        let [swapper_name, next] =
            [swapper, colour].map(|colour| if colour == Side::First { "Black" } else { "White" });
        let kind = if swapper == colour {
            self.colours = self.colours.exchanged();
            "a swap of sides: later colours and points are those of the same game with its first stone mirrored"
        } else if value.trim().eq_ignore_ascii_case("swap-sides") {
            "a swap of pieces"
        } else {
            return;
        };
        self.draft
            .warnings
            .push(format!("{swapper_name}'s `{}`, after which {next} moves, was read as {kind}", shorten(value)));
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
                let side = self.colours.player(if name == "BL" { Side::First } else { Side::Second });
                let last = self.draft.moves.last_mut().filter(|(_, mv)| has_moved && mv.side == Some(side));
                match (last, time(value.1)) {
                    (Some((_, mv)), Some(seconds)) => mv.seconds_left = Some(seconds),
                    (None, _) => {}
                    (Some(_), None) => self.leave_out(name, value.1),
                }
                return Ok(());
            }
            "RE" => {
                match result::read(&unescape(value.1, true)) {
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
        let content = unescape(value.1, true);
        *text = text.take().or(Some(content).filter(|content| !content.is_empty()));
        Ok(())
    }

    fn clock(&mut self, change: impl Fn(&mut Clock)) {
        self.draft.record.clocks.iter_mut().for_each(|clock| change(clock.get_or_insert_default()));
    }

    /// Notes an unreadable property that does not affect the game.
    fn leave_out(&mut self, name: &str, value: &str) {
        match self.left_out.iter_mut().find(|(known, ..)| known == name) {
            Some((.., count)) => *count += 1,
            None => self.left_out.push((name.to_owned(), shorten(value), 1)),
        }
    }

    fn finish(mut self) -> Draft<V> {
        self.draft.record.position = self.position();
        if let Some((loser, how)) = self.lost {
            self.record_end(loser, how);
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

    /// Sets the result of a game that a player ended instead of moving; `RE` may state it, too.
    fn record_end(&mut self, loser: Side, how: EarlyEnd) {
        let winner = Some(loser.other());
        let result = self.draft.record.result.get_or_insert(RecordedResult { winner, margin: None, early: None });
        if result.winner == winner {
            result.early = result.early.or(Some(how));
        } else {
            self.draft.warnings.push(format!("the last move means that the {loser} player lost, but RE does not"));
        }
    }
}

fn add_comment(comment: &mut Option<String>, value: &str) {
    let content = unescape(value, false);
    *comment = match comment.take() {
        Some(before) => Some(format!("{before}\n{content}")),
        None => Some(content).filter(|content| !content.is_empty()),
    };
}
