//! Position texts: FEN as Xiangqi programs write it.
//!
//! Six fields: the board from Black's back rank down, the side to move, two that only Western chess uses and that are written
//! `-`, the plies without a capture, and the move number. All after the side to move may be missing, and so may the middle two
//! alone (`w 0 1`). A move number of 0 is read as 1.

use std::fmt;

use super::attacks::STANDS;
use super::board::Board;
use super::notation::{colour, name};
use super::piece::{FILES, Kind, Man, RANKS, Square};
use super::variant::Ranks;
use crate::bits::Bits;
use crate::notation::{Malformed, read_board, write_board};
use crate::position::{Side, shorten};
use crate::records::place;

/// The contents of a position text.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The pieces and the side to move.
    pub board: Board,
    /// Counted plies without a capture.
    pub clock: u32,
    /// The move number, from 1; incremented after Black's moves.
    pub number: u32,
}

/// The letters accepted; `e` and `h` are other programs' names for `b` and `n`.
const LETTERS: &str = "KABENHRCPkabenhrcp";

/// The largest clock and move number accepted: far beyond any game, and far from overflow.
pub const LARGEST: u32 = 10_000;

/// Reads a position.
///
/// # Errors
/// When the text is not of this form, or the position is impossible in a game; the message says what was expected.
pub fn read(text: &str, ranks: Ranks) -> Result<Placed, Malformed> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let form =
        "expected the board, the side to move (`w` or `b`), `-`, `-`, the plies without a capture and the move number";
    let (cells, turn, rest) = match fields.as_slice() {
        [cells, turn, rest @ ..] if rest.len() <= 4 => (cells, turn, rest),
        [_] => return Err(Malformed::new(format!("no side to move: {form}"))),
        other => return Err(Malformed::new(format!("{} fields: {form}", other.len()))),
    };
    let turn = match *turn {
        "w" | "r" => Side::First,
        "b" => Side::Second,
        other => {
            let other = shorten(other);
            return Err(Malformed::new(format!("`{other}` is not a side to move: expected `w` (Red) or `b` (Black)")));
        }
    };
    let dashes = rest.iter().take(2).take_while(|field| **field == "-").count();
    let numbers = &rest[dashes..];
    let begins = |field: &&&str| field.starts_with(|c: char| c.is_ascii_digit() || c == '+');
    if let Some(other) = numbers.iter().take(2 - dashes).find(|field| !begins(field)) {
        return Err(Malformed::new(format!("`{}` in the third or fourth field: {form}", shorten(other))));
    }
    let number = |index: usize, name: &str, least: u32| match numbers.get(index) {
        None => Ok(least),
        Some(field) => field
            .parse()
            .ok()
            .filter(|number| *number <= LARGEST && !field.starts_with('+'))
            .map(|number: u32| number.max(least))
            .ok_or_else(|| {
                let field = shorten(field);
                Malformed::new(format!("`{field}` is not a valid {name}: expected a number from {least} to {LARGEST}"))
            }),
    };
    if let Some(other) = numbers.get(2) {
        return Err(Malformed::new(format!("`{}` after the move number: {form}", shorten(other))));
    }
    let placed = Placed {
        board: read_pieces(cells, turn, ranks)?,
        clock: number(0, "count of plies", 0)?,
        number: number(1, "move number", 1)?,
    };
    let board = &placed.board;
    if board.attacks_general(turn, board.general(turn.other())) {
        let (mover, other) = (colour(turn), colour(turn.other()));
        return Err(Malformed::new(format!(
            "{mover} is to move and could capture {other}'s general: expected a side to move that left no check standing, \
             and generals that do not face each other"
        )));
    }
    Ok(placed)
}

/// Splits a text that begins with a position into the position and the rest; if the side to move is invalid, the whole text is
/// the position.
pub fn split(text: &str) -> (&str, &str) {
    let is_field = |(index, word): &(usize, &str)| match index {
        0 => true,
        1 => matches!(*word, "w" | "r" | "b"),
        2..=5 => *word == "-" || word.bytes().all(|digit| digit.is_ascii_digit()),
        _ => false,
    };
    let fields: Vec<&str> = text.split_whitespace().enumerate().take_while(is_field).map(|(_, word)| word).collect();
    match fields.as_slice() {
        [_, .., last] => text.split_at(place(text, last) + last.len()),
        _ => (text, ""),
    }
}

/// Puts the pieces of a text on a board.
fn read_pieces(text: &str, turn: Side, ranks: Ranks) -> Result<Board, Malformed> {
    let cells = read_board(text, FILES.into(), RANKS.into(), LETTERS)?;
    let mut board = Board::empty(turn);
    for (index, letter) in (0..).zip(cells) {
        let Some(man) = letter.and_then(Man::from_letter) else { continue };
        let square = Square::new(index % FILES, RANKS - 1 - index / FILES);
        let (side, kind) = (man.side(), man.kind());
        let (colour, piece) = (colour(side), kind.name());
        if !STANDS[side.index()][kind as usize].has(square.index() as u32) {
            let place = match kind {
                Kind::General => "in its palace",
                Kind::Advisor => "on the five points of its palace's diagonals",
                _ => "on the seven points of its own half that it can reach",
            };
            return Err(Malformed::new(format!(
                "{colour}'s {piece} cannot stand on {}: expected it {place}",
                name(square, ranks)
            )));
        }
        if board.set(side, kind).count() == kind.most() {
            let most = kind.most();
            return Err(Malformed::new(format!("too many {piece}s for {colour}: expected at most {most}")));
        }
        board.put(square, man);
    }
    for side in [Side::First, Side::Second] {
        if board.set(side, Kind::General) == 0 {
            let letter = Man::new(side, Kind::General).letter();
            let colour = colour(side);
            return Err(Malformed::new(format!("{colour} has no general: expected one `{letter}` in its palace")));
        }
    }
    Ok(board)
}

/// Writes a position.
///
/// # Errors
/// Only those of `f`.
pub fn write(f: &mut fmt::Formatter<'_>, board: &Board, clock: u32, number: u32) -> fmt::Result {
    write_board(f, FILES.into(), RANKS.into(), |column, row| {
        board.man(Square::new(column as u8, RANKS - 1 - row as u8)).map(Man::letter)
    })?;
    let turn = if board.turn() == Side::First { 'w' } else { 'b' };
    // Larger numbers than those accepted are clamped, so that every text can be read again.
    write!(f, " {turn} - - {} {}", clock.min(LARGEST), number.min(LARGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    /// Writes as positions do, through `Display`.
    struct Written(Placed);

    impl fmt::Display for Written {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write(f, &self.0.board, self.0.clock, self.0.number)
        }
    }

    fn rewritten(text: &str) -> String {
        Written(read(text, Ranks::FromZero).unwrap_or_else(|error| panic!("{text}: {error}"))).to_string()
    }

    fn refusal(text: &str) -> String {
        read(text, Ranks::FromZero).map(Written).map(|written| written.to_string()).expect_err("the text is refused").0
    }

    #[test]
    fn canonical_texts_are_rewritten_as_they_are() {
        for text in [START, "4k4/9/9/9/9/9/9/9/9/3K5 b - - 17 42", "3k5/9/9/9/9/9/9/9/4K4/1P6r w - - 10000 10000"] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn what_may_be_missing_or_named_otherwise() {
        let board = START.split(' ').next().expect("the board");
        for rest in
            [" w", " r", " w -", " w - -", " w - - 0", "  w  -  -  0  1 ", " w 0 1", " w - 0 1", " w - - 0 0", " r 0 0"]
        {
            assert_eq!(rewritten(&format!("{board}{rest}")), START);
        }
        assert_eq!(
            rewritten("rheakaehr/9/9/9/9/4P4/9/9/9/RHEAKAEHR b"),
            "rnbakabnr/9/9/9/9/4P4/9/9/9/RNBAKABNR b - - 0 1"
        );
    }

    #[test]
    fn refusals_say_what_was_expected() {
        let cases = [
            ("", "0 fields: expected the board"),
            ("4k4/9/9/9/9/9/9/9/9/3K5", "no side to move: expected"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 W", "`W` is not a side to move: expected `w`"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ", "`KQ` in the third or fourth field"),
            (
                "4k4/9/9/9/9/9/9/9/9/3K5 w - - 10001",
                "`10001` is not a valid count of plies: expected a number from 0 to 10000",
            ),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - +1", "`+1` is not a valid count of plies"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 x", "`x` is not a valid move number: expected a number from 1 to 10000"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w 0 1 -", "`-` after the move number"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - x", "`x` in the third or fourth field"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 2", "7 fields"),
            ("4k4/9/9/9/9/9/9/9/3K5 w", "the board has 9 rows"),
            ("4k4/9/9/9/9/9/9/9/10/3K5 w", "row 9: `10` is not a run of empty cells"),
            ("4k4/9/9/9/9/9/9/9/9/3X5 w", "row 10: `X` is not a cell"),
            ("4k4/9/9/9/9/9/9/9/9/9 w", "Red has no general: expected one `K` in its palace"),
            ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no general"),
            ("4k4/9/9/9/9/9/9/9/9/3KK4 w", "too many generals for Red: expected at most 1"),
            ("4k4/9/9/9/9/9/9/9/9/2K6 w", "Red's general cannot stand on c0: expected it in its palace"),
            ("4k4/4a4/4a4/9/9/9/9/9/9/3K5 w", "Black's advisor cannot stand on e7"),
            ("4k4/9/9/9/9/9/9/9/9/3KB4 w", "Red's elephant cannot stand on e0"),
            ("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w", "too many pawns for Red: expected at most 5"),
            ("4k4/rrr6/9/9/9/9/9/9/9/3K5 w", "too many rooks for Black: expected at most 2"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "Red is to move and could capture Black's general"),
            ("4k4/9/9/9/9/9/9/9/9/3K1r3 b", "Black is to move and could capture Red's general"),
        ];
        for (text, expected) in cases {
            let refusal = refusal(text);
            assert!(refusal.starts_with(expected), "{text}: {refusal}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[KABNRCPkabnrcp1-9/]{0,60} [wb]( - - [0-9]{1,5} [0-9]{1,5})?|.{0,60}") {
            if let Ok(placed) = read(&text, Ranks::FromZero) {
                let text = Written(placed).to_string();
                proptest::prop_assert_eq!(rewritten(&text), text);
            }
        }
    }
}
