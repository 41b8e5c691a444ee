//! Connect Four on bitboards, column by column from the left, each with a guard cell on top.

mod symmetry;

use tesuji_game::{Board, Game, MoveCells, Outcome, Random, Side, Variant, position};

const BOARD: Board = Board { columns: 7, rows: 6 };
const HEIGHT: u32 = 7;
/// The lowest cell of each column.
const BOTTOM: u64 = 0x0408_1020_4081;
const FULL: u32 = 42;

position! {
    /// The stones of the side to move, and all stones.
    pub struct ConnectFour {
        own: u64,
        all: u64,
    }
}

tesuji_game::export!(ConnectFour, Symmetry);

const fn has_line(stones: u64) -> bool {
    const fn run(stones: u64, step: u32) -> bool {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    }
    run(stones, 1) | run(stones, HEIGHT) | run(stones, HEIGHT + 1) | run(stones, HEIGHT - 1)
}

impl ConnectFour {
    const fn is_open(&self, column: u32) -> bool {
        self.all >> (column * HEIGHT + BOARD.rows - 1) & 1 == 0
    }
}

/// The bit of a cell that is numbered from the top left.
const fn bit(cell: u32) -> u64 {
    1 << (cell % BOARD.columns * HEIGHT + BOARD.rows - 1 - cell / BOARD.columns)
}

impl Game for ConnectFour {
    const DESCRIPTION: &'static str = include_str!("../description.json");

    fn start(_: &Variant) -> Self {
        Self { own: 0, all: 0 }
    }

    #[inline]
    fn turn(&self) -> Side {
        if self.all.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.own ^ self.all) {
            return Some(Outcome::Win(self.turn().other()));
        }
        (self.all.count_ones() == FULL).then_some(Outcome::Draw)
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        let columns = if has_line(self.own ^ self.all) { 0 } else { BOARD.columns };
        moves.extend((0..columns).filter(|&column| self.is_open(column)));
    }

    #[inline]
    fn play(&mut self, mv: u32) {
        self.own ^= self.all;
        self.all |= self.all + (1 << (mv * HEIGHT));
    }

    fn move_text(&self, mv: u32) -> String {
        (mv + 1).to_string()
    }

    fn board(&self) -> Option<Board> {
        Some(BOARD)
    }

    fn piece(&self, cell: u32) -> char {
        let first = if self.turn() == Side::First { self.own } else { self.own ^ self.all };
        if self.all & bit(cell) == 0 {
            '.'
        } else if first & bit(cell) != 0 {
            'x'
        } else {
            'o'
        }
    }

    fn set_up(_: &Self, pieces: &[char], turn: Side) -> Result<Self, String> {
        let stones = |of| (0..FULL).filter(|&cell| pieces[cell as usize] == of).fold(0, |set, cell| set | bit(cell));
        let (x, o): (u64, u64) = (stones('x'), stones('o'));
        let position = Self { own: if turn == Side::First { x } else { o }, all: x | o };
        let hangs = (position.all & !BOTTOM) >> 1 & !position.all != 0;
        if hangs || x.count_ones() != o.count_ones() + turn as u32 || has_line(position.own) {
            return Err("expected stones that rest on others, alternate, and end with the first line".to_owned());
        }
        Ok(position)
    }

    fn move_cells(&self, mv: u32) -> MoveCells {
        let height = (self.all >> (mv * HEIGHT) & 0x3f).count_ones();
        let cell = (BOARD.rows - 1 - height) * BOARD.columns + mv;
        MoveCells::to(BOARD.name(cell))
    }

    fn playout(&self, random: &mut Random) -> Outcome {
        let mut position = *self;
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            let column = random.below(BOARD.columns);
            if position.is_open(column) {
                position.play(column);
            }
        }
    }
}

#[cfg(test)]
mod tests;
