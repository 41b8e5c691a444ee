//! Chinese notation and WXF, read by the same rules: a piece named from its player's view, its direction, and how far it goes.
//!
//! Four characters: the first two name the piece, the third is the direction, the fourth the file that is reached or, straight
//! forward or back, the number of steps. Files count from 1 at the mover's right. The piece is named by its kind and file (炮二,
//! `C2`), or, where two of a kind stand on one file, by its kind and place (前炮, `C+`). More than two can only be pawns, for
//! which each notation has special rules:
//!
//! | pawns | Chinese | WXF |
//! |---|---|---|
//! | three on a file | 前兵 中兵 后兵 | `P+` `P3` `P-` |
//! | four | 一兵 二兵 三兵 四兵 | `++` `P+` `P-` `--` |
//! | five | 一兵 to 五兵 | `++` `P+` `P3` `P-` `--` |
//! | several on each of two files | 一兵 to 五兵, file by file from the right | `3+` `33` `3-` `7+` `7-`: file and place |
//!
//! (WXF: its own page on notation, adopted 1997. Chinese: the conventions of Chinese programs.) Variants such as 炮前, `+C`, or a
//! file that names one of two are read if only one legal move is meant.

use super::super::board::Board;
use super::super::piece::{Kind, Man, Square, Step};
use super::super::variant::Ranks;
use super::colour;
use super::{exposed, half, name};
use crate::bits::Bits;
use crate::position::Side;

/// The direction of a move, from its player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Sideways,
    Backward,
}

/// A piece's place among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// 前, `++`: the foremost on its file.
    Front,
    /// 中, `33`: the middle one of three or five.
    Middle,
    /// 后, `--`: the rearmost.
    Rear,
    /// `+`: the foremost of two or three, the second of more.
    Plus,
    /// `-`: the rearmost of two or three, the last but one of more.
    Minus,
    /// 一 to 五 before the piece: counted through all files with several.
    Nth(u8),
}

/// A move as a text describes it.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    kind: Kind,
    file: Option<u8>,
    place: Option<Place>,
    direction: Direction,
    number: u8,
}

/// Reads a description; `None` when the text is not of this form.
pub fn read(text: &str) -> Option<Described> {
    let mut chars = text.chars().map(half);
    let [first, second, direction, number] = std::array::from_fn(|_| chars.next());
    if chars.next().is_some() {
        return None;
    }
    let direction = read_direction(direction?)?;
    let number = read_digit(number?)?;
    let described = |kind, file, place| Some(Described { kind, file, place, direction, number });
    match (read_sign(first?)?, read_sign(second?)?) {
        (Sign::Piece(kind), Sign::Digit(file)) => described(kind, Some(file), None),
        (Sign::Piece(kind), Sign::Place(place)) | (Sign::Place(place), Sign::Piece(kind)) => {
            described(kind, None, Some(place))
        }
        (Sign::Digit(nth), Sign::Piece(kind)) => described(kind, None, Some(Place::Nth(nth))),
        (Sign::Place(place), Sign::Digit(file)) | (Sign::Digit(file), Sign::Place(place)) => {
            described(Kind::Pawn, Some(file), Some(place))
        }
        (Sign::Digit(file), Sign::Digit(again)) if file == again => {
            described(Kind::Pawn, Some(file), Some(Place::Middle))
        }
        (Sign::Place(Place::Plus), Sign::Place(Place::Plus)) => described(Kind::Pawn, None, Some(Place::Front)),
        (Sign::Place(Place::Minus), Sign::Place(Place::Minus)) => described(Kind::Pawn, None, Some(Place::Rear)),
        _ => None,
    }
}

/// What the first two characters can be.
enum Sign {
    Piece(Kind),
    Digit(u8),
    Place(Place),
}

fn read_sign(sign: char) -> Option<Sign> {
    let place = match sign {
        '前' => Place::Front,
        '中' => Place::Middle,
        '后' | '後' => Place::Rear,
        _ => match read_direction(sign) {
            Some(Direction::Forward) if sign != '进' && sign != '進' => Place::Plus,
            Some(Direction::Backward) if sign != '退' => Place::Minus,
            _ => return read_digit(sign).map(Sign::Digit).or_else(|| read_kind(sign).map(Sign::Piece)),
        },
    };
    Some(Sign::Place(place))
}

fn read_direction(sign: char) -> Option<Direction> {
    match sign {
        '+' | '进' | '進' => Some(Direction::Forward),
        '.' | '=' | '平' => Some(Direction::Sideways),
        '-' | '–' | '−' | '退' => Some(Direction::Backward),
        _ => None,
    }
}

fn read_digit(sign: char) -> Option<u8> {
    let nine = ["123456789", "一二三四五六七八九"];
    nine.iter().find_map(|digits| (1..).zip(digits.chars()).find(|(_, digit)| *digit == sign)).map(|(value, _)| value)
}

fn read_kind(sign: char) -> Option<Kind> {
    Some(match sign {
        '帅' | '帥' | '将' | '將' => Kind::General,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' | '馬' | '傌' => Kind::Horse,
        '车' | '車' | '俥' => Kind::Rook,
        '炮' | '砲' | '包' => Kind::Cannon,
        '兵' | '卒' => Kind::Pawn,
        letter => return Man::from_letter(letter).map(Man::kind),
    })
}

/// Where a piece stands among those of its kind and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tandem {
    /// Its file's number.
    pub file: u8,
    /// How many of them are on its file.
    pub size: u8,
    /// How many of these stand in front of it.
    pub before: u8,
    /// How many files have several.
    pub crowded: u8,
    /// Its number, from 1, among those on crowded files: from the right, then from the front.
    pub nth: u8,
}

impl Tandem {
    /// The place of the man on a square.
    pub fn of(board: &Board, man: Man, square: Square) -> Self {
        let own = file_number(man.side(), square);
        let (mut size, mut before, mut sizes) = (0, 0, [0u8; 10]);
        for other in board.set(man.side(), man.kind()).iter().map(Square::from_index) {
            let file = file_number(man.side(), other);
            sizes[usize::from(file)] += 1;
            if file == own {
                size += 1;
                before += u8::from(advance(man.side(), Step { from: square, to: other }) > 0);
            }
        }
        let crowded = (1..).zip(&sizes[1..]).filter(|(_, size)| **size > 1);
        let nth = crowded.clone().filter(|(file, _)| *file < own).map(|(_, size)| size).sum::<u8>() + before + 1;
        Self { file: own, size, before, crowded: crowded.count() as u8, nth }
    }

    fn is_middle(&self) -> bool {
        self.size % 2 == 1 && 2 * self.before + 1 == self.size
    }

    fn is_at(&self, place: Place) -> bool {
        // Of more than three, plus and minus are the second from each end.
        let inner = u8::from(self.size > 3);
        let behind = self.size - 1 - self.before;
        self.size > 1
            && match place {
                Place::Front => self.before == 0,
                Place::Middle => self.is_middle(),
                Place::Rear => behind == 0,
                Place::Plus => self.before == inner,
                Place::Minus => behind == inner,
                Place::Nth(nth) => self.nth == nth,
            }
    }

    /// Whether a description's first two characters name this piece. A file alone means the middle one where there is one.
    fn is_named(&self, described: &Described) -> bool {
        described.file.is_none_or(|file| file == self.file)
            && match described.place {
                Some(place) => self.is_at(place),
                None => self.size.is_multiple_of(2) || self.is_middle(),
            }
    }
}

/// A file's number, from 1 at the side's right.
pub fn file_number(side: Side, square: Square) -> u8 {
    match side {
        Side::First => 9 - square.file(),
        Side::Second => square.file() + 1,
    }
}

/// How many ranks a step goes forward.
fn advance(side: Side, step: Step) -> i16 {
    (i16::from(step.to.rank()) - i16::from(step.from.rank())) * side.sign()
}

/// The direction of a man's step, and the number of steps or the file that is reached.
pub fn describe(man: Man, step: Step) -> (Direction, u8) {
    let advance = advance(man.side(), step);
    let direction = match advance {
        0 => Direction::Sideways,
        1.. => Direction::Forward,
        _ => Direction::Backward,
    };
    let straight = direction != Direction::Sideways && step.from.file() == step.to.file();
    let number = if straight { advance.unsigned_abs() as u8 } else { file_number(man.side(), step.to) };
    (direction, number)
}

/// Finds the one legal move that is meant.
///
/// # Errors
/// When no piece is named, none can move that way, the move would expose the general, or several moves are meant; the message
/// says which.
pub fn find(board: &Board, described: &Described, ranks: Ranks) -> Result<Step, String> {
    let man = Man::new(board.turn(), described.kind);
    let mut named = Vec::new();
    let mut reached = Vec::new();
    for from in board.set(man.side(), man.kind()).iter().map(Square::from_index) {
        if Tandem::of(board, man, from).is_named(described) {
            named.push(from);
            let steps = board.targets(from, man).iter().map(|to| Step { from, to: Square::from_index(to) });
            reached.extend(steps.filter(|step| describe(man, *step) == (described.direction, described.number)));
        }
    }
    let legal: Vec<Step> = reached.iter().copied().filter(|step| board.is_safe(*step)).collect();
    let (mover, piece) = (colour(man.side()), man.kind().name());
    match (legal.as_slice(), named.as_slice()) {
        ([step], _) => Ok(*step),
        ([first, second, ..], _) => {
            let [a, b] = [first, second].map(|step| name(step.from, ranks) + &name(step.to, ranks));
            Err(format!("ambiguous: expected a text that distinguishes `{a}` from `{b}`"))
        }
        ([], _) if !reached.is_empty() => Err(exposed(board)),
        ([], []) => {
            let all = board.set(man.side(), man.kind()).iter().map(Square::from_index);
            let all: Vec<String> = all.map(|square| name(square, ranks)).collect();
            match all.as_slice() {
                [] => Err(format!("{mover} has no {piece}")),
                _ => Err(format!("{mover} has no {piece} there: expected one of those on {}", all.join(", "))),
            }
        }
        ([], [from, ..]) => Err(format!("the {piece} on {} cannot make this move", name(*from, ranks))),
    }
}
