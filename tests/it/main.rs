//! The promises made to users, one module each, in one binary so that it links once.

mod cli;
mod cluster;
mod conformance;
mod connect_four;
mod data;
mod dialogue;
mod generators;
mod gomocup;
mod gomoku;
mod http;
mod learning;
mod matches;
mod minimax;
mod nboard;
mod openapi;
mod perft;
mod playouts;
mod properties;
mod reversi;
mod scheduler;
mod searches;
mod settings;
mod tidy;
mod ucci;
mod uci;
mod xiangqi;
