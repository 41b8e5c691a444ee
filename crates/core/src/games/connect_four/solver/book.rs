//! The opening book: the exact score of every position of the standard board with at most twelve stones.
//!
//! - `function`: a static map from positions to scores that does not store the positions, read in place.
//! - `builder`: enumerates the positions. Scores with twelve stones come from a published table or from the solver, scores with
//!   fewer from those by minimax.
//!
//! The book is embedded with the feature `book` (on by default) and can be loaded otherwise. Mirror images share an entry;
//! positions that a glance decides (a win at this ply or a loss at the next) are not stored. A position outside the book would
//! get an arbitrary score, so a lookup first checks that a game can reach the position.

mod builder;
mod function;

use std::sync::OnceLock;

use super::grid::{Grid, StandardGrid};
use super::solver_position::SolverPosition;
use crate::data::DataFile;
pub use builder::{BookBuilder, KnownScores, solve};
use function::Function;

/// The book's scores of positions with twelve stones, given by their numbers (see `canonical`); `None` without a readable book.
#[must_use]
pub fn embedded_scores(keys: &[u64]) -> Option<Vec<i8>> {
    let book = Book::present()?;
    Some(keys.iter().map(|&key| book.score_of_reachable(of_canonical(key)) as i8).collect())
}

/// Stones on the board at the book's last level.
pub const STONES: i32 = 12;
/// The first bytes of the file; the last of them is the format's version.
const MAGIC: &[u8; 8] = b"tesuji4\x01";
/// Positions with fewer than twelve stones: bits of a score, and the offset added to it.
const EARLY: (u32, i32) = (6, 32);
/// Positions with twelve stones, whose scores lie between -14 and 14.
const LAST: (u32, i32) = (5, 15);

#[cfg(feature = "book")]
const EMBEDDED: &[u8] = include_bytes!("book/connect-four.book");
#[cfg(not(feature = "book"))]
const EMBEDDED: &[u8] = &[];

/// The book's file.
pub static FILE: DataFile = DataFile::new("connect-four.book", false, EMBEDDED, |bytes| {
    Book::read(bytes).map(drop).ok_or_else(|| "not an opening book in the current format".to_owned())
});

/// A book, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Book<'a> {
    early: Function<'a>,
    last: Function<'a>,
}

impl Book<'static> {
    /// The program's book, embedded or loaded.
    pub fn present() -> Option<&'static Self> {
        static BOOK: OnceLock<Book<'static>> = OnceLock::new();
        if let Some(book) = BOOK.get() {
            return Some(book);
        }
        let book = Book::read(FILE.bytes())?;
        Some(BOOK.get_or_init(|| book))
    }
}

impl<'a> Book<'a> {
    /// Reads a book's file; `None` when it is not one.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (early, rest) = Function::read(bytes.strip_prefix(MAGIC)?, EARLY.0)?;
        let (last, rest) = Function::read(rest, LAST.0)?;
        rest.is_empty().then_some(Self { early, last })
    }

    /// The exact score for the side to move, if the position has at most [`STONES`] stones and a game can reach it.
    pub fn score(&self, position: SolverPosition) -> Option<i32> {
        (stones(position) <= STONES && is_reachable(position)).then(|| self.score_of_reachable(position))
    }

    fn score_of_reachable(&self, position: SolverPosition) -> i32 {
        decided_score(position).unwrap_or_else(|| {
            let key = canonical(position);
            let (function, offset) =
                if stones(position) == STONES { (self.last, LAST.1) } else { (self.early, EARLY.1) };
            function.get(key) as i32 - offset
        })
    }

    /// A lower bound of the score of a position with one stone more than the book holds. This position is a child of each of
    /// its parents, so it is worth at least the negated score of each.
    pub fn score_at_least(&self, position: SolverPosition) -> Option<i32> {
        if stones(position) != STONES + 1 {
            return None;
        }
        let before = parents(position).filter(|&before| is_reachable(before));
        before.map(|before| -self.score_of_reachable(before)).max()
    }
}

/// Writes a whole book in its file format.
pub fn write(early: &[(u64, i8)], last: &[(u64, i8)]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (entries, (bits, offset)) in [(early, EARLY), (last, LAST)] {
        let entries: Vec<_> = entries.iter().map(|&(key, score)| (key, (i32::from(score) + offset) as u8)).collect();
        function::write(&entries, bits, &mut bytes);
    }
    bytes
}

fn stones(position: SolverPosition) -> i32 {
    StandardGrid.cells() - position.left
}

/// The score, if this ply or the next decides it.
pub fn decided_score(position: SolverPosition) -> Option<i32> {
    let landing = StandardGrid.landing(position.filled);
    let (wins, threats) = position.wins(StandardGrid);
    if wins & landing != 0 {
        return Some((position.left + 1) / 2);
    }
    (StandardGrid.safe(landing, threats) == 0).then_some(-(position.left / 2))
}

/// The number of a position, the same for its mirror image.
pub fn canonical(position: SolverPosition) -> u64 {
    let key = StandardGrid.key(position.own, position.filled);
    key.min(StandardGrid.key(mirrored(position.own), mirrored(position.filled)))
}

/// The position, or its mirror image, that has this number.
pub fn of_canonical(key: u64) -> SolverPosition {
    let (mut own, mut filled) = (0, 0);
    for column in 0..StandardGrid.columns() {
        let shift = column * StandardGrid.height();
        let stones = key >> shift & 0x7f;
        let top = 1 << stones.ilog2();
        own |= (stones ^ top) << shift;
        filled |= (top - 1) << shift;
    }
    SolverPosition { own, filled, left: StandardGrid.cells() - filled.count_ones() as i32 }
}

fn mirrored(cells: u64) -> u64 {
    (0..7).fold(0, |all, column| all | (cells >> (7 * column) & 0x7f) << (7 * (6 - column)))
}

/// The positions one ply earlier; some may be unreachable.
fn parents(position: SolverPosition) -> impl Iterator<Item = SolverPosition> {
    let SolverPosition { own, filled, left } = position;
    let tops = filled & !(filled >> 1);
    // The highest stone of a column, if it belongs to the side that moved last.
    let last = (0..7).map(move |column| tops & StandardGrid.column(column) & !own).filter(|&stone| stone != 0);
    last.map(move |stone| SolverPosition { own: filled ^ own ^ stone, filled: filled ^ stone, left: left + 1 })
}

/// Whether a game can reach this position, which has no line: whether its stones can be removed alternately.
fn is_reachable(position: SolverPosition) -> bool {
    fn search(position: SolverPosition, seen: &mut Vec<u64>) -> bool {
        if position.filled == 0 {
            return true;
        }
        // The filled cells determine which stones are left.
        if seen.contains(&position.filled) {
            return false;
        }
        seen.push(position.filled);
        parents(position).any(|before| search(before, seen))
    }
    search(position, &mut Vec::new())
}

#[cfg(all(test, feature = "book"))]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn random(stones: i32, rng: &mut Rng) -> Option<SolverPosition> {
        let mut position = SolverPosition { own: 0, filled: 0, left: 42 };
        for _ in 0..stones {
            let landing = StandardGrid.landing(position.filled);
            let cell = landing & StandardGrid.column(rng.below(7));
            if cell == 0 || position.wins(StandardGrid).0 & cell != 0 {
                return None;
            }
            position = position.after(StandardGrid, cell);
        }
        Some(position)
    }

    #[test]
    fn positions_have_numbers() {
        let mut rng = Rng::new(1, 0);
        for position in (0..2000).filter_map(|n| random(n % 13, &mut rng)) {
            let key = canonical(position);
            let back = of_canonical(key);
            assert_eq!((canonical(back), back.left), (key, position.left));
            let mirror = SolverPosition { own: mirrored(position.own), filled: mirrored(position.filled), ..position };
            assert_eq!(canonical(mirror), key);
            assert!(is_reachable(position) && is_reachable(mirror));
        }
    }

    #[test]
    fn positions_that_no_game_leads_to_are_told() {
        // The second player's stones lie under all of the first player's.
        let own = 0b11_1000 | 0b11_1000 << 7;
        assert!(!is_reachable(SolverPosition { own, filled: 0b11_1111 | 0b11_1111 << 7, left: 30 }));
    }

    #[test]
    fn parents_bound_their_children() {
        let book = Book::present().expect("the book is readable");
        let mut rng = Rng::new(2, 0);
        let mut seen = 0;
        for position in
            (0..3000).filter_map(|_| random(STONES, &mut rng)).filter(|position| decided_score(*position).is_none())
        {
            let score = book.score(position).expect("twelve stones are in the book");
            let landing = StandardGrid.landing(position.filled);
            for cell in (0..7).map(|column| landing & StandardGrid.column(column)).filter(|&cell| cell != 0) {
                let least = book.score_at_least(position.after(StandardGrid, cell)).expect("it has a parent");
                assert!(least >= -score);
                seen += 1;
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
