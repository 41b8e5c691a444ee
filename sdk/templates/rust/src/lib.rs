//! {{title}}: three in a row on a board of 3 by 3. Change it into your game.

use tesuji_game::{Board, Game, MoveCells, Outcome, Side, Variant, position};

const BOARD: Board = Board { columns: 3, rows: 3 };
const FULL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

position! {
    /// The cells of both sides, a bit each, row by row from the top left.
    pub struct ThreeInARow {
        marks: [u16; 2],
        turn: Side,
    }
}

tesuji_game::export!(ThreeInARow);

impl ThreeInARow {
    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.marks[side as usize] & line == *line)
    }

    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }
}

impl Game for ThreeInARow {
    const DESCRIPTION: &'static str = r#"{
        "name": "{{name}}",
        "names": {"en": "{{title}}"},
        "how_to_play": {"en": "Take a free cell. Three in a row win."},
        "board": {"columns": 3, "rows": 3, "pieces": {"x": {"side": "first"}, "o": {"side": "second"}}}
    }"#;

    fn start(_: &Variant) -> Self {
        Self { marks: [0; 2], turn: Side::First }
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.turn.other();
        if self.has_line(last) { Some(Outcome::Win(last)) } else { (self.taken() == FULL).then_some(Outcome::Draw) }
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.outcome().is_none() {
            moves.extend((0..9).filter(|cell| self.taken() >> cell & 1 == 0));
        }
    }

    fn play(&mut self, cell: u32) {
        self.marks[self.turn as usize] |= 1 << cell;
        self.turn = self.turn.other();
    }

    fn move_text(&self, cell: u32) -> String {
        self.name(cell)
    }

    fn board(&self) -> Option<Board> {
        Some(BOARD)
    }

    fn piece(&self, cell: u32) -> char {
        match self.marks.map(|marks| marks >> cell & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        }
    }

    fn set_up(_: &Self, pieces: &[char], turn: Side) -> Result<Self, String> {
        let marks = ['x', 'o'].map(|of| pieces.iter().rev().fold(0, |set, &piece| set << 1 | u16::from(piece == of)));
        let position = Self { marks, turn };
        if position.has_line(turn) || marks[0].count_ones() != marks[1].count_ones() + turn as u32 {
            return Err("expected marks that alternate, and end with the first line".to_owned());
        }
        Ok(position)
    }

    fn move_cells(&self, cell: u32) -> MoveCells {
        MoveCells::to(self.name(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_hold() {
        tesuji_game::check::<ThreeInARow>(2_000);
        // 9 · 8 · 7 · 6 · 5 lines; no game ends before the fifth move.
        assert_eq!(tesuji_game::perft(&tesuji_game::start::<ThreeInARow>("{}"), 5), 15_120);
    }
}
