//! Who may charge a balance, and who may see one.

use std::collections::BTreeMap;

use ledger::{
    AccountId, AccountKind, Amount, Answer, Asset, AssetCode, Command, Failure, IdempotencyKey, TopUp,
    postgres::{account, asset, balance, tenant::Tenant, top_up},
};
use rust_decimal::Decimal;

use super::api::{PURPOSE, TopUpForm, ToppedUpView};
use crate::{
    context::{self, AppState},
    identity::{Caller, Role, cards, code},
    money::Money,
    money_form,
    problem::{FORBIDDEN, Problem},
    terminal::server::{assets, shop},
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

/// What the till's form says, as it was typed.
pub(super) struct TypedTopUp<'a> {
    /// A customer's code or a card's number.
    pub(super) holder: &'a str,
    pub(super) asset: &'a str,
    pub(super) amount: &'a str,
}

/// Reads the form and charges the balance, under the key that the form carried.
pub(super) async fn charge_typed(
    state: &AppState,
    caller: &Caller,
    key: &str,
    typed: TypedTopUp<'_>,
) -> Result<Answer, Problem> {
    shop(caller)?;
    let key = money_form::server::key(state, caller, key).await?;
    let asset = AssetCode::parse(typed.asset).map_err(|_| Failure::NotFound("asset"))?;
    let amount = Amount::parse_typed(typed.amount).map_err(|error| Problem::at("amount", error.code()))?;
    let account = holder(state, caller, typed.holder).await?;
    charge(state, caller, &key, ChargeAccount { account, asset, amount }).await
}

/// The customer of a code or of a card: no PIN is needed to be given money.
async fn holder(state: &AppState, caller: &Caller, typed: &str) -> Result<AccountId, Failure> {
    let (pool, typed) = (state.ledger.pool(), code::normalized(typed));
    if let Some(account) = cards::holder(pool, caller.tenant, &typed).await? {
        return Ok(account);
    }
    let found = account::find_by_code(pool, caller.tenant, &typed).await?;
    let customer = found.filter(|account| account.kind == AccountKind::Customer);
    Ok(customer.ok_or(Failure::NotFound("customer"))?.account_id)
}

/// The form; points are earned and can't be bought.
pub(super) async fn top_up_form(state: &AppState, caller: &Caller) -> Result<TopUpForm, Problem> {
    shop(caller)?;
    let mut assets = assets(state, caller).await?;
    assets.retain(|asset| asset.code != AssetCode::point());
    let form = money_form::server::open(state, caller, PURPOSE).await?;
    Ok(TopUpForm { assets, form })
}

/// A charge as the till that made it shows it; to others it does not exist, for it tells a balance.
pub(super) async fn topped_up(
    state: &AppState,
    tenant: &Tenant,
    caller: &Caller,
    id: &str,
) -> Result<ToppedUpView, Problem> {
    shop(caller)?;
    let id = id.parse().map_err(|_| Failure::NotFound("top_up"))?;
    let pool = state.ledger.pool();
    let done = top_up::find(pool, caller.tenant, id).await?;
    let done = done
        .filter(|done| done.actor == caller.actor.to_string())
        .ok_or(Failure::NotFound("top_up"))?;
    let asset = asset::of_tenant(pool, caller.tenant)
        .await?
        .remove(&done.asset)
        .ok_or(Failure::NotFound("asset"))?;
    let money = |amount| Money::new(asset.clone(), amount);
    Ok(ToppedUpView {
        money: money(done.amount),
        bonus: (!done.bonus.is_zero()).then(|| money(done.bonus)),
        balance_after: money(done.balance_after),
        at: context::local_time(tenant, done.created_at),
        key: money_form::server::open(state, caller, PURPOSE).await?.key,
    })
}
