//! What the rooms of the wallet share.

use std::collections::BTreeMap;

use ledger::postgres::{asset, balance};
use ledger::{AccountId, Asset, AssetCode, Failure};

use crate::context::AppState;
use crate::identity::{Caller, Role};
use crate::money::{Money, in_order};
use crate::problem::{self, Problem};

/// The caller's own wallet.
///
/// # Errors
/// [`Problem`] `FORBIDDEN` if the caller is no customer.
pub(super) fn wallet(caller: &Caller) -> Result<AccountId, Problem> {
    let own = caller.account.filter(|_| caller.role == Role::Customer);
    own.ok_or_else(|| Problem::new(problem::FORBIDDEN))
}

/// The tenant's assets.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub(super) async fn assets(state: &AppState, caller: &Caller) -> Result<BTreeMap<AssetCode, Asset>, Failure> {
    asset::of_tenant(state.ledger.pool(), caller.tenant).await
}

/// What the wallet holds: the main balance first, and every asset that the tenant has.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub(super) async fn balances(state: &AppState, caller: &Caller, wallet: AccountId) -> Result<Vec<Money>, Failure> {
    let held = balance::of_account(state.ledger.pool(), caller.tenant, wallet).await?;
    let money = |asset: Asset| Money::new(asset.clone(), held.get(&asset.code).copied().unwrap_or_default());
    Ok(in_order(assets(state, caller).await?).into_iter().map(money).collect())
}
