//! The HTTP client of the exporter: hyper on the process's runtime.
//!
//! The exporter runs on a thread without a runtime, so each request is a task, for which the thread waits.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client as Http, ResponseFuture};
use hyper_util::rt::TokioExecutor;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::target::{Invalid, Target};

/// The maximum size of a collector's response, which usually has a few bytes.
const MOST_BYTES: usize = 64 << 10;

/// Sends requests to a collector.
#[derive(Clone, Debug)]
pub(super) struct Client {
    http: Connections,
    runtime: Handle,
    limit: Duration,
    /// Why the last request failed.
    failure: Arc<Mutex<Option<String>>>,
}

#[derive(Clone, Debug)]
enum Connections {
    Plain(Http<HttpConnector, Full<Bytes>>),
    Secure(Http<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Connections {
    fn request(&self, request: Request<Full<Bytes>>) -> ResponseFuture {
        match self {
            Self::Plain(http) => http.request(request),
            Self::Secure(http) => http.request(request),
        }
    }
}

impl Client {
    /// A client whose requests run on a runtime. Certificates are checked against the system's authorities.
    ///
    /// # Errors
    /// When there are none, and the target needs TLS.
    pub fn new(target: &Target, runtime: Handle) -> Result<Self, Invalid> {
        let builder = Http::builder(TokioExecutor::new());
        let http = if target.endpoint.scheme_str() == Some("https") {
            let authorities = HttpsConnectorBuilder::new().with_native_roots();
            let authorities = authorities.map_err(|error| Invalid {
                name: target.name.clone(),
                problem: format!("https needs the system's certificate authorities: {error}"),
            })?;
            Connections::Secure(builder.build(authorities.https_only().enable_http1().build()))
        } else {
            Connections::Plain(builder.build_http())
        };
        Ok(Self { http, runtime, limit: target.timeout, failure: Arc::default() })
    }

    /// Takes the reason why the last request failed.
    pub fn take_failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl HttpClient for Client {
    fn send_bytes<'client, 'sending>(
        &'client self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sending>>
    where
        'client: 'sending,
        Self: 'sending,
    {
        let (http, limit, failure) = (self.http.clone(), self.limit, Arc::clone(&self.failure));
        let sending = self.runtime.spawn(async move {
            let exchange = async move {
                let (head, body) = http.request(request.map(Full::new)).await?.into_parts();
                let body = Limited::new(body, MOST_BYTES).collect().await?.to_bytes();
                Ok::<_, HttpError>(Response::from_parts(head, body))
            };
            let sent = match timeout(limit, exchange).await {
                Ok(sent) => sent,
                Err(_) => Err(format!("no answer within {} ms", limit.as_millis()).into()),
            };
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = match &sent {
                Ok(response) if response.status().is_success() => None,
                Ok(response) => Some(format!("the answer was {}", response.status())),
                Err(error) => Some(with_causes(&**error)),
            };
            sent
        });
        Box::pin(async move { sending.await? })
    }
}

/// An error with its causes: hyper's message alone only reports that the connection failed.
fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_for_both_schemes_can_be_made() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("the system gives a runtime");
        for endpoint in ["http://127.0.0.1:1", "https://127.0.0.1:1"] {
            let target = super::super::target(Some(endpoint), |_| None).expect("it is right").expect("it is set");
            match Client::new(&target, runtime.handle().clone()) {
                Ok(client) => assert_eq!(client.take_failure(), None),
                // On a machine without certificate authorities.
                Err(invalid) => assert!(endpoint.starts_with("https") && invalid.problem.contains("authorities")),
            }
        }
    }
}
