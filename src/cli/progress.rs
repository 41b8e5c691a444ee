//! Long work at the terminal: a bar where a person watches, and an end where one is asked for.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Failed;

/// Sets `stop` at SIGINT or SIGTERM; the second time, ends the program.
pub fn stop_on_signal(stop: &Arc<AtomicBool>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        // Where no signal can be heard, it ends the program as ever.
        if runtime.block_on(signal()).is_ok() {
            stop.store(true, Ordering::Relaxed);
            drop(runtime.block_on(signal()));
            std::process::exit(130);
        }
    });
    Ok(())
}

#[cfg(unix)]
async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// A bar of so many steps, where a person watches.
pub fn bar(steps: u64, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the templates of this program are well-formed");
    let bar = ProgressBar::new(steps).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
