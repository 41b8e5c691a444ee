//! Tables, colours and progress bars. Colours need standard output to be a terminal, progress bars standard error; `NO_COLOR`
//! and `CLICOLOR` apply.

use std::io::{self, Write};

use comfy_table::{LineStyle, Table, TableStyle};
use console::Style;
use indicatif::{ProgressBar, ProgressStyle};

/// An empty table with a rule below its header.
pub fn table() -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table
}

/// Writes a table, each row in a style.
pub fn write_table(out: &mut impl Write, table: &Table, style: impl Fn(usize) -> Style) -> io::Result<()> {
    const HEADER: usize = 2;
    for (index, line) in table.lines().enumerate() {
        let style = index.checked_sub(HEADER).map(&style).unwrap_or_default();
        writeln!(out, "{}", style.apply_to(line.trim_end()))?;
    }
    Ok(())
}

/// The style of the best move.
pub fn best() -> Style {
    Style::new().green().bold()
}

/// A progress bar on standard error.
///
/// # Panics
/// When the template is malformed.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    ProgressBar::new(length).with_style(style)
}
