//! Connections: opening, limits, shutdown.
//!
//! hyper speaks HTTP/1.1 and HTTP/2, and the service responds; this module limits the number of connections and what a slow or
//! silent client can hold (`connection`), and shuts down gracefully ([`Server::run`]).

mod activity;
mod connection;
mod linger;
mod probe;
mod unread;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use crate::service::{Phase, Service, router_with};
use crate::settings::Settings;

use self::connection::Protocol;
pub use self::probe::{ProbeFailed, probe};

/// A server, ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    service: Service,
    protocol: Protocol,
    /// One permit per open connection.
    places: Arc<Semaphore>,
    most: u32,
    drain: Duration,
}

/// How long searches have to end once they are stopped. They need milliseconds, but threads of low priority wait if other
/// programs keep the cores busy.
const LAST_SEARCHES: Duration = Duration::from_secs(30);
/// How long responses have to be sent after all searches have ended.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// How long the process can run after its drain.
pub const AFTER_DRAIN: Duration = LAST_SEARCHES.saturating_add(LAST_ANSWERS);
/// The pause after a connection could not be accepted: usually too many files are open, and soon fewer are.
const RECOVERY: Duration = Duration::from_millis(50);
/// The interval of removing full quota buckets and expired trees.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

impl Server {
    /// Binds the address in the settings. Connections wait until [`Server::run`].
    ///
    /// # Errors
    /// When the address is not available.
    pub async fn bind(settings: &Settings, service: Service) -> std::io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(&settings.listen).await?,
            service,
            protocol: Protocol::new(settings),
            places: Arc::new(Semaphore::new(settings.max_connections as usize)),
            most: settings.max_connections,
            drain: Duration::from_millis(settings.drain_ms),
        })
    }

    /// The bound address.
    ///
    /// # Errors
    /// When the operating system does not report it.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop`, then drains: admits no new searches, and lets running ones continue until they are done, the time
    /// is over, or `stop_now`; the rest end with their best result so far. Every response in progress is sent.
    pub async fn run(self, stop: impl Future<Output = ()>, stop_now: impl Future<Output = ()>) {
        let drain = self.service.drain.clone();
        let app = router_with(self.service.clone(), extra_routes(&self.service));
        tokio::select! {
            () = self.accept(&app) => {}
            () = self.tidy() => {}
            () = stop => {}
        }
        tracing::info!(searches = self.service.scheduler.live(), "shutting down");
        drain.advance(Phase::Draining);
        // New connections are still accepted, for readiness probes and for polls of running searches.
        tokio::select! {
            () = self.accept(&app) => {}
            () = self.service.ended() => {}
            () = sleep(self.drain) => {}
            () = stop_now => {}
        }
        drain.advance(Phase::Stopping);
        self.service.scheduler.shut_down();
        if timeout(LAST_SEARCHES, self.service.ended()).await.is_err() {
            tracing::warn!(searches = self.service.scheduler.live(), "searches abandoned: they did not stop in time");
        }
        if timeout(LAST_ANSWERS, self.places.acquire_many(self.most)).await.is_err() {
            let open = self.most as usize - self.places.available_permits();
            tracing::warn!(open, "connections closed: their clients read too slowly");
        }
    }

    /// Accepts connections without end, up to the limit.
    async fn accept(&self, app: &Router) {
        loop {
            // A permit first: connections beyond the limit wait in the operating system's queue.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { return };
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let open = self.service.metrics.connection();
                    let connection = self.protocol.serve(stream, peer, app.clone(), self.service.drain.clone());
                    tokio::spawn(async move {
                        connection.await;
                        drop((place, open));
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(RECOVERY).await;
                }
            }
        }
    }

    async fn tidy(&self) {
        let mut next = Instant::now();
        loop {
            next += TIDY_INTERVAL;
            tokio::time::sleep_until(next).await;
            if let Some(quota) = self.service.guards.quota() {
                quota.remove_full_buckets();
            }
            self.service.scheduler.evict_expired();
        }
    }
}

/// The routes besides the API's and the page's.
#[cfg_attr(not(feature = "mcp"), expect(unused_variables, reason = "without features there are none"))]
fn extra_routes(service: &Service) -> Router<Service> {
    let routes = Router::new();
    #[cfg(feature = "mcp")]
    let routes = routes.merge(crate::mcp::routes(service));
    routes
}

/// Raises the limit of open files to the maximum, since every connection is one.
pub fn raise_file_limit() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "limit on open files"),
        Err(error) => tracing::warn!(%error, "the limit on open files could not be raised"),
    }
}

/// Sets the options of a connection's socket.
fn set_socket_options(stream: &TcpStream) {
    // Responses are written whole, so waiting for more data would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
}
