//! A correction of a balance under four eyes: proposed by one, applied or declined by another (F2).

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    asset::AssetCode,
    failure::Rejection,
    id::{AccountId, AdjustmentId},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum AdjustmentStatus {
    Proposed,
    Applied,
    Declined,
}

impl AdjustmentStatus {
    /// The status as it is stored and sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Applied => "applied",
            Self::Declined => "declined",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    pub adjustment_id: AdjustmentId,
    pub account: AccountId,
    pub asset: AssetCode,
    /// What is added; below zero, what is taken.
    pub amount: Decimal,
    pub reason: String,
    pub status: AdjustmentStatus,
    /// The actor who proposed it.
    pub proposed_by: String,
}

impl Adjustment {
    /// Whether it is still to be decided.
    ///
    /// # Errors
    /// [`Rejection::AlreadyDecided`] if it is not.
    pub fn undecided(&self) -> Result<(), Rejection> {
        match self.status {
            AdjustmentStatus::Proposed => Ok(()),
            status => Err(Rejection::AlreadyDecided { status }),
        }
    }

    /// Whether `actor` may apply it: somebody else than who proposed it.
    ///
    /// # Errors
    /// [`Rejection::AlreadyDecided`], [`Rejection::SecondPersonNeeded`].
    pub fn applicable_by(&self, actor: &str) -> Result<(), Rejection> {
        self.undecided()?;
        if actor == self.proposed_by {
            return Err(Rejection::SecondPersonNeeded);
        }
        Ok(())
    }
}
