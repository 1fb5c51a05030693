//! The forms of signing up, in and out. They are plain forms: a page that follows shows another person's data, so it is
//! loaded anew, with and without JavaScript.

use leptos::prelude::*;

use super::Role;
use crate::problem::Problem;

/// Signs in on the face of `role` and goes to `next`, or to the face's first page.
#[server(prefix = "/fn", endpoint = "sign_in")]
pub async fn sign_in(
    role: Role,
    address: String,
    password: String,
    #[server(default)] next: String,
) -> Result<(), Problem> {
    use super::{next, server};
    use crate::context;
    let (state, tenant, session) = (context::state(), context::tenant().await?, server::session(role));
    let signed_in = server::sign_in(&state, tenant.tenant_id, role, session, &address, &password).await;
    let there = next::own_path(&next).unwrap_or(role.home());
    context::finish(signed_in, there, &next::with_next(role.sign_in(), &next), &[])
}

/// Opens a customer's account, signs in and goes to `next`, or to the wallet.
#[server(prefix = "/fn", endpoint = "sign_up")]
pub async fn sign_up(
    name: String,
    address: String,
    password: String,
    #[server(default)] next: String,
) -> Result<(), Problem> {
    use super::{next, server};
    use crate::context;
    let (state, tenant, session) = (
        context::state(),
        context::tenant().await?,
        server::session(Role::Customer),
    );
    let signed_up = server::sign_up(&state, tenant.tenant_id, session, &name, &address, &password).await;
    let there = next::own_path(&next).unwrap_or(Role::Customer.home());
    context::finish(signed_up, there, &next::with_next("/customer/sign-up", &next), &[])
}

/// Ends the session on the face of `role`.
#[server(prefix = "/fn", endpoint = "sign_out")]
pub async fn sign_out(role: Role) -> Result<(), Problem> {
    use crate::context;
    let left = super::seats::leave(super::server::session(role)).await;
    context::finish(left, role.sign_in(), role.home(), &[])
}
