//! Stable sorting with little code for each type of elements.
//!
//! The standard library's sort is fast but large: about five kilobytes for each type of elements and each comparison, and the
//! code that is compiled for every type of board has dozens of both. In the engine for web pages they were a sixth of the code.
//! Here the sort itself is compiled once; for each type there is only the loop that rearranges the elements. Lists that are
//! sorted often should use the standard library's.

use std::cmp::Ordering;

/// A sort key: smaller first; the second number breaks ties.
pub type Key = [i64; 2];

/// Sorts by a key; equal elements keep their order.
pub fn by_key<T>(list: &mut [T], mut key: impl FnMut(&T) -> Key) {
    let mut keys: Vec<(Key, u32)> = list.iter().map(&mut key).zip(0..).collect();
    sort_keys(&mut keys);
    rearrange(list, |place| keys[place].1);
}

/// Sorts by comparisons; equal elements keep their order. Inconsistent comparisons give some order, without a panic.
pub fn by<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = merged(list.len(), &mut |a, b| compare(&list[a as usize], &list[b as usize]));
    rearrange(list, |place| order[place]);
}

/// A number that orders like `f64::total_cmp`.
#[must_use]
pub const fn of_float(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Two numbers as one that orders like the pair.
#[must_use]
pub const fn of_pair(first: i32, second: i32) -> i64 {
    ((first as i64) << 32) + second as i64
}

#[inline(never)]
fn sort_keys(keys: &mut [(Key, u32)]) {
    // Indices break ties, so the order is stable.
    keys.sort_unstable();
}

/// The indices of `count` elements in sorted order (merge sort, from short runs to long ones).
#[inline(never)]
fn merged(count: usize, compare: &mut dyn FnMut(u32, u32) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut next = Vec::with_capacity(count);
    let mut run = 1;
    while run < count {
        next.clear();
        for pair in order.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((&a, behind_a)), Some((&b, behind_b))) = (left.split_first(), right.split_first()) {
                if compare(b, a) == Ordering::Less {
                    next.push(b);
                    right = behind_b;
                } else {
                    next.push(a);
                    left = behind_a;
                }
            }
            next.extend_from_slice(left);
            next.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut next);
        run *= 2;
    }
    order
}

/// Puts into each place the element whose index is `from(place)`.
fn rearrange<T>(list: &mut [T], from: impl Fn(usize) -> u32) {
    for place in 0..list.len() {
        let mut source = from(place) as usize;
        // The elements of earlier places have been swapped further: follow them.
        while source < place {
            source = from(source) as usize;
        }
        list.swap(place, source);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_sorts_are_the_standard_one(list: Vec<(i8, i8)>) {
            let mut numbered: Vec<_> = list.into_iter().enumerate().collect();
            let mut expected = numbered.clone();
            expected.sort_by_key(|&(_, (a, b))| (a / 8, b / 8));
            let mut compared = numbered.clone();
            by(&mut compared, |one, other| (one.1.0 / 8, one.1.1 / 8).cmp(&(other.1.0 / 8, other.1.1 / 8)));
            prop_assert_eq!(&compared, &expected);
            by_key(&mut numbered, |&(_, (a, b))| [i64::from(a / 8), i64::from(b / 8)]);
            prop_assert_eq!(&numbered, &expected);
        }

        #[test]
        fn keys_have_the_order_of_what_they_are_made_of(a: (i32, i32), b: (i32, i32), x: f64, y: f64) {
            prop_assert_eq!(of_pair(a.0, a.1).cmp(&of_pair(b.0, b.1)), a.cmp(&b));
            prop_assert_eq!(of_float(x).cmp(&of_float(y)), x.total_cmp(&y));
        }

        #[test]
        fn comparisons_that_contradict_each_other_lose_nothing(count in 0usize..200, answers: Vec<bool>) {
            let mut answers = answers.into_iter().cycle();
            let mut list: Vec<_> = (0..count).collect();
            by(&mut list, |_, _| if answers.next() == Some(true) { Ordering::Less } else { Ordering::Greater });
            list.sort_unstable();
            prop_assert_eq!(list, (0..count).collect::<Vec<_>>());
        }
    }
}
