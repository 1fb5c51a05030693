//! The tenant's calendar: which day an instant is on, and when a day begins.

use chrono::{NaiveDate, NaiveTime, TimeDelta, TimeZone};
use chrono_tz::Tz;

use crate::money::Instant;

/// The zone of an IANA name, such as `Asia/Tokyo`; UTC for a name that is none.
#[must_use]
pub fn zone(name: &str) -> Tz {
    name.parse().unwrap_or(Tz::UTC)
}

/// The local day of `at`.
#[must_use]
pub fn day_of(zone: Tz, at: Instant) -> NaiveDate {
    at.with_timezone(&zone).date_naive()
}

/// The first instant of the local day: midnight, or the hour after it where clocks are put forward over midnight.
#[must_use]
pub fn beginning_of(zone: Tz, day: NaiveDate) -> Instant {
    let midnight = day.and_time(NaiveTime::MIN);
    let first = [midnight, midnight + TimeDelta::hours(1)]
        .into_iter()
        .find_map(|time| zone.from_local_datetime(&time).earliest());
    first.map_or_else(|| midnight.and_utc(), |time| time.to_utc())
}
