//! `tesuji mcp`: tools for language models.

use clap::ArgMatches;
use tesuji::settings;
use tesuji_core::catalog::Catalog;

use super::CommandError;

/// Options of `mcp`: those of `serve`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    settings: settings::Arguments,
}

/// Serves one client until it closes standard input.
pub fn run(arguments: &Arguments, matches: &ArgMatches) -> Result<(), CommandError> {
    let settings = arguments.settings.settings(matches).map_err(CommandError::of)?;
    tesuji::serve_tools(&settings, Catalog::standard()).map_err(CommandError::of)
}
