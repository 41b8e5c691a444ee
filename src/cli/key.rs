//! `tesuji key`: makes an API key.

use std::io::{Write, stdout};

use tesuji::settings::fresh_key;

use super::Failed;

/// Options of `key`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Whose key it is; logs show this name.
    name: String,
}

/// Prints a new key, and what the server is given of it.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let (key, told) = fresh_key(&arguments.name).map_err(Failed::of)?;
    let text = format!(
        "for the client, and for nobody else:  {key}\nfor the server's setting api_keys:    {told}\n\
         The client sends it as `Authorization: Bearer KEY`. It is kept nowhere: what is lost is replaced.\n"
    );
    stdout().write_all(text.as_bytes())?;
    Ok(())
}
