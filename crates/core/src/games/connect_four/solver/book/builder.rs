//! Making a book: enumerates all positions with up to twelve stones and derives earlier scores from those of the last level.
//!
//! The scores of the last level come from the solver, which takes days, or from a published table: `book_12ply_distances.dat`
//! of the Python package `bitbully-databases` (MIT licence, by Markus Thill).

use super::{STONES, SolverPosition, StandardGrid, canonical, decided_score, of_canonical, write};
use crate::games::connect_four::solver::grid::Grid;
use crate::games::connect_four::solver::oracle::Oracle;
use crate::parallel;

/// The positions of a book, by their numbers, and which of them need a score.
#[derive(Debug)]
pub struct BookBuilder {
    /// By stones: the numbers of all unfinished positions, ascending.
    levels: Vec<Vec<u64>>,
    /// The positions of the last level that [`decided_score`] does not decide.
    open: Vec<u64>,
}

impl BookBuilder {
    /// Enumerates all positions. Calls `on_level` with each number of stones and the number of positions with it.
    #[must_use]
    pub fn new(mut on_level: impl FnMut(usize, usize)) -> Self {
        let mut levels = vec![vec![canonical(SolverPosition { own: 0, filled: 0, left: StandardGrid.cells() })]];
        for stones in 1..=STONES as usize {
            let before = levels[stones - 1].iter().map(|&key| of_canonical(key));
            let mut level: Vec<_> = before.flat_map(children).map(canonical).collect();
            level.sort_unstable();
            level.dedup();
            on_level(stones, level.len());
            levels.push(level);
        }
        let open =
            levels[STONES as usize].iter().copied().filter(|&key| decided_score(of_canonical(key)).is_none()).collect();
        Self { levels, open }
    }

    /// The numbers of the positions that need a score, ascending.
    #[must_use]
    pub fn open(&self) -> &[u64] {
        &self.open
    }

    /// The whole book, from the scores of the open positions.
    #[must_use]
    pub fn book(&self, scores: &[i8]) -> Vec<u8> {
        let last: Vec<_> = self.open.iter().copied().zip(scores.iter().copied()).collect();
        let mut early = Vec::new();
        // Scores of the level above, at the indices of its positions.
        let known = |key: u64| self.open.binary_search(&key).map_or(0, |index| scores[index]);
        let score_of = |key: u64| decided_score(of_canonical(key)).map_or_else(|| known(key), |score| score as i8);
        let mut above: Vec<i8> = self.levels[STONES as usize].iter().map(|&key| score_of(key)).collect();
        for stones in (0..STONES as usize).rev() {
            let next = &self.levels[stones + 1];
            let worth = |key: u64| -next.binary_search(&key).map_or(0, |index| above[index]);
            let mut level = Vec::with_capacity(self.levels[stones].len());
            for &key in &self.levels[stones] {
                let position = of_canonical(key);
                let score = decided_score(position).map(|score| score as i8);
                level.push(score.unwrap_or_else(|| {
                    let best = children(position).map(canonical).map(worth).max().unwrap_or(0);
                    early.push((key, best));
                    best
                }));
            }
            above = level;
        }
        write(&early, &last)
    }
}

/// The unfinished positions one ply later.
fn children(position: SolverPosition) -> impl Iterator<Item = SolverPosition> {
    let wins = position.wins(StandardGrid).0;
    let landing = StandardGrid.landing(position.filled) & !wins;
    (0..7)
        .map(move |column| landing & StandardGrid.column(column))
        .filter(|&cell| cell != 0)
        .map(move |cell| position.after(StandardGrid, cell))
}

/// Solves positions on all cores, in `shares` equal parts, each with a table of `memory` bytes.
#[must_use]
pub fn solve(keys: &[u64], shares: usize, memory: u64) -> Vec<i8> {
    let share = keys.len().div_ceil(shares.max(1)).max(1);
    let solve = |keys: &[u64]| {
        let mut oracle = Oracle::new(memory);
        keys.iter().map(|&key| oracle.score_of(of_canonical(key)) as i8).collect::<Vec<_>>()
    };
    parallel::map(keys.chunks(share).collect(), solve).concat()
}

/// A published table of positions with twelve stones, each with its winner and distance.
#[derive(Debug)]
pub struct KnownScores {
    /// Code and value, sorted by code.
    entries: Vec<(u32, i8)>,
}

impl KnownScores {
    /// Reads records of five bytes: a position's code, big-endian, and its value.
    ///
    /// # Errors
    /// If there is no record, or the last one is incomplete.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let (records, rest) = bytes.as_chunks::<5>();
        if records.is_empty() || !rest.is_empty() {
            return Err(format!("{} bytes: expected records of 5 bytes", bytes.len()));
        }
        let entry = |&[a, b, c, d, value]: &[u8; 5]| (u32::from_be_bytes([a, b, c, d]), value as i8);
        let mut entries: Vec<_> = records.iter().map(entry).collect();
        entries.sort_unstable();
        Ok(Self { entries })
    }

    /// The scores of positions.
    ///
    /// # Errors
    /// If a position is missing or has an invalid value.
    pub fn scores(&self, keys: &[u64]) -> Result<Vec<i8>, String> {
        keys.iter()
            .map(|&key| {
                let position = of_canonical(key);
                let value = self.value(position).ok_or_else(|| format!("the position {key:#x} is missing"))?;
                score(value, position.left).ok_or_else(|| format!("the position {key:#x} has the value {value}"))
            })
            .collect()
    }

    fn value(&self, position: SolverPosition) -> Option<i8> {
        [false, true].into_iter().find_map(|mirrored| {
            let code = code(position, mirrored);
            let index = self.entries.binary_search_by_key(&code, |entry| entry.0).ok()?;
            Some(self.entries[index].1)
        })
    }
}

/// A position's code: column by column from the left, each from the bottom: `10` for a stone of the side to move, `11` for one
/// of the other side, `0` after each column, and a final `0`.
fn code(position: SolverPosition, mirrored: bool) -> u32 {
    let mut code = 0u32;
    for column in 0..7 {
        let shift = 7 * if mirrored { 6 - column } else { column };
        let (own, filled) = (position.own >> shift & 0x7f, position.filled >> shift & 0x7f);
        for row in 0..filled.count_ones() {
            code = code << 2 | if own >> row & 1 == 1 { 0b10 } else { 0b11 };
        }
        code <<= 1;
    }
    code << 1
}

/// The score for a value of the table: 100 minus the plies to the end, negative for a loss, 0 for a draw. `None` if it is
/// invalid.
fn score(value: i8, left: i32) -> Option<i8> {
    let plies = 100 - i32::from(value).abs();
    let points = (left + 2 - plies) / 2;
    match value {
        0 => Some(0),
        1..=99 if plies <= left && plies % 2 == 1 => Some(points as i8),
        -99..=-1 if plies <= left && plies % 2 == 0 => Some(-points as i8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read() {
        // The published table's last record: a win at the third ply.
        let facts = KnownScores::read(&[0x7f, 0x7b, 0xa2, 0x88, 97]).expect("one record");
        let key_of = |code: u32| {
            let (mut own, mut filled, mut column, mut row, mut bits) = (0, 0, 0, 0, code);
            while column < 7 {
                let (first, second) = (bits >> 31, bits >> 30 & 1);
                if first == 0 {
                    (column, row, bits) = (column + 1, 0, bits << 1);
                } else {
                    filled |= 1 << (7 * column + row);
                    own |= u64::from(second == 0) << (7 * column + row);
                    (row, bits) = (row + 1, bits << 2);
                }
            }
            let position = SolverPosition { own, filled, left: 30 };
            assert_eq!(super::code(position, false), code);
            canonical(position)
        };
        let key = key_of(0x7f7b_a288);
        assert_eq!(facts.scores(&[key]), Ok(vec![14]));
        assert!(facts.scores(&[key + 1]).is_err());
        assert!(KnownScores::read(&[1, 2, 3]).is_err());
        assert_eq!((score(-98, 30), score(99, 30), score(98, 30), score(0, 30)), (Some(-15), Some(15), None, Some(0)));
    }
}
