//! A cash top-up at the till, and its result.

use ledger::Asset;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::money_form::{OpenForm, Settled};
use crate::problem::Problem;

/// What the till's top-up form is for; the key belongs to it.
pub const PURPOSE: &str = "terminal_top_up";
pub const URL: &str = "/terminal/top-ups/new";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopUpForm {
    /// What can be charged; the first is the usual one.
    pub assets: Vec<Asset>,
    pub form: OpenForm,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToppedUpView {
    pub money: Money,
    pub bonus: Option<Money>,
    pub balance_after: Money,
    pub at: String,
    /// The key that the next top-up replaces.
    pub key: String,
}

#[server(prefix = "/fn", endpoint = "load_top_up_form")]
pub async fn load_top_up_form() -> Result<TopUpForm, Problem> {
    use crate::context;
    let caller = context::terminal().await?;
    context::told(super::server::top_up_form(&context::state(), &caller).await)
}

/// Charges the balance of the customer whose code or card number is `holder`, who gave the cash.
#[server(prefix = "/fn", endpoint = "send_top_up")]
pub async fn send_top_up(
    #[server(default)] idempotency_key: String,
    asset: String,
    amount: String,
    holder: String,
) -> Result<Settled, Problem> {
    use super::server::{self, TypedTopUp};
    use crate::{context, money_form};
    let (state, caller) = (context::state(), context::terminal().await?);
    let top_up = TypedTopUp {
        holder: &holder,
        asset: &asset,
        amount: &amount,
    };
    let charged = server::charge_typed(&state, &caller, &idempotency_key, top_up).await;
    money_form::server::settle(&caller, charged, URL, &[("amount", &amount), ("asset", &asset)])
}

#[server(prefix = "/fn", endpoint = "load_topped_up")]
pub async fn load_topped_up(id: String) -> Result<ToppedUpView, Problem> {
    use crate::context;
    let (caller, tenant) = (context::terminal().await?, context::tenant().await?);
    context::told(super::server::topped_up(&context::state(), &tenant, &caller, &id).await)
}
