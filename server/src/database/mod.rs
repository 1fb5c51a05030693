//! The private PostgreSQL of `koban demo`: made, started, watched and stopped with the server, reachable by nobody else.
//!
//! # Invariants
//! 1. One koban runs on a data folder at a time (`koban.lock`), so whatever PostgreSQL is found there is ours.
//! 2. It listens on a unix socket in a folder of mode 0700 and on no network address; fsync and checksums stay on.
//! 3. It has a process group of its own: Ctrl-C reaches the server, and the server stops PostgreSQL when it is done.

mod cluster;
mod leftovers;
mod owner;
mod programs;
mod supervisor;

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use anyhow::{Context, Result, bail};
use sqlx::postgres::PgConnectOptions;

use self::{cluster::Cluster, owner::Owner, programs::Programs, supervisor::Supervisor};

/// A running PostgreSQL that stops when told to; if the server is killed, the next start takes care of it.
pub struct PrivateDatabase {
    supervisor: Supervisor,
    options: PgConnectOptions,
    _lock: File,
}

impl PrivateDatabase {
    /// Starts the cluster of the folder `data`, which is made first if there is none.
    ///
    /// # Errors
    /// If PostgreSQL is not installed, another koban uses the folder, or PostgreSQL does not start.
    pub async fn start(data: &Path, programs: Option<&Path>) -> Result<Self> {
        let lock = lock(data)?;
        let owner = Owner::of_this_process()?;
        let cluster = Cluster::open(data, programs, owner).await?;
        leftovers::clear(cluster.folder()).await?;
        let options = cluster.options();
        let supervisor = Supervisor::start(cluster).await?;
        Ok(Self {
            supervisor,
            options,
            _lock: lock,
        })
    }

    /// How to connect to it.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// Ends PostgreSQL's sessions and waits until everything is written and it has exited.
    pub async fn stop(self) {
        self.supervisor.stop().await;
    }
}

/// How to connect to the cluster of `data` that another koban is running; `None` if none is.
///
/// # Errors
/// If the folder can't be read, or PostgreSQL is just starting there.
pub fn running(data: &Path) -> Result<Option<PgConnectOptions>> {
    if try_lock(data)?.is_some() {
        return Ok(None);
    }
    let socket = leftovers::socket_of(&data.join("postgres")).context("PostgreSQL is just starting; try again")?;
    Ok(Some(cluster::options(&socket)))
}

fn lock(data: &Path) -> Result<File> {
    std::fs::create_dir_all(data).with_context(|| format!("can't make the folder {}", data.display()))?;
    let Some(lock) = try_lock(data)? else {
        bail!("another koban is running on the folder {}", data.display());
    };
    Ok(lock)
}

/// The folder's lock, which the system releases when this process ends, however it ends; `None` if it is taken.
fn try_lock(data: &Path) -> Result<Option<File>> {
    let path = data.join("koban.lock");
    let file = File::create(&path).with_context(|| format!("can't write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("can't lock {}", path.display())),
    }
}
