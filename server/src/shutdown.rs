//! When the process is asked to end: Ctrl-C, or the SIGTERM of a service manager.

use tokio::signal::unix::{SignalKind, signal};

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
