//! A merchant's balance paid out to its bank account; one that the bank sends back is failed, once.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    asset::AssetCode,
    failure::Rejection,
    id::{AccountId, PayoutId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum PayoutStatus {
    Paid,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    pub payout_id: PayoutId,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub status: PayoutStatus,
}

impl Payout {
    /// Whether it can still fail.
    ///
    /// # Errors
    /// [`Rejection::AlreadyReversed`] if it has.
    pub fn paid(&self) -> Result<(), Rejection> {
        match self.status {
            PayoutStatus::Paid => Ok(()),
            PayoutStatus::Failed => Err(Rejection::AlreadyReversed),
        }
    }
}
