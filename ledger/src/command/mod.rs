//! What can be asked of the ledger. A command is well-formed by construction; whether it may happen is decided by
//! [`crate::plan`].

mod canonical;
mod text;

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{
    account::AccountStatus,
    asset::AssetCode,
    id::{AccountId, AdjustmentId, PaymentId, PayoutId, TopUpId, TransactionId},
    idempotency::Fingerprint,
    money::Amount,
};
pub use text::{Memo, Reason, TextError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Pay(Pay),
    Authorize(Authorize),
    Capture(Capture),
    Void(Void),
    ExpireHold(ExpireHold),
    Refund(Refund),
    TopUp(TopUp),
    CancelTopUp(CancelTopUp),
    Transfer(Transfer),
    Grant(Grant),
    Expire(Expire),
    Reverse(Reverse),
    ProposeAdjustment(ProposeAdjustment),
    ApplyAdjustment(ApplyAdjustment),
    DeclineAdjustment(DeclineAdjustment),
    Settle(Settle),
    FailPayout(FailPayout),
    SetAccountStatus(SetAccountStatus),
    /// Takes back what its own key asked for: undoes it, or sees to it that it never happens, should it come later.
    Fence,
}

/// A customer pays a merchant; captured at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pay {
    pub payer: AccountId,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
    pub memo: Option<Memo>,
}

/// A payment whose amount is held for the merchant until it captures it, all or parts, once or several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorize {
    pub pay: Pay,
    /// How long the hold lasts, in seconds: a minute to 31 days.
    pub valid_for_s: u32,
}

/// Takes all or part of what is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    pub payment: PaymentId,
    pub amount: Amount,
}

/// Releases what is held and not captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Void {
    pub payment: PaymentId,
    pub reason: Reason,
}

/// Releases what is held past its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpireHold {
    pub payment: PaymentId,
}

/// A full or partial return of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub payment: PaymentId,
    pub amount: Amount,
    pub reason: Reason,
}

/// A charge of a balance, with the bonus that the asset's policy gives (B3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopUp {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
}

/// Takes a charge back, with its bonus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelTopUp {
    pub top_up: TopUpId,
    pub reason: Reason,
}

/// A customer hands value to another, if the asset's policy lets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub from: AccountId,
    pub to: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
    pub memo: Option<Memo>,
}

/// The tenant gives a customer value that nobody paid for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
    pub reason: Reason,
}

/// Takes from a customer what has expired of an asset and is not held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expire {
    pub account: AccountId,
    pub asset: AssetCode,
}

/// Undoes a transfer or a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    pub transaction: TransactionId,
    pub reason: Reason,
}

/// What a correction does to a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Add,
    Take,
}

/// Asks for a correction of a balance; nothing moves until somebody else applies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposeAdjustment {
    pub account: AccountId,
    pub asset: AssetCode,
    pub direction: Direction,
    pub amount: Amount,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyAdjustment {
    pub adjustment: AdjustmentId,
}

/// Ends a proposed correction without effect; who proposed it may do that too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclineAdjustment {
    pub adjustment: AdjustmentId,
    pub reason: Reason,
}

/// Pays a merchant's balance out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settle {
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
}

/// Puts back what a payout took, because the bank sent it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailPayout {
    pub payout: PayoutId,
    pub reason: Reason,
}

/// Freezes an account, lets it act again, or closes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAccountStatus {
    pub account: AccountId,
    pub status: AccountStatus,
    pub reason: Reason,
}

/// The rows that a command names beside accounts, to be locked or read before its balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    Account(AccountId),
    Payment(PaymentId),
    TopUp(TopUpId),
    Transaction(TransactionId),
    Adjustment(AdjustmentId),
    Payout(PayoutId),
}

impl Command {
    /// The word for the kind of command, as it is stored.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pay(_) => "pay",
            Self::Authorize(_) => "authorize",
            Self::Capture(_) => "capture",
            Self::Void(_) => "void",
            Self::ExpireHold(_) => "expire_hold",
            Self::Refund(_) => "refund",
            Self::TopUp(_) => "top_up",
            Self::CancelTopUp(_) => "cancel_top_up",
            Self::Transfer(_) => "transfer",
            Self::Grant(_) => "grant",
            Self::Expire(_) => "expire",
            Self::Reverse(_) => "reverse",
            Self::ProposeAdjustment(_) => "propose_adjustment",
            Self::ApplyAdjustment(_) => "apply_adjustment",
            Self::DeclineAdjustment(_) => "decline_adjustment",
            Self::Settle(_) => "settle",
            Self::FailPayout(_) => "fail_payout",
            Self::SetAccountStatus(_) => "set_account_status",
            Self::Fence => "fence",
        }
    }

    /// The row that the command is about, if it names one.
    #[must_use]
    pub fn named(&self) -> Option<Named> {
        match self {
            Self::Capture(capture) => Some(Named::Payment(capture.payment)),
            Self::Void(void) => Some(Named::Payment(void.payment)),
            Self::ExpireHold(expire) => Some(Named::Payment(expire.payment)),
            Self::Refund(refund) => Some(Named::Payment(refund.payment)),
            Self::CancelTopUp(cancel) => Some(Named::TopUp(cancel.top_up)),
            Self::Reverse(reverse) => Some(Named::Transaction(reverse.transaction)),
            Self::ApplyAdjustment(apply) => Some(Named::Adjustment(apply.adjustment)),
            Self::DeclineAdjustment(decline) => Some(Named::Adjustment(decline.adjustment)),
            Self::FailPayout(fail) => Some(Named::Payout(fail.payout)),
            Self::SetAccountStatus(change) => Some(Named::Account(change.account)),
            Self::Pay(_)
            | Self::Authorize(_)
            | Self::TopUp(_)
            | Self::Transfer(_)
            | Self::Grant(_)
            | Self::Expire(_)
            | Self::ProposeAdjustment(_)
            | Self::Settle(_)
            | Self::Fence => None,
        }
    }

    /// What the command's key stands for. Amounts are normalised (`10` and `10.0` are one); ids and texts are part of
    /// it, so another resource is another request.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.canonical())
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "add",
            Self::Take => "take",
        })
    }
}
