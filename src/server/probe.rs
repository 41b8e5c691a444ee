//! A probe of a server: one GET, for monitors without an HTTP client.

use std::time::Duration;

use axum::body::Body;
use hyper::Request;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Why there was no response.
#[derive(Debug, thiserror::Error)]
pub enum ProbeFailed {
    /// Nothing listens there, or the connection broke.
    #[error("cannot connect to {0}: {1}")]
    Connection(String, std::io::Error),
    /// The response is not HTTP.
    #[error("no response from {0}: {1}")]
    Protocol(String, hyper::Error),
    /// It took too long.
    #[error("no response from {0} within {1:?}")]
    Late(String, Duration),
}

/// Requests a path from the server at an address, and returns the status.
///
/// # Errors
/// When there is no response within `limit`.
pub async fn probe(address: &str, path: &str, limit: Duration) -> Result<u16, ProbeFailed> {
    let asking = async {
        let stream =
            TcpStream::connect(address).await.map_err(|error| ProbeFailed::Connection(address.to_owned(), error))?;
        let protocol = |error| ProbeFailed::Protocol(address.to_owned(), error);
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(protocol)?;
        let request = Request::get(path).header("host", address).header("connection", "close").body(Body::empty());
        let request = request.unwrap_or_default();
        tokio::spawn(connection);
        let answer = sender.send_request(request).await.map_err(protocol)?;
        Ok(answer.status().as_u16())
    };
    timeout(limit, asking).await.unwrap_or_else(|_| Err(ProbeFailed::Late(address.to_owned(), limit)))
}
