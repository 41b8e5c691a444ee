//! Tesuji: a game-AI microservice. A game state and a budget go in, the chosen move and statistics for every child come out.
//!
//! The crate [`tesuji_core`] has the rules, searches, reviews and the catalog of games; this crate serves them. ARCHITECTURE.md
//! has the map. Each module may use only those before it in this list: [`traces`] (spans for OpenTelemetry), [`settings`] (a
//! server's settings), [`metrics`] (its counters), [`encoding`] (text encodings of files), [`reasons`] (grades in words),
//! [`job`] (names and messages of jobs), [`scheduler`] (searches on the CPU), [`library`] (the games of a process), [`cluster`]
//! (searches over several machines), [`protocols`] (UCI, UCCI, Gomocup and NBoard, in both directions), [`mod@matches`]
//! (engines against each other), [`registry`] (work that outlives its request), [`page`] (the web page's files), [`puzzles`]
//! (positions with one solution), [`service`] (HTTP), `mcp` (tools for language models), [`server`] (connections, startup and
//! shutdown). [`serve()`] starts all of it.

pub mod cluster;
pub mod encoding;
pub mod job;
pub mod library;
pub mod matches;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod metrics;
pub mod page;
pub mod protocols;
pub mod puzzles;
pub mod reasons;
pub mod registry;
pub mod scheduler;
mod serve;
pub mod server;
pub mod service;
pub mod settings;
pub mod traces;

pub use serve::serve;
#[cfg(feature = "mcp")]
pub use serve::serve_tools;
