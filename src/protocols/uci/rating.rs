//! Elo ratings of the levels of Xiangqi, for the option `UCI_Elo`.
//!
//! Matches between neighbouring levels give the differences (docs/measurements/levels.md); the start of the scale is a
//! convention.

use tesuji_core::catalog::Strength;

/// The ratings of the levels below full strength.
const RATINGS: [u64; 9] = [600, 870, 1060, 1260, 1390, 1590, 1810, 2100, 2350];

/// The rating of the weakest level.
pub const LEAST: u64 = RATINGS[0];

/// The rating of full strength, at about 50 ms a move.
pub const MOST: u64 = 2900;

/// The level whose rating is nearest.
pub fn level(elo: u64) -> u8 {
    let levels = (1..).zip(RATINGS.into_iter().chain([MOST]));
    levels.min_by_key(|(_, rating)| rating.abs_diff(elo)).map_or(Strength::FULL, |(level, _)| level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_name_levels() {
        assert_eq!((level(LEAST), level(MOST)), (1, Strength::FULL));
        assert!((LEAST..=MOST).map(level).is_sorted());
    }
}
