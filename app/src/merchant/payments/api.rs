//! What a shop sees of its payments.

use ledger::PaymentStatus;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::money_form::OpenForm;
use crate::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentLine {
    pub id: String,
    pub customer: String,
    pub money: Money,
    pub status: PaymentStatus,
    pub at: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentList {
    pub lines: Vec<PaymentLine>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentView {
    pub payment: PaymentLine,
    pub memo: Option<String>,
    pub refunded: Money,
    pub refundable: Money,
    pub points_earned: Option<Money>,
    pub events: Vec<EventLine>,
    pub refunds: Vec<RefundLine>,
    /// The refund's form, while something can still be refunded.
    pub form: Option<OpenForm>,
}

/// A change of the payment's status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLine {
    pub to: PaymentStatus,
    pub reason: Option<String>,
    pub by: String,
    pub at: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLine {
    pub id: String,
    pub money: Money,
    pub reason: String,
    /// Which kind of actor returned the money.
    pub by: String,
    pub at: String,
}

/// The store's payments, newest first, before the place that an earlier page named.
#[server(prefix = "/fn", endpoint = "merchant_payments")]
pub async fn load_payments(before: Option<String>) -> Result<PaymentList, Problem> {
    use super::server;
    use crate::context;
    let (caller, tenant) = (context::merchant().await?, context::tenant().await?);
    context::told(server::page(&context::state(), &tenant, &caller, before.as_deref(), server::PAGE).await)
}

#[server(prefix = "/fn", endpoint = "merchant_payment")]
pub async fn load_payment(id: String) -> Result<PaymentView, Problem> {
    use crate::context;
    let (caller, tenant) = (context::merchant().await?, context::tenant().await?);
    context::told(super::server::detail(&context::state(), &tenant, &caller, &id).await)
}
