//! The numbering of the terms, in the order of their weights in the file; the rows of a group are consecutive.

use super::super::piece::{FILES, Kind, SQUARES};
use crate::position::Side;

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident $width:literal x $rows:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Group { $($name),* }
        /// How many terms each group has.
        const GROUPS: [usize; [$(stringify!($name)),*].len()] = [$($width * $rows),*];
        $($(#[$doc])* pub const $name: usize = first(Group::$name as usize);)*
    };
}

/// The first term of a group.
const fn first(group: usize) -> usize {
    let (mut before, mut sum) = (0, 0);
    while before < group {
        sum += GROUPS[before];
        before += 1;
    }
    sum
}

/// How many terms there are.
pub const TERMS: usize = first(GROUPS.len());

groups! {
    /// A man on its square, as for the next six groups.
    GENERAL 5 x 10;
    ADVISOR 5 x 10;
    ELEPHANT 5 x 10;
    HORSE 5 x 10;
    ROOK 5 x 10;
    CANNON 5 x 10;
    PAWN 5 x 10;
    /// By the number of squares where a rook can go and no lesser piece attacks it.
    ROOK_MOVES 18 x 1;
    /// By the number of empty squares where a cannon can go and no pawn or guard attacks it.
    CANNON_MOVES 18 x 1;
    /// By the number of squares where a horse can go and no pawn or guard attacks it.
    HORSE_MOVES 9 x 1;
    /// The number of squares where elephants can go, in all.
    ELEPHANT_MOVES 1 x 1;
    /// Both elephants protect each other.
    ELEPHANTS_TOGETHER 1 x 1;
    /// Horses that their own uncrossed pawns block.
    HORSE_BEHIND 1 x 1;
    /// Rooks on files without pawns, and on files with only enemy pawns.
    OPEN_FILE 2 x 1;
    /// Two rooks, two horses, two cannons; a horse and a cannon; rooks where the other side has none.
    PAIRS 5 x 1;
    /// By the number of pawns.
    PAWNS 6 x 1;
    /// By the numbers of advisors and elephants.
    GUARDS 3 x 3;
    /// Guards that the other side lacks, times own rooks, horses, cannons and crossed pawns.
    MISSING 4 x 2;
    /// Own guards times own cannons: screens.
    SCREENS 2 x 1;
    /// Crossed pawns side by side.
    CONNECTED 1 x 1;
    /// Crossed pawns that are protected.
    SUPPORTED 1 x 1;
    /// Crossed pawns by their distance from the enemy general.
    NEAR 14 x 1;
    /// By the number of attackers of the palace (rows) and of their attacks on its squares.
    ATTACK 8 x 5;
    /// By the number of attackers of the palace (rows) and of its guards.
    DEFENCE 5 x 5;
    /// By the number of squares from which a rook can check without being taken.
    ROOK_CHECKS 4 x 1;
    /// The same for horses.
    HORSE_CHECKS 4 x 1;
    /// By the number of safe steps left to the enemy general.
    STEPS 5 x 1;
    /// Rooks in line with the general through one piece, on its file and on its rank.
    XRAY 2 x 1;
    /// Cannons in line with the general and nothing between, on its file and on its rank.
    HOLLOW 2 x 1;
    /// The same with two pieces between: if one of them moves, it is check.
    LOADED 2 x 1;
    /// A cannon on the last rank, by the number of guards left.
    BOTTOM 5 x 1;
    /// By the number of rooks, horses and cannons across the river.
    ACROSS 7 x 1;
    /// A piece that is pinned because the generals would face each other.
    FACED 1 x 1;
    /// By attacker (pawn, horse, cannon, rook), attacked piece, whether that is protected, and whether the attacker is to move.
    THREATS 24 x 4;
    /// The right to move.
    TEMPO 1 x 1;
}

/// A square from its owner's view; both wings count alike.
#[inline]
const fn place(side: Side, square: usize) -> usize {
    let own = match side {
        Side::First => square,
        Side::Second => SQUARES - 1 - square,
    };
    let (file, rank) = (own % FILES as usize, own / FILES as usize);
    let wing = if file > 4 { 8 - file } else { file };
    5 * rank + wing
}

/// The term of a man on a square.
pub const fn placed(kind: Kind, side: Side, square: usize) -> usize {
    [GENERAL, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN][kind as usize] + place(side, square)
}
