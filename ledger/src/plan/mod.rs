//! Decides a command on a snapshot: pure, one file per command. A [`Plan`] is every write of the operation, as data;
//! it leaves no choice to whoever executes it: ids, order, amounts and balances after are in it.
//!
//! The wire form of plans is pinned by golden vectors (`tests/vectors/`), so a silent change of what is stored fails
//! a test (MISSION A3).

mod legs;
mod merge;
mod pay;
mod refund;
mod top_up;

use rust_decimal::Decimal;
use serde::Serialize;

use crate::{
    account::{Account, AccountKind, AccountStatus, AssetCode},
    command::Command,
    failure::{Failure, Rejection},
    id::{AccountId, PaymentId, RefundId, TopUpId, TransactionId},
    money::Instant,
    outcome::Receipt,
    payment::{Move, Payment, PaymentStatus},
    snapshot::{BalanceKey, Snapshot},
};

use legs::Legs;
pub use merge::{merge_balances, merge_payment_changes};

/// The most items that one operation may write (B4).
pub const MAX_ITEMS: usize = 100;

/// The name of the metric that a payment's saved CO2 is added to, in kilograms.
pub const CO2_SAVED_KG: &str = "co2_saved_kg";

/// Every write of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub transaction: Transaction,
    pub entries: Vec<Entry>,
    pub balances: Vec<BalanceChange>,
    pub metrics: Vec<MetricChange>,
    pub payment: Option<Payment>,
    pub payment_change: Option<PaymentChange>,
    pub event: Option<PaymentEvent>,
    pub refund: Option<RefundRow>,
    pub top_up: Option<TopUpRow>,
    pub receipt: Receipt,
}

/// A transaction's head; its entries name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transaction {
    pub transaction_id: TransactionId,
    pub kind: &'static str,
    /// The payment or top-up that it belongs to.
    pub subject_id: uuid::Uuid,
    pub occurred_at: Instant,
}

/// One signed leg.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    /// `None` for system accounts.
    pub balance_after: Option<Decimal>,
}

/// A guarded addition: `delta` is added where the balance is at least `at_least` and at most `at_most`, judged by the
/// database (B2, B3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BalanceChange {
    pub account: AccountId,
    pub asset: AssetCode,
    pub delta: Decimal,
    pub at_least: Decimal,
    pub at_most: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MetricChange {
    pub account: AccountId,
    pub name: &'static str,
    pub delta: Decimal,
}

/// A payment's change: written only where its status and refunded amount are still those that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentChange {
    pub payment_id: PaymentId,
    pub status: Move,
    pub refunded_before: Decimal,
    pub refunded_after: Decimal,
    pub points_returned_after: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentEvent {
    pub event_id: uuid::Uuid,
    pub payment_id: PaymentId,
    pub from: Option<PaymentStatus>,
    pub to: PaymentStatus,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRow {
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    pub amount: Decimal,
    pub points_returned: Decimal,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopUpRow {
    pub top_up_id: TopUpId,
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub bonus: Decimal,
    pub balance_after: Decimal,
}

/// Why there is no plan: a rejection is recorded under the key, a failure is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    Rejected(Rejection),
    Failed(Failure),
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Decides `command` on `snapshot`.
///
/// # Errors
/// [`Refusal`]: a business rejection (recorded), or a failure such as an unknown account (not recorded).
pub fn plan(command: &Command, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let plan = match command {
        Command::Pay(pay) => pay::plan(pay, snapshot),
        Command::TopUp(top_up) => top_up::plan(top_up, snapshot),
        Command::Refund(refund) => refund::plan(refund, snapshot),
    }?;
    debug_assert!(plan.items() <= MAX_ITEMS, "a plan has at most {MAX_ITEMS} items");
    Ok(plan)
}

/// The accounts that `command` names, given the payments that were read for it.
#[must_use]
pub fn accounts(command: &Command, snapshot: &Snapshot) -> Vec<AccountId> {
    match command {
        Command::Pay(pay) => vec![pay.payer, pay.merchant],
        Command::TopUp(top_up) => vec![top_up.account],
        Command::Refund(refund) => snapshot
            .payments
            .get(&refund.payment)
            .map_or(Vec::new(), |payment| vec![payment.payer, payment.merchant]),
    }
}

/// The balances that `command` may change, given the assets and payments that were read for it.
#[must_use]
pub fn balances(command: &Command, snapshot: &Snapshot) -> Vec<BalanceKey> {
    match command {
        Command::Pay(pay) => {
            let earns = snapshot
                .assets
                .get(&pay.asset)
                .is_some_and(|asset| !asset.point_rate.is_zero());
            parties(pay.payer, pay.merchant, &pay.asset, earns)
        }
        Command::TopUp(top_up) => vec![(top_up.account, top_up.asset.clone())],
        Command::Refund(refund) => snapshot.payments.get(&refund.payment).map_or(Vec::new(), |payment| {
            parties(
                payment.payer,
                payment.merchant,
                &payment.asset,
                !payment.points_earned.is_zero(),
            )
        }),
    }
}

fn parties(payer: AccountId, merchant: AccountId, asset: &AssetCode, with_points: bool) -> Vec<BalanceKey> {
    let mut keys = vec![(payer, asset.clone()), (merchant, asset.clone())];
    if with_points {
        keys.push((payer, AssetCode::point()));
    }
    keys
}

impl Plan {
    /// How many rows the plan writes, its marker included.
    #[must_use]
    pub fn items(&self) -> usize {
        let rows = [
            self.payment.is_some(),
            self.payment_change.is_some(),
            self.event.is_some(),
        ];
        let rows = rows
            .into_iter()
            .chain([self.refund.is_some(), self.top_up.is_some()])
            .filter(|row| *row)
            .count();
        2 + self.entries.len() + self.balances.len() + self.metrics.len() + rows
    }
}

/// The account of a command, if it is of the `kind` that belongs there and may act.
fn active(snapshot: &Snapshot, account: AccountId, kind: AccountKind, noun: &'static str) -> Result<(), Refusal> {
    match snapshot.accounts.get(&account) {
        Some(Account {
            kind: found,
            status: AccountStatus::Active,
        }) if *found == kind => Ok(()),
        Some(Account { kind: found, .. }) if *found == kind => Err(Rejection::AccountFrozen.into()),
        _ => Err(Failure::NotFound(noun).into()),
    }
}

/// The amount in the scale of its asset.
fn in_asset(snapshot: &Snapshot, amount: crate::money::Amount, asset: &AssetCode) -> Result<Decimal, Failure> {
    snapshot
        .asset(asset)?
        .checked(amount)
        .map_err(|error| Failure::Invalid {
            field: "amount",
            code: error.code(),
            detail: error.to_string(),
        })
}
