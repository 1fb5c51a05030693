//! The JSON API for shops' tills, partners and scripts: bearer keys, decimal strings, idempotency keys, problems.
//!
//! A handler reads the request, finds out who asks, calls the room that the pages call too, and writes the answer.

mod accounts;
mod answer;
mod body;
mod caller;
mod key;
mod operations;
mod payments;
mod refunds;
mod top_ups;

use app::context::AppState;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    routing::{get, post},
};

use crate::{problem::Problem, router::BODY_LIMIT};

/// Every URL of the API.
pub(crate) fn router() -> Router<AppState> {
    let v1 = Router::new()
        .route("/payments", post(payments::take))
        .route("/payments/{payment_id}", get(payments::find))
        .route("/payments/{payment_id}/refunds", post(refunds::refund))
        .route("/top-ups", post(top_ups::charge))
        .route("/accounts/{account_id}/balances", get(accounts::balances))
        .route("/operations/{key}", get(operations::find));
    Router::new()
        .nest("/v1", v1)
        .fallback(no_such_address)
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "METHOD_NOT_ALLOWED",
                "this address is not asked that way",
            )
        })
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
}

/// The answer for an address under `/api` that has nothing.
pub(crate) async fn no_such_address() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "NO_SUCH_ADDRESS", "the API has no such address")
}
