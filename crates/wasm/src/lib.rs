//! Tesuji's rules and searches as a WebAssembly module: the HTTP API's bodies, without HTTP.
//!
//! A request's body goes in and the response's body comes out, the same as the server's: [`Engine`] has a method for each
//! resource. All of what they say comes from the core's `api`; here is only how searches run where there are no threads, and no
//! way to be called while one runs, and how several instances of the module make one search.
//!
//! `exports` is the module's interface: functions over two byte buffers in its memory, without a bindings generator; it exists
//! on `wasm32` only. `web/engine` is the JavaScript on the other side of it. Natively, this crate is its own test.

mod engine;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
mod runner;
mod search;

pub use engine::{Answer, Engine};
pub use runner::Host;
