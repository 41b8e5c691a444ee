//! Tesuji: a game-AI microservice. A game state and a budget go in, the chosen move and statistics for every child come out.
//!
//! Rules, searches, the catalog of games and reviews are the crate [`tesuji_core`]. Here is what serves them; ARCHITECTURE.md
//! has the map. Each of these may use only those before it: [`traces`] (spans for OpenTelemetry), [`settings`] (how a server is
//! set up), [`metrics`] (what it counts), [`encoding`] (bytes of files as text), [`reasons`] (grades in words), [`scheduler`]
//! (searches on the CPU), [`cluster`] (searches over several machines), [`protocols`] (UCI, Gomocup and NBoard, in both
//! directions), [`mod@matches`] (engines against each other), [`registry`] (work that outlives its request), [`page`] (the web
//! page's files), [`puzzles`] (positions with one solution), [`service`] (HTTP), `mcp` (tools for language models), [`server`]
//! (connections, start and end). [`serve()`] is all of it.

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
