//! Who may take a payment, and who may look at one.

use ledger::{
    AccountId, Amount, Answer, Asset, AssetCode, Command, Failure, IdempotencyKey, Memo, Pay, Payment, PaymentId,
    postgres::{asset, payment, tenant::Tenant},
};

use super::api::{PURPOSE, TakeForm, TakenView};
use crate::{
    context::{self, AppState},
    identity::{
        Caller, Role,
        payer::{self, Payer},
    },
    money::Money,
    money_form,
    problem::{FORBIDDEN, Problem},
    terminal::server::{assets, shop},
};

/// A payment to be taken from a customer who shows a code or a card.
pub struct TakePayment {
    pub payer: Payer,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
    pub memo: Option<Memo>,
}

/// Takes a payment: a store and its terminals for that store, a trusted integration for any store.
///
/// # Errors
/// [`Problem`] if the caller may not, the payer is not proven, or the ledger did not answer with an outcome.
pub async fn take(
    state: &AppState,
    caller: &Caller,
    key: &IdempotencyKey,
    request: TakePayment,
) -> Result<Answer, Problem> {
    let TakePayment {
        payer,
        merchant,
        asset,
        amount,
        memo,
    } = request;
    if !may_collect(caller, merchant) {
        return Err(Problem::new(FORBIDDEN));
    }
    let payer = payer::resolve(state, caller, payer).await?;
    let command = Command::Pay(Pay {
        payer,
        merchant,
        asset,
        amount,
        memo,
    });
    Ok(state.ledger.submit(caller.tenant, caller.actor, key, command).await?)
}

fn may_collect(caller: &Caller, merchant: AccountId) -> bool {
    match caller.role {
        Role::Integration => true,
        Role::Merchant | Role::Terminal => caller.account == Some(merchant),
        Role::Customer | Role::Admin => false,
    }
}

/// A payment and its asset, for those it concerns: its payer, its store, and whoever sees the whole tenant.
///
/// # Errors
/// [`Failure::NotFound`] for a payment that does not exist and for one that is none of the caller's business.
pub async fn find(state: &AppState, caller: &Caller, payment_id: PaymentId) -> Result<(Payment, Asset), Failure> {
    let pool = state.ledger.pool();
    let payment = payment::find(pool, caller.tenant, payment_id).await?;
    let payment = payment
        .filter(|payment| concerns(caller, payment))
        .ok_or(Failure::NotFound("payment"))?;
    let asset = asset::of_tenant(pool, caller.tenant).await?.remove(&payment.asset);
    Ok((payment, asset.ok_or(Failure::NotFound("asset"))?))
}

fn concerns(caller: &Caller, payment: &Payment) -> bool {
    match caller.role {
        Role::Integration | Role::Admin => true,
        Role::Merchant | Role::Terminal => caller.account == Some(payment.merchant),
        Role::Customer => caller.account == Some(payment.payer),
    }
}

/// What the till's form says, as it was typed.
pub(super) struct TypedSale<'a> {
    pub(super) payer: Payer,
    pub(super) asset: &'a str,
    pub(super) amount: &'a str,
}

/// Who is to pay: the card if its number was typed, else the code.
pub(super) fn payer(code: String, card_number: String, pin: String) -> Payer {
    if card_number.is_empty() {
        Payer::Code(code)
    } else {
        Payer::Card { card_number, pin }
    }
}

/// Reads the form and takes the payment for the till's own shop, under the key that the form carried.
pub(super) async fn take_typed(
    state: &AppState,
    caller: &Caller,
    key: &str,
    sale: TypedSale<'_>,
) -> Result<Answer, Problem> {
    let merchant = shop(caller)?;
    let key = money_form::server::key(state, caller, key).await?;
    let asset = AssetCode::parse(sale.asset).map_err(|_| Failure::NotFound("asset"))?;
    let amount = Amount::parse_typed(sale.amount).map_err(|error| Problem::at("amount", error.code()))?;
    let request = TakePayment {
        payer: sale.payer,
        merchant,
        asset,
        amount,
        memo: None,
    };
    take(state, caller, &key, request).await
}

pub(super) async fn take_form(state: &AppState, caller: &Caller) -> Result<TakeForm, Problem> {
    shop(caller)?;
    let form = money_form::server::open(state, caller, PURPOSE).await?;
    Ok(TakeForm {
        assets: assets(state, caller).await?,
        form,
    })
}

/// A payment of the till's shop as the till shows it.
pub(super) async fn taken(state: &AppState, tenant: &Tenant, caller: &Caller, id: &str) -> Result<TakenView, Problem> {
    shop(caller)?;
    let id: PaymentId = id.parse().map_err(|_| Failure::NotFound("payment"))?;
    let (payment, asset) = find(state, caller, id).await?;
    let points = asset::of_tenant(state.ledger.pool(), caller.tenant)
        .await?
        .remove(&AssetCode::point());
    let points = points.filter(|_| !payment.points_earned.is_zero());
    Ok(TakenView {
        money: Money::new(asset, payment.amount),
        status: payment.status,
        at: context::local_time(tenant, payment.created_at),
        points_earned: points.map(|points| Money::new(points, payment.points_earned)),
        key: money_form::server::open(state, caller, PURPOSE).await?.key,
    })
}
