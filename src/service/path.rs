//! Reading the name in a path.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::guards::Client;
use super::problem::{Code, Problem};
use crate::registry::JobId;

/// The one parameter of a path. What is no UTF-8 names nothing.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(name) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(Code::NotFound, "the name in the path is not UTF-8"))?;
        Ok(Self(name))
    }
}

/// The work that a path names, among that of the client who asks.
pub struct OwnJob(pub JobId);

impl<S: Send + Sync> FromRequestParts<S> for OwnJob {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Name(id) = Name::from_request_parts(parts, state).await?;
        let client = parts.extensions.get::<Client>();
        let client = client.ok_or_else(|| Problem::new(Code::Internal, "nobody knows who asks"))?;
        Ok(Self(JobId::new(client.owner(), &id)))
    }
}
