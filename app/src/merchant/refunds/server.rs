//! Who may return a payment's money.

use ledger::{
    Amount, Answer, Command, Failure, IdempotencyKey, PaymentId, Reason, Refund, command::TextError, postgres::payment,
};

use crate::{
    context::AppState,
    identity::{Caller, Role},
    money_form,
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

/// What the shop's form says, as it was typed.
pub(super) struct TypedRefund<'a> {
    pub(super) payment: &'a str,
    pub(super) amount: &'a str,
    pub(super) reason: &'a str,
}

/// Reads the form and refunds, under the key that the form carried.
pub(super) async fn refund_typed(
    state: &AppState,
    caller: &Caller,
    key: &str,
    typed: TypedRefund<'_>,
) -> Result<Answer, Problem> {
    let key = money_form::server::key(state, caller, key).await?;
    let payment = typed.payment.parse().map_err(|_| Failure::NotFound("payment"))?;
    let amount = Amount::parse_typed(typed.amount).map_err(|error| Problem::at("amount", error.code()))?;
    let reason = Reason::parse(typed.reason).map_err(|error| Problem::at("reason", text_code(error)))?;
    refund(
        state,
        caller,
        &key,
        RefundPayment {
            payment,
            amount,
            reason,
        },
    )
    .await
}

fn text_code(error: TextError) -> &'static str {
    match error {
        TextError::Empty => "TEXT_EMPTY",
        TextError::TooLong(_) => "TEXT_TOO_LONG",
        TextError::Control => "TEXT_MALFORMED",
    }
}

/// The page of the payment that `typed` names; of none if it names none.
pub(super) fn payment_url(typed: &str) -> String {
    let payment = typed
        .parse::<PaymentId>()
        .map(|payment| format!("/{payment}"))
        .unwrap_or_default();
    format!("/merchant/payments{payment}")
}
