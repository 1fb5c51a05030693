//! Leases and the records of runs: all SQL on the schema `job`.

use chrono::TimeDelta;
use ledger::money::Instant;
use sqlx::{PgExecutor, PgPool};

use super::Job;

/// How long a lease lasts after it was taken or renewed. A step of a job takes less.
pub const LENGTH: TimeDelta = TimeDelta::minutes(1);
/// The runs of a job that are kept.
pub const KEPT_RUNS: i64 = 100;

/// The right to run a job and to say what came of it, until somebody takes the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub job: &'static str,
    pub fence: i64,
}

/// When a lease may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// When the job is due.
    Due,
    /// Whether it is due or not.
    Now,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    /// It ended between two steps, because the server does; the rest is left to the next run.
    Stopped,
    Failed(String),
}

impl Outcome {
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Stopped => "stopped",
            Self::Failed(_) => "failed",
        }
    }

    fn error(&self) -> Option<&str> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Succeeded | Self::Stopped => None,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub outcome: Outcome,
    pub count: i64,
    /// What was counted.
    pub note: String,
}

/// A job as the database knows it.
#[derive(Clone, Debug)]
pub struct Status {
    pub name: String,
    pub next_run_at: Instant,
    pub leased_until: Option<Instant>,
    pub last_run: Option<LastRun>,
}

/// The run that took the last lease, as far as it came.
#[derive(Clone, Debug)]
pub struct LastRun {
    pub started_at: Instant,
    pub ended_at: Option<Instant>,
    pub outcome: Option<String>,
    pub count: i64,
    pub note: String,
    pub error: Option<String>,
}

impl Status {
    /// What became of the last run: its outcome, `running`, or `lost` if whoever ran it died.
    #[must_use]
    pub fn word(&self, now: Instant) -> Option<&str> {
        let run = self.last_run.as_ref()?;
        let is_held = self.leased_until.is_some_and(|until| until > now);
        Some(
            run.outcome
                .as_deref()
                .unwrap_or(if is_held { "running" } else { "lost" }),
        )
    }
}

/// Makes a job known, to be run at `next_run_at` or before. What is due earlier stays so, also under a new schedule; what
/// was put off, by another schedule or a clock that ran far ahead, no longer is.
///
/// # Errors
/// If the database can't be asked.
pub async fn register(db: impl PgExecutor<'_>, job: &Job, next_run_at: Instant) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"
        insert into job.job as known (name, schedule, next_run_at)
        values ($1, $2, $3)
        on conflict (name) do update set
            schedule = excluded.schedule,
            next_run_at = least(known.next_run_at, excluded.next_run_at)
        where known.schedule <> excluded.schedule or known.next_run_at > excluded.next_run_at
        "#,
        job.name,
        job.schedule,
        next_run_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes the lease of a job at `at`, and begins its run; `None` if another has it, or if the job is not due.
///
/// # Errors
/// If the database can't be asked.
pub async fn take(
    db: impl PgExecutor<'_>,
    job: &'static str,
    at: Instant,
    when: When,
) -> Result<Option<Lease>, sqlx::Error> {
    let fence = sqlx::query_scalar!(
        r#"
        with taken as (
            update job.job set fence = fence + 1, leased_until = $3
            where name = $1 and (leased_until is null or leased_until <= $2) and (next_run_at <= $2 or $4)
            returning name, fence
        )
        insert into job.run (name, fence, started_at)
        select name, fence, $2 from taken
        returning fence
        "#,
        job,
        at,
        at + LENGTH,
        when == When::Now,
    )
    .fetch_optional(db)
    .await?;
    Ok(fence.map(|fence| Lease { job, fence }))
}

impl Lease {
    /// Holds the lease for longer; false if another has taken the next.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn renew(&self, db: impl PgExecutor<'_>, at: Instant) -> Result<bool, sqlx::Error> {
        let renewed = sqlx::query!(
            "update job.job set leased_until = $3 where name = $1 and fence = $2 and leased_until is not null",
            self.job,
            self.fence,
            at + LENGTH,
        );
        Ok(renewed.execute(db).await?.rows_affected() == 1)
    }

    /// Records the end of the run and hands the lease back; false, and nothing is recorded, if another has taken the next.
    /// Without `next_run_at` the job stays due as it was.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn end(
        &self,
        db: &PgPool,
        at: Instant,
        ended: &Ended,
        next_run_at: Option<Instant>,
    ) -> Result<bool, sqlx::Error> {
        let recorded = sqlx::query!(
            r#"
            with ended as (
                update job.job set leased_until = null, next_run_at = coalesce($3, next_run_at)
                where name = $1 and fence = $2 and leased_until is not null
                returning name, fence
            )
            update job.run r set ended_at = $4, outcome = $5, count = $6, note = $7, error = $8
            from ended
            where r.name = ended.name and r.fence = ended.fence
            "#,
            self.job,
            self.fence,
            next_run_at,
            at,
            ended.outcome.name(),
            ended.count,
            ended.note,
            ended.outcome.error(),
        );
        let is_recorded = recorded.execute(db).await?.rows_affected() == 1;
        if is_recorded {
            self.forget_old_runs(db).await?;
        }
        Ok(is_recorded)
    }

    async fn forget_old_runs(&self, db: &PgPool) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "delete from job.run where name = $1 and fence <= $2",
            self.job,
            self.fence - KEPT_RUNS,
        )
        .execute(db)
        .await?;
        Ok(())
    }
}

/// Every job that the database knows.
///
/// # Errors
/// If the database can't be asked.
pub async fn statuses(db: impl PgExecutor<'_>) -> Result<Vec<Status>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"
        select j.name, j.next_run_at, j.leased_until, r.started_at as "started_at?", r.ended_at, r.outcome,
            coalesce(r.count, 0) as "count!", coalesce(r.note, '') as "note!", r.error
        from job.job j
        left join job.run r on r.name = j.name and r.fence = j.fence
        order by j.name
        "#
    )
    .fetch_all(db)
    .await?;
    let status = rows.into_iter().map(|row| Status {
        name: row.name,
        next_run_at: row.next_run_at,
        leased_until: row.leased_until,
        last_run: row.started_at.map(|started_at| LastRun {
            started_at,
            ended_at: row.ended_at,
            outcome: row.outcome,
            count: row.count,
            note: row.note,
            error: row.error,
        }),
    });
    Ok(status.collect())
}
