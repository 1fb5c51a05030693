//! A payment and the one table of moves that its status may make (MISSION D3).
//!
//! # Invariants
//! A [`Move`] exists only for a pair in [`MOVES`]; the database holds the same table in
//! `ledger.payment_move_is_allowed`, and a test compares the two.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{
    asset::AssetCode,
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
pub const MOVES: [(PaymentStatus, PaymentStatus); 11] = [
    (Processing, Authorized),
    (Processing, Captured),
    (Processing, Failed),
    (Authorized, Captured),
    (Authorized, Voided),
    (Authorized, Expired),
    // A further capture of what is held, or the release of the rest.
    (Captured, Captured),
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

impl PaymentStatus {
    /// The move to a status that somebody outside reports; `None` where it tells nothing new. Reports come late and out of
    /// order, so one that lies behind this status, by any way through [`MOVES`], changes nothing (A08).
    ///
    /// # Errors
    /// [`Rejection::IllegalTransition`] if no way leads from one to the other: somebody must look.
    pub fn observed(self, reported: Self) -> Result<Option<Move>, Rejection> {
        if self == reported || reported.leads_to(self) {
            return Ok(None);
        }
        self.to(reported).map(Some)
    }

    /// Whether moves lead from this status to `to`.
    fn leads_to(self, to: Self) -> bool {
        let further = |&(from, next): &(Self, Self)| from == self && next != self && (next == to || next.leads_to(to));
        MOVES.iter().any(further)
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
    /// What was asked for; of a hold, the most that can be captured.
    pub amount: Decimal,
    pub captured: Decimal,
    /// Authorised and neither captured nor released.
    pub held: Decimal,
    pub refunded: Decimal,
    pub status: PaymentStatus,
    pub memo: Option<String>,
    pub points_earned: Decimal,
    /// Points of those earned that went into what the payer owed.
    pub points_withheld: Decimal,
    /// Points that refunds took back.
    pub points_returned: Decimal,
    /// Kilograms.
    pub co2_saved_kg: Decimal,
    /// When what is held is released by itself; `None` for a payment that never held anything.
    pub hold_expires_at: Option<Instant>,
    pub created_at: Instant,
}

impl Payment {
    /// What may still be refunded.
    #[must_use]
    pub fn refundable(&self) -> Decimal {
        self.captured - self.refunded
    }

    /// The payment moved to the status `to`, with its amounts altered.
    ///
    /// # Errors
    /// [`Rejection::IllegalTransition`] if [`MOVES`] has no such move.
    pub fn change(&self, to: PaymentStatus, alter: impl FnOnce(&mut Self)) -> Result<PaymentChange, Rejection> {
        let moved = self.status.to(to)?;
        let mut after = self.clone();
        alter(&mut after);
        after.status = moved.to();
        Ok(PaymentChange {
            before: Box::new(self.clone()),
            after: Box::new(after),
        })
    }
}

/// A payment's change along [`MOVES`], made by [`Payment::change`] alone. It is written only where status and amounts
/// are still those before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentChange {
    before: Box<Payment>,
    after: Box<Payment>,
}

impl PaymentChange {
    #[must_use]
    pub fn before(&self) -> &Payment {
        &self.before
    }

    #[must_use]
    pub fn after(&self) -> &Payment {
        &self.after
    }

    /// This change and the next one of the same payment, as one.
    pub(crate) fn then(&mut self, next: Self) {
        self.after = next.after;
    }
}
