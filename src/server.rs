//! Connections: how they begin, how long they may last, how they end.
//!
//! hyper speaks HTTP/1.1 and HTTP/2, the service answers; this room stands between them and the network. It bounds how many
//! connections there are and what a slow or silent client can hold (`connection`), and ends the whole in good order when it
//! is asked to ([`Server::run`]).

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

use crate::service::{Phase, Service, router};
use crate::settings::Settings;

use self::connection::Protocol;
pub use self::probe::{ProbeFailed, probe};

/// A server, ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    service: Service,
    protocol: Protocol,
    /// One permit per connection that may be open.
    places: Arc<Semaphore>,
    most: u32,
    drain: Duration,
}

/// How long searches have for their end once they are told. They need milliseconds; where others keep the cores busy, threads
/// of low priority have to wait for these.
const LAST_SEARCHES: Duration = Duration::from_secs(30);
/// How long answers may still be on their way after all searches have ended.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// How long the program may run after its drain.
pub const AFTER_DRAIN: Duration = LAST_SEARCHES.saturating_add(LAST_ANSWERS);
/// The pause after a connection could not be accepted: most often there are too many open files, and soon fewer.
const RECOVERY: Duration = Duration::from_millis(50);
/// How often the quotas of clients that are quiet again, and trees that nobody has asked for again, are forgotten.
const TIDY: Duration = Duration::from_secs(60);

impl Server {
    /// Begins to listen as the settings say. Connections wait until [`Server::run`].
    ///
    /// # Errors
    /// When the address cannot be had.
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

    /// Where it listens.
    ///
    /// # Errors
    /// When the operating system does not tell.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` ends, and then to a good end: no new searches, running ones go on until they are done or the time
    /// for it is over (or `stop_now` ends), then they end with the best they have; every answer under way is sent.
    pub async fn run(self, stop: impl Future<Output = ()>, stop_now: impl Future<Output = ()>) {
        let drain = self.service.drain.clone();
        let app = router(self.service.clone());
        tokio::select! {
            () = self.accept(&app) => {}
            () = self.tidy() => {}
            () = stop => {}
        }
        tracing::info!(searches = self.service.scheduler.live(), "shutting down");
        drain.advance(Phase::Draining);
        // New connections are still taken: readiness probes must hear of it, and results of running searches may be asked for.
        tokio::select! {
            () = self.accept(&app) => {}
            () = self.service.ended() => {}
            () = sleep(self.drain) => {}
            () = stop_now => {}
        }
        drain.advance(Phase::Stopping);
        self.service.scheduler.shut_down();
        if timeout(LAST_SEARCHES, self.service.ended()).await.is_err() {
            tracing::warn!(searches = self.service.scheduler.live(), "searches abandoned: they did not end");
        }
        if timeout(LAST_ANSWERS, self.places.acquire_many(self.most)).await.is_err() {
            let open = self.most as usize - self.places.available_permits();
            tracing::warn!(open, "connections closed: their clients read too slowly");
        }
    }

    /// Takes connections for ever, as many at a time as may be open.
    async fn accept(&self, app: &Router) {
        loop {
            // A permit first: what cannot be served is left to wait in the operating system's queue.
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
            next += TIDY;
            tokio::time::sleep_until(next).await;
            if let Some(quota) = self.service.guards.quota() {
                quota.forget_the_quiet();
            }
            self.service.scheduler.tidy();
        }
    }
}

/// Raises the limit of open files to what the operating system allows, since every connection is one.
pub fn allow_many_files() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "open files"),
        Err(error) => tracing::warn!(%error, "the limit on open files could not be raised"),
    }
}

/// What a connection is made on.
fn set_up(stream: &TcpStream) {
    // Answers are written whole: to wait for more to send along would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
}
