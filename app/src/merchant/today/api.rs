//! What the shop's first page shows.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::merchant::payments::PaymentLine;
use crate::money::Money;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    pub store: String,
    pub date: String,
    /// The first is the main balance, with or without sales; the others have some.
    pub sales: Vec<SalesLine>,
    pub latest: Vec<PaymentLine>,
}

/// What the shop took in one asset since the tenant's midnight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalesLine {
    pub captured: Money,
    pub refunded: Money,
    /// Below zero where more was returned than taken.
    pub net: Money,
    pub count: i64,
    pub average: Option<Money>,
}

#[server(prefix = "/fn", endpoint = "merchant_today")]
pub async fn load_today() -> Result<Today, Problem> {
    use crate::context;
    let caller = context::merchant().await?;
    context::told(super::server::today(&context::state(), &context::tenant().await?, &caller).await)
}
