//! Tesuji: a game-AI microservice. A game state and a budget go in, the chosen move and statistics for every child come out.
//!
//! ARCHITECTURE.md has the map; in short, each of these may use only those before it:
//! [`position`] (rules as a search sees them), [`search`] (budgets, reports, the generic searches), [`games`] (rules and
//! knowledge of each game), [`catalog`] (the table of games, types erased), [`mod@matches`] (engines against each
//! other), [`settings`] (how a server is set up), [`metrics`] (what it counts), [`scheduler`] (searches on the CPU),
//! [`registry`] (work that outlives its request), [`service`] (HTTP), [`server`] (connections, start and end).

pub mod bits;
pub mod catalog;
pub mod games;
pub mod matches;
mod memory;
pub mod metrics;
pub mod notation;
pub mod parameters;
pub mod perft;
pub mod position;
pub mod registry;
pub mod rng;
pub mod scheduler;
pub mod search;
pub mod server;
pub mod service;
pub mod settings;
