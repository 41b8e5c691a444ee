//! The program: `tesuji serve`, `analyze`, `play`, `perft`, `bench`, `match`, `key`, `healthcheck`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
