//! The jobs that delete what has expired.

use std::time::Duration;

use anyhow::Result;
use ledger::postgres::{marker, tenant};
use tokio::time::sleep;

use super::Run;
use crate::session;

/// Between two batches, so that a long sweep leaves the disk to the payments.
const REST: Duration = Duration::from_millis(20);

/// Deletes the expired markers of every tenant (MISSION A4).
pub(super) async fn markers(run: &mut Run) -> Result<()> {
    run.did(0, "markers deleted");
    for tenant in tenant::all(run.ledger.pool()).await? {
        while run.may_go_on().await? {
            let mut connection = run.ledger.pool().acquire().await?;
            let deleted = marker::sweep(&mut connection, tenant.tenant_id, run.ledger.now()).await?;
            run.did(deleted, "markers deleted");
            if deleted == 0 {
                break;
            }
            drop(connection);
            sleep(REST).await;
        }
    }
    Ok(())
}

/// Deletes the expired browser sessions.
pub(super) async fn sessions(run: &mut Run) -> Result<()> {
    let deleted = session::sweep(run.ledger.pool(), run.ledger.now()).await?;
    run.did(deleted, "sessions deleted");
    Ok(())
}
