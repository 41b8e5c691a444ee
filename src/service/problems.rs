//! Descriptions of the problem types, at the addresses that problems name as their `type`.

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use super::path::Name;
use super::problem::{Code, Problem};

/// A kind of problem, described at the address that its `type` gives.
#[derive(Serialize)]
struct Kind {
    code: Code,
    title: &'static str,
    status: u16,
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
