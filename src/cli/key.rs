//! `tesuji key`: creates an API key.

use std::io::{Write, stdout};

use tesuji::settings::fresh_key;

use super::CommandError;

/// Options of `key`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The client's name, shown in logs.
    name: String,
}

/// Prints a new key, and its hash for the server's settings.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let (key, setting) = fresh_key(&arguments.name).map_err(CommandError::of)?;
    let text = format!(
        "for the client only:       {key}\nfor the api_keys setting:  {setting}\n\
         The client sends it as `Authorization: Bearer KEY`. Save it now: it is not stored. If lost, create a new one.\n"
    );
    stdout().write_all(text.as_bytes())?;
    Ok(())
}
