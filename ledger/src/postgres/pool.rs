//! The connections: every wait on them has a limit, and none is handed out inside an open database transaction.

use sqlx::{
    Connection, Executor, PgPool, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::time::Duration;

/// How long a statement waits for a lock before it counts as a conflict.
const LOCK_TIMEOUT: &str = "2s";
const STATEMENT_TIMEOUT: &str = "15s";
const IDLE_IN_TRANSACTION_TIMEOUT: &str = "15s";
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// A pool on `options` that connects when it is first used.
#[must_use]
pub fn connect(options: PgConnectOptions, max_connections: u32) -> PgPool {
    let options = options.application_name("koban").options([
        ("lock_timeout", LOCK_TIMEOUT),
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_TIMEOUT),
        ("client_min_messages", "error"),
        ("timezone", "UTC"),
        // Statements over `unnest` of a batch are planned once: a batch of 1 and of 500 want the same plan.
        ("plan_cache_mode", "force_generic_plan"),
        ("jit", "off"),
    ]);
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A `begin` that was cancelled can leave its session inside a transaction (sqlx#4393): what is written in it
        // later would be acknowledged and lost. Where there is none, an empty one is begun and ended: a bare roll-back
        // would write a warning to the server's log each time.
        .before_acquire(|connection, _| {
            Box::pin(async move {
                connection.execute("begin; rollback").await?;
                Ok(true)
            })
        })
        // The roll-back above would fail on a dead connection just as the pool's own ping does.
        .test_before_acquire(false)
        .connect_lazy_with(options)
}

/// A worker's connection: kept from batch to batch while commands wait. Its server process then has this tenant's rows
/// at hand; a pool hands its connections out in turn.
pub(super) struct Lease {
    pool: PgPool,
    kept: Option<PoolConnection<Postgres>>,
}

impl Lease {
    pub(super) fn new(pool: PgPool) -> Self {
        Self { pool, kept: None }
    }

    /// The kept connection if it is alive, else one of the pool's.
    pub(super) async fn take(&mut self) -> Result<PoolConnection<Postgres>, sqlx::Error> {
        if let Some(mut kept) = self.kept.take()
            && kept.ping().await.is_ok()
        {
            return Ok(kept);
        }
        self.pool.acquire().await
    }

    /// Keeps a connection that is outside a database transaction, unless others may be waiting for one.
    pub(super) fn keep(&mut self, connection: PoolConnection<Postgres>) {
        let can_open_more = self.pool.size() < self.pool.options().get_max_connections();
        if can_open_more || self.pool.num_idle() > 0 {
            self.kept = Some(connection);
        }
    }

    /// Hands back what was kept.
    pub(super) fn end(&mut self) {
        self.kept = None;
    }
}
