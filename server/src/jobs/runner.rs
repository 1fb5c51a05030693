//! Runs the jobs when they are due, beside the requests.

use std::time::Duration;

use anyhow::Result;
use ledger::Ledger;
use tokio::{task::JoinSet, time::sleep};

use super::{
    JOBS, Job, attempt,
    lease::{Ended, Outcome, When},
    register,
};
use crate::shutdown::Ending;

/// How often a server looks whether a job is due.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Runs every job whenever it is due and no other server has it, until the process is asked to end; then it lets each
/// finish its step. One that takes long keeps no other waiting.
pub async fn keep_running(ledger: Ledger, ending: Ending) {
    let mut loops: JoinSet<()> = JOBS
        .iter()
        .map(|job| keep_running_one(job, ledger.clone(), ending.clone()))
        .collect();
    while loops.join_next().await.is_some() {}
}

async fn keep_running_one(job: &'static Job, ledger: Ledger, mut ending: Ending) {
    let mut is_known = false;
    while !ending.is_asked() {
        if let Err(error) = look(job, &ledger, &ending, &mut is_known).await {
            tracing::warn!(
                job = job.name,
                error = format!("{error:#}"),
                "a job could not be run or recorded"
            );
        }
        tokio::select! {
            () = sleep(LOOK_EVERY) => {}
            () = ending.wait() => {}
        }
    }
}

/// Runs the job if it is due.
async fn look(job: &'static Job, ledger: &Ledger, ending: &Ending, is_known: &mut bool) -> Result<()> {
    if !*is_known {
        register(job, ledger).await?;
        *is_known = true;
    }
    if let Some(ended) = attempt(job, ledger, ending, When::Due).await? {
        report(job, &ended);
    }
    Ok(())
}

fn report(job: &Job, ended: &Ended) {
    match &ended.outcome {
        Outcome::Failed(error) => tracing::error!(job = job.name, error, "a job failed"),
        Outcome::Succeeded | Outcome::Stopped => {
            tracing::debug!(
                job = job.name,
                outcome = ended.outcome.name(),
                count = ended.count,
                "a job ended"
            );
        }
    }
}
