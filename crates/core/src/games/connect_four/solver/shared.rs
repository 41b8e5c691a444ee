//! What the workers of one search share besides the table: bounds that each may narrow, and marks on positions being searched.
//!
//! All workers search the same positions, with the same windows, in one table. A node postpones moves that another worker is
//! already searching: by the time they come up, their values are in the table, or half of the work of finding them is (ABDADA,
//! Weill 1996, in Kerrigan's simple form, with the marks outside the table). The first move of a node is never postponed, since
//! it decides most often.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

/// Bounds of a score, valid at every moment, that workers narrow.
#[derive(Debug)]
pub struct SharedBounds {
    lo: AtomicI32,
    hi: AtomicI32,
}

impl SharedBounds {
    pub fn new(lo: i32, hi: i32) -> Self {
        Self { lo: lo.into(), hi: hi.into() }
    }

    pub fn get(&self) -> (i32, i32) {
        (self.lo.load(Ordering::Relaxed), self.hi.load(Ordering::Relaxed))
    }

    /// The score, once it is known.
    pub fn exact(&self) -> Option<i32> {
        let (lo, hi) = self.get();
        (lo == hi).then_some(lo)
    }

    pub fn at_least(&self, score: i32) {
        self.lo.fetch_max(score.min(self.get().1), Ordering::Relaxed);
    }

    pub fn at_most(&self, score: i32) {
        self.hi.fetch_min(score.max(self.get().0), Ordering::Relaxed);
    }

    /// Whether the bounds decide if the score is greater than `alpha`.
    pub fn answers(&self, alpha: i32) -> bool {
        let (lo, hi) = self.get();
        lo > alpha || hi <= alpha
    }
}

/// The positions being searched. A mark may overwrite another one; then some work is done twice.
#[derive(Debug)]
pub struct Marks([AtomicU64; Self::COUNT]);

impl Marks {
    /// Far more than the positions marked at any moment.
    const COUNT: usize = 1 << 12;

    pub fn new() -> Self {
        Self([const { AtomicU64::new(0) }; Self::COUNT])
    }

    #[inline]
    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.0[(hash >> 52) as usize]
    }

    pub fn has(&self, hash: u64) -> bool {
        self.place(hash).load(Ordering::Relaxed) == hash
    }

    pub fn set(&self, hash: u64) {
        self.place(hash).store(hash, Ordering::Relaxed);
    }

    pub fn clear(&self, hash: u64) {
        let place = self.place(hash);
        if place.load(Ordering::Relaxed) == hash {
            place.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_narrow() {
        let bounds = SharedBounds::new(-5, 5);
        assert!(!bounds.answers(0));
        bounds.at_least(-2);
        bounds.at_least(-4);
        bounds.at_most(3);
        assert_eq!((bounds.get(), bounds.exact()), ((-2, 3), None));
        assert!(bounds.answers(-3) && bounds.answers(3) && !bounds.answers(2));
        bounds.at_most(-2);
        assert_eq!(bounds.exact(), Some(-2));
    }

    #[test]
    fn marks_are_told_apart() {
        let marks = Marks::new();
        let (one, same_place) = (7 << 52 | 1, 7 << 52 | 2);
        marks.set(one);
        assert!(marks.has(one) && !marks.has(same_place));
        marks.set(same_place);
        marks.clear(one);
        assert!(marks.has(same_place));
        marks.clear(same_place);
        assert!(!marks.has(same_place));
    }
}
