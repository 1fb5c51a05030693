//! The jobs that end what lasts no longer. Each is an ordinary command under a key of its own: a run that comes twice, or on
//! two servers, changes nothing twice.

use anyhow::Result;
use ledger::{
    Actor, ActorKind, Answer, Command, IdempotencyKey, Outcome, TenantId,
    command::{Expire, ExpireHold},
    money::Instant,
    postgres::{lot, payment, tenant},
    snapshot::Holding,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::Run;

/// What one step takes on; its commands share a database transaction or two.
const STEP: i64 = 200;

/// Releases what is held past its time.
pub(super) async fn holds(run: &mut Run) -> Result<()> {
    run.did(0, "holds released");
    let at = run.ledger.now();
    for tenant in tenant::all(run.ledger.pool()).await? {
        while run.may_go_on().await? {
            let found = payment::with_expired_hold(run.ledger.pool(), tenant.tenant_id, at, STEP).await?;
            let commands = found.into_iter().map(|payment| {
                let key = format!("expire-hold/{payment}/{}", hour(at));
                (key, Command::ExpireHold(ExpireHold { payment }))
            });
            let released = submit(run, tenant.tenant_id, commands).await?;
            run.did(released, "holds released");
            if released == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// Takes what has expired. What is promised to a hold stays, and is looked at again by a later run.
pub(super) async fn lots(run: &mut Run) -> Result<()> {
    run.did(0, "balances with expired value");
    let at = run.ledger.now();
    for tenant in tenant::all(run.ledger.pool()).await? {
        let mut after: Option<Holding> = None;
        while run.may_go_on().await? {
            let found = lot::expired(run.ledger.pool(), tenant.tenant_id, at, after.as_ref(), STEP).await?;
            let Some(last) = found.last().cloned() else { break };
            after = Some(last);
            let commands = found.into_iter().map(|(account, asset)| {
                let key = format!("expire/{account}/{asset}/{}", hour(at));
                (key, Command::Expire(Expire { account, asset }))
            });
            let expired = submit(run, tenant.tenant_id, commands).await?;
            run.did(expired, "balances with expired value");
        }
    }
    Ok(())
}

/// Part of the keys: what was refused in one hour can be tried again in the next.
fn hour(at: Instant) -> impl std::fmt::Display {
    at.format("%Y%m%dT%H")
}

/// Submits the commands side by side; returns how many were applied now.
async fn submit(run: &Run, tenant: TenantId, commands: impl Iterator<Item = (String, Command)>) -> Result<u64> {
    let actor = Actor {
        kind: ActorKind::System,
        id: Uuid::nil(),
    };
    let mut calls = JoinSet::new();
    for (key, command) in commands {
        let (ledger, key) = (run.ledger.clone(), IdempotencyKey::parse(&key)?);
        calls.spawn(async move { ledger.submit(tenant, actor, &key, command).await });
    }
    let mut applied = 0;
    while let Some(answer) = calls.join_next().await {
        applied += u64::from(is_done_now(&answer??));
    }
    Ok(applied)
}

fn is_done_now(answer: &Answer) -> bool {
    matches!(answer.outcome, Outcome::Applied(_)) && !answer.replayed
}
