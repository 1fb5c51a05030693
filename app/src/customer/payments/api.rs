//! Paying a shop, and the receipt of it.

use ledger::PaymentStatus;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::money_form::{OpenForm, Settled};
use crate::problem::Problem;

/// What the payment form shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayForm {
    pub shop: String,
    pub code: String,
    /// What can be paid with; the first is the usual one.
    pub balances: Vec<Money>,
    pub form: OpenForm,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptView {
    pub id: String,
    pub shop: String,
    pub money: Money,
    pub status: PaymentStatus,
    pub at: String,
    pub memo: Option<String>,
    pub points_earned: Option<Money>,
    pub points_returned: Option<Money>,
    /// Kilograms, as text.
    pub co2_saved_kg: String,
    pub refunds: Vec<RefundLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLine {
    pub money: Money,
    pub reason: String,
    pub at: String,
}

/// The page of the shop whose code was typed; none while nothing was.
#[server(prefix = "/fn", endpoint = "find_shop")]
pub async fn find_shop(code: Option<String>) -> Result<Option<String>, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    let Some(code) = code else { return Ok(None) };
    context::told(
        super::server::shop_page(&context::state(), &caller, &code)
            .await
            .map(Some),
    )
}

#[server(prefix = "/fn", endpoint = "load_pay_form")]
pub async fn load_pay_form(code: String) -> Result<PayForm, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    context::told(super::server::pay_form(&context::state(), &caller, &code).await)
}

/// Pays the shop of `code` from the caller's wallet.
#[server(prefix = "/fn", endpoint = "send_payment")]
pub async fn send_payment(
    #[server(default)] idempotency_key: String,
    code: String,
    asset: String,
    amount: String,
) -> Result<Settled, Problem> {
    use super::server::{self, PayRequest};
    use crate::{context, money_form};
    let (state, caller) = (context::state(), context::customer().await?);
    let (url, typed) = (
        server::pay_url(&code),
        [("amount", amount.as_str()), ("asset", asset.as_str())],
    );
    let request = PayRequest {
        code: &code,
        asset: &asset,
        amount: &amount,
    };
    let paid = server::pay(&state, &caller, &idempotency_key, request).await;
    money_form::server::settle(&caller, paid, &url, &typed)
}

#[server(prefix = "/fn", endpoint = "load_receipt")]
pub async fn load_receipt(id: String) -> Result<ReceiptView, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    let tenant = context::tenant().await?;
    context::told(super::server::receipt(&context::state(), &tenant, &caller, &id).await)
}
