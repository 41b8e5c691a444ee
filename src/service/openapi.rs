//! The contract of this build.

use axum::Extension;
use axum::http::header;
use axum::response::IntoResponse;

use crate::settings::BasePath;

const CONTRACT: &str = include_str!("../../openapi.yaml");

/// `GET /openapi.yaml`
pub async fn yaml(Extension(base): Extension<BasePath>) -> impl IntoResponse {
    let contract = CONTRACT.replacen("\n  - url: /\n", &format!("\n  - url: {}\n", base.root()), 1);
    ([(header::CONTENT_TYPE, "application/yaml")], contract)
}
