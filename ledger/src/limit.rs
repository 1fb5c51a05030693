//! What one customer may do with an asset: per operation, per local day and month, and how often.
//!
//! Usage is read and written under the lock of the balance that it limits, so calls that come together can't pass
//! together. What is undone later is not given back: a limit is about what was done, not about what is left of it.
//!
//! # Invariants
//! A bound is above zero (A27: a negative limit is no limit that anybody means).

use chrono::{Datelike, NaiveDate, TimeDelta};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

use crate::{
    failure::Rejection,
    money::{Amount, Instant},
};

/// The operations that can be limited; a hold counts as a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "postgres",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum LimitKind {
    Pay,
    TopUp,
    Transfer,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pay => "pay",
            Self::TopUp => "top_up",
            Self::Transfer => "transfer",
        })
    }
}

/// The limits of an asset, by what they limit.
pub type Limits = BTreeMap<LimitKind, Limit>;

/// The bounds of one kind of operation; what is `None` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    pub per_operation: Option<Amount>,
    /// Of the tenant's local day.
    pub per_day: Option<Amount>,
    /// Of the tenant's local month.
    pub per_month: Option<Amount>,
    /// The least time between two operations, in seconds.
    pub min_interval_s: Option<u32>,
}

/// Which bound stood in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    PerOperation,
    PerDay,
    PerMonth,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PerOperation => "operation",
            Self::PerDay => "day",
            Self::PerMonth => "month",
        })
    }
}

/// What an account has done of one kind with one asset, in the local day and month in which it last acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Usage {
    pub day_on: NaiveDate,
    pub day_total: Decimal,
    pub month_total: Decimal,
    pub last_at: Instant,
}

impl Limit {
    /// The usage after `amount` more at `at`, which is on the local day `today`.
    ///
    /// # Errors
    /// [`Rejection::LimitExceeded`] or [`Rejection::TooSoon`], by the first bound that stands in the way.
    pub fn admit(
        &self,
        used: Option<&Usage>,
        amount: Decimal,
        at: Instant,
        today: NaiveDate,
    ) -> Result<Usage, Rejection> {
        if let (Some(used), Some(seconds)) = (used, self.min_interval_s) {
            let again_at = used.last_at + TimeDelta::seconds(seconds.into());
            if at < again_at {
                return Err(Rejection::TooSoon { again_at });
            }
        }
        let (day, month) = used.map_or((Decimal::ZERO, Decimal::ZERO), |used| used.totals_on(today));
        let bounds = [
            (Bound::PerOperation, self.per_operation, Decimal::ZERO),
            (Bound::PerDay, self.per_day, day),
            (Bound::PerMonth, self.per_month, month),
        ];
        for (limit, most, used) in bounds {
            if let Some(most) = most.map(Amount::value).filter(|most| used + amount > *most) {
                let allowed = (most - used).max(Decimal::ZERO);
                return Err(Rejection::LimitExceeded { limit, allowed });
            }
        }
        Ok(Usage {
            day_on: used.map_or(today, |used| today.max(used.day_on)),
            day_total: day + amount,
            month_total: month + amount,
            last_at: at,
        })
    }
}

impl Usage {
    /// What counts of it on `today`. A clock that was set back a day keeps counting on the later day.
    fn totals_on(&self, today: NaiveDate) -> (Decimal, Decimal) {
        let month = |day: NaiveDate| (day.year(), day.month());
        if today <= self.day_on {
            (self.day_total, self.month_total)
        } else if month(today) == month(self.day_on) {
            (Decimal::ZERO, self.month_total)
        } else {
            (Decimal::ZERO, Decimal::ZERO)
        }
    }
}
