//! The program: `tesuji serve`, `analyze`, `play`, `perft`, `bench`, `match`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
