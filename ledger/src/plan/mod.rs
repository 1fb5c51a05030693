//! Decides a command on a snapshot: pure, one file per command. A [`Plan`] is every write of the operation, as data;
//! it leaves no choice to whoever executes it: ids, order, amounts and balances after are in it.
//!
//! The wire form of plans is pinned by golden vectors (`tests/vectors/`), so a silent change of what is stored fails
//! a test (MISSION A3).

mod adjustment;
mod expire;
mod fence;
mod hold;
mod legs;
mod locks;
mod merge;
mod pay;
mod payout;
mod refund;
mod status;
mod top_up;
mod transfer;

use rust_decimal::Decimal;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    account::{Account, AccountKind, AccountStatus},
    adjustment::{Adjustment, AdjustmentStatus},
    asset::AssetCode,
    command::Command,
    failure::{Failure, Rejection},
    id::{AccountId, AdjustmentId, PaymentId, PayoutId, RefundId, TopUpId, TransactionId},
    limit::{LimitKind, Usage},
    lot::LotChange,
    money::{Amount, Instant},
    outcome::{FenceState, Receipt},
    payment::{Payment, PaymentChange, PaymentStatus},
    payout::Payout,
    snapshot::{BalanceKey, Snapshot},
};

pub use fence::{Fencing, fencing, of_rest, over};
use legs::Legs;
#[cfg(feature = "postgres")]
pub(crate) use locks::holdings_with_lots;
pub use locks::{Lock, accounts, locks};
pub use merge::{merge_balances, merge_lots, merge_payment_changes};

/// The items that one operation can write at least (B4); one that spends very many small lots writes more.
pub const MAX_ITEMS: usize = 100;

/// The name of the metric that a payment's saved CO2 is added to, in kilograms.
pub const CO2_SAVED_KG: &str = "co2_saved_kg";

/// Every write of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub transaction: Transaction,
    pub entries: Vec<Entry>,
    pub balances: Vec<BalanceChange>,
    pub lots: Vec<LotChange>,
    pub usage: Vec<UsageChange>,
    pub metrics: Vec<MetricChange>,
    pub records: Vec<Record>,
    pub receipt: Receipt,
}

/// What an operation writes beside the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    Payment(Payment),
    PaymentChange(PaymentChange),
    PaymentEvent(PaymentEvent),
    Refund(RefundRow),
    TopUp(TopUpRow),
    Reversal(Reversal),
    Adjustment(Adjustment),
    AdjustmentDecision(AdjustmentDecision),
    Payout(Payout),
    PayoutFailure(PayoutFailure),
    AccountStatus(AccountStatusChange),
    /// The marker of the key that is fenced.
    Fence,
}

/// A transaction's head: the one record that every operation leaves. Its entries, if it moves anything, name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transaction {
    pub transaction_id: TransactionId,
    pub kind: &'static str,
    /// What it is about: the payment, the top-up, the account; a transfer or grant is its own subject.
    pub subject_id: Uuid,
    /// Why, or the words that a transfer carries.
    pub memo: Option<String>,
    pub occurred_at: Instant,
}

/// One signed leg.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub account: AccountId,
    pub asset: AssetCode,
    pub lane: i16,
    pub amount: Decimal,
    /// Of the lane; `None` for system accounts.
    pub balance_after: Option<Decimal>,
}

/// A guarded addition to one row of a balance, judged by the database (B2, B3): it is made where what is neither spent
/// nor held is at least `available_at_least`, what is held at least `held_at_least`, and the amount at most `at_most`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BalanceChange {
    pub key: BalanceKey,
    /// Added to the amount.
    pub amount: Decimal,
    /// Added to what is held of it.
    pub held: Decimal,
    /// Added to what the account owes.
    pub owed: Decimal,
    pub available_at_least: Decimal,
    pub held_at_least: Decimal,
    pub at_most: Option<Decimal>,
}

/// What an account has used of a limit, as it is after the operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsageChange {
    pub account: AccountId,
    pub asset: AssetCode,
    pub kind: LimitKind,
    pub after: Usage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MetricChange {
    pub account: AccountId,
    pub name: &'static str,
    pub delta: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentEvent {
    pub event_id: Uuid,
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
    /// Points to take back that the payer had already spent.
    pub points_owed: Decimal,
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// The top-up, or the transaction of a transfer or grant.
    pub reversed_id: Uuid,
    pub transaction_id: TransactionId,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjustmentDecision {
    pub adjustment_id: AdjustmentId,
    pub status: AdjustmentStatus,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutFailure {
    pub payout_id: PayoutId,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountStatusChange {
    pub account: AccountId,
    pub from: AccountStatus,
    pub to: AccountStatus,
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

/// Decides `command`, asked for by `actor`, on `snapshot`.
///
/// # Errors
/// [`Refusal`]: a business rejection (recorded), or a failure such as an unknown account (not recorded).
pub fn plan(command: &Command, actor: &str, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    match command {
        Command::Pay(asked) => pay::plan(asked, snapshot),
        Command::Authorize(asked) => hold::authorize(asked, snapshot),
        Command::Capture(asked) => hold::capture(asked, snapshot),
        Command::Void(asked) => hold::void(asked, snapshot),
        Command::ExpireHold(asked) => hold::expire(asked, snapshot),
        Command::Refund(asked) => refund::plan(asked, snapshot),
        Command::TopUp(asked) => top_up::plan(asked, snapshot),
        Command::CancelTopUp(asked) => top_up::cancel(asked, snapshot),
        Command::Transfer(asked) => transfer::plan(asked, snapshot),
        Command::Grant(asked) => transfer::grant(asked, snapshot),
        Command::Reverse(asked) => transfer::reverse(asked, snapshot),
        Command::Expire(asked) => expire::plan(asked, snapshot),
        Command::ProposeAdjustment(asked) => adjustment::propose(asked, actor, snapshot),
        Command::ApplyAdjustment(asked) => adjustment::apply(asked, actor, snapshot),
        Command::DeclineAdjustment(asked) => adjustment::decline(asked, snapshot),
        Command::Settle(asked) => payout::settle(asked, snapshot),
        Command::FailPayout(asked) => payout::fail(asked, snapshot),
        Command::SetAccountStatus(asked) => status::plan(asked, snapshot),
        Command::Fence => Ok(over(FenceState::Fenced, snapshot)),
    }
}

impl Plan {
    /// How many rows the plan writes, its marker included.
    #[must_use]
    pub fn items(&self) -> usize {
        let books = self.entries.len() + self.balances.len() + self.lots.len() + self.usage.len() + self.metrics.len();
        2 + books + self.records.len()
    }
}

impl BalanceChange {
    fn none(key: BalanceKey) -> Self {
        Self {
            key,
            amount: Decimal::ZERO,
            held: Decimal::ZERO,
            owed: Decimal::ZERO,
            available_at_least: Decimal::ZERO,
            held_at_least: Decimal::ZERO,
            at_most: None,
        }
    }
}

/// The head of an operation of `kind` on `subject`; without one the transaction is its own.
fn transaction(
    snapshot: &mut Snapshot,
    kind: &'static str,
    subject: Option<Uuid>,
    memo: Option<String>,
) -> Transaction {
    let transaction_id: TransactionId = snapshot.ids.draw();
    Transaction {
        transaction_id,
        kind,
        subject_id: subject.unwrap_or(transaction_id.0),
        memo,
        occurred_at: snapshot.at,
    }
}

/// The account of a command, if it is of the `kind` that belongs there and may act.
fn active(snapshot: &Snapshot, account: AccountId, kind: AccountKind, noun: &'static str) -> Result<(), Refusal> {
    match existing(snapshot, account, kind, noun)? {
        AccountStatus::Active => Ok(()),
        AccountStatus::Frozen | AccountStatus::Closed => Err(Rejection::AccountFrozen.into()),
    }
}

/// The status of the account of a command, if it is of the `kind` that belongs there.
fn existing(
    snapshot: &Snapshot,
    account: AccountId,
    kind: AccountKind,
    noun: &'static str,
) -> Result<AccountStatus, Failure> {
    match snapshot.accounts.get(&account) {
        Some(Account { kind: found, status }) if *found == kind => Ok(*status),
        _ => Err(Failure::NotFound(noun)),
    }
}

/// The amount in the scale of its asset.
fn in_asset(snapshot: &Snapshot, amount: Amount, asset: &AssetCode) -> Result<Decimal, Failure> {
    snapshot
        .asset(asset)?
        .checked(amount)
        .map_err(|error| Failure::Invalid {
            field: "amount",
            code: error.code(),
            detail: error.to_string(),
        })
}
