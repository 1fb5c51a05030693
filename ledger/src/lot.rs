//! Value that expires together. A customer's holding of an asset with an expiry rule is the sum of its lots.
//!
//! # Invariants
//! - Value is spent soonest expiry first; of value that expires together, what was given before what was paid for.
//! - What a refund brings back, it brings back to the lots that were spent, with their old expiry.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::{asset::AssetCode, id::AccountId, money::Instant};

/// What tells one lot from another: value of one holder that expires together and was come by in one way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LotKey {
    pub account: AccountId,
    pub asset: AssetCode,
    pub expires_at: Instant,
    /// Whether money was paid for it, or it was given.
    pub paid: bool,
}

/// A lot of a holding that is known from where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    pub expires_at: Instant,
    pub paid: bool,
    pub remaining: Decimal,
}

/// What an operation adds to a lot, or takes from it below zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LotChange {
    pub key: LotKey,
    pub amount: Decimal,
}

/// A share of an amount that belongs to one lot, whoever holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub expires_at: Instant,
    pub paid: bool,
    pub amount: Decimal,
}

impl From<Part> for Lot {
    fn from(part: Part) -> Self {
        Self {
            expires_at: part.expires_at,
            paid: part.paid,
            remaining: part.amount,
        }
    }
}

/// Takes `amount` from `lots`, in their order, each up to what remains; the parts make `amount` if the lots hold as much.
pub(crate) fn spend(lots: impl IntoIterator<Item = Lot>, amount: Decimal) -> Vec<Part> {
    let mut left = amount;
    let mut parts = Vec::new();
    for lot in lots {
        let amount = lot.remaining.min(left);
        if amount > Decimal::ZERO {
            left -= amount;
            parts.push(Part {
                expires_at: lot.expires_at,
                paid: lot.paid,
                amount,
            });
        }
    }
    parts
}
