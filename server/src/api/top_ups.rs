//! `POST /api/v1/top-ups`.

use app::{
    context::AppState,
    terminal::top_ups::server::{self, ChargeAccount},
};
use axum::{extract::State, http::HeaderMap, response::Response};
use ledger::{AccountId, AssetCode};
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
    account_id: String,
    #[serde(default)]
    asset: String,
    #[serde(default)]
    amount: String,
}

/// Charges a customer's balance.
pub(super) async fn charge(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    headers: HeaderMap,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let charge = ChargeAccount {
        account: read("account_id", &request.account_id, str::parse::<AccountId>)?,
        asset: read("asset", &request.asset, AssetCode::parse)?,
        amount: body::amount(&request.amount)?,
    };
    let key = key::of(&state, caller.tenant, &headers).await?;
    let charged = server::charge(&state, &caller, &key, charge).await;
    answer::created(&key, charged)
}
