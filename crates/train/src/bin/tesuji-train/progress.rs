//! Long work at the terminal: a progress bar, and a clean end at a signal.

use std::io::{self, IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Sets `stop` at SIGINT or SIGTERM; the second time, ends the program.
pub fn stop_on_signal(stop: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal does not find the flag set.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// A progress bar; hidden unless standard error is a terminal.
pub fn bar(steps: u64, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the templates of this program are well-formed");
    let bar = ProgressBar::new(steps).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A number per second.
pub fn rate(number: u64, seconds: f64) -> HumanCount {
    HumanCount((number as f64 / seconds.max(1e-3)) as u64)
}
