//! Breakthrough (Dan Troyka, 2000) on boards of 3 by 3 to 8 by 8, with two rows of pawns a side; one on boards of three rows.

mod knowledge;

use tesuji_game::{Board, Game, MoveCells, Outcome, Side, Variant, position};

position! {
    /// The pawns of both sides as sets of squares, row by row from the top left.
    pub struct Breakthrough {
        pawns: [u64; 2],
        columns: u8,
        rows: u8,
        turn: Side,
    }
}

tesuji_game::export!(Breakthrough, Evaluate, Priority);

impl Breakthrough {
    /// The squares of the top row, or of the bottom row.
    fn edge(&self, bottom: bool) -> u64 {
        ((1 << self.columns) - 1) << if bottom { (self.rows - 1) * self.columns } else { 0 }
    }
}

impl Game for Breakthrough {
    const DESCRIPTION: &'static str = include_str!("../description.json");

    fn start(variant: &Variant) -> Self {
        let (columns, rows) = (variant.number("columns") as u8, variant.number("rows") as u8);
        let empty = Self { pawns: [0; 2], columns, rows, turn: Side::First };
        let (bottom, top) = (empty.edge(true), empty.edge(false));
        let pawns = if rows < 4 { [bottom, top] } else { [bottom | bottom >> columns, top | top << columns] };
        Self { pawns, ..empty }
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.turn.other();
        let arrived = self.pawns[last as usize] & self.edge(last == Side::Second) != 0;
        (arrived || self.pawns[self.turn as usize] == 0).then_some(Outcome::Win(last))
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.outcome().is_some() {
            return;
        }
        let (own, all, columns) =
            (self.pawns[self.turn as usize], self.pawns[0] | self.pawns[1], i32::from(self.columns));
        let forward = if self.turn == Side::First { -columns } else { columns };
        for from in (0..64).filter(|from| own >> from & 1 == 1) {
            let is_free = |aside: i32| if aside == 0 { all } else { own } >> (from + forward + aside) & 1 == 0;
            let asides = (-1..=1).filter(|aside| (0..columns).contains(&(from % columns + aside)));
            moves.extend(asides.filter(|&aside| is_free(aside)).map(|aside| (from * 65 + forward + aside) as u32));
        }
    }

    fn play(&mut self, mv: u32) {
        self.pawns[self.turn as usize] ^= 1 << (mv / 64) | 1 << (mv % 64);
        self.turn = self.turn.other();
        self.pawns[self.turn as usize] &= !(1 << (mv % 64));
    }

    fn move_text(&self, mv: u32) -> String {
        self.name(mv / 64) + &self.name(mv % 64)
    }

    fn board(&self) -> Option<Board> {
        Some(Board { columns: self.columns.into(), rows: self.rows.into() })
    }

    fn piece(&self, square: u32) -> char {
        match self.pawns.map(|pawns| pawns >> square & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        }
    }

    fn set_up(start: &Self, pieces: &[char], turn: Side) -> Result<Self, String> {
        let of = |side| pieces.iter().rev().fold(0, |set, &piece| set << 1 | u64::from(piece == side));
        let read = Self { pawns: [of('x'), of('o')], turn, ..*start };
        let is_over = read.pawns[turn as usize] & read.edge(turn == Side::Second) != 0;
        if is_over { Err("the side to move has won already".to_owned()) } else { Ok(read) }
    }

    fn move_cells(&self, mv: u32) -> MoveCells {
        let [from, to] = [mv / 64, mv % 64].map(|square| self.name(square));
        let captured = if self.captures(mv) { vec![to.clone()] } else { Vec::new() };
        MoveCells::step(from, to).capturing(captured)
    }
}

#[cfg(test)]
mod tests;
