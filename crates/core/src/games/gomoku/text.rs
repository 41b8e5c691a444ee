//! Positions and moves as texts.

use std::fmt;

use super::lines::{Colour, Lines, Point};
use super::opening::Phase;
use super::variant::{GomokuVariant, Opening, Rule};
use super::{End, Gomoku, Move, renju};
use crate::games::Game;
use crate::games::{Description, Geometry, Notation, SideNames, Translated};
use crate::notation::{Malformed, read_board, read_cell, split_side, write_board};
use crate::position::shorten;

/// The public description of the game.
pub(super) const DESCRIPTION: Description = Description {
    names: Translated { en: "Gomoku", zh: "五子棋" },
    sides: SideNames {
        first: Translated { en: "Black", zh: "黑方" }, second: Translated { en: "White", zh: "白方" }
    },
    how_to_play: Translated {
        en: "Black and White take turns to place a stone on an empty point; stones never move. The first with five stones in a line, across, down or diagonally, wins. The variants differ in what longer lines are worth, and renju forbids some moves to Black. If the board fills up first, the game is a draw.",
        zh: "黑方和白方轮流在空的交叉点上放一枚己方棋子，棋子放下后不再移动。先把五枚棋子横、竖或斜连成一线的一方获胜。各变体对长连的规定不同，连珠规则还禁止黑方走某些点。棋盘放满而无人连成，则为和棋。",
    },
    notation: Notation {
        position: "Rows from the top, `/` between them, `x` (Black) and `o` (White), numbers for runs of empty points, a space, the colour to move. With swap2 another space and a word: `opening`, `choose`, `place`, or `first` or `second`, who plays Black. After a foul in renju another space and the stone that was it.",
        position_example: "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o",
        moves: "Column letter and row number from the bottom; in swap2 also `black`, `white` (to take that colour) and `place` (to place two more stones). Moves may be joined.",
        moves_example: &["h8", "h9i8"],
    },
    geometry: Geometry::Intersections,
    rules: "Black moves first; a full board is a draw. `freestyle`: five or more in a row win. `standard`: exactly five. `caro`: five or more, not closed at both ends by the opponent's stones. `renju`: White wins by five or more, Black by exactly five; Black loses by an overline, a double four or a double three made without a five, and it is a draw when nothing else is left.",
};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone { at, .. } => at.fmt(f),
            Self::Take(Colour::Black) => f.write_str("black"),
            Self::Take(Colour::White) => f.write_str("white"),
            Self::Place => f.write_str("place"),
        }
    }
}

impl<const LINES: usize> fmt::Display for Gomoku<LINES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        write_board(f, size, size, |column, row| Some(self.letter(column, row)).filter(|&letter| letter != '.'))?;
        write!(f, " {}", self.colour().letter())?;
        match self.end {
            Some(End::Foul(_, at)) => write!(f, " {at}"),
            _ if self.is_swap2() => write!(f, " {}", self.phase.word()),
            _ => Ok(()),
        }
    }
}

/// Reads a position.
pub(super) fn parse<const LINES: usize>(variant: &GomokuVariant, text: &str) -> Result<Gomoku<LINES>, Malformed> {
    let (text, extra) = match text.match_indices(' ').nth(1) {
        Some((end, _)) => (&text[..end], Some(&text[end + 1..])),
        None => (text, None),
    };
    let (board, side) = split_side(text, ["x", "o"])?;
    let cells = read_board(board, variant.size, variant.size, "xo")?;
    let mut position = Gomoku::start(variant);
    let mut counts = [0u32; 2];
    for (place, letter) in cells.into_iter().enumerate() {
        let (column, row) = (place as u32 % variant.size, place as u32 / variant.size);
        let colour = match letter {
            None => continue,
            Some('x') => Colour::Black,
            Some(_) => Colour::White,
        };
        position.put(Point::new(column, variant.size - 1 - row), colour);
        counts[colour as usize] += 1;
    }
    let (black, white) = (counts[0], counts[1]);
    if black != white + side.index() as u32 {
        return Err(Malformed::new(format!(
            "{black} `x` and {white} `o`: expected as many of each when `x` is to move, one `x` more when `o` is"
        )));
    }
    let (own, last) = (position.colour(), position.colour().other());
    if position.rule.find_five(&position.lines, own).is_some() {
        return Err(Malformed::new(
            "the colour to move has five in a row already: expected a game that ended when they were made",
        ));
    }
    if variant.opening == Opening::Swap2 {
        position.phase = Phase::read(extra, position.stones.into())?;
    }
    position.end = match extra {
        Some(word) if variant.name == Rule::Renju => Some(position.read_foul(word)?),
        Some(word) if variant.opening == Opening::Free => {
            let word = shorten(word);
            return Err(Malformed::new(format!("`{word}` after the side to move: expected nothing more")));
        }
        _ if position.rule.find_five(&position.lines, last).is_some() => Some(End::Five(last)),
        _ => position.deadlock(),
    };
    Ok(position)
}

/// Splits a text of moves, which may be joined.
pub(super) fn split_line(text: &str) -> Option<Vec<&str>> {
    // Each move is a letter and a number, or a word.
    let mut parts = Vec::new();
    for mut word in text.split_whitespace() {
        while !word.is_empty() {
            let choice = |name: &str| word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(name));
            let letter = word.starts_with(|c: char| c.is_ascii_alphabetic());
            let digits = word.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            let length = match () {
                () if ["black", "white", "place"].into_iter().any(choice) => 5,
                () if letter && digits > 0 => 1 + digits,
                () => return None,
            };
            let (part, rest) = word.split_at(length);
            parts.push(part);
            word = rest;
        }
    }
    Some(parts)
}

impl<const LINES: usize> Gomoku<LINES> {
    /// Reads the third word: the stone whose foul ended the game.
    fn read_foul(&self, word: &str) -> Result<End, Malformed> {
        let expected = "expected nothing, or the black stone that was a foul and ended the game, like `h8`";
        let refuse = || Malformed::new(format!("`{}` after the side to move: {expected}", shorten(word)));
        let (column, row) = read_cell(word, self.size(), self.size()).map_err(|_| refuse())?;
        let at = Point::new(column, row);
        if word != at.to_string() || self.colour() != Colour::White || self.lines.get(at) != Some(Colour::Black) {
            return Err(refuse());
        }
        let mut before = Lines::new(self.lines.size);
        for row in 0..self.size() {
            for point in (0..self.size()).map(|column| Point::new(column, row)).filter(|&point| point != at) {
                if let Some(colour) = self.lines.get(point) {
                    before.put(point, colour);
                }
            }
        }
        if self.rule.find_five(&before, Colour::Black).is_some() {
            return Err(refuse());
        }
        let foul = renju::foul::<LINES>(&before, at).ok_or_else(refuse)?;
        Ok(End::Foul(foul, at))
    }
}
