//! What the servers do by the clock, once for all of them: which jobs there are, and the records of their runs.
//!
//! # Invariants
//! - Whoever takes a job's lease runs it. Each lease has a higher fence, and all that a run records is guarded by it.
//! - A job is a loop of short steps that asks before each whether it may go on; that renews the lease.
//! - Leases are judged by the servers' clocks, so two servers may now and then run a job at once. A job is written so
//!   that this is harmless: a lease saves work and keeps the records straight, and proves nothing about money.

pub mod command;
mod expiries;
pub mod lease;
mod run;
mod runner;
pub mod schedule;
mod sweeps;

use std::pin::Pin;

use anyhow::{Context, Result};
use ledger::Ledger;

pub use run::{Run, attempt};
pub use runner::keep_running;

/// Something to do again and again.
pub struct Job {
    pub name: &'static str,
    /// Minute, hour, day of the month, month and day of the week, in UTC.
    pub schedule: &'static str,
    pub work: Work,
}

/// What a job does with its run.
pub type Work = for<'a> fn(&'a mut Run) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Every job.
pub static JOBS: [Job; 4] = [
    Job {
        name: "expire-holds",
        schedule: "* * * * *",
        work: |run| Box::pin(expiries::holds(run)),
    },
    Job {
        name: "expire-lots",
        schedule: "2-59/15 * * * *",
        work: |run| Box::pin(expiries::lots(run)),
    },
    Job {
        name: "sweep-markers",
        schedule: "*/10 * * * *",
        work: |run| Box::pin(sweeps::markers(run)),
    },
    Job {
        name: "sweep-sessions",
        schedule: "5-59/10 * * * *",
        work: |run| Box::pin(sweeps::sessions(run)),
    },
];

/// The job of that name.
///
/// # Errors
/// If there is none; the message lists those that there are.
pub fn named(name: &str) -> Result<&'static Job> {
    let job = JOBS.iter().find(|job| job.name == name);
    job.with_context(|| {
        let known: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        format!("there is no job {name}; there are {}", known.join(", "))
    })
}

/// Makes the job known to the database, if it is not.
///
/// # Errors
/// If the database can't be asked, or the schedule can't be read.
pub async fn register(job: &Job, ledger: &Ledger) -> Result<()> {
    let first_tick = schedule::next_tick(job.schedule, ledger.now())?;
    Ok(lease::register(ledger.pool(), job, first_tick).await?)
}
