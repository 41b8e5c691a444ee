//! Work on many items at once, where the feature `parallel` brings rayon; one after the other where it does not (`wasm32`).
//!
//! Searches never use this: their workers are threads of whoever runs them, and wait for each other nowhere.

/// Applies `f` to every item; results come in the order of the items.
#[cfg(feature = "parallel")]
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map(f).collect()
}

/// Applies `f` to every item; results come in the order of the items.
#[cfg(not(feature = "parallel"))]
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    items.into_iter().map(f).collect()
}

/// Applies `f` to the number of every item and the item, which it may change.
#[cfg(feature = "parallel")]
pub fn each<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Send + Sync) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
    items.par_iter_mut().enumerate().for_each(|(number, item)| f(number, item));
}

/// Applies `f` to the number of every item and the item, which it may change.
#[cfg(not(feature = "parallel"))]
pub fn each<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Send + Sync) {
    items.iter_mut().enumerate().for_each(|(number, item)| f(number, item));
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
