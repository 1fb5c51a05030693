//! Who holds money, and who asks.

use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

use crate::{failure::Rejection, id::AccountId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum AccountKind {
    Customer,
    Merchant,
    System,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum AccountStatus {
    Active,
    /// Neither pays nor is paid.
    Frozen,
    Closed,
}

impl AccountStatus {
    /// Whether an account of this status may get status `to`: it is frozen and let act again, and what is closed stays so.
    ///
    /// # Errors
    /// [`Rejection::AccountStatusStays`] if it may not.
    pub fn to(self, to: Self) -> Result<Self, Rejection> {
        match (self, to) {
            (Self::Active, Self::Frozen | Self::Closed) | (Self::Frozen, Self::Active | Self::Closed) => Ok(to),
            _ => Err(Rejection::AccountStatusStays { status: self }),
        }
    }

    /// The status as it is stored and sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for AccountStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a plan needs to know of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    pub kind: AccountKind,
    pub status: AccountStatus,
}

/// The tenant's own accounts, the other side of every entry that brings value in or takes it out.
///
/// Their ids are the same in every tenant (a key is tenant and id), so a plan names them without a look-up. They keep
/// no balance row: theirs is the sum of their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemAccount {
    /// Money that came in for the charges of balances.
    Funding,
    /// What the tenant gave on top of charges.
    Bonus,
    /// Points that purchases earned.
    Points,
    /// What the tenant gave away in campaigns.
    Campaign,
    /// Value that lasted no longer.
    Expired,
    /// What was paid out to merchants.
    Settlement,
    /// The other side of corrections.
    Adjustment,
}

impl SystemAccount {
    pub const ALL: [Self; 7] = [
        Self::Funding,
        Self::Bonus,
        Self::Points,
        Self::Campaign,
        Self::Expired,
        Self::Settlement,
        Self::Adjustment,
    ];

    #[must_use]
    pub fn id(self) -> AccountId {
        AccountId(Uuid::from_u128(
            0x0000_0000_0000_7000_8000_0000_0000_0001 + self as u128,
        ))
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Funding => "funding",
            Self::Bonus => "bonus",
            Self::Points => "points",
            Self::Campaign => "campaign",
            Self::Expired => "expired",
            Self::Settlement => "settlement",
            Self::Adjustment => "adjustment",
        }
    }
}

/// Who asks, proven by whoever let them in. Idempotency keys belong to an actor (A05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Actor {
    pub kind: ActorKind,
    pub id: Uuid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActorKind {
    Customer,
    Merchant,
    Admin,
    Terminal,
    ApiKey,
    /// Koban itself: seeding and jobs.
    System,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ActorKind::Customer => "customer",
            ActorKind::Merchant => "merchant",
            ActorKind::Admin => "admin",
            ActorKind::Terminal => "terminal",
            ActorKind::ApiKey => "api_key",
            ActorKind::System => "system",
        };
        write!(f, "{kind}:{}", self.id)
    }
}
