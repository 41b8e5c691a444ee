//! Tesuji's rules and searches as a WebAssembly module: the HTTP API's bodies, without HTTP.
//!
//! [`Engine`] has a method for each resource, from a request's body to the response's, which is the same as the server's. Their
//! contents come from the core's `api`. This crate adds only the running of searches without threads and without calls into the
//! module meanwhile, and the division of a search among several instances of the module.
//!
//! `exports` is the module's interface: functions over two byte buffers in its memory, without a bindings generator; it exists
//! on `wasm32` only. `web/engine` is its counterpart in JavaScript. The tests run natively.

mod engine;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
mod runner;
mod search;

pub use engine::{Answer, Engine};
pub use runner::Host;
