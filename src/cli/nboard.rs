//! `tesuji nboard`: Reversi over the NBoard protocol, for boards and match programs.

use std::io::{stdin, stdout};

use tesuji::protocols::{Output, nboard};

use super::CommandError;
use super::arguments::PlayArguments;

/// Options of `nboard`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    search: PlayArguments,
}

/// Serves standard input until `quit` or its end.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let served = nboard::serve(stdin().lock(), Output::new(stdout()), arguments.search.request("reversi"));
    served.map_err(CommandError::of)
}
