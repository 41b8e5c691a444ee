//! The program: `tesuji serve`, `analyze`, `play`, `perft`, `bench`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
