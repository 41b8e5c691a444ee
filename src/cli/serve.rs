//! `tesuji serve`: the HTTP API.

use std::io::{Write, stdout};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tesuji::catalog::{Catalog, Policy};
use tesuji::registry::{Pending, Registry};
use tesuji::scheduler::{Limits, Scheduler, machine_memory};
use tesuji::service::{Service, resume, router};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::Failed;

/// Options of `serve`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", env = "TESUJI_LISTEN")]
    listen: String,
    /// The most searches that may be running or waiting; the next one is answered 503.
    #[arg(long, value_name = "N", default_value_t = 256, env = "TESUJI_MAX_SEARCHES")]
    max_searches: usize,
    /// Mebibytes of trees and tables that all searches may hold together, as granted by their budgets; further searches wait.
    /// Three quarters of the machine's memory when not given.
    #[arg(long, value_name = "MIB", env = "TESUJI_MAX_MEMORY_MB")]
    max_memory_mb: Option<u64>,
    /// Where asynchronous searches are noted, so that they survive a crash; without it they are kept in memory.
    #[arg(long, value_name = "FOLDER", env = "TESUJI_DATA_DIR")]
    data_dir: Option<PathBuf>,
}

/// How long the results of asynchronous searches are kept.
const KEEP: Duration = Duration::from_secs(600);

/// Serves until SIGINT or SIGTERM.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let log = EnvFilter::try_from_env("TESUJI_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(log).with_writer(std::io::stderr).init();
    let policy = Policy::default();
    let memory = match arguments.max_memory_mb {
        Some(mebibytes) => mebibytes.saturating_mul(1 << 20),
        None => machine_memory().map_or(u64::MAX, |bytes| bytes / 4 * 3),
    };
    let limits = Limits { memory, low_priority: true, ..Limits::of(policy.cores as usize, arguments.max_searches) };
    let (searches, pending) = match &arguments.data_dir {
        None => (Registry::in_memory(KEEP), Vec::new()),
        Some(folder) => open(folder)?,
    };
    let service =
        Service { catalog: Arc::new(Catalog::standard()), scheduler: Scheduler::new(limits)?, policy, searches };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(
        &arguments.listen,
        service,
        pending,
    ))
}

/// Opens the database of searches, or makes it.
fn open(folder: &Path) -> Result<(Registry, Vec<Pending>), Failed> {
    let problem = |error: String| format!("cannot keep searches in {}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(|error| problem(error.to_string()))?;
    Ok(Registry::in_file(&folder.join("searches.redb"), KEEP).map_err(|error| problem(error.to_string()))?)
}

async fn serve(listen: &str, service: Service, pending: Vec<Pending>) -> Result<(), Failed> {
    let listener = TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    greet(listener.local_addr()?);
    tokio::spawn(resume(service.clone(), pending));
    axum::serve(listener, router(service)).with_graceful_shutdown(asked_to_stop()).await?;
    Ok(())
}

/// Tells where the service is, and one call to try.
fn greet(address: SocketAddr) {
    let version = env!("CARGO_PKG_VERSION");
    let example = r#"{"game":"connect-four","moves":["4","4"]}"#;
    let greeting =
        format!("tesuji {version} listens on http://{address}\nTry: curl -s {address}/v1/searches -d '{example}'\n");
    // Nobody may be reading, and the service is no worse for it.
    drop(stdout().write_all(greeting.as_bytes()));
}

/// Ends when the terminal or the system asks the program to stop.
async fn asked_to_stop() {
    let interrupt = async {
        // Without a handler the signal kills the process anyway.
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
