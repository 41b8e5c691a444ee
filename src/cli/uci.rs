//! `tesuji uci`: Xiangqi over the Universal Chess Interface, for boards and match tools.

use std::io::{stdin, stdout};

use tesuji::protocols::{Output, uci};

use super::CommandError;

/// Options of `uci`.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves standard input until `quit` or its end.
pub fn run(_: &Arguments) -> Result<(), CommandError> {
    uci::serve(stdin().lock(), Output::new(stdout())).map_err(CommandError::of)
}
