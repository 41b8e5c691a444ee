//! The class of a point: what a stone of one colour there makes of one line.
//!
//! Classes are defined by each other, starting from the five: one more stone turns a *four* into a five, no single reply stops
//! an *open four*, one more stone turns an *open three* into an open four, and so on. One recursion therefore serves all rules,
//! which differ only in what counts as a five. Nothing farther than five points away matters, so a table indexed by the line
//! around a point has its class for both colours.

use std::sync::LazyLock;

use super::super::lines::Colour;
use super::super::variant::Rule;

/// What a stone makes of a line, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No five is possible any more.
    Dead,
    /// A stone with room on one side.
    One,
    /// A stone with room for an open two.
    OpenOne,
    /// Two more stones make a four.
    Two,
    /// One more stone makes an open three, at one point.
    OpenTwo,
    /// The same at two points.
    OpenTwoTwice,
    /// The same at three points or more.
    OpenTwoWide,
    /// One more stone makes a four.
    Three,
    /// One more stone makes an open four, at one point.
    OpenThree,
    /// The same at two points or more.
    OpenThreeTwice,
    /// One more stone makes a five, at one point.
    Four,
    /// Two fours in one line, which are a foul for Black in renju.
    DoubleFour,
    /// No single reply stops the five.
    OpenFour,
    /// A five that wins.
    Five,
    /// More than five, a foul for Black in renju.
    Overline,
}

impl Class {
    /// How many there are.
    pub const COUNT: usize = 15;

    const ALL: [Self; Self::COUNT] = [
        Self::Dead,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::OpenTwoTwice,
        Self::OpenTwoWide,
        Self::Three,
        Self::OpenThree,
        Self::OpenThreeTwice,
        Self::Four,
        Self::DoubleFour,
        Self::OpenFour,
        Self::Five,
        Self::Overline,
    ];

    /// The class of that number; `Dead` if there is none.
    pub fn of(number: usize) -> Self {
        Self::ALL.get(number).copied().unwrap_or(Self::Dead)
    }

    /// Whether it is a four but not a five.
    pub fn is_four(self) -> bool {
        matches!(self, Self::Four | Self::DoubleFour | Self::OpenFour)
    }

    pub fn is_open_three(self) -> bool {
        matches!(self, Self::OpenThree | Self::OpenThreeTwice)
    }
}

/// The classes of both colours, indexed by the line around a point: the points up to `radius` away, without itself, with one
/// bit each for Black and for White; beyond the edge both are set.
#[derive(Debug)]
pub struct Classes {
    /// Black's class in the lower four bits, White's in the upper ones.
    table: Vec<u8>,
    pub radius: u32,
}

static FREESTYLE: LazyLock<Classes> = LazyLock::new(|| Classes::new(Rule::Freestyle));
static STANDARD: LazyLock<Classes> = LazyLock::new(|| Classes::new(Rule::Standard));
static RENJU: LazyLock<Classes> = LazyLock::new(|| Classes::new(Rule::Renju));
static CARO: LazyLock<Classes> = LazyLock::new(|| Classes::new(Rule::Caro));

impl Classes {
    /// The table of a rule.
    pub fn of(rule: Rule) -> &'static Self {
        match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::Standard => &STANDARD,
            Rule::Renju => &RENJU,
            Rule::Caro => &CARO,
        }
    }

    fn new(rule: Rule) -> Self {
        // The fifth point counts where more than five do not win, or where closed ends matter.
        let radius = if rule == Rule::Freestyle { 4 } else { 5 };
        let side = 1u32 << (2 * radius);
        let mut table = vec![0; (side * side) as usize];
        for colour in [Colour::Black, Colour::White] {
            let mut builder = ClassTableBuilder { rule, colour, radius, known: vec![UNKNOWN; table.len()] };
            for (index, entry) in table.iter_mut().enumerate() {
                let (black, white) = (index as u32 % side, index as u32 / side);
                let edge = black & white;
                if !builder.is_edge(edge) {
                    continue;
                }
                let (own, other) = if colour == Colour::Black { (black, white) } else { (white, black) };
                *entry |= (builder.class(own & !edge, other & !edge, edge) as u8) << (4 * colour as u32);
            }
        }
        Self { table, radius }
    }

    /// Both classes at an index: Black's in the lower four bits.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        self.table[index]
    }
}

/// The points of a line whose classes a new stone at `bit` may change: those without stones of both colours in between. Beyond
/// a stone of its own colour, a new stone closes nothing that is not closed already; beyond one of the other colour, it is of
/// no use.
#[inline]
pub fn changed(words: [u32; 2], bit: u32, radius: u32) -> u32 {
    let above = words.map(|word| (word >> bit >> 1).trailing_zeros());
    let below = words.map(|word| (word << (31 - bit) << 1).leading_zeros());
    let (above, below) = (above[0].max(above[1]).min(radius), below[0].max(below[1]).min(radius));
    ((1 << above) - 1) << bit << 1 | ((1 << below) - 1) << (bit - below)
}

/// The bits up to `radius` away from `bit`, excluding it.
#[inline]
pub fn around(word: u32, bit: u32, radius: u32) -> u32 {
    let window = word >> (bit - radius);
    let low = (1 << radius) - 1;
    window & low | window >> 1 & (low << radius)
}

const UNKNOWN: u8 = u8::MAX;

/// Builds the table of a colour.
struct ClassTableBuilder {
    rule: Rule,
    colour: Colour,
    radius: u32,
    known: Vec<u8>,
}

impl ClassTableBuilder {
    /// Whether these points can lie beyond the edge: only those at either end can.
    fn is_edge(&self, edge: u32) -> bool {
        let (low, high) = (edge & ((1 << self.radius) - 1), edge >> self.radius);
        let from_low = low & (low + 1) == 0;
        let filled = high | ((1 << self.radius) - 1) & !((1u32 << self.radius) - 1);
        let top = (1 << self.radius) - 1;
        let gap = top & !filled;
        from_low && gap & (gap + 1) == 0
    }

    /// Spreads the bits of a line to make room for the point itself, which stays unset.
    fn spread(&self, points: u32) -> u32 {
        let low = (1 << self.radius) - 1;
        points & low | (points & !low) << 1
    }

    /// Whether a stone here completes a winning five (`Ok(true)`), or more than five as a foul (`Err`).
    fn five(&self, own: u32, other: u32) -> Result<bool, ()> {
        let own = self.spread(own) | 1 << self.radius;
        let other = self.spread(other);
        let above = (own >> self.radius >> 1).trailing_ones();
        let below = (own << (32 - self.radius)).leading_ones();
        let run = above + 1 + below;
        match (self.rule, self.colour) {
            (Rule::Freestyle, _) | (Rule::Renju, Colour::White) => Ok(run >= 5),
            (Rule::Standard, _) => Ok(run == 5),
            (Rule::Renju, Colour::Black) if run > 5 => Err(()),
            (Rule::Renju, Colour::Black) => Ok(run == 5),
            (Rule::Caro, _) => {
                let has = |bit: u32| bit < 32 && other >> bit & 1 == 1;
                let closed = has(self.radius + above + 1) && has(self.radius.wrapping_sub(below + 1));
                Ok(run >= 5 && !closed)
            }
        }
    }

    fn class(&mut self, own: u32, other: u32, edge: u32) -> Class {
        let index = ((own | edge) | (other | edge) << (2 * self.radius)) as usize;
        if self.known[index] == UNKNOWN {
            self.known[index] = self.find(own, other, edge) as u8;
        }
        Class::of(self.known[index].into())
    }

    fn find(&mut self, own: u32, other: u32, edge: u32) -> Class {
        match self.five(own, other) {
            Err(()) => return Class::Overline,
            Ok(true) => return Class::Five,
            Ok(false) => {}
        }
        let mut counts = [0u32; Class::COUNT];
        let mut fives = 0;
        let empty = ((1 << (2 * self.radius)) - 1) & !(own | other | edge);
        for bit in super::super::lines::bits(empty) {
            let next = self.class(own | 1 << bit, other, edge);
            counts[next as usize] += 1;
            if next == Class::Five {
                fives |= 1 << bit;
            }
        }
        let count = |classes: &[Class]| classes.iter().map(|&class| counts[class as usize]).sum::<u32>();
        let renju_black = self.rule == Rule::Renju && self.colour == Colour::Black;
        let open_fours = count(&[Class::OpenFour]);
        let fours = count(&[Class::Four]);
        let open_threes = count(&[Class::OpenThree, Class::OpenThreeTwice]);
        let open_twos = count(&[Class::OpenTwo, Class::OpenTwoTwice, Class::OpenTwoWide]);
        match () {
            () if counts[Class::Five as usize] >= 2 => match () {
                () if renju_black && !self.is_straight(own, fives) => Class::DoubleFour,
                () if self.is_stopped(own, other, edge, empty) => Class::Four,
                () => Class::OpenFour,
            },
            () if counts[Class::Five as usize] == 1 => Class::Four,
            () if open_fours >= 2 => Class::OpenThreeTwice,
            () if open_fours == 1 => Class::OpenThree,
            () if fours > 0 => Class::Three,
            () if open_threes >= 3 => Class::OpenTwoWide,
            () if open_threes == 2 => Class::OpenTwoTwice,
            () if open_threes == 1 => Class::OpenTwo,
            () if counts[Class::Three as usize] > 0 => Class::Two,
            () if open_twos > 0 => Class::OpenOne,
            () if counts[Class::Two as usize] > 0 => Class::One,
            () => Class::Dead,
        }
    }

    /// Whether the fives are at both ends of four in a row.
    fn is_straight(&self, own: u32, fives: u32) -> bool {
        let own = self.spread(own) | 1 << self.radius;
        let fives = self.spread(fives);
        let above = (own >> self.radius >> 1).trailing_ones();
        let below = (own << (32 - self.radius)).leading_ones();
        let ends = 1 << (self.radius + above + 1) | (1u32 << self.radius) >> (below + 1);
        above + 1 + below == 4 && fives & ends == ends
    }

    /// Whether one reply stops all fives: only in caro, by closing a common end.
    fn is_stopped(&mut self, own: u32, other: u32, edge: u32, empty: u32) -> bool {
        let mut stops = |reply: u32| {
            let other = other | 1 << reply;
            let mut left = super::super::lines::bits(empty & !(1 << reply));
            !left.any(|bit| self.class(own | 1 << bit, other, edge) == Class::Five)
        };
        super::super::lines::bits(empty).any(&mut stops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class of the point `*` in a line for `x`: `o` is an opponent's stone, `|` is beyond the edge.
    fn class(rule: Rule, colour: Colour, line: &str) -> Class {
        let classes = Classes::of(rule);
        let radius = classes.radius as usize;
        let cells: Vec<char> = line.chars().collect();
        let at = cells.iter().position(|&cell| cell == '*').expect("a point is asked about");
        let cell = |offset: isize| {
            let index = at as isize + offset;
            let beyond = if index < 0 && cells[0] == '|' { '|' } else { '.' };
            usize::try_from(index).ok().and_then(|index| cells.get(index).copied()).unwrap_or(beyond)
        };
        let (mut own, mut other) = (0usize, 0usize);
        let offsets = (-(radius as isize)..0).chain(1..=radius as isize);
        for (bit, offset) in offsets.enumerate() {
            let cell = cell(offset);
            own |= usize::from(cell == 'x' || cell == '|') << bit;
            other |= usize::from(cell == 'o' || cell == '|') << bit;
        }
        let (black, white) = if colour == Colour::Black { (own, other) } else { (other, own) };
        let both = classes.get(black | white << (2 * radius));
        Class::of((both >> (4 * colour as u32) & 15).into())
    }

    #[test]
    fn classes_are_what_the_field_calls_so() {
        use Class::*;
        let free = |line| class(Rule::Freestyle, Colour::Black, line);
        for (line, expected) in [
            ("xx*xx", Five),
            ("xxx*xx", Five),
            (".xx*x.", OpenFour),
            ("oxx*x.", Four),
            ("|xx*x.", Four),
            ("x.x*x.x", OpenFour),
            ("..x*x..", OpenThreeTwice),
            ("o.x*x..", OpenThree),
            ("o.x*x.o", Three),
            ("oxx*...", Three),
            (".x.*x.", OpenThree),
            ("ox.*x.o", Three),
            ("....*x....", OpenTwoWide),
            ("o..*x..o", OpenTwoTwice),
            ("o*x...", Two),
            ("....*....", OpenOne),
            ("o*....", One),
            ("o*...o", Dead),
        ] {
            assert_eq!(free(line), expected, "{line}");
        }
    }

    #[test]
    fn rules_differ_in_what_is_a_five() {
        use Class::*;
        let renju = |colour, line| class(Rule::Renju, colour, line);
        assert_eq!(renju(Colour::Black, "xxx*xx"), Overline);
        assert_eq!(renju(Colour::White, "xxx*xx"), Five);
        assert_eq!(renju(Colour::Black, "x.x*x.x"), DoubleFour);
        assert_eq!(renju(Colour::White, "x.x*x.x"), OpenFour);
        assert_eq!(renju(Colour::Black, "x.x*xx.."), Four);
        assert_eq!(class(Rule::Standard, Colour::Black, "xxx*xx"), Dead);
        assert_eq!(class(Rule::Standard, Colour::Black, "x.xx*x."), Four);
        let caro = |line| class(Rule::Caro, Colour::White, line);
        assert_eq!(caro("oxx*xxo"), Dead);
        assert_eq!(caro("|xx*xxo"), Five);
        assert_eq!(caro(".xx*x."), OpenFour);
        assert_eq!(caro("o.xx*x.o"), Four);
    }
}
