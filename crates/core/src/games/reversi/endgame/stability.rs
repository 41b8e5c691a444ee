//! Stable discs: discs that can never be turned again; only those that are cheap to find.
//!
//! A disc is stable when in each of the four directions its line is full, or a neighbour of its own side is stable, or the
//! board ends. Stable discs on the edges are looked up in a table made by trying all moves there.

use std::sync::LazyLock;

use super::flips::flips;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// By both sides' discs on an edge: the own discs that are stable.
pub static EDGES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut known = vec![None; 1 << 16];
    (0..1 << 16).map(|index| edge(&mut known, index as u64 & 255, index as u64 >> 8)).collect()
});

/// The discs of `own` that no sequence of moves on this edge can turn.
fn edge(known: &mut [Option<u8>], own: u64, other: u64) -> u8 {
    let index = (own | other << 8) as usize;
    if let Some(known) = known[index] {
        return known;
    }
    let mut stable = if own & other == 0 { own as u8 } else { 0 };
    for square in (0..8).filter(|square| (own | other) >> square & 1 == 0 && own & other == 0) {
        let bit = 1 << square;
        // A move turns the discs that it encloses on the edge, or none of them if it turns discs elsewhere.
        let turned = flips(own, other, square) & 255;
        let lost = flips(other, own, square) & 255;
        stable &= edge(known, own | bit | turned, other & !turned);
        stable &= edge(known, own & !lost, other | bit | lost);
        stable &= edge(known, own | bit, other);
        stable &= edge(known, own, other | bit);
    }
    known[index] = Some(stable);
    stable
}

/// The eight bits of file a, as a row.
#[inline]
fn column(set: u64) -> u64 {
    (set & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A row's bits, on file a: the reverse of [`column`].
#[inline]
fn upright(row: u64) -> u64 {
    (row.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201).wrapping_add(0x0040_6070_787c_7e7f) >> 7 & FILE_A
}

/// The stable discs of `own` on the edges.
#[inline]
pub fn stable_edges(own: u64, other: u64) -> u64 {
    let edges = &*EDGES;
    let look_up = |own: u64, other: u64| u64::from(edges[(own & 255 | (other & 255) << 8) as usize]);
    look_up(own, other)
        | look_up(own >> 56, other >> 56) << 56
        | upright(look_up(column(own), column(other)))
        | upright(look_up(column(own >> 7), column(other >> 7))) << 7
}

/// By direction (row, file, both diagonals), the squares whose whole line is full.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let pairs = discs & discs >> 1;
    let fours = pairs & pairs >> 2;
    let rows = (fours & fours >> 4 & FILE_A).wrapping_mul(255);
    let mut files = discs & discs.rotate_right(8);
    files &= files.rotate_right(16);
    files &= files.rotate_right(32);
    [rows, files, diagonals(discs, 9, NOT_A, NOT_H), diagonals(discs, 7, NOT_H, NOT_A)]
}

/// Squares whose diagonal is full: squares that no empty square spreads to along it, by doubling. `up` and `down` are the
/// squares that a step upward or downward can reach without leaving the board.
#[inline]
fn diagonals(discs: u64, step: u32, up: u64, down: u64) -> u64 {
    let (mut above, mut below) = (!discs, !discs);
    let (mut up, mut down) = (up, down);
    for step in [step, 2 * step, 4 * step] {
        above |= up & above << step;
        up &= up << step;
        below |= down & below >> step;
        down &= down >> step;
    }
    !(above | below)
}

/// The discs of `own` that are found to be stable.
pub fn stable(own: u64, other: u64) -> u64 {
    spread(stable_edges(own, other), own & INNER, full_lines(own | other))
}

/// The same on a board in the middle of the 8x8 one with this border: no disc beyond it can turn its discs.
pub fn stable_in_middle(own: u64, other: u64, border: u64) -> u64 {
    own & spread(border, own, full_lines(own | other | border))
}

/// The stable discs, and the discs of `own` that are stable because of them or of full lines.
#[inline]
fn spread(stable: u64, own: u64, full: [u64; 4]) -> u64 {
    let mut stable = stable | own & full[0] & full[1] & full[2] & full[3];
    while stable != 0 {
        let row = stable >> 1 & NOT_H | stable << 1 & NOT_A | full[0];
        let file = stable >> 8 | stable << 8 | full[1];
        let falling = stable >> 9 & NOT_H | stable << 9 & NOT_A | full[2];
        let rising = stable >> 7 & NOT_A | stable << 7 & NOT_H | full[3];
        let next = stable | own & row & file & falling & rising;
        if next == stable {
            break;
        }
        stable = next;
    }
    stable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    #[test]
    fn rows_stand_up_and_lie_down() {
        for row in 0..256 {
            assert_eq!(column(upright(row)), row);
            assert_eq!(upright(row), row.iter().fold(0, |set, square| set | 1 << (8 * square)));
        }
    }

    /// Full lines found by walking.
    fn walked(discs: u64, right: i32, down: i32) -> u64 {
        let on_line = |square: i32, steps: i32| {
            let (column, row) = (square % 8 + steps * right, square / 8 + steps * down);
            ((0..8).contains(&column) && (0..8).contains(&row)).then_some(8 * row + column)
        };
        let full = |&square: &i32| (-7..8).filter_map(|steps| on_line(square, steps)).all(|at| discs >> at & 1 != 0);
        (0..64).filter(full).fold(0, |set, square| set | 1 << square)
    }

    proptest::proptest! {
        #[test]
        fn full_lines_are_those_without_an_empty_square(a: u64, b: u64, c: u64, d: u64) {
            let discs = a | b | c | d;
            let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
            proptest::prop_assert_eq!(full_lines(discs), ways.map(|(right, down)| walked(discs, right, down)));
        }

        /// Discs reported as stable are never turned, whatever is played.
        #[test]
        fn stable_discs_stay(a: u64, b: u64, c: u64, seed: u64) {
            let (mut own, mut other) = ((a | c) & !b, b);
            let mut rng = crate::rng::Rng::new(seed, 0);
            let mut known = [stable(own, other), stable(other, own)];
            for _ in 0..60 {
                let moves: Vec<u32> = (!(own | other)).iter().filter(|&at| flips(own, other, at) != 0).collect();
                if !moves.is_empty() {
                    let square = moves[rng.below(moves.len() as u32) as usize];
                    let turned = flips(own, other, square);
                    (own, other) = (own | turned | 1 << square, other & !turned);
                }
                proptest::prop_assert_eq!((known[0] & !own, known[1] & !other), (0, 0));
                (own, other) = (other, own);
                known = [known[1] | stable(own, other), known[0] | stable(other, own)];
            }
        }
    }
}
