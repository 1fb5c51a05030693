//! What a PostgreSQL leaves behind when the server above it is killed: processes that still run, and a lock file.
//!
//! Called only with the data folder's lock held, so a PostgreSQL that runs on the cluster has no koban any more.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);

/// Stops what still runs on the cluster and removes a lock file that names nobody.
pub(super) async fn clear(cluster: &Path) -> Result<()> {
    let Some(postmaster) = postmaster_of(cluster) else {
        return Ok(());
    };
    let Some(running) = processes_in(cluster) else {
        return Ok(());
    };
    if running.contains(&postmaster) {
        say!("koban: stopping the PostgreSQL that a killed koban left behind");
        kill(postmaster, Signal::SIGINT).context("can't stop the PostgreSQL that was left behind")?;
    }
    gone(cluster).await?;
    // PostgreSQL refuses lock files whose process id belongs to anybody by now, be it a stranger or a process that was
    // killed and not yet buried. Nobody works in the cluster's folder, so the files are only memories of a kill.
    for file in [lock_file(cluster), cluster.join(".s.PGSQL.5432.lock")] {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("can't remove {}", file.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Waits until no PostgreSQL process works on the cluster: backends outlive a killed postmaster by a moment.
pub(super) async fn gone(cluster: &Path) -> Result<()> {
    let waits = PATIENCE.as_millis() / POLL.as_millis();
    for _ in 0..waits {
        if processes_in(cluster).is_none_or(|running| running.is_empty()) {
            return Ok(());
        }
        tokio::time::sleep(POLL).await;
    }
    bail!(
        "an old PostgreSQL still runs on {} and does not stop",
        cluster.display()
    );
}

/// The socket's folder of the server that runs on the cluster, from the fifth line of its lock file.
pub(super) fn socket_of(cluster: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(lock_file(cluster)).ok()?;
    text.lines().nth(4).filter(|line| !line.is_empty()).map(PathBuf::from)
}

fn lock_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

fn postmaster_of(cluster: &Path) -> Option<Pid> {
    let text = fs::read_to_string(lock_file(cluster)).ok()?;
    text.lines().next()?.trim().parse().ok().map(Pid::from_raw)
}

/// PostgreSQL's processes work in the cluster's folder, which tells them from anybody else who got an old process id.
/// `None` where there is no /proc to look into; there, PostgreSQL's own judgement of its lock file has to do.
fn processes_in(cluster: &Path) -> Option<Vec<Pid>> {
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let works_here = |process: &PathBuf| {
        let is_postgres = fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "postgres");
        is_postgres && fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == cluster)
    };
    let pid_of = |process: PathBuf| process.file_name()?.to_str()?.parse().ok().map(Pid::from_raw);
    Some(
        processes
            .map(|entry| entry.path())
            .filter(works_here)
            .filter_map(pid_of)
            .collect(),
    )
}
