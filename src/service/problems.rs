//! Descriptions of the problem types, at the addresses that problems name as their `type`.

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::path::Name;
use super::problem::{Code, Problem};

/// A kind of error.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ProblemKind")]
pub struct Kind {
    code: Code,
    /// The kind of error, in words.
    title: &'static str,
    /// The HTTP status.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// When it occurs.
    description: &'static str,
}

/// `GET /problems/{code}`
pub async fn describe(Name(name): Name) -> Result<Response, Problem> {
    let Some(code) = Code::all().find(|code| code.name() == name) else {
        let names: Vec<&str> = Code::all().map(Code::name).collect();
        return Err(Problem::new(
            Code::NotFound,
            format!("unknown problem code; expected one of {}", names.join(", ")),
        ));
    };
    let (title, status, description) = (code.title(), code.status(), code.description());
    Ok(Json(Kind { code, title, status, description }).into_response())
}
