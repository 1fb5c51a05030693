//! The code and its drawing.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCode {
    pub name: String,
    /// In groups, to read out.
    pub code: String,
    pub svg: String,
}

#[server(prefix = "/fn", endpoint = "customer_code")]
pub async fn load_code() -> Result<OwnCode, Problem> {
    use crate::context;
    let caller = context::customer().await?;
    context::told(super::server::own_code(&context::state(), &caller).await)
}
