//! The format of game files: compact, append-only, readable while they are written.
//!
//! A file begins with two lines of text: `tesuji games 1` (the format and its version), and the [`Header`] as JSON. Then come
//! the games, each in a frame:
//!
//! | bytes | |
//! |--:|---|
//! | 2 | length n of the game, little-endian |
//! | 2 | check of the length: the lower half of its CRC-32 |
//! | n | the game |
//! | 4 | CRC-32 of the game, little-endian |
//!
//! The length has a separate check, so that a damaged length in the middle of a file is not mistaken for an incomplete game at
//! its end. A game is a sequence of varints (LEB128): its score (0: unknown; else 1 + the score in zigzag form), the number of
//! plies, and the plies. A ply is 4 · (index of the move among the legal ones) + kind; kind 1 is followed by the index of the
//! move that the search would have played, kinds 1 and 2 by the search's value as 16 bits, little-endian.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tesuji_core::position::Position;

/// The first line of a game file.
pub const MAGIC: &str = "tesuji games 1\n";

/// Maximum size of a game in bytes.
const LONGEST: usize = u16::MAX as usize;

/// Bytes of a frame before the game, and after it.
const FRAME_HEAD: usize = 4;
const FRAME_TAIL: usize = 4;

/// The header of a game file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// The complete variant.
    pub variant: Value,
    /// The start position of all games.
    pub position: String,
    /// How the games were made: everything that determines them besides their numbers.
    pub made: Value,
}

impl Header {
    /// Encodes the header.
    #[must_use]
    pub fn write(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{MAGIC}{json}\n")
    }

    /// Reads the header of a file. Returns it and its length in bytes.
    ///
    /// # Errors
    /// When this is not a game file, or the header is cut off or damaged.
    pub fn read(file: &[u8]) -> Result<(Self, usize), String> {
        if !file.starts_with(MAGIC.as_bytes()) {
            return Err(format!("not a file of games: expected it to begin with `{}`", MAGIC.trim_end()));
        }
        let json = &file[MAGIC.len()..];
        let length = json.iter().position(|&byte| byte == b'\n').ok_or("the header is cut off")?;
        let header = serde_json::from_slice(&json[..length]).map_err(|error| format!("the header: {error}"))?;
        Ok((header, MAGIC.len() + length + 1))
    }
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Its moves from the start.
    pub plies: Vec<Ply>,
    /// Its score ([`tesuji_core::position::Outcome::score`]); none if it is unfinished.
    pub score: Option<i16>,
}

/// A move of a game, by its index among the legal moves in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ply {
    /// Random, without a search.
    Drawn {
        /// The move.
        mv: u32,
    },
    /// Random, after a search.
    Random {
        /// The move.
        mv: u32,
        /// The move that the search found best.
        best: u32,
        /// The search's value for the first player: hundredths of a point in games played for points, else 10,000 times the
        /// expected points (1 for a win, 0.5 for a draw).
        value: i16,
    },
    /// Chosen by a search.
    Chosen {
        /// The move.
        mv: u32,
        /// The search's value, as above.
        value: i16,
    },
    /// Chosen by a search that returned no value.
    Unvalued {
        /// The move.
        mv: u32,
    },
}

impl Ply {
    /// The move played.
    #[must_use]
    pub const fn played(self) -> u32 {
        match self {
            Self::Drawn { mv } | Self::Random { mv, .. } | Self::Chosen { mv, .. } | Self::Unvalued { mv } => mv,
        }
    }

    /// The move that the search found best, where there was a search.
    #[must_use]
    pub const fn best(self) -> Option<u32> {
        match self {
            Self::Drawn { .. } => None,
            Self::Random { best, .. } => Some(best),
            Self::Chosen { mv, .. } | Self::Unvalued { mv } => Some(mv),
        }
    }

    /// The search's value, where there is one.
    #[must_use]
    pub const fn value(self) -> Option<i16> {
        match self {
            Self::Random { value, .. } | Self::Chosen { value, .. } => Some(value),
            Self::Drawn { .. } | Self::Unvalued { .. } => None,
        }
    }

    /// Whether the move was drawn at random, so that the game's result says little about the position before it.
    #[must_use]
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Drawn { .. } | Self::Random { .. })
    }
}

/// Factor by which records scale values.
pub(crate) fn scale<P: Position>() -> f64 {
    if P::POINTS { 100.0 } else { 10_000.0 }
}

impl Record {
    /// Encodes the game with its frame.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut game = Vec::with_capacity(4 * self.plies.len() + 8);
        put(&mut game, self.score.map_or(0, |score| 1 + zigzag(score)));
        put(&mut game, self.plies.len() as u32);
        for &ply in &self.plies {
            let kind = match ply {
                Ply::Drawn { .. } => 0,
                Ply::Random { .. } => 1,
                Ply::Chosen { .. } => 2,
                Ply::Unvalued { .. } => 3,
            };
            put(&mut game, 4 * ply.played() + kind);
            if let Ply::Random { best, .. } = ply {
                put(&mut game, best);
            }
            game.extend(ply.value().map(i16::to_le_bytes).into_iter().flatten());
        }
        let length = (game.len() as u16).to_le_bytes();
        let check = crc32fast::hash(&game).to_le_bytes();
        [&length[..], &length_checksum(length), &game, &check].concat()
    }

    /// Decodes a game without its frame.
    ///
    /// # Errors
    /// When the bytes are not a valid game.
    pub fn read(game: &[u8]) -> Result<Self, String> {
        read(game).ok_or_else(|| "a game cannot be read: it may be from a later version".to_owned())
    }
}

fn read(mut game: &[u8]) -> Option<Record> {
    let score = match take(&mut game)? {
        0 => None,
        score => Some(unzigzag(score - 1)),
    };
    let count = take(&mut game)? as usize;
    let mut plies = Vec::with_capacity(count.min(LONGEST));
    for _ in 0..count {
        let ply = take(&mut game)?;
        let mv = ply / 4;
        plies.push(match ply % 4 {
            0 => Ply::Drawn { mv },
            1 => Ply::Random { mv, best: take(&mut game)?, value: take_value(&mut game)? },
            2 => Ply::Chosen { mv, value: take_value(&mut game)? },
            _ => Ply::Unvalued { mv },
        });
    }
    game.is_empty().then_some(Record { plies, score })
}

/// The content of a file at a frame boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A game of this many bytes; its frame is eight bytes longer.
    Game(usize),
    /// The end of the file.
    End,
    /// An incomplete game: its writer was interrupted, or is still writing.
    Torn,
    /// Anything else.
    Damaged,
}

/// Classifies the first frame of the rest of a file.
#[must_use]
pub fn frame(rest: &[u8]) -> Frame {
    if rest.is_empty() {
        return Frame::End;
    }
    let Some((head, rest)) = rest.split_at_checked(FRAME_HEAD) else { return Frame::Torn };
    let length = [head[0], head[1]];
    if head[2..] != length_checksum(length) {
        return Frame::Damaged;
    }
    let length = usize::from(u16::from_le_bytes(length));
    let Some((game, rest)) = rest.split_at_checked(length) else { return Frame::Torn };
    match rest.split_at_checked(FRAME_TAIL) {
        None => Frame::Torn,
        Some((check, _)) if check == crc32fast::hash(game).to_le_bytes() => Frame::Game(length),
        Some(_) => Frame::Damaged,
    }
}

/// The locations of a file's games.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The offset of each game, behind the head of its frame, and its length, in bytes.
    pub games: Vec<(u64, u16)>,
    /// Bytes of the header and all complete games.
    pub whole: u64,
    /// Bytes of an incomplete game at the end.
    pub torn: u64,
}

/// Finds all games of a file.
///
/// # Errors
/// When the file is damaged; the message states where.
pub fn index(file: &[u8]) -> Result<(Header, Index), String> {
    let (header, mut at) = Header::read(file)?;
    let mut games = Vec::new();
    loop {
        match frame(&file[at..]) {
            Frame::Game(length) => {
                games.push(((at + FRAME_HEAD) as u64, length as u16));
                at += FRAME_HEAD + length + FRAME_TAIL;
            }
            Frame::Damaged => {
                return Err(format!("damaged at byte {at}, behind {} games: expected another one", games.len()));
            }
            Frame::End | Frame::Torn => {
                return Ok((header, Index { games, whole: at as u64, torn: (file.len() - at) as u64 }));
            }
        }
    }
}

fn length_checksum(length: [u8; 2]) -> [u8; 2] {
    let check = crc32fast::hash(&length).to_le_bytes();
    [check[0], check[1]]
}

fn zigzag(number: i16) -> u32 {
    let number = i32::from(number);
    (number << 1 ^ number >> 31) as u32
}

fn unzigzag(number: u32) -> i16 {
    ((number >> 1) as i32 ^ -((number & 1) as i32)) as i16
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn take_value(bytes: &mut &[u8]) -> Option<i16> {
    let (value, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(i16::from_le_bytes(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<Record> {
        let plies = vec![
            Ply::Drawn { mv: 3 },
            Ply::Random { mv: 200, best: 0, value: -6400 },
            Ply::Chosen { mv: 70_000, value: 10_000 },
            Ply::Unvalued { mv: 31 },
        ];
        let scores = [None, Some(0), Some(-64), Some(1), Some(i16::MAX), Some(i16::MIN)];
        let mut games: Vec<Record> = scores.map(|score| Record { plies: plies.clone(), score }).into();
        games.push(Record { plies: Vec::new(), score: Some(1) });
        games
    }

    fn file() -> (Header, Vec<u8>) {
        let header = Header {
            game: "go".to_owned(),
            variant: Value::Null,
            position: "-".to_owned(),
            made: serde_json::json!({ "seed": 1 }),
        };
        let mut file = header.write().into_bytes();
        games().iter().for_each(|game| file.extend(game.write()));
        (header, file)
    }

    #[test]
    fn games_survive_writing() {
        let (header, file) = file();
        let (read, index) = index(&file).expect("it is whole");
        assert_eq!((read, index.torn, index.whole), (header, 0, file.len() as u64));
        let bytes = |&(at, length): &(u64, u16)| &file[at as usize..at as usize + usize::from(length)];
        let read: Vec<_> = index.games.iter().map(|place| Record::read(bytes(place)).expect("it is a game")).collect();
        assert_eq!(read, games());
    }

    #[test]
    fn a_file_may_end_anywhere() {
        let (header, file) = file();
        for end in header.write().len()..file.len() {
            let (_, index) = index(&file[..end]).expect("what is there is whole");
            assert_eq!(index.whole + index.torn, end as u64);
            assert!(index.games.len() < games().len());
        }
        for end in 0..header.write().len() {
            assert!(index(&file[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn no_damage_passes_for_a_torn_end() {
        let (header, file) = file();
        for at in header.write().len()..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let problem = index(&damaged).expect_err("a byte is wrong");
            assert!(problem.starts_with("damaged at byte"), "{problem}");
        }
    }
}
