//! Work on many items at once, where the feature `parallel` brings rayon; one after the other where it does not (`wasm32`).
//!
//! Searches never use this: their workers are threads of whoever runs them, and wait for each other nowhere.

use std::sync::{Mutex, PoisonError};

/// Applies `f` to every item; results come in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Sync) -> Vec<R> {
    map_by(items, &f)
}

/// Compiled for types only, and not for each function.
fn map_by<T: Send, R: Send>(items: Vec<T>, f: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
    let mut places: Vec<(Option<T>, Option<R>)> = items.into_iter().map(|item| (Some(item), None)).collect();
    each(&mut places, |_, (item, result)| *result = item.take().map(f));
    places.into_iter().filter_map(|(_, result)| result).collect()
}

/// Applies `f` to the number of every item and the item, which it may change.
pub fn each<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    // Nobody waits for a lock: each number is called once.
    let places: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    each_number(places.len(), &|number| {
        f(number, *places[number].lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Calls `f` with every number below `count`. All else here is made of this one function, because rayon is a lot of code for
/// each type and function that it is given: that was a fifth of what the core is compiled to.
#[cfg(feature = "parallel")]
fn each_number(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    (0..count).into_par_iter().for_each(f);
}

#[cfg(not(feature = "parallel"))]
fn each_number(count: usize, f: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(f);
}

/// How many items are worked on at once.
#[cfg(feature = "parallel")]
#[must_use]
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// How many items are worked on at once.
#[cfg(not(feature = "parallel"))]
#[must_use]
pub const fn threads() -> usize {
    1
}
