//! Stones set up in SGF, and the position that they make.

use super::super::Misread;
use super::reading::Reading;
use super::tree::Property;
use super::{Sgf, start_cells};
use crate::notation::write_board;
use crate::position::Side;

impl<V> Reading<'_, V> {
    /// Refuses a property after the first move: a record has one position, the one before it.
    pub(super) fn refuse_late(&self, what: &str, name: &str, value: (usize, &str)) -> Result<(), Misread> {
        match self.draft.moves.len() {
            0 => Ok(()),
            count => {
                let problem = format!("{what} after move {count}: expected it before the first move");
                Err(Misread::of_property(name, value, &problem))
            }
        }
    }

    pub(super) fn set_up(&mut self, property: &Property<'_>) -> Result<(), Misread> {
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
            // The corners of a rectangle come in any order.
            for row in from.1.min(to.1)..=from.1.max(to.1) {
                for column in from.0.min(to.0)..=from.0.max(to.0) {
                    cells[row as usize * size + column as usize] = stone;
                }
            }
        }
        Ok(())
    }

    /// The position before the first move, unless it is the start.
    pub(super) fn position(&mut self) -> Option<String> {
        let first = self.draft.moves.first().and_then(|(_, mv)| mv.side);
        let is_start = self.setup.is_none() && self.to_move.or(first) != Some(Side::Second);
        if is_start || self.setup.is_none() && self.to_move.is_none() && !self.game.second_begins {
            return None;
        }
        let (size, start) = (self.size, self.game.start);
        let cells = self.setup.get_or_insert_with(|| start_cells(size as usize, start));
        let count = |side| cells.iter().filter(|cell| **cell == Some(side)).count();
        let [black, white] = [Side::First, Side::Second].map(count);
        let (by_count, is_usual) = match self.game.is_flat {
            true => ((black + white) % 2 == 0, true),
            false => (black <= white, (white..=white + 1).contains(&black)),
        };
        let by_count = if by_count { Side::First } else { Side::Second };
        let to_move = self.to_move.or(first).unwrap_or(by_count);
        let text = position_text(cells, size, to_move, self.game);
        if self.to_move.or(first).is_none() && !is_usual {
            let colour = if to_move == Side::First { "Black" } else { "White" };
            self.draft
                .warnings
                .push(format!("{black} black and {white} white stones, and no PL: {colour} was taken to move"));
        }
        Some(text)
    }
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
