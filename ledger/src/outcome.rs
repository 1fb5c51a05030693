//! What came of a command, in the form in which it is stored under its key and sent again byte for byte (MISSION A5).

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    account::AssetCode,
    failure::Rejection,
    id::{PaymentId, RefundId, TopUpId},
    money::Instant,
    payment::PaymentStatus,
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
    TopUp(TopUpReceipt),
    Refund(RefundReceipt),
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
        match (verdict, kind) {
            ("rejected", _) => serde_json::from_str(body).map(Self::Rejected),
            (_, "pay") => serde_json::from_str(body).map(|receipt| Self::Applied(Receipt::Payment(receipt))),
            (_, "top_up") => serde_json::from_str(body).map(|receipt| Self::Applied(Receipt::TopUp(receipt))),
            (_, _) => serde_json::from_str(body).map(|receipt| Self::Applied(Receipt::Refund(receipt))),
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
