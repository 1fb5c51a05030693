//! Who holds money and what kinds of money there are.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

use crate::{
    id::AccountId,
    money::{Amount, AmountError, grouped, round_down},
};

/// The code of an asset: `ECOPAY`, `POINT`, `JCREDIT`, or `REGIONAL#` and a key of lower-case letters, digits and
/// hyphens (MISSION B1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct AssetCode(String);

/// A text that is no asset's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an asset is ECOPAY, POINT, JCREDIT, or REGIONAL# and a key")]
pub struct AssetCodeError;

impl AssetCode {
    /// Reads a code.
    ///
    /// # Errors
    /// [`AssetCodeError`] if the text has not the form of a code; whether a tenant has the asset is another question.
    pub fn parse(text: &str) -> Result<Self, AssetCodeError> {
        let is_key = |key: &str| {
            (1..=32).contains(&key.len())
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        match text {
            "ECOPAY" | "POINT" | "JCREDIT" => Ok(Self(text.to_owned())),
            _ if text.strip_prefix("REGIONAL#").is_some_and(is_key) => Ok(Self(text.to_owned())),
            _ => Err(AssetCodeError),
        }
    }

    /// The main prepaid balance.
    #[must_use]
    pub fn main() -> Self {
        Self("ECOPAY".to_owned())
    }

    /// The points that payments earn.
    #[must_use]
    pub fn point() -> Self {
        Self("POINT".to_owned())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AssetCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<AssetCode> for String {
    fn from(code: AssetCode) -> Self {
        code.0
    }
}

impl TryFrom<String> for AssetCode {
    type Error = AssetCodeError;
    fn try_from(text: String) -> Result<Self, AssetCodeError> {
        Self::parse(&text)
    }
}

/// A kind of money, with the tenant's policy for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    pub code: AssetCode,
    pub name_ja: String,
    pub name_en: String,
    /// Digits after the point.
    pub scale: u32,
    pub sign: String,
    pub sign_before: bool,
    /// The balance that a charge may not lift above; the bonus may.
    pub cap: Option<Decimal>,
    /// Bonus per unit charged.
    pub bonus_rate: Decimal,
    /// Points per unit paid.
    pub point_rate: Decimal,
}

impl Asset {
    /// `value` to this asset's scale, rounded down.
    #[must_use]
    pub fn round_down(&self, value: Decimal) -> Decimal {
        round_down(value, self.scale)
    }

    /// `amount` in this asset.
    ///
    /// # Errors
    /// [`AmountError::TooManyDecimals`] if the asset has no such small unit.
    pub fn checked(&self, amount: Amount) -> Result<Decimal, AmountError> {
        if amount.scale() > self.scale {
            return Err(AmountError::TooManyDecimals);
        }
        Ok(self.round_down(amount.value()))
    }

    /// `value` as a person reads it, with the asset's sign: `¥1,000`, `120 pt`, `1.250 kg`.
    #[must_use]
    pub fn display(&self, value: Decimal) -> String {
        let digits = grouped(self.round_down(value));
        match (self.sign_before, digits.strip_prefix('-')) {
            (true, Some(digits)) => format!("-{}{digits}", self.sign),
            (true, None) => format!("{}{digits}", self.sign),
            (false, _) => format!("{digits} {}", self.sign),
        }
    }
}

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
}

impl SystemAccount {
    pub const ALL: [Self; 3] = [Self::Funding, Self::Bonus, Self::Points];

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
