//! Which till this device is, and the code that makes it one.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Till {
    pub name: String,
    pub shop: String,
}

/// The till that this device is; none while it is not paired.
#[server(prefix = "/fn", endpoint = "load_till")]
pub async fn load_till() -> Result<Option<Till>, Problem> {
    use crate::context;
    let tenant = context::tenant().await?;
    context::told(super::server::till(&context::state(), tenant.tenant_id).await)
}

/// Makes this device the till for which `code` was made.
#[server(prefix = "/fn", endpoint = "pair_terminal")]
pub async fn pair_terminal(code: String) -> Result<(), Problem> {
    use crate::context;
    let (state, tenant) = (context::state(), context::tenant().await?);
    let paired = super::server::pair(&state, tenant.tenant_id, &code).await;
    context::finish(paired, "/terminal", "/terminal", &[])
}
