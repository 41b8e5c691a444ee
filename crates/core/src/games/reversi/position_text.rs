//! Position texts: the squares row by row from a1, and the side to move, as programs and people write them.
//!
//! | part | read |
//! |---|---|
//! | black, white, empty | `X` `x` `*` `B` `b` `●`, `O` `o` `W` `w` `○`, `-` `.` `_` `·` |
//! | rows | in one word, or separated by blanks, line breaks, `/` or `\|`; with `/`, numbers are runs of empty squares |
//! | around the rows | the letters of the columns, the numbers of the rows; `[8 … ]` and `BO[8 … ]` as in GGF |
//! | the side to move | the sign of its discs, or its colour; if it is missing, it is guessed from the number of discs |
//! | behind it | a remark from `;`, `%` or `#` to the end of the line, as in `.obf` files and scripts |

use super::board::Board;
use super::fills::legal_moves;
use super::{Reversi, ReversiVariant};
use crate::bits::Bits;
use crate::games::Game;
use crate::notation::{Malformed, column_letter};
use crate::position::{Position, Side, shorten};

/// A position as read from a text.
#[derive(Debug)]
pub struct Placed<'a> {
    /// Black's discs and White's, by the number of the square in the text.
    pub discs: [u128; 2],
    /// The side to move, if the text names it.
    pub side: Option<Side>,
    /// A remark after it on its line, not part of the position.
    remark: &'a str,
    /// What follows the position.
    pub rest: &'a str,
}

/// Least number of leading squares by which a text counts as a board. Words for moves are shorter.
const LEAST: u32 = 8;

/// Whether a text begins with a board, well-formed or not.
pub fn begins(text: &str, size: u32) -> bool {
    let mut squares = Squares::new(text, size);
    squares.read();
    squares.count >= LEAST
}

/// Reads the position at the beginning of a text.
///
/// # Errors
/// If the text does not begin with all squares of a board of this size.
pub fn read(text: &str, size: u32) -> Result<Placed<'_>, Malformed> {
    let mut squares = Squares::new(text, size);
    squares.read();
    let Squares { rest, count, discs, all, .. } = squares;
    let last = format!("{}{size}", column_letter(size - 1));
    match rest.chars().next() {
        _ if count == all => {}
        Some(other) if count < all && !other.is_whitespace() => {
            return Err(Malformed::new(format!(
                "`{other}` after {count} squares: expected `X`, `O` or `-` for each of {all}, from a1 to {last}"
            )));
        }
        _ => return Err(Malformed::new(format!("{count} squares: expected {all}, from a1 to {last}"))),
    }
    let rest = without_columns(rest.trim_start_matches('|'), size).trim_start();
    let (side, rest) = split_side(rest).map_or((None, rest), |(side, rest)| (Some(side), rest));
    let bracket = rest.trim_start();
    let rest = if squares.has_bracket { bracket.strip_prefix(']').unwrap_or(rest) } else { rest };
    let line = rest.lines().next().unwrap_or_default();
    let remark = if line.trim_start().starts_with([';', '%', '#']) { line } else { "" };
    let rest = &rest[remark.len()..];
    Ok(Placed { discs, side, remark: remark.trim(), rest })
}

/// The games of a text: its lines, if each is a position, or a game from its first move; otherwise the whole text. Lines of
/// moves are separate games only if a square is played in several of them. Lines that begin with `%` or `#` are remarks.
pub fn split_games<B: Board>(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let games: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with(['%', '#'])).collect();
    let is_position = |line: &&str| read(line, B::SIZE).is_ok();
    let first_moves: Vec<String> =
        Reversi::<B>::start(&ReversiVariant::default()).moves().map(|mv| mv.to_string()).collect();
    let begins_game = |line: &&str| moves::<B>(line).first().is_some_and(|first| first_moves.contains(first));
    let is_told_apart = || {
        let mut squares: Vec<String> = games.iter().flat_map(|line| moves::<B>(line)).collect();
        let count = squares.len();
        squares.sort_unstable();
        squares.dedup();
        squares.len() < count
    };
    let are_positions = !games.is_empty() && games.iter().all(is_position);
    if are_positions || games.len() > 1 && games.iter().all(begins_game) && is_told_apart() {
        games
    } else {
        vec![text]
    }
}

/// The squares that a line of moves names.
fn moves<B: Board>(line: &str) -> Vec<String> {
    let moves = Reversi::<B>::split_pasted(line).into_iter().map(str::to_ascii_lowercase);
    moves.filter(|mv| !matches!(mv.as_str(), "pass" | "pa" | "--")).collect()
}

/// Warnings of guesses and omissions in reading a position.
pub fn warnings<B: Board>(text: &str) -> Vec<String> {
    let Ok(placed) = read(text, B::SIZE) else { return Vec::new() };
    let guessed = placed.side.is_none().then(|| {
        let side = if placed.turn::<B>() == Side::First { "Black" } else { "White" };
        format!("the position does not name the side to move: {side} was guessed")
    });
    let remark =
        (!placed.remark.is_empty()).then(|| format!("`{}` after the position was left out", shorten(placed.remark)));
    guessed.into_iter().chain(remark).collect()
}

/// The text of the start position on a board of this size.
pub fn start(size: u32) -> String {
    let middle = size / 2;
    let pair = |a, b| 1u128 << (size * (middle - 1) + a) | 1u128 << (size * middle + b);
    let discs = [pair(middle, middle - 1), pair(middle - 1, middle)];
    Placed { discs, side: Some(Side::First), remark: "", rest: "" }.text(size)
}

/// A square's letter in the game's notation.
pub fn letter(is_black: bool, is_white: bool) -> char {
    match (is_black, is_white) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => '-',
    }
}

impl Placed<'_> {
    /// The position in the game's notation, on a board of this size.
    pub fn text(&self, size: u32) -> String {
        let [black, white] = self.discs;
        let board: String = (0..size * size).map(|square| letter(black.has(square), white.has(square))).collect();
        format!("{board} {}", if self.side == Some(Side::Second) { 'O' } else { 'X' })
    }

    /// Black's discs and White's.
    pub fn sets<B: Board>(&self) -> [B::Set; 2] {
        let single = |at: u32| B::Set::single(B::index(at % B::SIZE, at / B::SIZE));
        self.discs.map(|discs| discs.iter().fold(B::Set::EMPTY, |set, at| set | single(at)))
    }

    /// The side to move: the one named, or else the one whose turn it is after as many moves as there are discs beyond four,
    /// unless only the other can move.
    pub fn turn<B: Board>(&self) -> Side {
        self.side.unwrap_or_else(|| {
            let [black, white] = self.sets::<B>();
            let count = (black | white).count();
            let usual = if count.is_multiple_of(2) { Side::First } else { Side::Second };
            let can_move = |side| {
                let (own, other) = if side == Side::First { (black, white) } else { (white, black) };
                !legal_moves::<B>(own, other).is_empty()
            };
            if !can_move(usual) && can_move(usual.other()) { usual.other() } else { usual }
        })
    }
}

/// The squares at the beginning of a text.
struct Squares<'a> {
    /// The text not yet read.
    rest: &'a str,
    count: u32,
    /// The number of squares on the board.
    all: u32,
    size: u32,
    discs: [u128; 2],
    has_bracket: bool,
    /// Whether numbers are runs of empty squares.
    has_runs: bool,
    /// Whether blanks separate the squares of a row, known from the first two. If not, a blank can only come before the next
    /// row.
    is_spaced: Option<bool>,
}

impl<'a> Squares<'a> {
    fn new(text: &'a str, size: u32) -> Self {
        let text = text.trim_start();
        let opened = text.strip_prefix("BO").unwrap_or(text).trim_start().strip_prefix('[');
        let inside = opened.unwrap_or(text);
        let sized =
            inside.trim_start().strip_prefix(&*size.to_string()).filter(|rest| rest.starts_with(char::is_whitespace));
        let rest = without_columns(sized.unwrap_or(inside), size);
        let first = rest.split_whitespace().next().unwrap_or_default();
        let has_runs = first.contains('/');
        let is_spaced = has_runs.then_some(false);
        Self {
            rest,
            count: 0,
            all: size * size,
            size,
            discs: [0; 2],
            has_bracket: opened.is_some(),
            has_runs,
            is_spaced,
        }
    }

    /// Reads up to the last square, or to the first character that is not part of a board.
    fn read(&mut self) {
        let mut is_behind_blank = false;
        while let Some(next) = self.rest.chars().next() {
            let (side, before) = (side_of(next), self.count);
            let (number, length) = self.number().unwrap_or((0, next.len_utf8()));
            let may_part = self.count.is_multiple_of(self.size) || next != '\n' && self.is_spaced != Some(false);
            match next {
                '-' | '.' | '_' | '·' if self.count < self.all => self.count += 1,
                _ if side.is_some() && self.count < self.all => {
                    self.discs[usize::from(side == Some(Side::Second))] |= 1 << self.count;
                    self.count += 1;
                }
                '/' | '|' if self.count < self.all => {}
                '1'..='9' if self.has_runs && number <= self.size => self.count += number,
                '1'..='9' if self.is_row_number(number) => {}
                _ if next.is_whitespace() && may_part => {}
                _ => break,
            }
            self.rest = &self.rest[length..];
            if before == 1 && self.count == 2 {
                self.is_spaced = Some(is_behind_blank);
            }
            is_behind_blank = next.is_whitespace();
            if self.count == self.all {
                let last = self.rest.trim_start_matches([' ', '\t', '|']);
                let number = last
                    .strip_prefix(&*self.size.to_string())
                    .filter(|after| !after.starts_with(char::is_alphanumeric));
                self.rest = number.map_or(self.rest, |after| after.trim_start_matches([' ', '\t', '|']));
                break;
            }
        }
    }

    /// The next number and its length: a digit, or `10` on 10x10.
    fn number(&self) -> Option<(u32, usize)> {
        let digit = self.rest.chars().next()?.to_digit(10)?;
        Some(if self.size >= 10 && self.rest.starts_with("10") { (10, 2) } else { (digit, 1) })
    }

    /// Whether a number labels the row that begins here, or has just ended.
    fn is_row_number(&self, number: u32) -> bool {
        let row = self.count / self.size;
        self.count.is_multiple_of(self.size) && [row, row + 1].contains(&number)
    }
}

fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' | '●' => Some(Side::First),
        'O' | 'o' | 'W' | 'w' | '○' => Some(Side::Second),
        _ => None,
    }
}

/// The text after a line of column letters; the whole text if it does not begin with one.
fn without_columns(text: &str, size: u32) -> &str {
    let (line, rest) = text.trim_start().split_once('\n').unwrap_or((text.trim_start(), ""));
    let letters: String = line.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
    if letters.to_lowercase().chars().eq((0..size).map(column_letter)) { rest } else { text }
}

/// The side to move at the beginning of a text, and what follows.
fn split_side(text: &str) -> Option<(Side, &str)> {
    let length = text.find(|c: char| !c.is_alphabetic() && !matches!(c, '*' | '●' | '○')).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    let mut letters = word.chars();
    let side = match (letters.next(), letters.next()) {
        (Some(letter), None) => side_of(letter),
        _ if word.eq_ignore_ascii_case("black") => Some(Side::First),
        _ if word.eq_ignore_ascii_case("white") => Some(Side::Second),
        _ => None,
    }?;
    // `b3` is a move.
    let is_whole = !rest.starts_with(|c: char| c.is_alphanumeric());
    let after = rest.trim_start();
    let rest = ["to move", "to play"].iter().find_map(|words| after.strip_prefix(words)).unwrap_or(rest);
    is_whole.then_some((side, rest))
}
