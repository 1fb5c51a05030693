//! `koban demo`: everything on one machine with nothing to set up, and a made-up town to try it with.

mod file;
mod seed;
mod town;

use std::path::Path;

use anyhow::Result;
use app::context::AppState;
use ledger::postgres::connect;
use sqlx::postgres::PgConnectOptions;
use tokio::net::TcpListener;

use self::file::DemoFile;
use crate::{
    config::{CONNECTIONS, Demo},
    database::PrivateDatabase,
    serve::{bind, database, migrate_database, until_asked},
    shutdown,
    state::{self, Surroundings},
};

/// Starts the database, brings it up to date, makes the town if there is none, and serves.
///
/// # Errors
/// If the port is taken, PostgreSQL does not start, or the folder can't be written.
pub async fn run(demo: Demo) -> Result<()> {
    let listener = bind(demo.address()).await?;
    std::fs::create_dir_all(&demo.data)?;
    if let Some(url) = &demo.database_url {
        say!("koban: using the PostgreSQL of DATABASE_URL; it gets no samples");
        return serve(&demo, listener, database(url)?, None).await;
    }
    let postgres = PrivateDatabase::start(&demo.data, demo.programs.folder.as_deref()).await?;
    let served = serve(&demo, listener, postgres.options(), Some(&demo.data)).await;
    postgres.stop().await;
    served
}

/// Serves on the database of `options`; with a folder for `samples`, the made-up town is in it.
async fn serve(demo: &Demo, listener: TcpListener, options: PgConnectOptions, samples: Option<&Path>) -> Result<()> {
    let prepared = tokio::select! {
        prepared = prepare(demo, options, samples) => prepared?,
        () = shutdown::asked() => return Ok(()),
    };
    until_asked(listener, prepared).await
}

async fn prepare(demo: &Demo, options: PgConnectOptions, samples: Option<&Path>) -> Result<AppState> {
    migrate_database(&options).await?;
    let pepper = match demo.pepper.secret()? {
        Some(pepper) => pepper.to_owned(),
        None => file::pepper(&demo.data)?,
    };
    let surroundings = Surroundings {
        demo: samples.is_some(),
        https: false,
    };
    let state = state::new(
        connect(options, CONNECTIONS),
        pepper.as_bytes(),
        &demo.site,
        surroundings,
    )?;
    let base_url = format!("http://{}", demo.address());
    match samples {
        Some(data) => {
            let described = describe(&state, data, base_url).await?;
            described.write(data)?;
            described.print(data);
        }
        None => say!("koban: ready on {base_url}"),
    }
    Ok(state)
}

/// Makes what is missing of the two towns and describes them. The second is for those who want to see that nothing of
/// one town is visible in the other.
async fn describe(state: &AppState, data: &Path, base_url: String) -> Result<DemoFile> {
    let known = DemoFile::read(data);
    let other_url = base_url.replace("127.0.0.1", town::OTHER_HOST);
    let (known_keys, known_other_keys) = known.map(|file| (file.town.api_keys, file.other_town.api_keys)).unzip();
    let town = seed::town(state, &town::koban(), &base_url, known_keys.unwrap_or_default()).await?;
    let other_town = seed::town(state, &town::minato(), &other_url, known_other_keys.unwrap_or_default()).await?;
    Ok(DemoFile {
        base_url,
        town,
        other_town,
    })
}
