//! Rules, searches and the catalog of games: Tesuji as a library, without the service.
//!
//! Each module uses only modules before it in this list:
//!
//! - [`position`]: the rules of a game as every search sees them, with [`bits`], [`rng`], [`notation`], [`record`],
//!   [`symmetry`], [`mod@parameters`].
//! - [`search`]: budgets, reports, and the two generic searches, [`search::mcts`] and [`search::deepening`].
//! - [`data`]: files that games play with, embedded or loaded.
//! - [`weights`]: the file format of evaluation weights; [`mod@layer`]: a layer of a network; [`learned`]: what the trainer
//!   needs of a game.
//! - [`games`]: rules and knowledge of each game; [`mod@perft`] counts their lines of play.
//! - [`conformance`]: checks that every game must pass.
//! - [`catalog`]: the table of games, where their types are erased; it reads variants, options and moves as text and JSON.
//! - [`review`]: whole games, move by move.
//! - [`api`]: the types of the HTTP API, without HTTP.
//!
//! Each game is a cargo feature: with `default-features = false` only the named ones are built, or none, for a crate that
//! brings its own games to the searches.
//!
//! The crate reads no files, opens no sockets and starts no runtime. It builds for `wasm32-unknown-unknown`, where the host
//! supplies the time (see [`clock`]).

// Some helpers serve only some games.
#![cfg_attr(not(feature = "games"), allow(dead_code, unused_imports))]

pub mod api;
pub mod bits;
pub mod catalog;
pub mod clock;
pub mod conformance;
pub mod custom;
pub mod data;
mod description;
#[cfg(not(target_family = "wasm"))]
pub mod forced;
pub mod games;
pub mod grade;
pub mod layer;
pub mod learned;
pub mod level;
pub mod memory;
pub mod notation;
pub mod parallel;
pub mod parameters;
pub mod perft;
pub mod position;
pub mod record;
pub mod records;
pub mod review;
pub mod rng;
mod schema;
pub mod search;
pub mod sorting;
pub mod symmetry;
pub mod weights;
