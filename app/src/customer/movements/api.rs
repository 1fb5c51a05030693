//! What the history shows.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::problem::Problem;

/// One entry of the wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovementLine {
    /// `pay`, `top_up` or `refund`.
    pub kind: String,
    /// The shop, for a payment and its refunds.
    pub counterparty: Option<String>,
    /// Below zero where money went out.
    pub money: Money,
    pub is_points: bool,
    pub at: String,
    /// The receipt, where there is one.
    pub path: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovementPage {
    pub lines: Vec<MovementLine>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// The wallet's entries, newest first, before the place that an earlier page named.
#[server(prefix = "/fn", endpoint = "customer_movements")]
pub async fn load_movements(before: Option<String>) -> Result<MovementPage, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    let tenant = context::tenant().await?;
    context::told(
        super::server::page(
            &context::state(),
            &tenant,
            &caller,
            before.as_deref(),
            super::server::PAGE,
        )
        .await,
    )
}
