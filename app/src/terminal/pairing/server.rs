//! Pairs the device, and tells which till it is.

use ledger::postgres::account;
use ledger::{Failure, TenantId};

use super::api::Till;
use crate::context::{self, AppState};
use crate::identity::terminals;
use crate::problem::{self, Problem};
use crate::terminal::server::shop;

pub(super) async fn till(state: &AppState, tenant: TenantId) -> Result<Option<Till>, Problem> {
    let token = context::cookie(terminals::cookie_name(state.https));
    let caller = match terminals::of_device(state, tenant, token).await {
        Err(problem) if problem.is(problem::SIGN_IN_REQUIRED) => return Ok(None),
        caller => caller?,
    };
    let shop = account::find(state.ledger.pool(), tenant, shop(&caller)?)
        .await?
        .ok_or(Failure::NotFound("shop"))?;
    Ok(Some(Till {
        name: caller.name,
        shop: shop.name,
    }))
}

pub(super) async fn pair(state: &AppState, tenant: TenantId, code: &str) -> Result<(), Problem> {
    let token = terminals::pair(state, tenant, code).await?;
    context::set_cookie(&terminals::cookie(token, state.https));
    Ok(())
}
