//! Keeps PostgreSQL running: waits until it answers, starts it again if it dies, stops it when told to.

use std::{process::ExitStatus, time::Duration};

use anyhow::{Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sqlx::{ConnectOptions, Connection};
use tokio::{
    process::Child,
    sync::oneshot,
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{Cluster, leftovers};

const POLL: Duration = Duration::from_millis(50);
const NEWS: Duration = Duration::from_secs(5);
/// How long a fast shutdown may take before PostgreSQL is told to drop everything; it recovers at the next start.
const FAST_SHUTDOWN: Duration = Duration::from_secs(30);

pub(super) struct Supervisor {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Supervisor {
    /// Starts PostgreSQL and returns when it answers.
    pub(super) async fn start(cluster: Cluster) -> Result<Self> {
        say!("koban: starting PostgreSQL on {}", cluster.folder().display());
        let child = started(&cluster).await?;
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(supervise(cluster, child, stopped));
        Ok(Self { stop, task })
    }

    pub(super) async fn stop(self) {
        say!("koban: stopping PostgreSQL");
        // An error here means that the task has already ended, which is what was wanted.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

async fn supervise(cluster: Cluster, mut child: Child, mut stopped: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            _ = &mut stopped => break end(child).await,
            status = child.wait() => tracing::error!(?status, "PostgreSQL ended by itself; starting it again"),
        }
        let restarted = tokio::select! {
            _ = &mut stopped => break,
            restarted = again(&cluster) => restarted,
        };
        child = restarted;
    }
    cluster.tidy();
}

/// Starts PostgreSQL until it stays.
async fn again(cluster: &Cluster) -> Child {
    loop {
        let restarted = match leftovers::clear(cluster.folder()).await {
            Ok(()) => started(cluster).await,
            Err(error) => Err(error),
        };
        match restarted {
            Ok(child) => return child,
            Err(error) => tracing::error!("PostgreSQL can't be started again, still trying: {error:#}"),
        }
        sleep(NEWS).await;
    }
}

/// Starts PostgreSQL and waits until it answers; after a crash it first reads its log again, which takes its time.
async fn started(cluster: &Cluster) -> Result<Child> {
    let mut child = cluster.spawn()?;
    let options = cluster.options();
    for polls in 1_u32.. {
        if let Some(status) = child.try_wait()? {
            bail!(
                "PostgreSQL ended at once ({status}); {} says why",
                cluster.log().display()
            );
        }
        if let Ok(connection) = options.connect().await {
            // It has answered; how the connection ends does not matter.
            let _ = connection.close().await;
            break;
        }
        if polls.is_multiple_of(NEWS.as_millis() as u32 / POLL.as_millis() as u32) {
            say!("koban: PostgreSQL is recovering; waiting");
        }
        sleep(POLL).await;
    }
    Ok(child)
}

/// Fast shutdown: sessions end, everything is written. Then the harder way, which loses nothing either.
async fn end(mut child: Child) {
    for signal in [Signal::SIGINT, Signal::SIGQUIT] {
        if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
            // It fails only for a process that has already ended.
            let _ = kill(Pid::from_raw(pid), signal);
        }
        let waited: Result<std::io::Result<ExitStatus>, _> = timeout(FAST_SHUTDOWN, child.wait()).await;
        if waited.is_ok() {
            return;
        }
        tracing::warn!("PostgreSQL takes long to stop");
    }
}
