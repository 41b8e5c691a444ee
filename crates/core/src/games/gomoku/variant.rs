//! Gomoku's rules and openings.

use super::lines::{Colour, Line, Lines, Point, run_above, run_below};
use crate::games::Variant;
use crate::parameters::{Choice, Invalid, Parameter, Parameters, Values};
use crate::{choices, parameters};

/// The largest board.
pub(super) const LARGEST: u32 = 22;

parameters! {
    /// The rules, the board size and the opening.
    pub struct GomokuVariant {
        pub(super) names Rule;
        /// Points on each side of the board.
        pub size: u32 = 15, 5..=LARGEST;
        /// The opening: with `free` the first player is Black; with `swap2` (not in renju) the first player places three
        /// stones, and the second takes a colour, or places two more stones and lets the first choose.
        pub(super) opening: Opening = Opening::Free;
    }
}

choices! {
    /// The winning condition.
    pub enum Rule {
        /// Five or more in a row.
        Freestyle = "freestyle",
        /// Exactly five.
        Standard = "standard",
        /// Black needs exactly five and may not make overlines, double fours or double threes; White needs five or more and has
        /// no restrictions.
        Renju = "renju",
        /// Five or more that the opponent has not closed at both ends.
        Caro = "caro",
    }
}

choices! {
    /// The opening.
    pub(super) enum Opening {
        /// The first player is Black.
        Free = "free",
        /// The first player places three stones; the second takes a colour, or places two more stones and lets the first
        /// choose.
        Swap2 = "swap2",
    }
}

impl Variant for GomokuVariant {
    type Name = Rule;

    fn described(name: Rule) -> Vec<Parameter> {
        let mut parameters = Self::parameters();
        for parameter in &mut parameters {
            if let (Rule::Renju, Values::Choice { choices, .. }) = (name, &mut parameter.values) {
                choices.retain(|&choice| choice != Opening::Swap2.name());
            }
        }
        parameters
    }

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        if self.name == Rule::Renju && self.opening == Opening::Swap2 {
            return Err(Invalid::new("opening", "swap2 is not offered with renju: expected `free`"));
        }
        Ok(())
    }
}

/// The points of a line where one more stone makes five or more in a row, together with the stones just below and just above.
#[inline]
fn at_least_five(own: u32) -> u32 {
    let (below, above) = (shifted_below(own), shifted_above(own));
    below[4] | (below[3] & above[1]) | (below[2] & above[2]) | (below[1] & above[3]) | above[4]
}

/// The same for six or more.
#[inline]
fn at_least_six(own: u32) -> u32 {
    let (below, above) = (shifted_below(own), shifted_above(own));
    let one_sided = below[5] | above[5];
    one_sided | (below[4] & above[1]) | (below[3] & above[2]) | (below[2] & above[3]) | (below[1] & above[4])
}

/// Entry n: the points with at least n stones in a row just below.
#[inline]
fn shifted_below(own: u32) -> [u32; 6] {
    let one = own << 1;
    let two = one & own << 2;
    let three = two & own << 3;
    let four = three & own << 4;
    [u32::MAX, one, two, three, four, four & own << 5]
}

/// Entry n: the points with at least n stones in a row just above.
#[inline]
fn shifted_above(own: u32) -> [u32; 6] {
    let one = own >> 1;
    let two = one & own >> 2;
    let three = two & own >> 3;
    let four = three & own >> 4;
    [u32::MAX, one, two, three, four, four & own >> 5]
}

impl Rule {
    /// Whether the stone of `colour` at the line's `bit` is part of a winning five.
    #[inline]
    pub(super) fn wins(self, line: &Line, colour: Colour) -> bool {
        // Runs of five or more that start at a bit.
        let pairs = line.own & line.own >> 1;
        if pairs & pairs >> 2 & line.own >> 4 == 0 {
            return false;
        }
        let (above, below) = (run_above(line.own, line.bit), run_below(line.own, line.bit));
        let run = above + 1 + below;
        match self {
            Self::Freestyle => run >= 5,
            Self::Standard => run == 5,
            Self::Renju if colour == Colour::Black => run == 5,
            Self::Renju => run >= 5,
            Self::Caro => {
                let closed_above = line.other >> line.bit >> above >> 1 & 1 == 1;
                let closed_below = (line.other << 1) >> (line.bit - below) & 1 == 1;
                run >= 5 && !(closed_above && closed_below)
            }
        }
    }

    /// The empty points of a line where a stone of `colour` makes a winning five.
    #[inline]
    pub(super) fn fives(self, line: &Line, colour: Colour) -> u32 {
        let points = at_least_five(line.own) & line.empty;
        if points == 0 {
            return 0;
        }
        match self {
            Self::Freestyle => points,
            Self::Standard => points & !at_least_six(line.own),
            Self::Renju if colour == Colour::Black => points & !at_least_six(line.own),
            Self::Renju => points,
            Self::Caro => {
                let open = super::lines::bits(points).filter(|&bit| {
                    let played = Line { own: line.own | 1 << bit, bit, ..*line };
                    self.wins(&played, colour)
                });
                open.fold(0, |set, bit| set | 1 << bit)
            }
        }
    }

    /// A winning five of `colour` anywhere on the board: its first point, its direction and its length.
    pub(super) fn find_five<const LINES: usize>(
        self,
        board: &Lines<LINES>,
        colour: Colour,
    ) -> Option<(Point, usize, u32)> {
        board.all(colour).find_map(|(direction, first, line)| {
            let bit = super::lines::bits(line.own).find(|&bit| self.wins(&Line { bit, ..line }, colour))?;
            Some((first.along(direction, bit), direction, run_above(line.own, bit) + 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The points that make five are those where a stone then wins.
    #[test]
    fn points_of_five_win() {
        let mut rng = Rng::new(1, 0);
        let mut word = || rng.below(1 << 15) & (rng.below(1 << 15) | rng.below(1 << 15));
        for _ in 0..100_000 {
            let (a, b) = (word() | word(), word());
            let line = Line { own: a & !b, other: b & !a, empty: !(a | b) & 0x7fff, bit: 0 };
            for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro] {
                for colour in [Colour::Black, Colour::White] {
                    let wins = (0..15).filter(|&bit| {
                        line.empty >> bit & 1 == 1 && rule.wins(&Line { own: line.own | 1 << bit, bit, ..line }, colour)
                    });
                    let expected = wins.fold(0, |set, bit| set | 1 << bit);
                    assert_eq!(rule.fives(&line, colour), expected, "{rule:?} {colour:?} {line:?}");
                }
            }
        }
    }
}
