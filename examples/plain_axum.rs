//! A minimal axum service, with which `benches/http` compares the service.

use axum::Router;
use axum::routing::{get, post};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new()
        .route("/livez", get(|| async { "hello" }))
        .route("/v1/searches", post(|body: String| async move { body }));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("plain axum listens on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await
}
