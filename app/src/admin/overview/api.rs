//! What the administration's first page shows.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    pub tenant: String,
    pub date: String,
    /// One for each of the tenant's assets.
    pub in_circulation: Vec<Money>,
    pub customers: i64,
    pub merchants: i64,
    pub today: Counts,
}

/// What was counted since the tenant's midnight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub conflict: i64,
    pub replay: i64,
    pub key_missing: i64,
    pub key_reused: i64,
    pub in_flight: i64,
}

#[server(prefix = "/fn", endpoint = "admin_overview")]
pub async fn load_overview() -> Result<Overview, Problem> {
    use crate::context;
    let caller = context::admin().await?;
    context::told(super::server::overview(&context::state(), &context::tenant().await?, &caller).await)
}
