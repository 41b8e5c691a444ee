//! The program `tesuji`; `cli` has its commands.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
