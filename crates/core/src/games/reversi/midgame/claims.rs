//! Positions that a worker is currently searching.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Many more than the workers' open moves.
const PLACES: usize = 1 << 12;

/// Keys of positions, each at an index that follows from it. Claims are only advisory: if two positions share a place, or two
/// workers claim at once, a position is searched twice.
#[derive(Debug)]
pub struct Claims {
    places: Box<[AtomicU64; PLACES]>,
}

impl Default for Claims {
    fn default() -> Self {
        Self { places: bytemuck::allocation::zeroed_box() }
    }
}

impl Claims {
    #[inline]
    fn place(&self, key: u64) -> &AtomicU64 {
        &self.places[key as usize % PLACES]
    }

    /// Claims a position for a worker that is about to search it; false if another worker is searching it.
    #[inline]
    pub fn claim(&self, key: u64) -> bool {
        let place = self.place(key);
        let free = place.load(Relaxed) != key;
        if free {
            place.store(key, Relaxed);
        }
        free
    }

    /// Ends a claim.
    #[inline]
    pub fn release(&self, key: u64) {
        let place = self.place(key);
        if place.load(Relaxed) == key {
            place.store(0, Relaxed);
        }
    }
}
