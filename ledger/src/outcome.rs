//! What came of a command, in the form in which it is stored under its key and sent again byte for byte (MISSION A5).

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    account::AccountStatus,
    adjustment::AdjustmentStatus,
    asset::AssetCode,
    failure::Rejection,
    id::{AccountId, AdjustmentId, PaymentId, PayoutId, RefundId, TopUpId, TransactionId},
    money::Instant,
    payment::PaymentStatus,
    payout::PayoutStatus,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Applied(Receipt),
    Rejected(Rejection),
}

/// The proof of an operation. Its JSON is the API's answer and is pinned by golden vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Receipt {
    Payment(PaymentReceipt),
    Hold(HoldReceipt),
    Refund(RefundReceipt),
    TopUp(TopUpReceipt),
    Movement(MovementReceipt),
    Adjustment(AdjustmentReceipt),
    Payout(PayoutReceipt),
    Account(AccountReceipt),
    Fence(FenceReceipt),
}

/// Amounts have the scale of their asset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentReceipt {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub points_earned: Decimal,
    pub co2_saved_kg: Decimal,
    pub created_at: Instant,
}

/// A payment that is or was held, after it was authorised, captured, voided or expired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldReceipt {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub asset: AssetCode,
    pub amount: Decimal,
    /// Everything captured so far.
    pub captured: Decimal,
    pub held: Decimal,
    pub points_earned: Decimal,
    pub hold_expires_at: Option<Instant>,
    pub created_at: Instant,
}

/// Value that came to an account, or left it: a transfer, a grant, what expired, what was undone or corrected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovementReceipt {
    pub transaction_id: TransactionId,
    /// Whose balance is told: the giver's of a transfer.
    pub account_id: AccountId,
    pub asset: AssetCode,
    /// What was added; below zero, what was taken.
    pub amount: Decimal,
    pub balance_after: Decimal,
    pub created_at: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustmentReceipt {
    pub adjustment_id: AdjustmentId,
    pub status: AdjustmentStatus,
    pub account_id: AccountId,
    pub asset: AssetCode,
    /// What is added; below zero, what is taken.
    pub amount: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayoutReceipt {
    pub payout_id: PayoutId,
    pub status: PayoutStatus,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub balance_after: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountReceipt {
    pub account_id: AccountId,
    pub status: AccountStatus,
}

/// What taking back by key came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FenceReceipt {
    pub state: FenceState,
    /// What undid the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<Undoing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FenceState {
    /// It had not come, and never happens.
    Fenced,
    /// It had been declined: there was nothing to undo.
    Declined,
    /// It had happened, and was undone.
    Reversed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undoing {
    /// `refund`, `void`, `cancel_top_up` or `reverse`.
    pub kind: String,
    pub transaction_id: TransactionId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopUpReceipt {
    pub top_up_id: TopUpId,
    pub amount: Decimal,
    pub bonus: Decimal,
    pub balance_after: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundReceipt {
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    /// The payment's status after the refund.
    pub status: PaymentStatus,
    pub asset: AssetCode,
    pub amount: Decimal,
    /// Everything refunded of the payment so far, this refund included.
    pub refunded_total: Decimal,
    pub points_returned: Decimal,
    pub created_at: Instant,
}

impl Outcome {
    /// The word for what came of it, as it is stored.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self {
            Self::Applied(_) => "applied",
            Self::Rejected(_) => "rejected",
        }
    }

    /// The outcome as JSON.
    ///
    /// # Errors
    /// None of these types fails to serialise; the error is passed on all the same.
    pub fn body(&self) -> serde_json::Result<String> {
        match self {
            Self::Applied(receipt) => serde_json::to_string(receipt),
            Self::Rejected(rejection) => Ok(rejection.body()),
        }
    }

    /// Reads a stored outcome of a command of `kind`.
    ///
    /// # Errors
    /// If the text is no outcome of that kind.
    pub fn parse(kind: &str, verdict: &str, body: &str) -> serde_json::Result<Self> {
        if verdict != "applied" {
            return serde_json::from_str(body).map(Self::Rejected);
        }
        Receipt::parse(kind, body).map(Self::Applied)
    }
}

impl Receipt {
    /// Reads the stored receipt of a command of `kind`.
    fn parse(kind: &str, body: &str) -> serde_json::Result<Self> {
        match kind {
            "pay" => serde_json::from_str(body).map(Self::Payment),
            "authorize" | "capture" | "void" | "expire_hold" => serde_json::from_str(body).map(Self::Hold),
            "refund" => serde_json::from_str(body).map(Self::Refund),
            "top_up" => serde_json::from_str(body).map(Self::TopUp),
            "propose_adjustment" | "decline_adjustment" | "apply_adjustment" => {
                serde_json::from_str(body).map(Self::Adjustment)
            }
            "settle" | "fail_payout" => serde_json::from_str(body).map(Self::Payout),
            "set_account_status" => serde_json::from_str(body).map(Self::Account),
            "fence" => serde_json::from_str(body).map(Self::Fence),
            _ => serde_json::from_str(body).map(Self::Movement),
        }
    }
}

/// What the ledger answers to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub outcome: Outcome,
    /// The outcome's JSON, the same bytes at every replay.
    pub body: String,
    /// Whether the outcome is that of an earlier call with this key.
    pub replayed: bool,
    pub key_expires_at: Instant,
}
