//! The promises made to users, one module each, in one binary so that it links once.

mod cli;
mod cluster;
mod conformance;
mod connect_four;
mod data;
mod every_go;
mod examples;
mod exits;
mod generators;
mod gomocup;
mod gomoku;
mod grades;
mod http;
mod matches;
#[cfg(feature = "mcp")]
mod mcp;
mod measurements;
mod minimax;
mod nboard;
mod openapi;
mod own_games;
mod perft;
mod playouts;
mod program;
mod properties;
mod records;
mod reversi;
mod scheduler;
mod schemas;
mod searches;
mod settings;
mod tidy;
mod toolchain;
mod ucci;
mod uci;
mod xiangqi;
