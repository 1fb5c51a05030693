//! Serves until asked to end, then finishes what is in flight.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use app::context::AppState;
use ledger::{
    Failure,
    postgres::{MIGRATOR, connect, failure_of},
};
use sqlx::{ConnectOptions, PgConnection, migrate::Migrate, postgres::PgConnectOptions};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};

use crate::{
    config::Serve,
    jobs,
    router::router,
    shutdown::{self, Ending},
    state::{self, Surroundings},
};

const RETRY: Duration = Duration::from_secs(2);
/// How long requests in flight may take to end after the process was asked to.
const GRACE: Duration = Duration::from_secs(20);

/// `koban serve`.
///
/// # Errors
/// If a setting can't be used, the database refuses us or has another layout, or the address is taken.
pub async fn run(settings: Serve) -> Result<()> {
    let https = settings.https()?;
    let pepper = settings
        .pepper
        .secret()?
        .context("set KOBAN_PEPPER to a secret of 32 characters or more")?;
    let options = database(&settings.database.database_url)?;
    let listener = bind(settings.address).await?;
    tokio::select! {
        ready = async { is_current(&mut reached(&options).await?).await } => ready?,
        () = shutdown::asked() => return Ok(()),
    }
    let pool = connect(options, settings.connections);
    let state = state::new(
        pool,
        pepper.as_bytes(),
        &settings.site,
        Surroundings { demo: false, https },
    )?;
    say!("koban: serving on {}", settings.address);
    until_asked(listener, state).await
}

/// `koban migrate`.
///
/// # Errors
/// If the database refuses us or a change of its layout.
pub async fn migrate(database_url: &str) -> Result<()> {
    let options = database(database_url)?;
    migrate_database(&options).await?;
    say!("koban: the database has this version's layout");
    Ok(())
}

/// Brings a database to this version's layout; waits while it is down.
pub(crate) async fn migrate_database(options: &PgConnectOptions) -> Result<()> {
    let mut connection = reached(options).await?;
    MIGRATOR
        .run(&mut connection)
        .await
        .context("the database's layout could not be changed")?;
    Ok(())
}

/// Reads a database's URL; an error does not repeat it, for it may hold a password.
pub(crate) fn database(url: &str) -> Result<PgConnectOptions> {
    let options = url.parse::<PgConnectOptions>().ok();
    options.context("DATABASE_URL is not of the form postgres://user:password@host/database")
}

pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("can't listen on {address}"))
}

/// Serves on `listener` and runs the jobs until the process is asked to end, then finishes what is in flight.
pub(crate) async fn until_asked(listener: TcpListener, state: AppState) -> Result<()> {
    let ledger = state.ledger.clone();
    let lanes = tokio::spawn({
        let ledger = ledger.clone();
        async move { ledger.keep_lanes().await }
    });
    let mut ending = Ending::of_process();
    let mut jobs = tokio::spawn(jobs::keep_running(ledger.clone(), ending.clone()));
    let mut ending_of_requests = ending.clone();
    let server = axum::serve(listener, router(state)).with_graceful_shutdown(async move {
        ending_of_requests.wait().await;
        say!("koban: finishing what is in flight");
    });
    let served = tokio::select! {
        served = server.into_future() => served.context("serving ended"),
        () = async { ending.wait().await; sleep(GRACE).await } => Ok(()),
    };
    lanes.abort();
    // They were asked when the requests were, and end after the step that each is at.
    if timeout(GRACE, &mut jobs).await.is_err() {
        jobs.abort();
    }
    ledger.close().await;
    ledger.pool().close().await;
    served
}

/// A connection to the database; waits while it is down, and says so.
async fn reached(options: &PgConnectOptions) -> Result<PgConnection> {
    loop {
        let error = match options.connect().await {
            Ok(connection) => return Ok(connection),
            Err(error) => error,
        };
        if !matches!(failure_of(&error), Failure::Unavailable | Failure::Throttled) {
            bail!("the database refuses us: {error}");
        }
        say!(
            "koban: the database on {} does not answer ({error}); trying again",
            options.get_host()
        );
        sleep(RETRY).await;
    }
}

/// Refuses a database whose layout is older than this version.
pub(crate) async fn is_current(connection: &mut PgConnection) -> Result<()> {
    connection.ensure_migrations_table("_sqlx_migrations").await?;
    let applied = connection.list_applied_migrations("_sqlx_migrations").await?;
    let missing = MIGRATOR
        .iter()
        .filter(|ours| !applied.iter().any(|there| there.version == ours.version))
        .count();
    ensure!(
        missing == 0,
        "the database lacks {missing} changes of its layout; run `koban migrate`"
    );
    Ok(())
}
