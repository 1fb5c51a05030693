//! The idempotent form: every form that moves money is one of these, and nobody writes another.
//!
//! The server keeps the key of the form that an actor has open for a purpose (`pay:K7M24Q9X`, `refund:<payment>`,
//! `terminal_pay`): a reload, Back and a second tab show the same key, with and without JavaScript. It changes only after
//! a definite outcome.
//!
//! Without JavaScript the form is posted and answered with a redirect: to the result, or back with the problem. With it,
//! the browser stores the attempt before the first send; when no answer comes, it asks by key what became of it and acts
//! on the answer (MISSION D2). It never says *failed* of an outcome that is not known (D4).
//!
//! # For a new money form
//! 1. A server function whose arguments begin with `#[server(default)] idempotency_key: String` and that returns
//!    [`Settled`]; its body is `server::key`, the room, and `server::settle`.
//! 2. The page's data carry [`server::open`]'s [`OpenForm`]; the page draws `<MoneyForm<ThatFunction> .. />` around the fields.

mod api;
mod attempt;
mod drive;
mod page;
#[cfg(feature = "ssr")]
pub mod server;
mod sum;

use ledger::Receipt;
use leptos::server_fn::ServerFn;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::identity::Role;
use crate::problem::Problem;

pub use api::{CheckProgress, OpenAgain, StartAgain};
pub use page::MoneyForm;
pub use sum::{Sum, SumAmount, SumAsset};

/// The form as the server knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenForm {
    pub key: String,
    /// Where the result is shown, if this key's operation was done a short while ago: then the person is asked whether
    /// to do it once more, instead of being shown a form that looks unsent.
    pub done: Option<String>,
}

/// What a money form's server function answers: done, and the result stands there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub path: String,
}

/// The page on which `role` sees what a receipt is about.
#[must_use]
pub fn result_path(role: Role, receipt: &Receipt) -> String {
    let home = role.home();
    match receipt {
        Receipt::Payment(payment) => format!("{home}/payments/{}", payment.payment_id),
        // The refund's form stands on its payment's page: another URL makes that page show what changed.
        Receipt::Refund(refund) => format!("{home}/payments/{}?refund={}", refund.payment_id, refund.refund_id),
        Receipt::TopUp(top_up) => format!("{home}/top-ups/{}", top_up.top_up_id),
        Receipt::Hold(hold) => format!("{home}/payments/{}", hold.payment_id),
        Receipt::Movement(_)
        | Receipt::Adjustment(_)
        | Receipt::Payout(_)
        | Receipt::Account(_)
        | Receipt::Fence(_) => home.to_owned(),
    }
}

/// A server function that moves money, called by a plain form or by script.
pub trait MoneyFn:
    ServerFn<Output = Settled, Error = Problem> + Serialize + DeserializeOwned + Clone + Send + Sync + 'static
{
}

impl<F> MoneyFn for F where
    F: ServerFn<Output = Settled, Error = Problem> + Serialize + DeserializeOwned + Clone + Send + Sync + 'static
{
}
