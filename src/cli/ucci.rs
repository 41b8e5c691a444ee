//! `tesuji ucci`: Xiangqi over UCCI, for Chinese user interfaces.

use std::io::{stdin, stdout};

use tesuji::protocols::{Output, ucci};

use super::CommandError;

/// Options of `ucci`.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves standard input until `quit` or its end.
pub fn run(_: &Arguments) -> Result<(), CommandError> {
    ucci::serve(stdin().lock(), Output::new(stdout())).map_err(CommandError::of)
}
