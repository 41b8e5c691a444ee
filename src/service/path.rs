//! Reading the name at the end of a path.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::problem::{Code, Problem};

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
