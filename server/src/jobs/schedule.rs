//! When a job is due.

use anyhow::{Context, Result};
use croner::Cron;
use ledger::money::Instant;

/// The first tick of `schedule` after `instant`. Ticks are in UTC, where every hour happens once.
///
/// # Errors
/// If the schedule can't be read, or has no such tick.
pub fn next_tick(schedule: &str, instant: Instant) -> Result<Instant> {
    let next = schedule
        .parse::<Cron>()
        .and_then(|cron| cron.find_next_occurrence(&instant, false));
    next.with_context(|| format!("the schedule `{schedule}` has no next tick"))
}
