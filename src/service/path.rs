//! Path parameters.

use crate::job::{JobId, Kind};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::guards::Client;
use super::problem::{Code, Problem};

/// The only parameter of a path. One that is not UTF-8 matches nothing.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(name) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(Code::NotFound, "the name in the path is not valid UTF-8"))?;
        Ok(Self(name))
    }
}

/// An id in a path, among the jobs of the client.
pub struct OwnId {
    owner: String,
    id: String,
}

impl OwnId {
    /// The client's job of a kind.
    pub fn job(&self, kind: Kind) -> JobId {
        JobId::new(kind, &self.owner, &self.id)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for OwnId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Name(id) = Name::from_request_parts(parts, state).await?;
        let client = parts.extensions.get::<Client>();
        let client = client.ok_or_else(|| Problem::new(Code::Internal, "the client is unknown"))?;
        Ok(Self { owner: client.owner().to_owned(), id })
    }
}
