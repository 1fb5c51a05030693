//! `POST /api/v1/payments/{payment_id}/refunds`.

use app::{
    context::AppState,
    merchant::refunds::server::{self, RefundPayment},
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use ledger::{PaymentId, Reason};
use serde::Deserialize;

use super::{
    answer,
    body::{self, Json, read},
    caller::Bearer,
    key,
};
use crate::problem::Problem;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    #[serde(default)]
    amount: String,
    #[serde(default)]
    reason: String,
}

/// Returns a payment's money, all or a part of it.
pub(super) async fn refund(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    Path(payment_id): Path<String>,
    headers: HeaderMap,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let refund = RefundPayment {
        payment: read("payment_id", &payment_id, str::parse::<PaymentId>)?,
        amount: body::amount(&request.amount)?,
        reason: read("reason", &request.reason, Reason::parse)?,
    };
    let key = key::of(&state, caller.tenant, &headers).await?;
    let refunded = server::refund(&state, &caller, &key, refund).await;
    answer::created(&key, refunded)
}
