//! When the process is asked to end: Ctrl-C, or the SIGTERM of a service manager.

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

/// Whether the process is asked to end, for those who finish something first.
#[derive(Clone)]
pub struct Ending(watch::Receiver<bool>);

impl Ending {
    /// Listens from now on.
    #[must_use]
    pub fn of_process() -> Self {
        let (asked_to_end, ending) = watch::channel(false);
        tokio::spawn(async move {
            asked().await;
            asked_to_end.send_replace(true);
        });
        Self(ending)
    }

    /// Has been asked to end as soon as `receiver` says so.
    #[must_use]
    pub fn when(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    #[must_use]
    pub fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when the process is asked to end, or was.
    pub async fn wait(&mut self) {
        // Who can't be asked any more ends too.
        let _ = self.0.wait_for(|is_asked| *is_asked).await;
    }
}

/// Returns when the process is asked to end.
pub(crate) async fn asked() {
    let wait = async |kind| match signal(kind) {
        Ok(mut signal) => signal.recv().await,
        // A signal that can't be listened to keeps its own way of ending the process.
        Err(_) => std::future::pending().await,
    };
    tokio::select! {
        _ = wait(SignalKind::interrupt()) => {}
        _ = wait(SignalKind::terminate()) => {}
    }
}
