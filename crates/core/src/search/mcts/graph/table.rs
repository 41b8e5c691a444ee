//! A map from positions to their nodes, shared by all workers.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots that are allocated together, on first use: a search of a few thousand nodes touches little memory.
const SEGMENT: usize = 1 << 10;

/// Maximum slots to probe for a position; if none is free or matches, it gets a separate node.
const PROBES: usize = 16;

/// Nodes by their positions' keys: an open-addressed hash table without locks. Slots are never freed.
#[derive(Debug)]
pub struct Table {
    segments: Vec<OnceLock<Box<[AtomicU64]>>>,
}

impl Table {
    /// A table for about `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        let slots = (nodes.max(SEGMENT) * 2).next_power_of_two();
        Self { segments: std::iter::repeat_with(OnceLock::new).take(slots / SEGMENT).collect() }
    }

    /// An empty table of the same size.
    pub fn emptied(&self) -> Self {
        Self { segments: std::iter::repeat_with(OnceLock::new).take(self.segments.len()).collect() }
    }

    /// The node of the position with this `key`: a known one that `same` confirms, or else a new one from `make`.
    pub fn find_or_make(&self, key: u64, same: impl Fn(u32) -> bool, make: impl FnOnce() -> u32) -> u32 {
        let slots = self.segments.len() * SEGMENT;
        let mark = key >> 32;
        let mut made = None;
        let mut make = Some(make);
        for probe in 0..PROBES {
            let index = (key as usize).wrapping_add(probe) & (slots - 1);
            let segment = &self.segments[index / SEGMENT];
            let segment = segment.get_or_init(|| (0..SEGMENT).map(|_| AtomicU64::new(0)).collect());
            let slot = &segment[index % SEGMENT];
            let mut entry = slot.load(Ordering::Acquire);
            if entry == 0 {
                let node = *made.get_or_insert_with(|| make.take().map_or(0, |make| make()));
                let new = mark << 32 | u64::from(node + 1);
                match slot.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return node,
                    Err(quicker) => entry = quicker,
                }
            }
            let node = (entry as u32).wrapping_sub(1);
            if entry >> 32 == mark && same(node) {
                return node;
            }
        }
        made.unwrap_or_else(|| make.take().map_or(0, |make| make()))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn equal_positions_share_a_node_and_others_do_not() {
        let table = Table::new(100);
        let nodes = RefCell::new(Vec::new());
        let node = |key: u64| {
            table.find_or_make(
                key,
                |node| nodes.borrow()[node as usize] == key,
                || {
                    nodes.borrow_mut().push(key);
                    nodes.borrow().len() as u32 - 1
                },
            )
        };
        // Keys that want the same slots, and some whose marks are equal too.
        let keys: Vec<u64> = (0..8).flat_map(|high| [high << 32 | 5, high << 32 | (5 + (1 << 20))]).collect();
        let first: Vec<u32> = keys.iter().map(|&key| node(key)).collect();
        let again: Vec<u32> = keys.iter().map(|&key| node(key)).collect();
        assert_eq!(first, again);
        assert_eq!(nodes.borrow().len(), keys.len());
    }
}
