//! A payment and the one table of moves that its status may make (MISSION D3).
//!
//! # Invariants
//! A [`Move`] exists only for a pair in [`MOVES`]; the database holds the same table in
//! `ledger.payment_move_is_allowed`, and a test compares the two.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{
    account::AssetCode,
    failure::Rejection,
    id::{AccountId, PaymentId},
    money::Instant,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum PaymentStatus {
    Processing,
    Authorized,
    Captured,
    PartiallyRefunded,
    Refunded,
    Voided,
    Expired,
    Failed,
}

use PaymentStatus::{Authorized, Captured, Expired, Failed, PartiallyRefunded, Processing, Refunded, Voided};

/// Every move that a status may make.
pub const MOVES: [(PaymentStatus, PaymentStatus); 10] = [
    (Processing, Authorized),
    (Processing, Captured),
    (Processing, Failed),
    (Authorized, Captured),
    (Authorized, Voided),
    (Authorized, Expired),
    (Captured, PartiallyRefunded),
    (Captured, Refunded),
    (PartiallyRefunded, PartiallyRefunded),
    (PartiallyRefunded, Refunded),
];

impl PaymentStatus {
    pub const ALL: [Self; 8] = [
        Processing,
        Authorized,
        Captured,
        PartiallyRefunded,
        Refunded,
        Voided,
        Expired,
        Failed,
    ];

    /// The status as it is stored and sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Processing => "processing",
            Authorized => "authorized",
            Captured => "captured",
            PartiallyRefunded => "partially_refunded",
            Refunded => "refunded",
            Voided => "voided",
            Expired => "expired",
            Failed => "failed",
        }
    }

    /// The move from this status to `to`.
    ///
    /// # Errors
    /// [`Rejection::IllegalTransition`] if [`MOVES`] has no such move.
    pub fn to(self, to: Self) -> Result<Move, Rejection> {
        if MOVES.contains(&(self, to)) {
            return Ok(Move { from: self, to });
        }
        Err(Rejection::IllegalTransition { from: self, to })
    }
}

impl fmt::Display for PaymentStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An allowed change of status; made by [`PaymentStatus::to`] alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: PaymentStatus,
    to: PaymentStatus,
}

impl Move {
    #[must_use]
    pub fn from(self) -> PaymentStatus {
        self.from
    }

    #[must_use]
    pub fn to(self) -> PaymentStatus {
        self.to
    }
}

/// A payment as it stands. Amounts are in units of its asset; points in units of `POINT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    pub payment_id: PaymentId,
    pub payer: AccountId,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub captured: Decimal,
    pub refunded: Decimal,
    pub status: PaymentStatus,
    pub memo: Option<String>,
    pub points_earned: Decimal,
    /// Points that refunds took back.
    pub points_returned: Decimal,
    /// Kilograms.
    pub co2_saved_kg: Decimal,
    pub created_at: Instant,
}

impl Payment {
    /// What may still be refunded.
    #[must_use]
    pub fn refundable(&self) -> Decimal {
        self.captured - self.refunded
    }
}
