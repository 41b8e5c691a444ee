//! The promises made to users, one module each, in one binary so that it links once.

mod cli;
mod conformance;
mod connect_four;
mod data;
mod gomoku;
mod http;
mod matches;
mod minimax;
mod openapi;
mod perft;
mod playouts;
mod properties;
mod scheduler;
mod searches;
mod settings;
mod tidy;
mod xiangqi;
