//! The store's terminals, and the code that pairs another.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalList {
    pub terminals: Vec<TerminalLine>,
    /// The code that this browser made a moment ago and no device has used yet.
    pub code: Option<PairingCode>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalLine {
    pub id: String,
    pub name: String,
    pub last_seen_at: String,
    pub is_revoked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingCode {
    /// In groups, to read out.
    pub code: String,
    pub expires_at: String,
    /// Where the device types it.
    pub address: String,
}

#[server(prefix = "/fn", endpoint = "merchant_terminals")]
pub async fn load_terminals() -> Result<TerminalList, Problem> {
    use crate::context;
    let (caller, tenant) = (context::merchant().await?, context::tenant().await?);
    context::told(super::server::terminals(&context::state(), &tenant, &caller).await)
}

/// Makes a code that pairs a device under `name`. Only the browser that asked for it keeps it.
#[server(prefix = "/fn", endpoint = "issue_pairing_code")]
pub async fn issue_pairing_code(name: String) -> Result<(), Problem> {
    use super::server::{self, URL};
    use crate::context;
    let caller = context::merchant().await?;
    let issued = server::issue_code(&context::state(), &caller, &name).await;
    context::finish(issued, URL, URL, &[("name", &name)])
}

/// Ends a terminal of the store.
#[server(prefix = "/fn", endpoint = "revoke_terminal")]
pub async fn revoke_terminal(terminal: String) -> Result<(), Problem> {
    use super::server::{self, URL};
    use crate::context;
    let caller = context::merchant().await?;
    let revoked = server::revoke(&context::state(), &caller, &terminal).await;
    context::finish(revoked, URL, URL, &[])
}
