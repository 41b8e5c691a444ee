//! The transposition table: entries with game-specific fields, packed into one word, in [`Lines`] that all workers share
//! without locks.
//!
//! [`entry!`] packs an entry's fields from the lowest bit up; above them lies the age, the number of the search or iteration
//! that wrote the entry. The game's [`Replacement`] decides which entry of a line is replaced.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{Bound, Lines};

/// A field type.
pub trait Field: Copy {
    const BITS: u32;

    /// The field in the lowest bits, all others 0.
    fn bits(self) -> u64;

    /// The value of the lowest bits.
    fn of_bits(bits: u64) -> Self;

    /// Appends the field to a word filled up to a bit.
    #[inline]
    fn append(self, (word, filled): &mut (u64, u32)) {
        *word |= self.bits() << *filled;
        *filled += Self::BITS;
    }

    /// Takes the lowest field of a word.
    #[inline]
    fn take(word: &mut u64) -> Self {
        let field = Self::of_bits(*word);
        *word >>= Self::BITS;
        field
    }
}

macro_rules! numbers {
    ($($Number:ty, $Unsigned:ty, $bits:expr;)*) => {$(
        impl Field for $Number {
            const BITS: u32 = $bits;

            #[inline]
            fn bits(self) -> u64 {
                u64::from(self as $Unsigned) & (u64::MAX >> (64 - $bits))
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                // Extends the sign of signed numbers.
                (bits as Self) << (Self::BITS - $bits) >> (Self::BITS - $bits)
            }
        }
    )*};
}

numbers! {
    u8, u8, 8;
    u16, u16, 16;
    i16, u16, 16;
    // Search values.
    i32, u32, 24;
}

impl Field for bool {
    const BITS: u32 = 1;

    #[inline]
    fn bits(self) -> u64 {
        self.into()
    }

    #[inline]
    fn of_bits(bits: u64) -> Self {
        bits & 1 != 0
    }
}

impl Field for Bound {
    const BITS: u32 = 2;

    #[inline]
    fn bits(self) -> u64 {
        match self {
            Self::Exact => 0,
            Self::Lower => 1,
            Self::Upper => 2,
        }
    }

    #[inline]
    fn of_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Self::Exact,
            1 => Self::Lower,
            _ => Self::Upper,
        }
    }
}

/// An entry packed into the lowest bits of a word.
pub trait Packed: Copy {
    const BITS: u32;

    fn pack(self) -> u64;

    fn unpack(packed: u64) -> Self;
}

/// Declares a table's entry with its fields.
macro_rules! entry {
    (
        $(#[$about:meta])*
        $visible:vis struct $Entry:ident { $($(#[$of_field:meta])* $field:ident: $Type:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible struct $Entry {
            $($(#[$of_field])* pub $field: $Type,)*
        }

        impl $crate::search::table::Packed for $Entry {
            const BITS: u32 = 0 $(+ <$Type as $crate::search::table::Field>::BITS)*;

            #[inline]
            fn pack(self) -> u64 {
                let mut packed = (0, 0);
                $($crate::search::table::Field::append(self.$field, &mut packed);)*
                packed.0
            }

            #[inline]
            fn unpack(mut packed: u64) -> Self {
                Self { $($field: $crate::search::table::Field::take(&mut packed),)* }
            }
        }
    };
}

pub(crate) use entry;

/// The replacement policy within a line.
pub trait Replacement: Packed {
    /// Worth of an empty place.
    const EMPTY: i32;

    /// The entry to write for a position whose known entry is `age` searches old; `None` keeps the known one.
    fn update(self, known: Self, age: u8) -> Option<Self>;

    /// Worth of another position's entry at a place of the line; `new` replaces the entry of least worth.
    fn worth(&self, age: u8, place: usize, new: &Self) -> i32;
}

/// Set in every entry, because zero is an empty place.
const USED: u64 = 1 << 63;

/// A table that grows into its memory, with lines of `WORDS` words, two per entry. Eight words are a cache line.
#[derive(Debug)]
pub struct Table<E, const WORDS: usize = 8> {
    lines: Lines<WORDS>,
    age: AtomicU8,
    entry: PhantomData<E>,
}

impl<E: Replacement, const WORDS: usize> Table<E, WORDS> {
    /// The largest age that is distinguished, also the mask of its bits.
    const AGES: u8 = {
        assert!(E::BITS + 4 <= USED.trailing_zeros(), "the fields leave too little room for the age");
        let left = USED.trailing_zeros() - E::BITS;
        if left < 8 { (1 << left) - 1 } else { u8::MAX }
    };

    /// A table of about `bytes`, at least one line; smaller if memory is short.
    pub fn new(bytes: u64) -> Self {
        Self { lines: Lines::new(bytes), age: AtomicU8::new(0), entry: PhantomData }
    }

    /// Bytes when fully grown.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Bytes in use.
    pub fn used_bytes(&self) -> u64 {
        self.lines.used_bytes()
    }

    /// Approximate number of entries.
    pub fn entries(&self) -> u64 {
        self.lines.count()
    }

    /// Begins the next age: present entries become older.
    pub fn next_age(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// Sets the age.
    pub fn set_age(&self, age: u8) {
        self.age.store(age, Relaxed);
    }

    /// Prefetches the line of a key that will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.lines.prefetch(key);
    }

    /// A position's entry.
    #[inline]
    pub fn get(&self, key: u64) -> Option<E> {
        self.lines.get(key).map(E::unpack)
    }

    /// Writes a position's entry over its known one, if [`Replacement::update`] allows it, or over the least worthy entry of
    /// the line if none is known.
    #[inline]
    pub fn put(&self, key: u64, mut entry: E) {
        let now = self.age.load(Relaxed) & Self::AGES;
        let (mut place, mut least) = (0, i32::MAX);
        for (index, (content, is_keys)) in self.lines.entries(key).enumerate() {
            let known = E::unpack(content);
            let age = now.wrapping_sub((content >> E::BITS) as u8) & Self::AGES;
            if is_keys {
                let Some(updated) = entry.update(known, age) else { return };
                (entry, place) = (updated, index);
                break;
            }
            let worth = if content == 0 { E::EMPTY } else { known.worth(age, index, &entry) };
            if worth < least {
                (place, least) = (index, worth);
            }
        }
        self.lines.put(key, place, entry.pack() | u64::from(now) << E::BITS | USED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    entry! {
        struct Full {
            small: u8,
            value: i32,
            bound: Bound,
            short: i16,
            flag: bool,
            large: u8,
        }
    }

    impl Replacement for Full {
        const EMPTY: i32 = i32::MIN;

        fn update(self, known: Self, age: u8) -> Option<Self> {
            (age > 0 || self.small >= known.small).then_some(self)
        }

        fn worth(&self, age: u8, _: usize, _: &Self) -> i32 {
            i32::from(self.small) - 100 * i32::from(age)
        }
    }

    fn full(small: u8, value: i32, bound: Bound) -> Full {
        Full { small, value, bound, short: -(value as i16), flag: value < 0, large: 255 - small }
    }

    /// At any age, entries come back as they were written.
    #[test]
    fn entries_survive_packing() {
        for age in [0, 1, 15] {
            for (key, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
                for (small, value) in [(0, 0), (255, -1_000_000), (1, 2_000_000), (77, -1), (255, (1 << 23) - 1)] {
                    let entry = full(small, value, bound);
                    assert_eq!(Full::unpack(entry.pack()), entry);
                    let table = Table::<Full>::new(1);
                    table.set_age(age);
                    table.put(key as u64, entry);
                    assert_eq!(table.get(key as u64), Some(entry));
                    assert_eq!(table.get(9), None);
                }
            }
        }
    }

    /// The entry of least worth is replaced; known entries stay if the game wants it.
    #[test]
    fn replacement_is_the_games() {
        let table = Table::<Full>::new(1);
        for small in 1..=9 {
            table.put(small.into(), full(small, 0, Bound::Exact));
        }
        let held = |range: std::ops::RangeInclusive<u64>| range.filter(|&key| table.get(key).is_some()).count();
        assert_eq!((held(1..=9), table.get(9).map(|entry| entry.small)), (4, Some(9)));
        table.put(9, full(3, 0, Bound::Lower));
        assert_eq!(table.get(9), Some(full(9, 0, Bound::Exact)));
        table.next_age();
        table.put(9, full(3, 0, Bound::Lower));
        assert_eq!(table.get(9), Some(full(3, 0, Bound::Lower)));
        (11..=13).for_each(|key| table.put(key, full(1, 0, Bound::Exact)));
        assert_eq!((held(11..=13), table.get(9).is_some()), (3, true));
    }
}
