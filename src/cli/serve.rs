//! `tesuji serve`: the HTTP API.

use std::io::{Write, stdout};
use std::net::SocketAddr;
use std::sync::Arc;

use tesuji::catalog::{Catalog, Policy};
use tesuji::scheduler::Scheduler;
use tesuji::service::{Service, router};
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
}

/// Serves until SIGINT or SIGTERM.
pub fn run(arguments: &Arguments) -> Result<(), Failed> {
    let log = EnvFilter::try_from_env("TESUJI_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(log).with_writer(std::io::stderr).init();
    let policy = Policy::default();
    let service = Service {
        catalog: Arc::new(Catalog::standard()),
        scheduler: Scheduler::new(policy.cores as usize, arguments.max_searches)?,
        policy,
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(&arguments.listen, service))
}

async fn serve(listen: &str, service: Service) -> Result<(), Failed> {
    let listener = TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    greet(listener.local_addr()?);
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
