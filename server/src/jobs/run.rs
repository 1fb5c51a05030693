//! One run of a job: the lease is taken, the work done step by step, and what came of it recorded.

use std::any::Any;

use anyhow::{Result, bail};
use ledger::Ledger;

use super::{
    Job,
    lease::{self, Ended, Lease, Outcome, When},
    schedule::next_tick,
};
use crate::shutdown::Ending;

/// What a job is given to work with.
pub struct Run {
    pub ledger: Ledger,
    lease: Lease,
    ending: Ending,
    is_stopped: bool,
    count: i64,
    note: String,
}

impl Run {
    /// Asked before each step: whether to take it. Not when the server ends, nor when another holds the lease; otherwise the
    /// lease is renewed.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn may_go_on(&mut self) -> Result<bool> {
        if !self.is_stopped {
            let goes_on = !self.ending.is_asked() && self.lease.renew(self.ledger.pool(), self.ledger.now()).await?;
            self.is_stopped = !goes_on;
        }
        Ok(!self.is_stopped)
    }

    /// Adds to what the run did: `count` more of what `note` says.
    pub fn did(&mut self, count: u64, note: &str) {
        self.count = self.count.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        note.clone_into(&mut self.note);
    }

    fn ended(self, outcome: Outcome) -> Ended {
        Ended {
            outcome,
            count: self.count,
            note: self.note,
        }
    }
}

/// Runs `job` unless another does or, for [`When::Due`], it is not due; `None` if so.
///
/// The next run is at the first tick after this one's start: ticks that were missed are made up for by one run, and one
/// that passes during a run is not lost. A run that was stopped leaves its job due.
///
/// # Errors
/// If the database can't be asked, or another has taken the lease meanwhile. A job that fails is no error, it is recorded.
pub async fn attempt(job: &'static Job, ledger: &Ledger, ending: &Ending, when: When) -> Result<Option<Ended>> {
    let started_at = ledger.now();
    let tick = next_tick(job.schedule, started_at)?;
    let Some(lease) = lease::take(ledger.pool(), job.name, started_at, when).await? else {
        return Ok(None);
    };
    let run = Run {
        ledger: ledger.clone(),
        lease: lease.clone(),
        ending: ending.clone(),
        is_stopped: false,
        count: 0,
        note: String::new(),
    };
    let ended = perform(job, run).await;
    let next_run_at = (ended.outcome != Outcome::Stopped).then_some(tick);
    if !lease.end(ledger.pool(), ledger.now(), &ended, next_run_at).await? {
        bail!("another server took over {} before it had ended", job.name);
    }
    Ok(Some(ended))
}

/// Does the work in a task of its own, so that a panic ends nothing else.
async fn perform(job: &'static Job, mut run: Run) -> Ended {
    let work = tokio::spawn(async move {
        let done = (job.work)(&mut run).await;
        let outcome = match done {
            Ok(()) if run.is_stopped => Outcome::Stopped,
            Ok(()) => Outcome::Succeeded,
            Err(error) => Outcome::Failed(format!("{error:#}")),
        };
        run.ended(outcome)
    });
    work.await.unwrap_or_else(|error| Ended {
        outcome: Outcome::Failed(error.try_into_panic().map_or_else(|error| error.to_string(), words)),
        count: 0,
        note: String::new(),
    })
}

/// What a panic said.
fn words(panic: Box<dyn Any + Send>) -> String {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("it panicked: {}", words.unwrap_or("without a word"))
}
