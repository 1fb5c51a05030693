//! Who may return a payment's money.

use ledger::{Amount, Answer, Command, Failure, IdempotencyKey, PaymentId, Reason, Refund, postgres::payment};

use crate::{
    context::AppState,
    identity::{Caller, Role},
    problem::{FORBIDDEN, Problem},
};

/// A return of a payment, of all that was paid or a part of it.
pub struct RefundPayment {
    pub payment: PaymentId,
    pub amount: Amount,
    pub reason: Reason,
}

/// Refunds a payment: the store that was paid, admins and trusted integrations.
///
/// # Errors
/// [`Problem`] if the caller may not, there is no such payment in the caller's store or tenant, or the ledger did not
/// answer with an outcome.
pub async fn refund(
    state: &AppState,
    caller: &Caller,
    key: &IdempotencyKey,
    request: RefundPayment,
) -> Result<Answer, Problem> {
    let RefundPayment {
        payment,
        amount,
        reason,
    } = request;
    match caller.role {
        Role::Admin | Role::Integration => {}
        Role::Merchant => own_payment(state, caller, payment).await?,
        Role::Customer | Role::Terminal => return Err(Problem::new(FORBIDDEN)),
    }
    let command = Command::Refund(Refund {
        payment,
        amount,
        reason,
    });
    Ok(state.ledger.submit(caller.tenant, caller.actor, key, command).await?)
}

/// A store learns nothing of the payments of others, not even that they exist.
async fn own_payment(state: &AppState, caller: &Caller, payment: PaymentId) -> Result<(), Failure> {
    let found = payment::find(state.ledger.pool(), caller.tenant, payment).await?;
    let own = found.filter(|payment| caller.account == Some(payment.merchant));
    own.map(|_| ()).ok_or(Failure::NotFound("payment"))
}
