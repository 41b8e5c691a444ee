//! The program as a process: run to its end, in a dialogue (`Dialogue`), or as a server (`Serving`).

mod dialogue;
mod process;
mod serving;

use std::io::Write as _;
use std::process::{Command, Stdio};

pub use self::dialogue::Dialogue;
pub use self::process::Process;
pub use self::serving::Serving;

/// How long anything may take, however busy the machine is.
pub const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

/// A call of the program.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(arguments);
    command
}

/// The end of a run.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, &[], "")
}

/// Runs the program with environment variables and an input.
pub fn run_with(arguments: &[&str], variables: &[(&str, &str)], input: impl AsRef<[u8]>) -> Ran {
    let mut child = command(arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that ends without reading everything does not fail the test.
    drop(child.stdin.take().expect("the input is a pipe").write_all(input.as_ref()));
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The output of a run that succeeds without warnings.
#[track_caller]
pub fn printed(arguments: &[&str]) -> String {
    let Ran { code, out, err } = run(arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}
