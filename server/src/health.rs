//! Whether the process lives, and whether it can serve.

use app::context::AppState;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use ledger::Failure;
use serde_json::json;
use std::time::Duration;

use crate::problem::Problem;

const PATIENCE: Duration = Duration::from_secs(2);

/// The process answers; that is all.
pub(crate) async fn live() -> Response {
    Json(json!({ "status": "live" })).into_response()
}

/// The database answers too.
pub(crate) async fn ready(State(state): State<AppState>) -> Response {
    let asked = tokio::time::timeout(PATIENCE, sqlx::query!("select 1 as one").fetch_one(state.ledger.pool())).await;
    match asked {
        Ok(Ok(_)) => Json(json!({ "status": "ready" })).into_response(),
        _ => Problem::from(Failure::Unavailable).into_response(),
    }
}
