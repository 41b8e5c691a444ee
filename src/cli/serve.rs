//! `tesuji serve`: the HTTP API.

use std::net::SocketAddr;
use std::sync::Arc;

use tesuji::catalog::{Catalog, Policy};
use tesuji::scheduler::Scheduler;
use tesuji::service::{Service, router};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::Failed;

const DEFAULT_ADDRESS: &str = "127.0.0.1:8080";

/// Options of `serve`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, default_value = DEFAULT_ADDRESS, env = "TESUJI_LISTEN")]
    listen: String,
    /// The most searches that may be running or waiting; the next one is answered 503.
    #[arg(long, default_value_t = MOST_LIVE, env = "TESUJI_MAX_SEARCHES")]
    max_searches: usize,
}

const MOST_LIVE: usize = 256;

impl Default for Arguments {
    fn default() -> Self {
        let listen = std::env::var("TESUJI_LISTEN").unwrap_or_else(|_| DEFAULT_ADDRESS.to_owned());
        Self { listen, max_searches: MOST_LIVE }
    }
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
    println!("tesuji {} listens on http://{address}", env!("CARGO_PKG_VERSION"));
    println!("Try: curl -s {address}/v1/searches -d '{{\"game\":\"connect-four\",\"moves\":[\"4\",\"4\"]}}'");
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
