//! One folder of PostgreSQL's data: where it is, how it is made, how its server is started and reached.

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use sqlx::postgres::PgConnectOptions;
use tokio::process::Child;

use super::{Owner, Programs};

/// Where the cluster goes when root keeps the data folder under a home that PostgreSQL's user can't enter.
const REACHABLE: &str = "/var/lib/koban";
/// The database superuser. Only who may enter the socket's folder can sign in as it.
const SUPERUSER: &str = "koban";
/// A unix socket's path holds 107 bytes on Linux and 103 on others; `/.s.PGSQL.5432` takes 14 of them.
const LONGEST_SOCKET_FOLDER: usize = 103 - 14;

/// The warnings that are left out would be one a statement: the pool rolls back before it hands out a connection.
const SETTINGS: [&str; 5] = [
    "listen_addresses=",
    "port=5432",
    "unix_socket_permissions=0700",
    "max_connections=100",
    "log_min_messages=error",
];

pub(super) struct Cluster {
    folder: PathBuf,
    socket: PathBuf,
    log: PathBuf,
    programs: Programs,
    owner: Owner,
}

impl Cluster {
    /// The cluster of the folder `data`, made if there is none.
    pub(super) async fn open(data: &Path, programs: Option<&Path>, owner: Owner) -> Result<Self> {
        let data = data
            .canonicalize()
            .with_context(|| format!("can't enter {}", data.display()))?;
        let link = data.join("postgres");
        let folder = place(&link, &owner)?;
        let version = fs::read_to_string(folder.join("PG_VERSION")).ok();
        let programs = Programs::find(programs, version.as_deref().map(str::trim))?;
        if version.is_none() {
            say!("koban: making a database in {}", folder.display());
            initialise(&folder, &programs, &owner).await?;
        }
        // A link is made last, so that it never names a cluster that is not there.
        if folder != link && !link.is_symlink() {
            symlink(&folder, &link).with_context(|| format!("can't link {}", link.display()))?;
        }
        let socket = socket_folder(&folder, &owner)?;
        Ok(Self {
            folder,
            socket,
            log: data.join("postgres.log"),
            programs,
            owner,
        })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        options(&self.socket)
    }

    /// Starts its server.
    pub(super) fn spawn(&self) -> Result<Child> {
        let log = File::options().create(true).append(true).open(&self.log);
        let log = log.with_context(|| format!("can't write {}", self.log.display()))?;
        let mut command = self.owner.command(&self.programs.path("postgres"));
        command.arg("-D").arg(&self.folder).arg("-k").arg(&self.socket);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.stdout(log.try_clone()?).stderr(log);
        command.spawn().context("can't start PostgreSQL")
    }

    /// Removes what must not outlive the server: a socket's folder outside the cluster.
    pub(super) fn tidy(&self) {
        if self.socket != self.folder {
            // Whoever removed it first did our work.
            let _ = fs::remove_dir_all(&self.socket);
        }
    }
}

/// How to connect over the socket in `folder`.
pub(super) fn options(folder: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(folder)
        .port(5432)
        .username(SUPERUSER)
        .database("postgres")
}

/// Where the cluster that `link` names is, or is to be made.
fn place(link: &Path, owner: &Owner) -> Result<PathBuf> {
    if let Ok(folder) = link.canonicalize() {
        ensure!(
            owner.can_enter(&folder),
            "PostgreSQL's user can't enter {}",
            folder.display()
        );
        return Ok(folder);
    }
    if let Ok(gone) = link.read_link() {
        bail!("{} points to {}, which is not there", link.display(), gone.display());
    }
    if link.parent().is_some_and(|data| owner.can_enter(data)) {
        return Ok(link.to_owned());
    }
    let folder = Path::new(REACHABLE).join(format!("postgres-{:08x}", rand::random::<u32>()));
    say!(
        "koban: PostgreSQL does not run as root, and its user can't enter {};",
        link.display()
    );
    say!(
        "koban: the database goes to {}, and a link stands in its place",
        folder.display()
    );
    Ok(folder)
}

/// Makes a cluster beside its place and moves it there when it is whole.
async fn initialise(folder: &Path, programs: &Programs, owner: &Owner) -> Result<()> {
    let unfinished = folder.with_extension("new");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    owner.make_folder(&unfinished)?;
    let mut command = owner.command(&programs.path("initdb"));
    command.args([
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
    ]);
    command
        .arg("--username")
        .arg(SUPERUSER)
        .arg("--pgdata")
        .arg(&unfinished);
    let output = command.output().await.context("can't run initdb")?;
    ensure!(
        output.status.success(),
        "initdb failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::rename(&unfinished, folder).context("can't move the new database to its place")
}

/// The cluster's own folder, unless its path does not fit a socket's address or PostgreSQL's list of folders.
fn socket_folder(cluster: &Path, owner: &Owner) -> Result<PathBuf> {
    let fits = cluster.as_os_str().len() <= LONGEST_SOCKET_FOLDER;
    if fits && !cluster.to_string_lossy().contains([',', '"', '\\']) {
        return Ok(cluster.to_owned());
    }
    let folder = Path::new("/tmp").join(format!("koban-{:08x}", rand::random::<u32>()));
    owner.make_folder(&folder)?;
    Ok(folder)
}
