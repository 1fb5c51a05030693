//! What the rooms of the till share.

use ledger::postgres::asset;
use ledger::{AccountId, Asset, Failure};

use crate::context::AppState;
use crate::identity::{Caller, Role};
use crate::money::in_order;
use crate::problem::{self, Problem};

/// The shop whose till the caller is.
///
/// # Errors
/// [`Problem`] `FORBIDDEN` if the caller is no terminal.
pub(super) fn shop(caller: &Caller) -> Result<AccountId, Problem> {
    let shop = caller.account.filter(|_| caller.role == Role::Terminal);
    shop.ok_or_else(|| Problem::new(problem::FORBIDDEN))
}

/// The tenant's assets, the main one first.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub(super) async fn assets(state: &AppState, caller: &Caller) -> Result<Vec<Asset>, Failure> {
    Ok(in_order(asset::of_tenant(state.ledger.pool(), caller.tenant).await?))
}
