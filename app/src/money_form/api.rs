//! What the browser asks about a money form, beside sending it.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::OpenForm;
use crate::identity::Role;
use crate::problem::Problem;

/// What became of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// Nothing ever happened under the key; sending it again with the same key is safe.
    NeverSeen,
    InFlight,
    Applied {
        path: String,
    },
    Rejected(Problem),
}

/// What became of the operation of `key`.
#[server(prefix = "/fn", endpoint = "check_progress")]
pub async fn check_progress(role: Role, key: String) -> Result<Progress, Problem> {
    use crate::context;
    let caller = context::caller(role).await?;
    context::told(super::server::progress(&context::state(), &caller, &key).await)
}

/// The form of `purpose` as it stands now: after a rejection it has a new key.
#[server(prefix = "/fn", endpoint = "open_again")]
pub async fn open_again(role: Role, purpose: String) -> Result<OpenForm, Problem> {
    use crate::context;
    let caller = context::caller(role).await?;
    context::told(super::server::open(&context::state(), &caller, &purpose).await)
}

/// A new key for `purpose`, if `key` is still the one that was used; then back to the form at `url`.
#[server(prefix = "/fn", endpoint = "start_again")]
pub async fn start_again(role: Role, purpose: String, key: String, url: String) -> Result<(), Problem> {
    use crate::{context, identity::next};
    let caller = context::caller(role).await?;
    let started = super::server::start_again(&context::state(), &caller, &purpose, &key).await;
    let url = next::own_path(&url).unwrap_or(role.home());
    context::finish(started, url, url, &[])
}
