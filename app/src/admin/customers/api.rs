//! What the administration sees of customers.

use ledger::{AccountStatus, Asset};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerLine {
    pub name: String,
    /// The end of the customer's code: enough to compare, not to pay with.
    pub code: String,
    pub status: AccountStatus,
    /// What the wallet holds of each of the list's assets, in their order.
    pub balances: Vec<Money>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerList {
    pub assets: Vec<Asset>,
    pub lines: Vec<CustomerLine>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// The customers in the order in which they joined, after the one that an earlier page named.
#[server(prefix = "/fn", endpoint = "admin_customers")]
pub async fn load_customers(after: Option<String>) -> Result<CustomerList, Problem> {
    use crate::context;
    let caller = context::admin().await?;
    context::told(super::server::customers(&context::state(), &caller, after.as_deref()).await)
}
