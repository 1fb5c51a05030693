//! A customer pays from the own wallet, and sees the own receipts.

use ledger::postgres::account::{self, AccountRow};
use ledger::postgres::payment;
use ledger::postgres::tenant::Tenant;
use ledger::{AccountKind, Amount, Answer, Asset, AssetCode, Command, Failure, Pay, Payment, PaymentId};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

use super::api::{PayForm, ReceiptView, RefundLine};
use crate::context::{self, AppState};
use crate::customer::server::{assets, balances, wallet};
use crate::identity::{Caller, code};
use crate::money::Money;
use crate::money_form;
use crate::problem::Problem;

/// What the form says, as it was typed.
pub struct PayRequest<'a> {
    pub code: &'a str,
    pub asset: &'a str,
    pub amount: &'a str,
}

/// Pays a shop from the caller's own wallet, under the key that the form carried.
///
/// # Errors
/// [`Problem`] if the form can't be read, the shop does not exist, or the ledger did not answer with an outcome.
pub async fn pay(state: &AppState, caller: &Caller, key: &str, request: PayRequest<'_>) -> Result<Answer, Problem> {
    let payer = wallet(caller)?;
    let key = money_form::server::key(state, caller, key).await?;
    let asset = AssetCode::parse(request.asset).map_err(|_| Failure::NotFound("asset"))?;
    let amount = Amount::parse_typed(request.amount).map_err(|error| Problem::at("amount", error.code()))?;
    let merchant = shop(state, caller, request.code).await?.account_id;
    let command = Command::Pay(Pay {
        payer,
        merchant,
        asset,
        amount,
        memo: None,
    });
    Ok(state.ledger.submit(caller.tenant, caller.actor, &key, command).await?)
}

/// The page on which the shop of `typed` is paid.
pub(super) fn pay_url(typed: &str) -> String {
    let code: String = code::normalized(typed)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    format!("/pay/{code}")
}

pub(super) async fn shop_page(state: &AppState, caller: &Caller, typed: &str) -> Result<String, Problem> {
    shop(state, caller, typed).await?;
    Ok(pay_url(typed))
}

pub(super) async fn pay_form(state: &AppState, caller: &Caller, typed: &str) -> Result<PayForm, Problem> {
    let wallet = wallet(caller)?;
    let shop = shop(state, caller, typed).await?;
    let code = code::normalized(typed);
    let mut balances = balances(state, caller, wallet).await?;
    let is_empty = balances.iter().all(|money| money.amount.is_zero());
    balances.retain(|money| !money.amount.is_zero() || (is_empty && money.asset.code == AssetCode::main()));
    let form = money_form::server::open(state, caller, &format!("pay:{code}")).await?;
    Ok(PayForm {
        shop: shop.name,
        code,
        balances,
        form,
    })
}

async fn shop(state: &AppState, caller: &Caller, typed: &str) -> Result<AccountRow, Failure> {
    let found = account::find_by_code(state.ledger.pool(), caller.tenant, &code::normalized(typed)).await?;
    found
        .filter(|account| account.kind == AccountKind::Merchant)
        .ok_or(Failure::NotFound("shop"))
}

/// The receipt of one of the caller's own payments; another person's does not exist.
pub(super) async fn receipt(
    state: &AppState,
    tenant: &Tenant,
    caller: &Caller,
    id: &str,
) -> Result<ReceiptView, Problem> {
    let (wallet, pool) = (wallet(caller)?, state.ledger.pool());
    let id: PaymentId = id.parse().map_err(|_| Failure::NotFound("payment"))?;
    let payment = payment::find(pool, caller.tenant, id).await?;
    let payment = payment
        .filter(|payment| payment.payer == wallet)
        .ok_or(Failure::NotFound("payment"))?;
    let shop = account::find(pool, caller.tenant, payment.merchant)
        .await?
        .ok_or(Failure::NotFound("shop"))?;
    let assets = assets(state, caller).await?;
    let refunds = payment::refunds(pool, caller.tenant, id).await?;
    let asset = assets.get(&payment.asset).cloned().ok_or(Failure::NotFound("asset"))?;
    let refund = |refund: payment::RefundRow| RefundLine {
        money: Money::new(asset.clone(), refund.amount),
        reason: refund.reason,
        at: context::local_time(tenant, refund.created_at),
    };
    let refunds = refunds.into_iter().map(refund).collect();
    Ok(view(tenant, &assets, asset.clone(), payment, shop.name, refunds))
}

fn view(
    tenant: &Tenant,
    assets: &BTreeMap<AssetCode, Asset>,
    asset: Asset,
    payment: Payment,
    shop: String,
    refunds: Vec<RefundLine>,
) -> ReceiptView {
    let points = |amount: Decimal| {
        let asset = assets.get(&AssetCode::point()).filter(|_| !amount.is_zero())?;
        Some(Money::new(asset.clone(), amount))
    };
    ReceiptView {
        id: payment.payment_id.to_string(),
        shop,
        money: Money::new(asset, payment.amount),
        status: payment.status,
        at: context::local_time(tenant, payment.created_at),
        memo: payment.memo,
        points_earned: points(payment.points_earned),
        points_returned: points(payment.points_returned),
        co2_saved_kg: payment.co2_saved_kg.normalize().to_string(),
        refunds,
    }
}
