//! Work on many items: in parallel with the feature `parallel` (rayon), in sequence without it (`wasm32`).
//!
//! Searches never use this: their workers are threads of the caller, and never wait for each other.

use std::sync::{Mutex, PoisonError};

/// Applies `f` to every item; results come in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Sync) -> Vec<R> {
    map_by(items, &f)
}

/// Compiled once for each pair of types, not for each function.
fn map_by<T: Send, R: Send>(items: Vec<T>, f: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
    let mut places: Vec<(Option<T>, Option<R>)> = items.into_iter().map(|item| (Some(item), None)).collect();
    each(&mut places, |_, (item, result)| *result = item.take().map(f));
    places.into_iter().filter_map(|(_, result)| result).collect()
}

/// Calls `f` with the index of every item and the item, which it may change.
pub fn each<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    // The locks are never contended: each index is visited once.
    let places: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    each_number(places.len(), &|number| {
        f(number, *places[number].lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Calls `f` with every number below `count`. Everything else here builds on this one function, because rayon compiles to much
/// code for each type and function that it is given: that was a fifth of the compiled core.
#[cfg(feature = "parallel")]
fn each_number(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    (0..count).into_par_iter().for_each(f);
}

#[cfg(not(feature = "parallel"))]
fn each_number(count: usize, f: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(f);
}

/// The number of items worked on at once.
#[cfg(feature = "parallel")]
#[must_use]
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// The number of items worked on at once.
#[cfg(not(feature = "parallel"))]
#[must_use]
pub const fn threads() -> usize {
    1
}
