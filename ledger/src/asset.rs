//! What kinds of money there are, and the tenant's policy for each.

use chrono::{Datelike, Days, Months, NaiveDate};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

use crate::{
    limit::Limits,
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
    /// Whether customers may hand it to each other.
    pub transferable: bool,
    /// How long its value lasts in a customer's hands, held in lots; `None` is for ever.
    pub expiry: Option<Expiry>,
    /// What one customer may do with it.
    pub limits: Limits,
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

/// How long the value of an asset lasts. It always ends with a local day, so that people can be told a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Expiry {
    /// Until the end of the local day that many days later, 1 to 999.
    Days(u16),
    /// Until the end of the local month that many months later, 1 to 999.
    Months(u16),
}

/// A text that is no expiry rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an expiry rule is days: or months: and a number from 1 to 999")]
pub struct ExpiryError;

impl Expiry {
    /// The first local day on which value that was made on `made_on` is gone.
    #[must_use]
    pub fn gone_on(self, made_on: NaiveDate) -> NaiveDate {
        let gone_on = match self {
            Self::Days(days) => made_on.checked_add_days(Days::new(u64::from(days) + 1)),
            Self::Months(months) => made_on
                .with_day(1)
                .and_then(|first| first.checked_add_months(Months::new(u32::from(months) + 1))),
        };
        gone_on.unwrap_or(NaiveDate::MAX)
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "days:{days}"),
            Self::Months(months) => write!(f, "months:{months}"),
        }
    }
}

impl FromStr for Expiry {
    type Err = ExpiryError;
    fn from_str(text: &str) -> Result<Self, ExpiryError> {
        let (unit, number) = text.split_once(':').ok_or(ExpiryError)?;
        let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number && !number.starts_with('0'));
        match (unit, number) {
            ("days", Some(days)) => Ok(Self::Days(days)),
            ("months", Some(months)) => Ok(Self::Months(months)),
            _ => Err(ExpiryError),
        }
    }
}

impl From<Expiry> for String {
    fn from(expiry: Expiry) -> Self {
        expiry.to_string()
    }
}

impl TryFrom<String> for Expiry {
    type Error = ExpiryError;
    fn try_from(text: String) -> Result<Self, ExpiryError> {
        text.parse()
    }
}
