//! Attack tables, made at compile time.
//!
//! Rooks and cannons look up the occupancy of their rank and of their file. [`Occupancy`] keeps both as small words, updated by
//! each move with a few XORs; magic multiplication or bit extraction would have to gather them from the board each time, and
//! this works on every processor. Horses and elephants look up their four blocking points.

use super::piece::{FILES, Kind, RANKS, SQUARES, Square};
use crate::bits::{shifted_down, shifted_up};
use crate::position::Side;

/// What a rook and a cannon reach along one line: the rook up to and including the first piece; the cannon only the piece that
/// it would capture, behind the first.
#[derive(Clone, Copy)]
struct Reach {
    rook: u16,
    cannon: u16,
}

const fn reach(size: u32, from: u32, occupied: u32) -> Reach {
    let mut reach = Reach { rook: 0, cannon: 0 };
    let mut upward = 0;
    while upward < 2 {
        let mut at = from;
        let mut screens = 0;
        while screens < 2 && if upward == 0 { at > 0 } else { at + 1 < size } {
            at = if upward == 0 { at - 1 } else { at + 1 };
            let taken = occupied >> at & 1 != 0;
            if screens == 0 {
                reach.rook |= 1 << at;
            } else if taken {
                reach.cannon |= 1 << at;
            }
            if taken {
                screens += 1;
            }
        }
        upward += 1;
    }
    reach
}

const fn all_reaches<const SIZE: usize, const PATTERNS: usize>() -> [[Reach; PATTERNS]; SIZE] {
    let mut table = [[Reach { rook: 0, cannon: 0 }; PATTERNS]; SIZE];
    let mut from = 0;
    while from < SIZE {
        let mut occupied = 0;
        while occupied < PATTERNS {
            table[from][occupied] = reach(SIZE as u32, from as u32, occupied as u32);
            occupied += 1;
        }
        from += 1;
    }
    table
}

static ALONG_RANK: [[Reach; 512]; FILES as usize] = all_reaches();
static ALONG_FILE: [[Reach; 1024]; RANKS as usize] = all_reaches();

/// A file's ten bits, spread over the squares of file a.
static STANDING: [u128; 1024] = {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut rank = 0;
        while rank < 10 {
            table[bits] |= ((bits >> rank & 1) as u128) << (9 * rank);
            rank += 1;
        }
        bits += 1;
    }
    table
};

/// Parts of a rank and of a file through a square, as one set.
#[inline]
fn crossed(along_rank: u16, along_file: u16, square: Square) -> u128 {
    let across = shifted_up(along_rank.into(), 9 * u32::from(square.rank()));
    across | shifted_up(STANDING[along_file as usize], square.file().into())
}

/// The occupied squares: as one set, by rank and by file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// All occupied squares.
    pub all: u128,
    /// By rank; bit 0 is file a.
    pub ranks: [u16; RANKS as usize],
    /// By file; bit 0 is rank 0.
    pub files: [u16; FILES as usize],
}

impl Occupancy {
    /// No square is occupied.
    pub const EMPTY: Self = Self { all: 0, ranks: [0; RANKS as usize], files: [0; FILES as usize] };

    /// Toggles a square between empty and occupied.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        self.all ^= square.bit();
        self.ranks[square.rank() as usize] ^= 1 << square.file();
        self.files[square.file() as usize] ^= 1 << square.rank();
    }

    /// The occupancy after a move, with or without a capture.
    #[inline]
    pub fn moved(&self, from: Square, to: Square) -> Self {
        let mut next = *self;
        next.toggle(from);
        if next.all & to.bit() == 0 {
            next.toggle(to);
        }
        next
    }

    /// Squares on the same rank and on the same file that a rook on `square` reaches, blockers included.
    #[inline]
    pub fn rook(&self, square: Square) -> u128 {
        let (along_rank, along_file) = self.lines(square);
        crossed(along_rank.rook, along_file.rook, square)
    }

    /// Pieces of either side that a cannon on `square` would capture.
    #[inline]
    pub fn cannon(&self, square: Square) -> u128 {
        let (along_rank, along_file) = self.lines(square);
        crossed(along_rank.cannon, along_file.cannon, square)
    }

    /// The part of a rook's reach that lies on its file.
    #[inline]
    pub fn file_of_rook(&self, square: Square) -> u128 {
        shifted_up(STANDING[self.lines(square).1.rook as usize], square.file().into())
    }

    #[inline]
    fn lines(&self, square: Square) -> (Reach, Reach) {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        (ALONG_RANK[file][self.ranks[rank] as usize & 511], ALONG_FILE[rank][self.files[file] as usize & 1023])
    }

    /// Squares that a horse on `square` reaches.
    #[inline]
    pub fn horse(&self, square: Square) -> u128 {
        HORSE[square.index()][self.beside(square)]
    }

    /// Squares from which a horse reaches `square`.
    #[inline]
    pub fn horse_to(&self, square: Square) -> u128 {
        HORSE_TO[square.index()][self.diagonal(square)]
    }

    /// Squares that an elephant on `square` reaches, without crossing the river; also those from which one reaches it.
    #[inline]
    pub fn elephant(&self, square: Square) -> u128 {
        ELEPHANT[square.index()][self.diagonal(square)]
    }

    /// Which of the four neighbours (below, left, right, above) are occupied. Beyond an edge the bit means nothing.
    #[inline]
    fn beside(&self, square: Square) -> usize {
        let around = shifted_down(self.all << 9, square.index() as u32) as usize;
        around & 1 | around >> 7 & 2 | around >> 8 & 4 | around >> 15 & 8
    }

    /// Which of the four diagonal neighbours (lower left, lower right, upper left, upper right) are occupied.
    #[inline]
    fn diagonal(&self, square: Square) -> usize {
        let around = shifted_down(self.all << 10, square.index() as u32) as usize;
        around & 1 | around >> 1 & 2 | around >> 16 & 4 | around >> 17 & 8
    }
}

/// The square at an offset from another, if it is on the board.
const fn at(square: usize, right: i32, up: i32) -> Option<usize> {
    let (file, rank) = ((square % 9) as i32 + right, (square / 9) as i32 + up);
    if file < 0 || file > 8 || rank < 0 || rank > 9 { None } else { Some((rank * 9 + file) as usize) }
}

const BESIDE: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// For every square and every pattern of occupied blocking points, where a horse goes to, or comes from.
const fn horse_table(coming: bool) -> [[u128; 16]; SQUARES] {
    let mut table = [[0; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES * 16 * 4 * 2 {
        let (square, pattern, way, turn) = (index / 128, index / 8 % 16, index / 2 % 4, index % 2);
        if pattern >> way & 1 == 0 {
            let (right, up) = if coming {
                // The blocking point lies diagonally; the horse stands one step further, straight from it.
                let (right, up) = DIAGONAL[way];
                if turn == 0 { (2 * right, up) } else { (right, 2 * up) }
            } else {
                let (right, up) = BESIDE[way];
                let aside = if turn == 0 { -1 } else { 1 };
                if right == 0 { (aside, 2 * up) } else { (2 * right, aside) }
            };
            if let Some(to) = at(square, right, up) {
                table[square][pattern] |= 1 << to;
            }
        }
        index += 1;
    }
    table
}

static HORSE: [[u128; 16]; SQUARES] = horse_table(false);
static HORSE_TO: [[u128; 16]; SQUARES] = horse_table(true);

static ELEPHANT: [[u128; 16]; SQUARES] = {
    let mut table = [[0; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES * 16 * 4 {
        let (square, pattern, way) = (index / 64, index / 4 % 16, index % 4);
        let (right, up) = DIAGONAL[way];
        if pattern >> way & 1 == 0
            && let Some(to) = at(square, 2 * right, 2 * up)
            && (to >= 45) == (square >= 45)
        {
            table[square][pattern] |= 1 << to;
        }
        index += 1;
    }
    table
};

const fn in_palace(square: usize) -> bool {
    let (file, rank) = (square % 9, square / 9);
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

const fn palace_steps(ways: [(i32, i32); 4]) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES * 4 {
        let (square, (right, up)) = (index / 4, ways[index % 4]);
        if let Some(to) = at(square, right, up)
            && in_palace(square)
            && in_palace(to)
        {
            table[square] |= 1 << to;
        }
        index += 1;
    }
    table
}

/// By side and kind (in the order of [`Kind`]), the squares where such a piece may stand: within its palace or its half. Pawns
/// are not limited to squares reachable in a game: composed positions put them anywhere.
pub static STANDS: [[u128; 7]; 2] = {
    let mut table = [[0; 7]; 2];
    let mut index = 0;
    while index < 2 * 7 * SQUARES {
        let (side, kind, square) = (index / (7 * SQUARES), Kind::ALL[index / SQUARES % 7], index % SQUARES);
        // Seen from the side itself; both halves mirror each other.
        let own = if side == 0 { square } else { SQUARES - 1 - square };
        let (file, rank) = (own % 9, own / 9);
        let may = match kind {
            Kind::General => rank <= 2 && in_palace(own),
            Kind::Advisor => rank <= 2 && in_palace(own) && (file + rank) % 2 == 1,
            Kind::Elephant => rank % 2 == 0 && rank <= 4 && (file + rank) % 4 == 2,
            _ => true,
        };
        if may {
            table[side][kind as usize] |= 1 << square;
        }
        index += 1;
    }
    table
};

/// Where a general on a square may step.
pub static GENERAL: [u128; SQUARES] = palace_steps(BESIDE);
/// Where an advisor on a square may step.
pub static ADVISOR: [u128; SQUARES] = palace_steps(DIAGONAL);

/// By side and square, where a pawn steps: forward, and beyond the river sideways too.
pub static PAWN: [[u128; SQUARES]; 2] = pawn_tables(false);
/// By side and square, the squares from which a pawn of that side steps there.
pub static PAWN_TO: [[u128; SQUARES]; 2] = pawn_tables(true);

const fn pawn_tables(coming: bool) -> [[u128; SQUARES]; 2] {
    let mut table = [[0; SQUARES]; 2];
    let mut index = 0;
    while index < 2 * SQUARES * 3 {
        let (side, square, way) = (index / (3 * SQUARES), index / 3 % SQUARES, index % 3);
        let first = side == Side::First as usize;
        let (right, up) = [(0, if first { 1 } else { -1 }), (-1, 0), (1, 0)][way];
        let across = (square >= 45) == first;
        if let Some(to) = at(square, right, up)
            && (way == 0 || across)
        {
            if coming {
                table[side][to] |= 1 << square;
            } else {
                table[side][square] |= 1 << to;
            }
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reach found by walking.
    fn walked(all: u128, from: Square, cannon: bool) -> u128 {
        let mut found = 0;
        for (right, up) in BESIDE {
            let (mut square, mut screens) = (from.index(), 0);
            while let Some(next) = at(square, right, up) {
                square = next;
                let taken = all >> square & 1 != 0;
                match (cannon, screens, taken) {
                    (false, 0, _) | (true, 1, true) => found |= 1u128 << square,
                    _ => {}
                }
                screens += u32::from(taken);
            }
        }
        found
    }

    proptest::proptest! {
        #[test]
        fn lines_agree_with_walking(a: u128, b: u128) {
            let all = a & b & ((1 << 90) - 1);
            let mut occupancy = Occupancy::EMPTY;
            for index in 0..90 {
                if all >> index & 1 != 0 {
                    occupancy.toggle(Square::from_index(index));
                }
            }
            for from in (0..90).map(Square::from_index) {
                proptest::prop_assert_eq!(occupancy.rook(from), walked(all, from, false));
                proptest::prop_assert_eq!(occupancy.cannon(from), walked(all, from, true));
                for to in (0..90).map(Square::from_index) {
                    let there = occupancy.horse(from) & to.bit() != 0;
                    proptest::prop_assert_eq!(there, occupancy.horse_to(to) & from.bit() != 0);
                }
            }
        }
    }
}
