//! One connection: hyper between the network and the service, with limits of time and size on both sides.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Version, header};
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use super::activity::{Activity, ResponseBody};
use super::linger::Lingering;
use super::set_socket_options;
use super::unread::RequestBody;
use crate::service::{Drain, Peer, Phase};
use crate::settings::Settings;

/// How connections are served.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    header_timeout: Duration,
    idle_timeout: Duration,
    write_timeout: Duration,
    max_header_bytes: u32,
}

/// How long a connection has to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Concurrent requests on one HTTP/2 connection. Each is at most one search, which the scheduler limits.
const STREAMS: u32 = 128;
/// The interval of HTTP/2 pings to a quiet client; an absent one is detected within twice this time.
const PING: Duration = Duration::from_secs(20);

impl Protocol {
    pub fn new(settings: &Settings) -> Self {
        Self {
            header_timeout: Duration::from_millis(settings.header_timeout_ms),
            idle_timeout: Duration::from_millis(settings.idle_timeout_ms),
            write_timeout: Duration::from_millis(settings.write_timeout_ms),
            max_header_bytes: settings.max_header_bytes,
        }
    }

    /// hyper with its limits. During a drain, a connection takes one request only.
    fn builder(self, draining: bool) -> auto::Builder<TokioExecutor> {
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).keep_alive(!draining).max_buf_size(self.max_header_bytes as usize);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS)
            .max_header_list_size(self.max_header_bytes)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING);
        builder
    }

    /// Serves a connection to its end.
    pub fn serve(
        self,
        stream: TcpStream,
        peer: SocketAddr,
        app: Router,
        drain: Drain,
    ) -> impl Future<Output = ()> + Send {
        set_socket_options(&stream);
        let builder = self.builder(drain.phase() > Phase::Serving);
        async move {
            let activity = Activity::new();
            let mut io = TimeoutStream::new(stream);
            io.set_write_timeout(Some(self.write_timeout));
            let (io, must_linger) = Lingering::new(Box::pin(io));
            let service = {
                let activity = Arc::clone(&activity);
                service_fn(move |mut request: Request<Incoming>| {
                    let guard = activity.begin();
                    request.extensions_mut().insert(Peer(peer.ip()));
                    // On HTTP/2 a request ends without its connection.
                    let is_multiplexed = request.version() >= Version::HTTP_2;
                    let awaits_continue = request.headers().contains_key(header::EXPECT);
                    let (parts, body) = request.into_parts();
                    let (body, unread) = RequestBody::new(body);
                    let answer = app.clone().oneshot(Request::from_parts(parts, Body::new(body)));
                    let must_linger = Arc::clone(&must_linger);
                    async move {
                        let mut answer = answer.await?;
                        if !is_multiplexed && unread.must_close(awaits_continue).await {
                            answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                            must_linger.store(true, Ordering::Relaxed);
                        }
                        Ok::<_, Infallible>(answer.map(|body| ResponseBody::new(body, guard)))
                    }
                })
            };
            let mut connection = pin!(builder.serve_connection(TokioIo::new(io), service));
            // During the drain a connection closes once it is idle, but not before its first request: a client cannot know
            // whether a request that gets no answer was carried out.
            let leave = async {
                drain.reached(Phase::Draining).await;
                tokio::select! {
                    () = activity.used() => {}
                    () = drain.reached(Phase::Stopping) => {}
                }
            };
            let idle_too_long = activity.idle_too_long(self.header_timeout, self.idle_timeout);
            let result = tokio::select! {
                result = connection.as_mut() => result,
                () = idle_too_long => {
                    connection.as_mut().graceful_shutdown();
                    timeout(CLOSE_TIMEOUT, connection).await.unwrap_or(Ok(()))
                }
                () = leave => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = result {
                tracing::debug!(%peer, error, "a connection ended early");
            }
        }
    }
}
