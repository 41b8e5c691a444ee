//! A board for proofs: the rules once more, quick enough to search, and sharing nothing with the rules that are tested. It
//! counts the stones of every window (five points in line). The slow rules decide what is forbidden in renju.

use std::collections::HashMap;

use super::slow::{Board, Referee, Verdict};

/// A point's number.
pub type Cell = u16;

pub const BLACK: usize = 0;
pub const WHITE: usize = 1;
const EMPTY: usize = 2;

/// A cell beyond the edge.
const OUTSIDE: Cell = Cell::MAX;
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Freestyle,
    Standard,
    Renju,
    Caro,
}

impl Rule {
    pub fn named(name: &str) -> Self {
        match name {
            "freestyle" => Self::Freestyle,
            "standard" => Self::Standard,
            "renju" => Self::Renju,
            "caro" => Self::Caro,
            other => panic!("{other} is no rule"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Grid {
    pub rule: Rule,
    size: i32,
    cells: Vec<usize>,
    /// For each cell its neighbours: a direction, and at once after it the opposite one.
    next: Vec<[Cell; 8]>,
    windows: Vec<[Cell; 5]>,
    /// The windows of each cell.
    through: Vec<Vec<u16>>,
    /// The stones of both colours in each window.
    counts: Vec<[u8; 2]>,
    keys: Vec<[u128; 2]>,
    /// Identifies the stones on the board.
    pub key: u128,
    forbidden: HashMap<(u128, Cell), bool>,
}

impl Grid {
    /// Reads a position's text: the board and the colour to move.
    pub fn read(rule: &str, text: &str) -> (Self, usize) {
        let mut words = text.split(' ');
        let rows: Vec<String> = words.next().expect("a text has rows").split('/').map(with_dots).collect();
        let mut grid = Self::empty(Rule::named(rule), rows.len() as i32);
        for (row, letters) in rows.iter().rev().enumerate() {
            for (column, letter) in letters.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                grid.put((row * rows.len() + column) as Cell, if letter == 'x' { BLACK } else { WHITE });
            }
        }
        (grid, if words.next() == Some("x") { BLACK } else { WHITE })
    }

    fn empty(rule: Rule, size: i32) -> Self {
        let count = (size * size) as usize;
        let inside = |(column, row): (i32, i32)| (0..size).contains(&column) && (0..size).contains(&row);
        let cell = |point: (i32, i32)| if inside(point) { (point.1 * size + point.0) as Cell } else { OUTSIDE };
        let (mut next, mut windows, mut through) = (Vec::new(), Vec::new(), vec![Vec::new(); count]);
        for (column, row) in (0..size).flat_map(|row| (0..size).map(move |column| (column, row))) {
            let mut around = [OUTSIDE; 8];
            for (number, (across, up)) in DIRECTIONS.into_iter().enumerate() {
                around[2 * number] = cell((column + across, row + up));
                around[2 * number + 1] = cell((column - across, row - up));
                let window = [0, 1, 2, 3, 4].map(|step| cell((column + step * across, row + step * up)));
                if window[4] != OUTSIDE {
                    window.iter().for_each(|&one| through[usize::from(one)].push(windows.len() as u16));
                    windows.push(window);
                }
            }
            next.push(around);
        }
        let mut state = 0u128;
        let mut random = || {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            state ^ state.rotate_right(61)
        };
        let keys = (0..count).map(|_| [random(), random()]).collect();
        let (cells, counts) = (vec![EMPTY; count], vec![[0; 2]; windows.len()]);
        Self { rule, size, cells, next, windows, through, counts, keys, key: 0, forbidden: HashMap::new() }
    }

    pub fn put(&mut self, cell: Cell, colour: usize) {
        self.change(cell, colour, 1);
        self.cells[usize::from(cell)] = colour;
    }

    pub fn remove(&mut self, cell: Cell) {
        let colour = std::mem::replace(&mut self.cells[usize::from(cell)], EMPTY);
        self.change(cell, colour, u8::MAX);
    }

    fn change(&mut self, cell: Cell, colour: usize, by: u8) {
        self.key ^= self.keys[usize::from(cell)][colour];
        for &window in &self.through[usize::from(cell)] {
            let count = &mut self.counts[usize::from(window)][colour];
            *count = count.wrapping_add(by);
        }
    }

    pub fn is_empty(&self, cell: Cell) -> bool {
        self.cells[usize::from(cell)] == EMPTY
    }

    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.cells.len() as Cell).filter(|&cell| self.is_empty(cell))
    }

    /// The number of stones of a colour in a row next to a cell, and what follows them.
    fn run(&self, cell: Cell, direction: usize, colour: usize) -> (usize, Cell) {
        let mut at = self.next[usize::from(cell)][direction];
        let mut count = 0;
        while at != OUTSIDE && self.cells[usize::from(at)] == colour {
            at = self.next[usize::from(at)][direction];
            count += 1;
        }
        (count, at)
    }

    /// The rows through a cell that win for a colour once it has a stone there: the two points next to each.
    fn rows(&self, cell: Cell, colour: usize) -> impl Iterator<Item = [Cell; 2]> {
        (0..4).filter_map(move |line| {
            let (up, above) = self.run(cell, 2 * line, colour);
            let (down, below) = self.run(cell, 2 * line + 1, colour);
            let length = up + 1 + down;
            let closed = |end: Cell| end != OUTSIDE && !self.is_empty(end);
            let wins = match self.rule {
                Rule::Freestyle => length >= 5,
                Rule::Standard => length == 5,
                Rule::Renju if colour == BLACK => length == 5,
                Rule::Renju => length >= 5,
                Rule::Caro => length >= 5 && !(closed(above) && closed(below)),
            };
            wins.then_some([above, below])
        })
    }

    /// Whether a colour wins with a stone on an empty cell.
    pub fn wins(&self, cell: Cell, colour: usize) -> bool {
        self.rows(cell, colour).next().is_some()
    }

    /// The cells where a colour wins at once.
    pub fn fives(&self, colour: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (window, counts) in self.windows.iter().zip(&self.counts) {
            if counts[colour] == 4 && counts[1 - colour] == 0 {
                let cell = *window.iter().find(|&&cell| self.is_empty(cell)).expect("four of five are taken");
                if !cells.contains(&cell) && self.wins(cell, colour) {
                    cells.push(cell);
                }
            }
        }
        cells
    }

    /// The empty cells that the fives at `fives` depend on. In caro a five closed at both ends does not count.
    pub fn needed(&self, fives: &[Cell], colour: usize) -> Vec<Cell> {
        let mut cells = fives.to_vec();
        if self.rule == Rule::Caro {
            let ends = fives.iter().flat_map(|&five| self.rows(five, colour)).flatten();
            cells.extend(ends.filter(|&end| end != OUTSIDE && self.is_empty(end)));
        }
        cells
    }

    /// The cells where the other colour stops all the fives at `fives`, which are all that exist.
    pub fn stops(&mut self, fives: &[Cell], colour: usize) -> Vec<Cell> {
        let mut cells = self.needed(fives, colour);
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|&cell| {
            self.put(cell, 1 - colour);
            let stopped = self.fives(colour).is_empty();
            self.remove(cell);
            stopped
        });
        cells
    }

    /// The windows without a stone of the other colour in which a colour has at least `least`: its count, and the empty cells.
    pub fn clear_windows(&self, colour: usize, least: u8) -> impl Iterator<Item = (u8, impl Iterator<Item = Cell>)> {
        let counted = self.windows.iter().zip(&self.counts);
        let clear = counted.filter(move |(_, counts)| counts[1 - colour] == 0 && counts[colour] >= least);
        clear.map(move |(window, counts)| (counts[colour], window.iter().copied().filter(|&cell| self.is_empty(cell))))
    }

    /// In each line through a cell, the black stones within four points and without a white one between.
    fn black_beside(&self, cell: Cell) -> [usize; 4] {
        let mut beside = [0; 4];
        for direction in 0..8 {
            let mut at = cell;
            for _ in 0..4 {
                at = self.next[usize::from(at)][direction];
                if at == OUTSIDE || self.cells[usize::from(at)] == WHITE {
                    break;
                }
                beside[direction / 2] += usize::from(self.cells[usize::from(at)] == BLACK);
            }
        }
        beside
    }

    /// Whether no white stones, however many, can make an empty cell forbidden for Black: it would take two threes, or two
    /// fours, and thus two lines with two stones each, or four stones on one line.
    pub fn is_always_legal(&self, cell: Cell) -> bool {
        let beside = self.black_beside(cell);
        beside.iter().filter(|&&count| count >= 2).count() <= 1 && beside.iter().all(|&count| count < 4)
    }

    /// Whether `stones` more black stones beside empty cells, counted for each of these, are too few to make every empty cell
    /// forbidden for Black: that takes four beside each. A stone is beside 32 cells at most.
    pub fn has_leeway(&self, stones: usize) -> bool {
        let count = |colour: usize| self.cells.iter().filter(|&&cell| cell == colour).count();
        if 4 * count(EMPTY) > 32 * count(BLACK) + stones {
            return true;
        }
        let missing = |cell| 4usize.saturating_sub(self.black_beside(cell).iter().sum());
        self.empty_cells().map(missing).sum::<usize>() > stones
    }

    /// Whether a colour may place a stone on an empty cell.
    pub fn is_legal(&mut self, cell: Cell, colour: usize) -> bool {
        if self.rule != Rule::Renju || colour == WHITE || self.is_always_legal(cell) {
            return true;
        }
        if let Some(&forbidden) = self.forbidden.get(&(self.key, cell)) {
            return !forbidden;
        }
        let verdict = self.board().verdict(self.point(cell), Referee::Exact);
        let forbidden = !matches!(verdict, Verdict::Legal | Verdict::Five);
        self.forbidden.insert((self.key, cell), forbidden);
        !forbidden
    }

    /// How many stones the other colour lacks when this one is to move.
    pub fn missing(&self, to_move: usize) -> usize {
        let count = |colour: usize| self.cells.iter().filter(|&&cell| cell == colour).count();
        (count(to_move) + to_move).saturating_sub(count(1 - to_move))
    }

    /// The same stones on a board of the slow rules.
    pub fn board(&self) -> Board {
        let letter = |&cell: &usize| [Some('x'), Some('o'), None][cell];
        Board(self.cells.chunks(self.size as usize).map(|row| row.iter().map(letter).collect()).collect())
    }

    pub fn point(&self, cell: Cell) -> (i32, i32) {
        (i32::from(cell) % self.size, i32::from(cell) / self.size)
    }

    /// The cell of a move, such as `h8`.
    pub fn cell(&self, name: &str) -> Cell {
        let column = i32::from(name.as_bytes()[0] - b'a');
        let row: i32 = name[1..].parse().expect("a move is a letter and a number");
        ((row - 1) * self.size + column) as Cell
    }

    /// The empty cell furthest from all stones, whose distance counts in moves of a king.
    pub fn quietest(&self) -> Option<Cell> {
        let stones: Vec<_> = (0..self.cells.len() as Cell).filter(|&cell| !self.is_empty(cell)).collect();
        let distance = |cell: Cell| {
            let (column, row) = self.point(cell);
            let from = |&stone: &Cell| {
                let other = self.point(stone);
                (column - other.0).abs().max((row - other.1).abs())
            };
            stones.iter().map(from).min()
        };
        self.empty_cells().max_by_key(|&cell| distance(cell))
    }
}

/// A row with a dot for each empty point.
fn with_dots(row: &str) -> String {
    let (mut text, mut number) = (String::new(), 0);
    for letter in row.chars().chain(['/']) {
        match letter.to_digit(10) {
            Some(digit) => number = 10 * number + digit as usize,
            None => {
                text += &".".repeat(std::mem::take(&mut number));
                text.push(letter);
            }
        }
    }
    text.trim_end_matches('/').to_owned()
}
