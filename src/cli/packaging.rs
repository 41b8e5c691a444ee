//! `tesuji completions` and `tesuji manual`: files that packages install with the program.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap_complete::Shell;

use super::CommandError;

/// Options of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

/// Options of `manual`.
#[derive(Debug, clap::Args)]
pub struct ManualArguments {
    /// The folder for the pages (`tesuji.1`, `tesuji-serve.1`, …), created if missing.
    folder: PathBuf,
}

/// Prints the completion script of a shell.
pub fn completions(arguments: &CompletionsArguments, mut program: clap::Command) -> Result<(), CommandError> {
    // Into memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "tesuji", &mut script);
    stdout().write_all(&script)?;
    Ok(())
}

/// Writes the manual's pages.
pub fn manual(arguments: &ManualArguments, program: clap::Command) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| CommandError::failed(format_args!("{}: {error}", arguments.folder.display()));
    fs::create_dir_all(&arguments.folder).map_err(failed)?;
    clap_mangen::generate_to(program, &arguments.folder).map_err(failed)?;
    Ok(())
}
