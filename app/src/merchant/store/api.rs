//! The store's code and its drawing.

use ledger::Asset;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreCode {
    pub name: String,
    /// In groups, to read out.
    pub code: String,
    /// Where the QR code leads: the page that pays the store.
    pub link: String,
    pub svg: String,
    /// What the link asks for, if an amount was named.
    pub money: Option<Money>,
    /// What is wrong with the amount that was named.
    pub problem: Option<Problem>,
    pub assets: Vec<Asset>,
}

/// The store's code, for any amount or for the one that was typed.
#[server(prefix = "/fn", endpoint = "merchant_store")]
pub async fn load_store_code(amount: Option<String>, asset: Option<String>) -> Result<StoreCode, Problem> {
    use crate::context;
    let caller = context::merchant().await?;
    let wanted = super::server::Wanted {
        amount: amount.as_deref(),
        asset: asset.as_deref(),
    };
    context::told(super::server::store_code(&context::state(), &caller, &context::origin(), wanted).await)
}
