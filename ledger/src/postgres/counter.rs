//! Conflicts, replays, missing keys and the like, counted per minute (MISSION A9, C2).
//!
//! Counting never waits for the database: counts gather in memory and are written once a second. A process that is
//! killed loses that second's counts, and nothing else.

use sqlx::{PgExecutor, PgPool};
use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use uuid::Uuid;

use super::Clock;
use crate::{failure::Failure, id::TenantId, money::Instant};

const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    /// A batch that other writers were in the way of, each time it was.
    Conflict,
    /// A call that was answered from its marker.
    Replay,
    /// A call without an idempotency key.
    KeyMissing,
    /// A key that came with another request.
    KeyReused,
    /// A call whose operation was still running.
    InFlight,
    /// A batch that was executed, whatever came of it.
    Batch,
    /// A command of a batch: divided by the batches, how many share a flush to disk.
    BatchedCommand,
    /// Milliseconds that commands waited for their batch to begin.
    QueueWaitMs,
    /// Milliseconds that batches took.
    BatchMs,
}

impl Counter {
    pub const ALL: [Self; 9] = [
        Self::Conflict,
        Self::Replay,
        Self::KeyMissing,
        Self::KeyReused,
        Self::InFlight,
        Self::Batch,
        Self::BatchedCommand,
        Self::QueueWaitMs,
        Self::BatchMs,
    ];

    /// The name as it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Replay => "replay",
            Self::KeyMissing => "key_missing",
            Self::KeyReused => "key_reused",
            Self::InFlight => "in_flight",
            Self::Batch => "batch",
            Self::BatchedCommand => "batched_command",
            Self::QueueWaitMs => "queue_wait_ms",
            Self::BatchMs => "batch_ms",
        }
    }
}

type Counts = BTreeMap<(TenantId, Counter), i64>;

#[derive(Clone)]
pub(super) struct Counters {
    pool: PgPool,
    clock: Clock,
    counts: Arc<Mutex<Counts>>,
}

impl Counters {
    /// Counters that are written once a second for as long as a clone of them lives.
    pub(super) fn new(pool: PgPool, clock: Clock) -> Self {
        let counters = Self {
            pool,
            clock,
            counts: Arc::default(),
        };
        let (pool, counts) = (counters.pool.clone(), Arc::downgrade(&counters.counts));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(FLUSH_EVERY).await;
                let Some(counts) = counts.upgrade() else { return };
                Self {
                    pool: pool.clone(),
                    clock,
                    counts,
                }
                .flush()
                .await;
            }
        });
        counters
    }

    pub(super) fn add(&self, tenant: TenantId, counter: Counter) {
        self.add_all(tenant, [(counter, 1)]);
    }

    pub(super) fn add_all(&self, tenant: TenantId, counts: impl IntoIterator<Item = (Counter, u128)>) {
        let mut gathered = self.lock();
        for (counter, count) in counts {
            let sum = gathered.entry((tenant, counter)).or_default();
            *sum = sum.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        }
    }

    /// Writes what has gathered; what can't be written now is kept for the next time.
    pub(super) async fn flush(&self) {
        let counts = mem::take(&mut *self.lock());
        if counts.is_empty() || write(&self.pool, &counts, (self.clock)()).await.is_ok() {
            return;
        }
        for (name, count) in counts {
            *self.lock().entry(name).or_default() += count;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn write(pool: &PgPool, counts: &Counts, at: Instant) -> Result<(), sqlx::Error> {
    let tenants: Vec<Uuid> = counts.keys().map(|(tenant, _)| tenant.0).collect();
    let names: Vec<String> = counts.keys().map(|(_, counter)| counter.name().to_owned()).collect();
    let values: Vec<i64> = counts.values().copied().collect();
    sqlx::query!(
        r#"
        insert into ledger.counter as c (tenant_id, name, minute_at, count)
        select d.tenant_id, d.name, date_trunc('minute', $4::timestamptz), d.count
        from unnest($1::uuid[], $2::text[], $3::bigint[]) as d (tenant_id, name, count)
        on conflict (tenant_id, name, minute_at) do update set count = c.count + excluded.count
        "#,
        &tenants,
        &names,
        &values,
        at,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The sum of each counter since `since`, by name.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn totals(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    since: Instant,
) -> Result<BTreeMap<String, i64>, Failure> {
    let rows = sqlx::query!(
        r#"
        select name, sum(count)::bigint as "count!"
        from ledger.counter
        where tenant_id = $1 and minute_at >= $2
        group by name
        "#,
        tenant.0,
        since,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.name, row.count)).collect())
}
