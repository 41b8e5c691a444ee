//! `tesuji serve`: the HTTP API.

use std::io::{Write as _, stdout};

use clap::ArgMatches;
use tesuji::settings;
use tesuji_core::catalog::Catalog;

use super::CommandError;

/// Options of `serve`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print the effective settings as TOML and exit.
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    settings: settings::Arguments,
}

/// Serves until SIGINT or SIGTERM.
pub fn run(arguments: &Arguments, matches: &ArgMatches) -> Result<(), CommandError> {
    let settings = arguments.settings.settings(matches).map_err(CommandError::of)?;
    if arguments.print_config {
        stdout().write_all(settings.to_toml()?.as_bytes())?;
        return Ok(());
    }
    tesuji::serve(&settings, Catalog::standard()).map_err(CommandError::of)
}
