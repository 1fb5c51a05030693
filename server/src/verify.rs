//! `koban verify`: every invariant of the ledger, one line each.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, ensure};
use ledger::postgres::{connect, verify};
use sqlx::postgres::PgConnectOptions;

use crate::{
    config::Verify,
    database::{PrivateDatabase, running},
    serve::database,
};

/// Checks the database that `settings` name; the exit code is 1 if an invariant is broken.
///
/// # Errors
/// If the database can't be reached.
pub async fn run(settings: Verify) -> Result<ExitCode> {
    if let (None, Some(url)) = (&settings.data, &settings.database_url) {
        return check(database(url)?).await;
    }
    let data = settings.data.unwrap_or_else(|| PathBuf::from("data"));
    ensure!(
        data.join("postgres").is_dir(),
        "there is no database in {}",
        data.display()
    );
    if let Some(options) = running(&data)? {
        return check(options).await;
    }
    let database = PrivateDatabase::start(&data, settings.programs.folder.as_deref()).await?;
    let verdict = check(database.options()).await;
    database.stop().await;
    verdict
}

async fn check(options: PgConnectOptions) -> Result<ExitCode> {
    let pool = connect(options, 1);
    let checks = verify::run(&pool).await?;
    for check in &checks {
        match (check.broken, check.sample.as_deref()) {
            (0, _) => say!("ok      {}", check.name),
            (broken, sample) => say!("BROKEN  {}: {broken}, such as {}", check.name, sample.unwrap_or("-")),
        }
    }
    pool.close().await;
    let is_clean = checks.iter().all(|check| check.broken == 0);
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
