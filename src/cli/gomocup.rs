//! `tesuji gomocup`: Gomoku over the protocol of the Gomocup tournaments, for managers, boards and match programs.

use std::io::{BufReader, stdin, stdout};

use serde_json::Value;
use tesuji::protocols::{Output, gomocup};
use tesuji_core::catalog::parse_parameters;

use super::CommandError;

/// Options of `gomocup`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The engine: `NAME`, `NAME:OPTION=VALUE,…`, or JSON (default: the game's strongest).
    #[arg(long, value_parser = parse_parameters)]
    engine: Option<Value>,
}

/// Plays on standard input and output until END or the input's end.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let served = gomocup::serve(BufReader::new(stdin()), &Output::new(stdout()), arguments.engine.clone());
    served.map_err(CommandError::of)
}
