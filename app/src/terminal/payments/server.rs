//! Who may take a payment, and who may look at one.

use ledger::{
    AccountId, Amount, Answer, Asset, AssetCode, Command, Failure, IdempotencyKey, Memo, Pay, Payment, PaymentId,
    postgres::{asset, payment},
};

use crate::{
    context::AppState,
    identity::{
        Caller, Role,
        payer::{self, Payer},
    },
    problem::{FORBIDDEN, Problem},
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
