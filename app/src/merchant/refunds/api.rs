//! The form that returns a payment's money.

use leptos::prelude::*;

use crate::money_form::Settled;
use crate::problem::Problem;

/// Returns `amount` of a payment of the caller's store.
#[server(prefix = "/fn", endpoint = "send_refund")]
pub async fn send_refund(
    #[server(default)] idempotency_key: String,
    payment: String,
    amount: String,
    reason: String,
) -> Result<Settled, Problem> {
    use super::server::{self, TypedRefund};
    use crate::{context, money_form};
    let (state, caller) = (context::state(), context::merchant().await?);
    let (url, typed) = (server::payment_url(&payment), [("amount", amount.as_str())]);
    let request = TypedRefund {
        payment: &payment,
        amount: &amount,
        reason: &reason,
    };
    let refunded = server::refund_typed(&state, &caller, &idempotency_key, request).await;
    money_form::server::settle(&caller, refunded, &url, &typed)
}
