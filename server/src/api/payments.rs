//! `POST /api/v1/payments` and `GET /api/v1/payments/{payment_id}`.

use app::{
    context::AppState,
    identity::payer::Payer,
    terminal::payments::server::{self, TakePayment},
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use ledger::{AccountId, Asset, AssetCode, Memo, Payment, PaymentId, PaymentStatus, money::Instant};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

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
    payer: Option<PayerRequest>,
    #[serde(default)]
    merchant_account_id: String,
    #[serde(default)]
    asset: String,
    #[serde(default)]
    amount: String,
    memo: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PayerRequest {
    code: Option<String>,
    card_number: Option<String>,
    pin: Option<String>,
    account_id: Option<String>,
}

/// Takes a payment.
pub(super) async fn take(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    headers: HeaderMap,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let payment = request.parse()?;
    let key = key::of(&state, caller.tenant, &headers).await?;
    let taken = server::take(&state, &caller, &key, payment).await;
    answer::created(&key, taken)
}

impl Request {
    fn parse(self) -> Result<TakePayment, Problem> {
        Ok(TakePayment {
            payer: payer(self.payer)?,
            merchant: read(
                "merchant_account_id",
                &self.merchant_account_id,
                str::parse::<AccountId>,
            )?,
            asset: read("asset", &self.asset, AssetCode::parse)?,
            amount: body::amount(&self.amount)?,
            memo: self.memo.map(|memo| read("memo", &memo, Memo::parse)).transpose()?,
        })
    }
}

/// The payer is named in exactly one way.
fn payer(request: Option<PayerRequest>) -> Result<Payer, Problem> {
    let refused = |detail| Problem::invalid("payer", "FIELD_INVALID", detail);
    let Some(request) = request else {
        return Err(Problem::invalid("payer", "FIELD_MISSING", "payer is missing"));
    };
    match request {
        PayerRequest {
            code: Some(code),
            card_number: None,
            pin: None,
            account_id: None,
        } => Ok(Payer::Code(code)),
        PayerRequest {
            code: None,
            card_number: Some(card_number),
            pin: Some(pin),
            account_id: None,
        } => Ok(Payer::Card { card_number, pin }),
        PayerRequest {
            code: None,
            card_number: None,
            pin: None,
            account_id: Some(account_id),
        } => Ok(Payer::Account(read(
            "payer.account_id",
            &account_id,
            str::parse::<AccountId>,
        )?)),
        _ => Err(refused(
            "a payer is a code, or a card_number and its pin, or an account_id",
        )),
    }
}

/// A payment as it stands.
#[derive(Serialize)]
struct Found {
    payment_id: PaymentId,
    status: PaymentStatus,
    payer_account_id: AccountId,
    merchant_account_id: AccountId,
    asset: AssetCode,
    amount: Decimal,
    refunded: Decimal,
    points_earned: Decimal,
    points_returned: Decimal,
    co2_saved_kg: Decimal,
    memo: Option<String>,
    created_at: Instant,
}

/// Shows a payment.
pub(super) async fn find(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    Path(payment_id): Path<String>,
) -> Result<Response, Problem> {
    let payment_id = read("payment_id", &payment_id, str::parse::<PaymentId>)?;
    let (payment, asset) = server::find(&state, &caller, payment_id).await?;
    answer::found(&Found::of(payment, &asset))
}

impl Found {
    fn of(payment: Payment, asset: &Asset) -> Self {
        Self {
            payment_id: payment.payment_id,
            status: payment.status,
            payer_account_id: payment.payer,
            merchant_account_id: payment.merchant,
            amount: asset.round_down(payment.amount),
            refunded: asset.round_down(payment.refunded),
            asset: payment.asset,
            points_earned: payment.points_earned,
            points_returned: payment.points_returned,
            co2_saved_kg: payment.co2_saved_kg,
            memo: payment.memo,
            created_at: payment.created_at,
        }
    }
}
