//! The commands of another program, line by line.

use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;

use super::BoxError;

/// The longest line in bytes; the rest of a longer one counts as a separate line.
const LONGEST: u64 = 1 << 20;

/// Executes lines until one ends the loop (`Break`) or the input ends (`Continue`).
///
/// # Errors
/// When the input cannot be read, and those of `execute`.
pub fn each_line(
    mut input: impl BufRead,
    mut execute: impl FnMut(&str) -> Result<ControlFlow<()>, BoxError>,
) -> Result<ControlFlow<()>, BoxError> {
    let mut line = Vec::new();
    while input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? > 0 {
        // Names of files and players can be in other encodings, such as GBK.
        let flow = execute(String::from_utf8_lossy(&line).trim())?;
        if flow.is_break() {
            return Ok(flow);
        }
        line.clear();
    }
    Ok(ControlFlow::Continue(()))
}
