//! The code of a point: the multiset of its classes in the four directions. It is looked up by two pairs of classes, so that
//! the search sorts nothing, and all tables together fit the L2 cache.

use std::sync::LazyLock;

use super::classes::Class;

/// How many codes there are: multisets of four classes.
pub const CODES: usize = {
    let n = Class::COUNT;
    n * (n + 1) * (n + 2) * (n + 3) / 24
};

/// Kinds of threats; a point may be of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A five.
    Five,
    /// An open four or two fours: it wins unless the opponent makes a five first.
    WinningFour,
    /// A four.
    Four,
    /// An open three.
    OpenThree,
    /// A four and an open three.
    FourThree,
    /// Two open threes.
    DoubleThree,
    /// In renju, a possible foul for Black: whether it is one depends on more than the codes.
    Foul,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = 7;

    /// The bit of this kind in a set.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a code adds to the value for its colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// When its colour is to move.
    pub to_move: i16,
    /// When the other colour is to move.
    pub waiting: i16,
}

/// How early to try a move on a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Priority {
    /// For the threats it makes.
    pub attack: i16,
    /// For the threats it takes from the other colour.
    pub defence: i16,
}

/// The number of a code in the combinatorial number system, where adding the index turns multisets into sets.
fn number(mut classes: [Class; 4]) -> usize {
    classes.sort_unstable();
    let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    classes.iter().enumerate().map(|(index, &class)| choose(class as usize + index, index + 1)).sum()
}

/// Maps four classes, of four bits each, to codes and back.
#[derive(Debug)]
pub struct Codes {
    pairs: [u8; 256],
    codes: Vec<u16>,
    classes: Vec<[Class; 4]>,
}

/// Pairs of classes, rounded up to a power of two.
const PAIRS: usize = 128;

pub static ALL: LazyLock<Codes> = LazyLock::new(Codes::new);

impl Codes {
    fn new() -> Self {
        let mut pairs = [0; 256];
        let mut members: Vec<[Class; 2]> = Vec::new();
        for (index, pair) in pairs.iter_mut().enumerate() {
            let mut both = [Class::of(index & 15), Class::of(index >> 4)];
            both.sort_unstable();
            let known = members.iter().position(|&member| member == both);
            *pair = known.unwrap_or_else(|| {
                members.push(both);
                members.len() - 1
            }) as u8;
        }
        let mut codes = vec![0; PAIRS * PAIRS];
        let mut classes = vec![[Class::Dead; 4]; CODES];
        for (one, &[a, b]) in members.iter().enumerate() {
            for (other, &[c, d]) in members.iter().enumerate() {
                let code = number([a, b, c, d]);
                codes[one * PAIRS + other] = code as u16;
                classes[code] = [a, b, c, d];
            }
        }
        Self { pairs, codes, classes }
    }

    /// The code of four classes.
    #[inline]
    pub fn of(&self, four: u16) -> u16 {
        let [low, high] = four.to_le_bytes().map(|pair| usize::from(self.pairs[usize::from(pair)]));
        self.codes[low * PAIRS + high]
    }

    /// The classes of a code.
    pub fn classes(&self, code: usize) -> [Class; 4] {
        self.classes[code]
    }
}

/// The kinds of a code; `restricted` for Black in renju.
pub fn kinds(classes: [Class; 4], restricted: bool) -> u8 {
    let count = |is: fn(Class) -> bool| classes.iter().filter(|&&class| is(class)).count();
    let fours = count(Class::is_four);
    let threes = count(Class::is_open_three);
    let has = |class| classes.contains(&class);
    if has(Class::Five) {
        return Kind::Five.bit();
    }
    let foul = restricted && (has(Class::Overline) || has(Class::DoubleFour) || fours >= 2 || threes >= 2);
    let mut kinds = if foul { Kind::Foul.bit() } else { 0 };
    let mut set = |kind: Kind, is: bool| kinds |= if is { kind.bit() } else { 0 };
    set(Kind::WinningFour, !foul && (has(Class::OpenFour) || fours >= 2));
    set(Kind::Four, fours > 0);
    set(Kind::OpenThree, threes > 0);
    set(Kind::FourThree, !foul && fours > 0 && threes > 0);
    set(Kind::DoubleThree, !foul && threes >= 2);
    kinds
}

/// Priority of a move by each class that it makes; set by hand.
const ATTACK: [i16; Class::COUNT] = [0, 1, 3, 6, 14, 18, 20, 24, 60, 70, 110, 110, 1000, 4000, 0];
/// Priority of a move by each class that it takes from the other colour; set by hand.
const DEFENCE: [i16; Class::COUNT] = [0, 1, 2, 4, 10, 13, 15, 16, 40, 46, 50, 50, 700, 3000, 0];
/// Bonuses for several threats at once.
const FOUR_THREE: i16 = 500;
const DOUBLE_THREE: i16 = 250;
const DOUBLE_FOUR: i16 = 900;

/// How early to try a move on a point of a code.
pub fn priority(classes: [Class; 4], restricted: bool) -> Priority {
    let sum = |table: &[i16; Class::COUNT]| classes.iter().map(|&class| table[class as usize]).sum::<i16>();
    let kinds = kinds(classes, restricted);
    let has = |kind: Kind| kinds & kind.bit() != 0;
    let extra = match () {
        () if has(Kind::WinningFour) => DOUBLE_FOUR,
        () if has(Kind::FourThree) => FOUR_THREE,
        () if has(Kind::DoubleThree) => DOUBLE_THREE,
        () => 0,
    };
    Priority { attack: sum(&ATTACK) + extra, defence: sum(&DEFENCE) + extra * 7 / 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_number_the_multisets() {
        let mut seen = vec![None; CODES];
        for four in 0..=u16::MAX {
            let numbers: [usize; 4] = std::array::from_fn(|direction| usize::from(four >> (4 * direction) & 15));
            if numbers.iter().any(|&number| number >= Class::COUNT) {
                continue;
            }
            let mut sorted = numbers.map(Class::of);
            sorted.sort_unstable();
            let code = usize::from(ALL.of(four));
            let known: &mut Option<[Class; 4]> = &mut seen[code];
            assert_eq!(*known.get_or_insert(sorted), sorted);
            let mut classes = ALL.classes(code);
            classes.sort_unstable();
            assert_eq!(classes, sorted);
        }
        assert!(seen.iter().all(Option::is_some));
    }
}
