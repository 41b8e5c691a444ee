//! Settings of a process: flags, variables and a file.

use std::error::Error;
use std::path::PathBuf;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};

use super::{Settings, check_variables, load};

/// The flags of a server: its settings, and `--config`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Arguments {
    /// A TOML file of settings, keyed by the flags' names with underscores; flags and variables override it.
    #[arg(long, value_name = "FILE", env = "TESUJI_CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

impl Arguments {
    /// The effective settings; `matches` distinguishes given values from defaults.
    ///
    /// # Errors
    /// Names the variable, the file's key or the flag that is refused, and what was expected.
    pub fn settings(&self, matches: &ArgMatches) -> Result<Settings, Box<dyn Error + Send + Sync>> {
        check_variables(std::env::vars_os())?;
        Ok(load(&self.settings, matches, self.config.as_deref())?)
    }
}

impl Settings {
    /// The settings of this process, as `tesuji serve` reads them: flags over `TESUJI_…` variables over the file of `--config`
    /// over defaults. Prints help or a usage error and exits if the command line requires it.
    ///
    /// # Errors
    /// Names the variable, the file's key or the flag that is refused, and what was expected.
    pub fn from_command_line() -> Result<Self, Box<dyn Error + Send + Sync>> {
        let matches = Arguments::augment_args(Command::new("serve")).about("Serve the HTTP API").get_matches();
        Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).settings(&matches)
    }
}
