//! Who may charge a balance, and who may see one.

use std::collections::BTreeMap;

use ledger::{
    AccountId, Amount, Answer, Asset, AssetCode, Command, Failure, IdempotencyKey, TopUp,
    postgres::{account, asset, balance},
};
use rust_decimal::Decimal;

use crate::{
    context::AppState,
    identity::{Caller, Role},
    problem::{FORBIDDEN, Problem},
};

/// A charge of a customer's balance.
pub struct ChargeAccount {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
}

/// Charges a balance: for terminals that took the cash, admins and trusted integrations.
///
/// # Errors
/// [`Problem`] if the caller may not, or the ledger did not answer with an outcome.
pub async fn charge(
    state: &AppState,
    caller: &Caller,
    key: &IdempotencyKey,
    request: ChargeAccount,
) -> Result<Answer, Problem> {
    if !matches!(caller.role, Role::Terminal | Role::Admin | Role::Integration) {
        return Err(Problem::new(FORBIDDEN));
    }
    let ChargeAccount { account, asset, amount } = request;
    let command = Command::TopUp(TopUp { account, asset, amount });
    Ok(state.ledger.submit(caller.tenant, caller.actor, key, command).await?)
}

/// What an account holds of each of the tenant's assets, for its holder and whoever sees the whole tenant.
///
/// # Errors
/// [`Failure::NotFound`] for an account that does not exist and for one that is none of the caller's business.
pub async fn balances(
    state: &AppState,
    caller: &Caller,
    account: AccountId,
) -> Result<BTreeMap<AssetCode, Decimal>, Failure> {
    let pool = state.ledger.pool();
    let sees_all = matches!(caller.role, Role::Integration | Role::Admin);
    if !sees_all && caller.account != Some(account) {
        return Err(Failure::NotFound("account"));
    }
    account::find(pool, caller.tenant, account)
        .await?
        .ok_or(Failure::NotFound("account"))?;
    let held = balance::of_account(pool, caller.tenant, account).await?;
    let assets = asset::of_tenant(pool, caller.tenant).await?;
    let amount = |asset: &Asset| asset.round_down(held.get(&asset.code).copied().unwrap_or_default());
    Ok(assets.into_iter().map(|(code, asset)| (code, amount(&asset))).collect())
}
