//! The tree cache: trees and tables of ended searches for the next search of the same game, bounded in bytes; the least
//! recently used entry goes first.
//!
//! An entry has a key for every position up to two moves later that had a fair share of the visits (`catalog::reuse`). Only one
//! search can take it, and only if its time suffices to traverse it. It is stored before the response is sent, since the next
//! request can follow at once. A search with a seed neither takes nor leaves an entry: its result depends on the request alone.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use moka::notification::RemovalCause;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use tesuji_core::catalog::{self, Reusable};
use tesuji_core::memory::free_later;

/// A game without a request for this long is over.
const IDLE: Duration = Duration::from_secs(600);

/// The tree cache.
#[derive(Debug)]
pub struct TreeCache {
    /// The entries by number, weighed in KiB.
    entries: Cache<u64, Item>,
    /// The numbers by the positions' keys.
    index: Arc<Index>,
    next: AtomicU64,
    hits: AtomicU64,
}

/// Clones share it.
#[derive(Clone)]
struct Item {
    keys: Arc<[u64]>,
    kibibytes: u32,
    state: Arc<Mutex<Option<Box<dyn Any + Send>>>>,
}

#[derive(Debug, Default)]
struct Index(Mutex<HashMap<u64, u64>>);

impl Index {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Item {
    fn take(&self) -> Option<Box<dyn Any + Send>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("kibibytes", &self.kibibytes).finish_non_exhaustive()
    }
}

impl TreeCache {
    /// A tree cache of this many bytes; `None` for 0.
    pub fn new(bytes: u64) -> Option<Self> {
        let index = Arc::<Index>::default();
        let forget = {
            let index = Arc::clone(&index);
            move |number: Arc<u64>, item: Item, _: RemovalCause| {
                let mut index = index.lock();
                for key in &*item.keys {
                    // A later search may have an entry under the same key.
                    if index.get(key) == Some(&number) {
                        index.remove(key);
                    }
                }
                drop(index);
                if let Some(state) = item.take() {
                    free_later(state);
                }
            }
        };
        (bytes > 0).then(|| Self {
            entries: Cache::builder()
                .max_capacity(bytes >> 10)
                .eviction_policy(EvictionPolicy::lru())
                .weigher(|_, item: &Item| item.kibibytes)
                .time_to_idle(IDLE)
                .eviction_listener(forget)
                .build(),
            index,
            next: AtomicU64::new(0),
            hits: AtomicU64::new(0),
        })
    }

    /// Adds an entry.
    pub fn put(&self, reusable: Reusable) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let Reusable { keys, bytes, state } = reusable;
        let kibibytes = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let item = Item { keys: keys.into(), kibibytes, state: Arc::new(Mutex::new(Some(state))) };
        self.index.lock().extend(item.keys.iter().map(|&key| (key, number)));
        self.entries.insert(number, item);
        // Evicts at once rather than at the next request.
        self.entries.run_pending_tasks();
    }

    /// Bytes in the cache.
    pub fn bytes(&self) -> u64 {
        self.entries.weighted_size() << 10
    }

    /// The number of entries taken.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Removes expired entries.
    pub fn evict_expired(&self) {
        self.entries.run_pending_tasks();
    }
}

impl catalog::TreeCache for TreeCache {
    fn take(&self, key: u64, most: u64) -> Option<Box<dyn Any + Send>> {
        let number = *self.index.lock().get(&key)?;
        let item = self.entries.get(&number).filter(|item| u64::from(item.kibibytes) << 10 <= most)?;
        let state = item.take();
        self.entries.invalidate(&number);
        self.hits.fetch_add(u64::from(state.is_some()), Ordering::Relaxed);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::catalog::TreeCache as _;

    fn reusable(keys: &[u64], bytes: u64) -> Reusable {
        Reusable { keys: keys.to_vec(), bytes, state: Box::new(bytes) }
    }

    fn take(tree_cache: &TreeCache, key: u64) -> Option<u64> {
        tree_cache.take(key, u64::MAX).map(|state| *state.downcast().expect("it is what was put there"))
    }

    #[test]
    fn what_was_left_is_taken_once() {
        let tree_cache = TreeCache::new(1 << 20).expect("it has room");
        tree_cache.put(reusable(&[1, 2, 3], 5000));
        tree_cache.put(reusable(&[3, 4], 6000));
        assert_eq!(tree_cache.bytes(), 11 << 10);
        assert!(tree_cache.take(3, 5 << 10).is_none(), "it is larger than that, and stays");
        assert_eq!(take(&tree_cache, 3), Some(6000), "the later one");
        assert_eq!(take(&tree_cache, 4), None);
        assert_eq!(take(&tree_cache, 2), Some(5000));
        assert_eq!(take(&tree_cache, 1), None);
        tree_cache.evict_expired();
        assert_eq!((tree_cache.bytes(), tree_cache.hits()), (0, 2));
        assert!(tree_cache.index.lock().is_empty());
    }

    #[test]
    fn it_holds_no_more_than_it_may() {
        let tree_cache = TreeCache::new(10 << 10).expect("it has room");
        for key in 0..20 {
            tree_cache.put(reusable(&[key], 3 << 10));
        }
        assert_eq!(tree_cache.bytes(), 9 << 10);
        assert_eq!(tree_cache.index.lock().len(), 3);
        assert_eq!(take(&tree_cache, 19), Some(3 << 10), "the last one is there");
        tree_cache.put(reusable(&[100], 11 << 10));
        assert_eq!(take(&tree_cache, 100), None, "it is larger than the tree_cache");
        assert!(TreeCache::new(0).is_none());
    }
}
