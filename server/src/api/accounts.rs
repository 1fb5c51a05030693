//! `GET /api/v1/accounts/{account_id}/balances`.

use std::collections::BTreeMap;

use app::{context::AppState, terminal::top_ups::server};
use axum::{
    extract::{Path, State},
    response::Response,
};
use ledger::{AccountId, AssetCode};
use rust_decimal::Decimal;
use serde::Serialize;

use super::{answer, body::read, caller::Bearer};
use crate::problem::Problem;

#[derive(Serialize)]
struct Balances {
    account_id: AccountId,
    balances: BTreeMap<AssetCode, Decimal>,
}

/// Shows what an account holds of each of the tenant's assets.
pub(super) async fn balances(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    Path(account_id): Path<String>,
) -> Result<Response, Problem> {
    let account_id = read("account_id", &account_id, str::parse::<AccountId>)?;
    let balances = server::balances(&state, &caller, account_id).await?;
    answer::found(&Balances { account_id, balances })
}
