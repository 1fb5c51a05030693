//! The jobs that end what lasts no longer. Each is an ordinary command under a key of its own: a run that comes twice, or on
//! two servers, changes nothing twice. What can't be ended now stands in nobody else's way, and fails the run at its end.

use anyhow::{Result, bail};
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
    let (at, mut failures) = (run.ledger.now(), Failures::default());
    for tenant in tenant::all(run.ledger.pool()).await? {
        failures.note(holds_of(run, tenant.tenant_id, at).await);
    }
    failures.judge()
}

async fn holds_of(run: &mut Run, tenant: TenantId, at: Instant) -> Result<()> {
    let (mut after, mut failures) = (None, Failures::default());
    while run.may_go_on().await? {
        let found = payment::with_expired_hold(run.ledger.pool(), tenant, at, after, STEP).await?;
        after = found.last().copied();
        if after.is_none() {
            break;
        }
        let commands = found.into_iter().map(|(_, payment)| {
            let key = format!("expire-hold/{payment}/{}", hour(at));
            (key, Command::ExpireHold(ExpireHold { payment }))
        });
        let released = submit(run, tenant, commands, &mut failures).await?;
        run.did(released, "holds released");
    }
    failures.judge()
}

/// Takes what has expired, and deletes the lots that are empty then. What is promised to a hold stays, and is looked at again by a later run.
pub(super) async fn lots(run: &mut Run) -> Result<()> {
    run.did(0, "balances with expired value");
    let (at, mut failures) = (run.ledger.now(), Failures::default());
    for tenant in tenant::all(run.ledger.pool()).await? {
        failures.note(lots_of(run, tenant.tenant_id, at).await);
    }
    failures.judge()
}

async fn lots_of(run: &mut Run, tenant: TenantId, at: Instant) -> Result<()> {
    let (mut after, mut failures) = (None::<Holding>, Failures::default());
    while run.may_go_on().await? {
        let found = lot::expired(run.ledger.pool(), tenant, at, after.as_ref(), STEP).await?;
        after = found.last().cloned();
        if after.is_none() {
            break;
        }
        let commands = found.into_iter().map(|(account, asset)| {
            let key = format!("expire/{account}/{asset}/{}", hour(at));
            (key, Command::Expire(Expire { account, asset }))
        });
        let expired = submit(run, tenant, commands, &mut failures).await?;
        run.did(expired, "balances with expired value");
    }
    while run.may_go_on().await? && lot::sweep(run.ledger.pool(), tenant, at).await? > 0 {}
    failures.judge()
}

/// Part of the keys: what was refused in one hour can be tried again in the next.
fn hour(at: Instant) -> impl std::fmt::Display {
    at.format("%Y%m%dT%H")
}

/// Submits the commands side by side; returns how many were applied now.
async fn submit(
    run: &Run,
    tenant: TenantId,
    commands: impl Iterator<Item = (String, Command)>,
    failures: &mut Failures,
) -> Result<u64> {
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
        let answer = answer?.map_err(anyhow::Error::from);
        applied += u64::from(answer.as_ref().is_ok_and(is_done_now));
        failures.note(answer.map(|_| ()));
    }
    Ok(applied)
}

fn is_done_now(answer: &Answer) -> bool {
    matches!(answer.outcome, Outcome::Applied(_)) && !answer.replayed
}

/// What failed of a run that went on.
#[derive(Default)]
struct Failures {
    count: u64,
    first: Option<anyhow::Error>,
}

impl Failures {
    fn note(&mut self, done: Result<()>) {
        if let Err(error) = done {
            self.count += 1;
            self.first.get_or_insert(error);
        }
    }

    fn judge(self) -> Result<()> {
        match self.first {
            None => Ok(()),
            Some(first) if self.count == 1 => Err(first),
            Some(first) => bail!("{} failed, the first: {first:#}", self.count),
        }
    }
}
