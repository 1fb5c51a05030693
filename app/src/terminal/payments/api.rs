//! Taking a payment at the till, and its result.

use ledger::{Asset, PaymentStatus};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::money_form::{OpenForm, Settled};
use crate::problem::Problem;

/// What the till's payment form is for; the key belongs to it.
pub const PURPOSE: &str = "terminal_pay";
pub const URL: &str = "/terminal/payments/new";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeForm {
    /// What can be paid with; the first is the usual one.
    pub assets: Vec<Asset>,
    pub form: OpenForm,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenView {
    pub money: Money,
    pub status: PaymentStatus,
    pub at: String,
    pub points_earned: Option<Money>,
    /// The key that the next sale replaces.
    pub key: String,
}

#[server(prefix = "/fn", endpoint = "load_take_form")]
pub async fn load_take_form() -> Result<TakeForm, Problem> {
    use crate::context;
    let caller = context::terminal().await?;
    context::told(super::server::take_form(&context::state(), &caller).await)
}

/// Takes a payment from the customer of `code`, or of the card and its PIN. Neither of them is ever sent back.
#[server(prefix = "/fn", endpoint = "take_payment")]
pub async fn take_payment(
    #[server(default)] idempotency_key: String,
    asset: String,
    amount: String,
    #[server(default)] code: String,
    #[server(default)] card_number: String,
    #[server(default)] pin: String,
) -> Result<Settled, Problem> {
    use super::server::{self, TypedSale};
    use crate::{context, money_form};
    let (state, caller) = (context::state(), context::terminal().await?);
    let by = if card_number.is_empty() { "code" } else { "card" };
    let payer = server::payer(code, card_number, pin);
    let sale = TypedSale {
        payer,
        asset: &asset,
        amount: &amount,
    };
    let taken = server::take_typed(&state, &caller, &idempotency_key, sale).await;
    money_form::server::settle(
        &caller,
        taken,
        URL,
        &[("amount", &amount), ("asset", &asset), ("by", by)],
    )
}

#[server(prefix = "/fn", endpoint = "load_taken")]
pub async fn load_taken(id: String) -> Result<TakenView, Problem> {
    use crate::context;
    let (caller, tenant) = (context::terminal().await?, context::tenant().await?);
    context::told(super::server::taken(&context::state(), &tenant, &caller, &id).await)
}
