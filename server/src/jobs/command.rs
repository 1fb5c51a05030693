//! `koban job`: every job and what came of it, one line each; or one job, now.

use anyhow::{Context, Result, bail};
use ledger::{Ledger, money::Instant, postgres::connect};
use sqlx::ConnectOptions;

use super::{
    JOBS, Job, attempt,
    lease::{self, Outcome, Status, When},
    named, register,
};
use crate::{
    config::JobCommand,
    serve::{database, is_current},
    shutdown::Ending,
};

/// A job does one thing after another.
const CONNECTIONS: u32 = 2;

type Line = [String; 6];

const HEADINGS: [&str; 6] = [
    "JOB",
    "SCHEDULE (UTC)",
    "NEXT RUN",
    "LAST RUN",
    "OUTCOME",
    "WHAT IT DID",
];

/// Does what was asked.
///
/// # Errors
/// If the database can't be used, there is no such job, another server is running it, or it does not succeed.
pub async fn run(command: JobCommand) -> Result<()> {
    match command {
        JobCommand::List(database) => list(&opened(&database.database_url).await?).await,
        JobCommand::Run { name, database } => {
            let job = named(&name)?;
            run_now(job, &opened(&database.database_url).await?).await
        }
    }
}

/// The ledger in the database, if that has this version's layout.
async fn opened(database_url: &str) -> Result<Ledger> {
    let options = database(database_url)?;
    let connection = options.connect().await;
    is_current(&mut connection.context("the database can't be reached")?).await?;
    Ok(Ledger::new(connect(options, CONNECTIONS)))
}

async fn list(ledger: &Ledger) -> Result<()> {
    let statuses = lease::statuses(ledger.pool()).await?;
    let of = |job: &Job| statuses.iter().find(|status| status.name == job.name);
    let lines: Vec<Line> = JOBS.iter().map(|job| line(job, of(job), ledger.now())).collect();
    for line in table(&lines) {
        say!("{line}");
    }
    Ok(())
}

async fn run_now(job: &'static Job, ledger: &Ledger) -> Result<()> {
    register(job, ledger).await?;
    let Some(ended) = attempt(job, ledger, &Ending::of_process(), When::Now).await? else {
        bail!("another server is running {}", job.name);
    };
    match ended.outcome {
        Outcome::Succeeded => say!("{}: {} {}", job.name, ended.count, ended.note),
        Outcome::Stopped => bail!("{} was stopped after {} {}", job.name, ended.count, ended.note),
        Outcome::Failed(error) => bail!("{} failed: {error}", job.name),
    }
    Ok(())
}

fn line(job: &Job, status: Option<&Status>, now: Instant) -> Line {
    let run = status.and_then(|status| status.last_run.as_ref());
    let outcome = status.and_then(|status| status.word(now));
    let did = run.map(|run| match &run.error {
        Some(error) => error.lines().next().unwrap_or_default().to_owned(),
        None => format!("{} {}", run.count, run.note),
    });
    [
        Some(job.name.to_owned()),
        Some(job.schedule.to_owned()),
        status.map(|status| minute(status.next_run_at)),
        run.map(|run| minute(run.started_at)),
        outcome.map(str::to_owned),
        did,
    ]
    .map(|cell| cell.unwrap_or_else(|| "-".to_owned()))
}

fn minute(at: Instant) -> String {
    at.format("%Y-%m-%d %H:%M").to_string()
}

/// The lines below their headings, in columns.
fn table(lines: &[Line]) -> Vec<String> {
    let lines: Vec<Line> = std::iter::once(HEADINGS.map(str::to_owned))
        .chain(lines.iter().cloned())
        .collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..HEADINGS.len()).filter_map(width).collect();
    let in_columns = |line: &Line| {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(in_columns).collect()
}
