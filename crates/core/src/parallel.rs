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
