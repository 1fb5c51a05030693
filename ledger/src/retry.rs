//! When to try a conflicting operation again (MISSION C1).

use std::time::Duration;

/// Retries after the first attempt.
pub const RETRIES: u32 = 3;

const BASE_MS: u64 = 50;

/// The wait before retry `attempt` (0 is the first): 50 ms x 2^attempt, plus up to half of it. `random` is any number,
/// evenly distributed; without it, conflicting writers would meet again.
#[must_use]
pub fn backoff(attempt: u32, random: u64) -> Duration {
    let base_ms = BASE_MS << attempt.min(RETRIES);
    Duration::from_millis(base_ms + random % (base_ms / 2 + 1))
}
