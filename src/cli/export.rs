//! `tesuji export`: the web page as files, for any web server.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use tesuji::page::PAGE;
use tesuji_core::catalog::Catalog;

use super::CommandError;

/// Options of `export`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder to write to, created if missing. Files of other versions in it are not removed.
    folder: PathBuf,
    /// Write only the engine, for a page with a custom board: `index.js`, which the page imports, and its files.
    #[arg(long)]
    engine_only: bool,
}

/// The message if the engine was not built.
const NO_ENGINE: &str = "this program was built without the engine for browsers; run web/engine/build in its source folder, then \
                         build the program again";

/// Writes the files, and prints how to use them.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    if !PAGE.has_engine() {
        return Err(CommandError::failed(NO_ENGINE));
    }
    let (folder, catalog) = (&arguments.folder, Catalog::standard());
    fs::create_dir_all(folder).map_err(|error| CommandError::failed(format_args!("{}: {error}", folder.display())))?;
    let bytes =
        if arguments.engine_only { PAGE.export_engine(&catalog, folder)? } else { PAGE.export(&catalog, folder)? };
    let megabytes = bytes as f64 / 1e6;
    let next = if arguments.engine_only {
        "import { createEngine } from \"./index.js\""
    } else {
        "serve the folder with any web server, at any address; index.html does not work when opened as a file"
    };
    writeln!(stdout(), "{}: {megabytes:.1} MB\n{next}", folder.display())?;
    Ok(())
}
