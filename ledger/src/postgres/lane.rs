//! The lanes in which this server writes what accounts collect, one for each batch that a tenant can have in flight.
//! Batches that share a hot merchant then never wait for each other, on one server or on several: measured, see
//! ARCHITECTURE.md.
//!
//! A lane is leased, by the database's clock, so that every server has its own while there are enough. A server without
//! one, or that lost its lease, writes in a lane that another may use too: they wait for each other and are as right.

use sqlx::PgPool;
use std::{
    sync::{
        Arc,
        atomic::{AtomicI16, Ordering},
    },
    time::Duration,
};
use uuid::Uuid;

use super::queue::IN_FLIGHT;

/// Lanes that servers share; each is one more row of a balance to read and to lock for whoever takes from it.
const LANES: i32 = 16;
const RENEW_EVERY: Duration = Duration::from_secs(20);
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);
const LEASE_MIN: i32 = 1;

/// A lane of this server; clones share it. The first lane until one is leased.
#[derive(Clone, Default)]
pub(super) struct Lane(Arc<AtomicI16>);

impl Lane {
    pub(super) fn current(&self) -> i16 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The lanes of this server; clones share them.
#[derive(Clone, Default)]
pub(super) struct Lanes([Lane; IN_FLIGHT]);

impl Lanes {
    pub(super) fn each(&self) -> impl DoubleEndedIterator<Item = Lane> {
        self.0.clone().into_iter()
    }

    /// Leases the lanes and keeps them for as long as it is polled.
    pub(super) async fn keep(&self, pool: &PgPool) {
        let holders = [(); IN_FLIGHT].map(|()| Uuid::from_u128(rand::random()));
        loop {
            let mut next = RENEW_EVERY;
            for (lane, holder) in self.0.iter().zip(holders) {
                match lease(pool, holder).await {
                    Ok(Some(leased)) => lane.0.store(leased, Ordering::Relaxed),
                    Ok(None) => next = LOOK_AGAIN_AFTER,
                    Err(error) => tracing::debug!(%error, "no lane could be leased now"),
                }
            }
            tokio::time::sleep(next).await;
        }
    }
}

/// The lane that `holder` has, its lease renewed, or else the first that nobody has; `None` if there is none, or another
/// server took it meanwhile.
pub(super) async fn lease(pool: &PgPool, holder: Uuid) -> Result<Option<i16>, sqlx::Error> {
    let kept = sqlx::query_scalar!(
        "update ledger.lane set leased_until = now() + make_interval(mins => $2) where holder_id = $1 returning lane",
        holder,
        LEASE_MIN,
    )
    .fetch_optional(pool)
    .await?;
    if kept.is_some() {
        return Ok(kept);
    }
    sqlx::query_scalar!(
        r#"
        insert into ledger.lane as l (lane, holder_id, leased_until)
        select free.lane, $1, now() + make_interval(mins => $3)
        from generate_series(0, $2 - 1) as free (lane)
        where not exists (select from ledger.lane taken where taken.lane = free.lane and taken.leased_until > now())
        order by free.lane
        limit 1
        on conflict (lane) do update set holder_id = excluded.holder_id, leased_until = excluded.leased_until
            where l.leased_until <= now()
        returning lane
        "#,
        holder,
        LANES,
        LEASE_MIN,
    )
    .fetch_optional(pool)
    .await
}
