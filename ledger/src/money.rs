//! Money: decimal amounts with one grammar, one range and one rounding (MISSION B6).
//!
//! # Invariants
//! An [`Amount`] is above zero, below 10^15, and has at most eight decimals. A float can't become one: there is no
//! conversion from `f32` or `f64`, and the grammar has no exponent.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A moment, in UTC, to the microsecond.
pub type Instant = chrono::DateTime<chrono::Utc>;

/// The most digits before the point: a balance of 10^18 holds a thousand of the largest operations.
const MAX_WHOLE_DIGITS: usize = 15;
/// The most digits after the point; an asset may allow fewer.
pub const MAX_SCALE: u32 = 8;

/// How much an operation moves: above zero, below 10^15, at most eight decimals, in units of its asset.
///
/// It remembers how many decimals were written: `1.000` is no amount of yen, lest a thousand be read as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Amount(Decimal);

/// Why a text is not an amount. The message says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AmountError {
    #[error("write the amount in plain digits, such as 1000 or 1.25")]
    Malformed,
    #[error("the amount must be more than zero")]
    NotPositive,
    #[error("the amount has too many digits")]
    TooLarge,
    #[error("the amount has more decimals than this money has")]
    TooManyDecimals,
}

impl AmountError {
    /// The stable word for the error.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Malformed => "AMOUNT_MALFORMED",
            Self::NotPositive => "AMOUNT_NOT_POSITIVE",
            Self::TooLarge => "AMOUNT_TOO_LARGE",
            Self::TooManyDecimals => "AMOUNT_TOO_MANY_DECIMALS",
        }
    }
}

impl Amount {
    /// Reads digits, optionally a point and more digits: nothing else. `rust_decimal`'s own parser also takes `1e3`,
    /// `1_000`, `+5` and `.5`, so it only ever sees what passed this grammar.
    ///
    /// # Errors
    /// [`AmountError`], by what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let negative_zero_or_less = whole.strip_prefix('-').is_some_and(is_digits);
        if negative_zero_or_less && fraction.is_none_or(is_digits) {
            return Err(AmountError::NotPositive);
        }
        let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
        if !is_digits(whole) || has_leading_zero || !fraction.is_none_or(is_digits) {
            return Err(AmountError::Malformed);
        }
        if whole.len() > MAX_WHOLE_DIGITS {
            return Err(AmountError::TooLarge);
        }
        if fraction.is_some_and(|digits| digits.len() > MAX_SCALE as usize) {
            return Err(AmountError::TooManyDecimals);
        }
        let value = Decimal::from_str(text).map_err(|_| AmountError::Malformed)?;
        Self::new(value)
    }

    /// Reads what people type: full-width digits, separators of thousands, a currency sign or word, spaces around.
    /// What could mean two things is refused: a comma that does not separate groups of three, a space inside.
    ///
    /// # Errors
    /// [`AmountError`], by what is wrong with the text.
    pub fn parse_typed(text: &str) -> Result<Self, AmountError> {
        let narrow: String = text.chars().map(narrowed).collect();
        let bare = narrow.trim();
        let bare = bare.strip_prefix(['¥', '$']).unwrap_or(bare);
        let bare = ["円", "pt", "kg"]
            .iter()
            .find_map(|unit| bare.strip_suffix(unit))
            .unwrap_or(bare);
        Self::parse(&ungrouped(bare.trim()).ok_or(AmountError::Malformed)?)
    }

    /// The amount of a decimal.
    ///
    /// # Errors
    /// [`AmountError`] if it is zero or less, 10^15 or more, or has more than eight decimals.
    pub fn new(value: Decimal) -> Result<Self, AmountError> {
        if value <= Decimal::ZERO {
            return Err(AmountError::NotPositive);
        }
        if value.trunc().to_string().len() > MAX_WHOLE_DIGITS {
            return Err(AmountError::TooLarge);
        }
        if value.normalize().scale() > MAX_SCALE {
            return Err(AmountError::TooManyDecimals);
        }
        Ok(Self(value))
    }

    /// The decimal, without trailing zeros: `10` and `10.0` are one.
    #[must_use]
    pub fn value(self) -> Decimal {
        self.0.normalize()
    }

    /// The decimals that were written.
    #[must_use]
    pub fn scale(self) -> u32 {
        self.0.scale()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amount({})", self.0)
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

impl TryFrom<String> for Amount {
    type Error = AmountError;
    fn try_from(text: String) -> Result<Self, AmountError> {
        Self::parse(&text)
    }
}

/// `value` with exactly `scale` decimals, rounded down (toward zero). This is the only rounding there is.
#[must_use]
pub fn round_down(value: Decimal, scale: u32) -> Decimal {
    let mut value = value.trunc_with_scale(scale);
    value.rescale(scale);
    value
}

/// `value` with its thousands separated: `1234567.5` is `1,234,567.5`.
#[must_use]
pub fn grouped(value: Decimal) -> String {
    let text = value.abs().to_string();
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let groups: Vec<&str> = whole
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| str::from_utf8(group).ok())
        .collect();
    let sign = if value.is_sign_negative() && !value.is_zero() {
        "-"
    } else {
        ""
    };
    format!("{sign}{}{fraction}", groups.join(","))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The ASCII form of what a Japanese keyboard types for digits, separators and the yen sign.
fn narrowed(c: char) -> char {
    match c {
        '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
        '，' | '、' => ',',
        '．' => '.',
        '￥' | '\\' => '¥',
        '－' | '−' => '-',
        '\u{3000}' => ' ',
        other => other,
    }
}

/// The text without its separators of thousands; `None` if a comma stands anywhere else.
fn ungrouped(text: &str) -> Option<String> {
    if !text.contains(',') {
        return Some(text.to_owned());
    }
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let well_grouped =
        (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3) && !fraction.contains(',');
    well_grouped.then(|| whole.replace(',', "") + fraction)
}
