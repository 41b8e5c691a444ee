//! Sets of board cells, as wide as a board needs: one machine word for small boards, several for large ones.
//!
//! The rules of a game are written once over [`Bits`]; the compiler makes a version for each width, so that a small board does
//! not pay for a large one.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::rng::mix;

/// A fixed-width set of small integers, with the arithmetic that bitboards use.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;
    /// The number of possible elements.
    const WIDTH: u32;

    /// The set of one element, `index < WIDTH`.
    fn single(index: u32) -> Self;
    /// The sum of both sets read as numbers, without the carry out of the top.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The number of elements.
    fn count(self) -> u32;
    /// The `n`-th smallest element, counted from 0; there must be more than `n`.
    fn nth(self, n: u32) -> u32;
    /// A 64-bit hash, the same at every width, so that keys of positions do not depend on the type of the board.
    fn hash(self) -> u64;
    /// The elements below 64, as bits.
    fn low_word(self) -> u64;

    /// Whether there is no element.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether `index` is an element.
    #[inline]
    fn has(self, index: u32) -> bool {
        !(self & Self::single(index)).is_empty()
    }

    /// Removes the smallest element and returns it; there must be one.
    #[inline(always)]
    fn pop(&mut self) -> u32 {
        let index = self.nth(0);
        *self = *self & self.plus(!Self::EMPTY);
        index
    }

    /// The elements, in ascending order.
    #[inline]
    fn iter(self) -> impl Iterator<Item = u32> {
        let count = self.count();
        let mut rest = self;
        (0..count).map(move |_| {
            let index = rest.nth(0);
            rest = rest ^ Self::single(index);
            index
        })
    }

    /// Whether `length` elements lie in a row at distance `step` from each other. Runs are doubled rather than walked: about
    /// log2(`length`) shifts.
    #[inline(always)]
    fn has_run(self, length: u32, step: u32) -> bool {
        let mut run = self;
        let mut have = 1;
        while have < length {
            let more = have.min(length - have);
            if more * step >= Self::WIDTH {
                // Longer than the whole set; and shifting a word by its width would overflow.
                return false;
            }
            run = run & (run >> (more * step));
            have += more;
        }
        !run.is_empty()
    }

    /// The non-elements that would make a row of `length` at distance `step`, together with elements on either side.
    #[inline(always)]
    fn completing(self, length: u32, step: u32) -> Self {
        if length == 4 && 3 * step < Self::WIDTH {
            // Four in a row, the most common case, without a loop, so that everything stays in registers.
            let (below, above) = (self << step, self >> step);
            let two_below = below & (self << (2 * step));
            let two_above = above & (self >> (2 * step));
            let open = (two_below & (self << (3 * step) | above)) | (two_above & (self >> (3 * step) | below));
            return open & !self;
        }
        // `below[i]`: cells with i elements in a row right below, `above` likewise; i below and the rest above make a row.
        let mut below = [Self::EMPTY; 20];
        let most = (length - 1).min((Self::WIDTH - 1) / step);
        below[0] = !Self::EMPTY;
        for i in 1..=most {
            below[i as usize] = below[i as usize - 1] & (self << (i * step));
        }
        let mut above = !Self::EMPTY;
        let mut found = if most + 1 == length { below[most as usize] } else { Self::EMPTY };
        for i in 1..=most {
            above = above & (self >> (i * step));
            if length - 1 - i <= most {
                found = found | (above & below[(length - 1 - i) as usize]);
            }
        }
        found & !self
    }
}

/// The share of higher words in the hash of a set: 0 if they are empty.
#[inline]
const fn carried(words: u64) -> u64 {
    const NOTHING: u64 = mix(0);
    mix(words) ^ NOTHING
}

/// The position of the `n`-th set bit of a word.
#[inline]
fn nth_of_word(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// `set << by`, for less than 128 places.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
#[must_use]
pub const fn shifted_up(set: u128, by: u32) -> u128 {
    set << by
}

/// `set >> by`, for less than 128 places.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
#[must_use]
pub const fn shifted_down(set: u128, by: u32) -> u128 {
    set >> by
}

#[cfg(target_family = "wasm")]
pub use of_words::{shifted_down, shifted_up};

/// Shifts of two words for machines without them, where the compiler would call a function with the result in memory.
#[cfg(any(target_family = "wasm", test))]
mod of_words {
    /// `set << by`, for less than 128 places.
    #[inline(always)]
    #[must_use]
    pub const fn shifted_up(set: u128, by: u32) -> u128 {
        let (low, high, bits) = (set as u64, (set >> 64) as u64, by & 63);
        let (first, second) = (low << bits, high << bits | (low >> 1) >> (63 - bits));
        let (low, high) = if by & 64 == 0 { (first, second) } else { (0, first) };
        low as u128 | (high as u128) << 64
    }

    /// `set >> by`, for less than 128 places.
    #[inline(always)]
    #[must_use]
    pub const fn shifted_down(set: u128, by: u32) -> u128 {
        let (low, high, bits) = (set as u64, (set >> 64) as u64, by & 63);
        let (second, first) = (high >> bits, low >> bits | (high << 1) << (63 - bits));
        let (low, high) = if by & 64 == 0 { (first, second) } else { (second, 0) };
        low as u128 | (high as u128) << 64
    }
}

impl Bits for u64 {
    const EMPTY: Self = 0;
    const WIDTH: u32 = 64;

    #[inline]
    fn single(index: u32) -> Self {
        1 << index
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        nth_of_word(self, n)
    }
    #[inline]
    fn hash(self) -> u64 {
        mix(self)
    }
    #[inline]
    fn low_word(self) -> u64 {
        self
    }
}

impl Bits for u128 {
    const EMPTY: Self = 0;
    const WIDTH: u32 = 128;

    #[inline]
    fn single(index: u32) -> Self {
        shifted_up(1, index)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let low = (self as u64).count_ones();
        if n < low { nth_of_word(self as u64, n) } else { 64 + nth_of_word((self >> 64) as u64, n - low) }
    }
    #[inline]
    fn hash(self) -> u64 {
        mix(self as u64 ^ carried((self >> 64) as u64))
    }
    #[inline]
    fn low_word(self) -> u64 {
        self as u64
    }
}

/// A set over `N` machine words, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize>([u64; N]);

macro_rules! word_by_word {
    ($op:ident, $method:ident) => {
        impl<const N: usize> $op for Wide<N> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
    };
}
word_by_word!(BitAnd, bitand);
word_by_word!(BitOr, bitor);
word_by_word!(BitXor, bitxor);

impl<const N: usize> Not for Wide<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const N: usize> Shl<u32> for Wide<N> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: usize| if i < N { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| {
            let high = word(i.wrapping_sub(words));
            let low = word(i.wrapping_sub(words + 1));
            // The shift is split so that a shift by 64 never happens.
            (high << bits) | ((low >> 1) >> (63 - bits))
        }))
    }
}

impl<const N: usize> Shr<u32> for Wide<N> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: usize| if i < N { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| (word(i + words) >> bits) | ((word(i + words + 1) << 1) << (63 - bits))))
    }
}

impl<const N: usize> Bits for Wide<N> {
    const EMPTY: Self = Self([0; N]);
    const WIDTH: u32 = 64 * N as u32;

    #[inline]
    fn single(index: u32) -> Self {
        let mut words = [0; N];
        words[(index / 64) as usize] = 1 << (index % 64);
        Self(words)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        let mut carry = false;
        Self(std::array::from_fn(|i| {
            let (sum, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        }))
    }
    #[inline]
    fn has(self, index: u32) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 != 0
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let mut n = n;
        for (i, word) in self.0.into_iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                return 64 * i as u32 + nth_of_word(word, n);
            }
            n -= count;
        }
        unreachable!("the set has more than n elements")
    }
    #[inline]
    fn hash(self) -> u64 {
        let above = self.0[1..].iter().rev().fold(0, |hash, word| carried(hash ^ word));
        mix(self.0[0] ^ above)
    }
    #[inline]
    fn low_word(self) -> u64 {
        self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wide(x: u128) -> Wide<2> {
        Wide([x as u64, (x >> 64) as u64])
    }

    proptest! {
        #[test]
        fn two_words_behave_like_u128(a: u128, b: u128, by in 0u32..128, n in 0u32..128) {
            prop_assert_eq!(wide(a) & wide(b), wide(a & b));
            prop_assert_eq!(wide(a) | wide(b), wide(a | b));
            prop_assert_eq!(wide(a) ^ wide(b), wide(a ^ b));
            prop_assert_eq!(!wide(a), wide(!a));
            prop_assert_eq!(wide(a) << by, wide(a << by));
            prop_assert_eq!(wide(a) >> by, wide(a >> by));
            prop_assert_eq!(of_words::shifted_up(a, by), a << by);
            prop_assert_eq!(of_words::shifted_down(a, by), a >> by);
            prop_assert_eq!(wide(a).plus(wide(b)), wide(a.wrapping_add(b)));
            prop_assert_eq!(wide(a).hash(), a.hash());
            prop_assert_eq!(Wide([a as u64, (a >> 64) as u64, 0, 0, 0, 0]).hash(), a.hash());
            prop_assert_eq!(u128::from(a as u64).hash(), (a as u64).hash());
            prop_assert_eq!(wide(a).count(), a.count_ones());
            prop_assert_eq!(wide(a).has(by), a.has(by));
            prop_assert!(wide(a).iter().eq(a.iter()));
            if n < a.count_ones() {
                prop_assert_eq!(wide(a).nth(n), a.nth(n));
            }
        }

        #[test]
        fn runs_are_found_where_they_are(a: u64, length in 1u32..20, step in 1u32..22) {
            let walked = (0..64).any(|start| (0..length).all(|i| start + i * step < 64 && a.has(start + i * step)));
            prop_assert_eq!(a.has_run(length, step), walked);
        }

        #[test]
        fn completing_elements_are_found(a: u64, b: u64, length in 1u32..8, step in 1u32..12) {
            let set = a & b;
            for at in (!set).iter() {
                if !set.has_run(length, step) {
                    prop_assert_eq!(set.completing(length, step).has(at), (set | 1 << at).has_run(length, step), "{}", at);
                }
            }
        }
    }
}
