//! What the wallet's first page shows.

use leptos::prelude::*;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::customer::movements::MovementLine;
use crate::money::Money;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    pub name: String,
    pub balances: Vec<Money>,
    pub co2_saved_kg: Decimal,
    pub recent: Vec<MovementLine>,
}

#[server(prefix = "/fn", endpoint = "customer_home")]
pub async fn load_home() -> Result<Home, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    context::told(super::server::home(&context::state(), &context::tenant().await?, &caller).await)
}
