//! The database transaction of a batch.
//!
//! # Phases
//! 1. read the markers; those that are there answer with their saved outcome
//! 2. lock and read what the commands name: payments, then balances, each in the order of their ids
//! 3. plan one after another in memory, each seeing the effect of those before it
//! 4. write all plans, set-based and guarded
//! 5. write the markers with their outcomes, whose primary key is the guard of A2: if another server has written one of
//!    them since phase 1, the batch is undone and tried again
//! 6. commit once
//!
//! # Cost
//! Twelve round trips a batch of payments, however many commands are in it, and one flush to disk.
//!
//! # Must never
//! Choose anything that the plans leave open; commit if a guard did not hold.

use sqlx::{Connection, PgConnection};
use std::collections::{BTreeSet, HashMap, HashSet};
use uuid::Uuid;

use super::{
    account, asset, balance,
    marker::{self, marker_key},
    metric, payment,
    pool::Lease,
    top_up, transaction,
};
use crate::{
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey, MARKER_TTL},
    money::Instant,
    outcome::{Answer, Outcome},
    plan::{self, MetricChange, Plan, Refusal, merge_balances},
    snapshot::{BalanceKey, Snapshot},
};

/// A batch finds rows by their keys, and is planned so, whatever is known of the tables: a plan is kept until the next
/// `analyze`, and one made while a table was nearly empty would read all of it until then.
const BEGIN: &str = "begin; set local enable_seqscan = off";

/// A command with its key. Requests are executed in the order of (actor, key).
pub(super) struct Request {
    pub(super) actor: String,
    pub(super) key: IdempotencyKey,
    pub(super) fingerprint: Fingerprint,
    pub(super) command: Command,
}

/// A command that will be applied.
pub(super) struct Decided<'a> {
    pub(super) request: &'a Request,
    pub(super) plan: Plan,
}

/// What came of one request of a committed batch.
pub(super) enum Settled {
    Fresh(Result<Answer, Failure>),
    /// Its marker was there already.
    Saved(marker::Saved),
    /// Its marker was written by an attempt of this very batch whose commit's outcome was unknown.
    Own(marker::Saved),
}

/// Why a batch was not committed, or may not have been.
pub(super) enum Interruption {
    /// It was not: nothing of it exists.
    RolledBack(Failure),
    /// It was not, because another server has settled one of its keys since the markers were read: tried again at once, it
    /// finds that answer.
    Overtaken,
    /// The connection was lost after the commit was sent: with what would have been answered.
    CommitUnknown(Vec<Settled>),
}

impl From<Failure> for Interruption {
    fn from(failure: Failure) -> Self {
        Self::RolledBack(failure)
    }
}

impl From<sqlx::Error> for Interruption {
    fn from(error: sqlx::Error) -> Self {
        Self::RolledBack(error.into())
    }
}

/// Executes `requests`, which have distinct keys, in one database transaction. The answers are in their order.
pub(super) async fn execute(
    lease: &mut Lease,
    tenant: TenantId,
    requests: &[Request],
    at: Instant,
) -> Result<Vec<Settled>, Interruption> {
    let mut connection = lease.take().await?;
    let mut tx = connection.begin_with(BEGIN).await?;
    let settled = settle(&mut tx, tenant, requests, at).await?;
    match tx.commit().await {
        Ok(()) => {
            lease.keep(connection);
            Ok(settled)
        }
        Err(error @ sqlx::Error::Database(_)) => Err(error.into()),
        Err(error) => {
            tracing::warn!(%error, "the connection was lost while a batch was being committed");
            connection.close_on_drop();
            Err(Interruption::CommitUnknown(settled))
        }
    }
}

async fn settle(
    db: &mut PgConnection,
    tenant: TenantId,
    requests: &[Request],
    at: Instant,
) -> Result<Vec<Settled>, Interruption> {
    let mut saved = marker::saved(db, tenant, requests.iter()).await?;
    let fresh: Vec<&Request> = requests
        .iter()
        .filter(|request| !saved.contains_key(&marker_key(request)))
        .collect();
    let mut answers = apply(db, tenant, &fresh, at).await?.into_iter();
    let settled = requests.iter().map(|request| match saved.remove(&marker_key(request)) {
        Some(saved) => Some(Settled::Saved(saved)),
        None => answers.next().map(Settled::Fresh),
    });
    Ok(settled.collect::<Option<_>>().ok_or(Failure::Inconsistent)?)
}

/// Decides and writes the commands that have no marker yet; the answers are in their order.
async fn apply(
    db: &mut PgConnection,
    tenant: TenantId,
    fresh: &[&Request],
    at: Instant,
) -> Result<Vec<Result<Answer, Failure>>, Interruption> {
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    let mut snapshot = read(db, tenant, fresh, at).await?;
    let mut decided = Vec::with_capacity(fresh.len());
    let mut refused = HashMap::new();
    for (index, request) in fresh.iter().enumerate() {
        match plan::plan(&request.command, &mut snapshot) {
            Ok(plan) => {
                snapshot.apply(&plan);
                decided.push(Decided { request, plan });
            }
            Err(refusal) => {
                refused.insert(index, refusal);
            }
        }
    }
    write(db, tenant, &decided, snapshot.at).await?;
    let receipts = decided
        .into_iter()
        .map(|decided| Outcome::Applied(decided.plan.receipt));
    let answers = answers(fresh, receipts, refused, at + MARKER_TTL)?;
    record(db, tenant, fresh, &answers, at).await?;
    Ok(answers)
}

/// Locks and reads what the commands name. Every writer takes its locks in the same order (payments, balances, totals,
/// markers; ids and keys ascending), so two that cross can't deadlock; what needs no lock is read after the locks are held.
async fn read(db: &mut PgConnection, tenant: TenantId, fresh: &[&Request], at: Instant) -> Result<Snapshot, Failure> {
    let mut snapshot = Snapshot::new(at, rand::random());
    snapshot.assets = asset::of_tenant(&mut *db, tenant).await?;
    let payments: BTreeSet<Uuid> = fresh
        .iter()
        .filter_map(|request| named_payment(&request.command))
        .collect();
    if !payments.is_empty() {
        let payments: Vec<Uuid> = payments.into_iter().collect();
        snapshot.payments = payment::lock(db, tenant, &payments, &snapshot.assets).await?;
    }
    lock_balances(db, tenant, fresh, &mut snapshot).await?;
    let accounts: BTreeSet<Uuid> = fresh
        .iter()
        .flat_map(|request| plan::accounts(&request.command, &snapshot))
        .map(|account| account.0)
        .collect();
    let accounts: Vec<Uuid> = accounts.into_iter().collect();
    snapshot.accounts = account::for_plan(db, tenant, &accounts).await?;
    Ok(snapshot)
}

fn named_payment(command: &Command) -> Option<Uuid> {
    match command {
        Command::Refund(refund) => Some(refund.payment.0),
        Command::Pay(_) | Command::TopUp(_) => None,
    }
}

async fn lock_balances(
    db: &mut PgConnection,
    tenant: TenantId,
    fresh: &[&Request],
    snapshot: &mut Snapshot,
) -> Result<(), Failure> {
    let keys: BTreeSet<BalanceKey> = fresh
        .iter()
        .flat_map(|request| plan::balances(&request.command, snapshot))
        .collect();
    let keys: Vec<BalanceKey> = keys.into_iter().collect();
    let mut locked = balance::lock(db, tenant, &keys).await?;
    if locked.len() < keys.len() {
        let found: HashSet<&BalanceKey> = locked.iter().map(|locked| &locked.key).collect();
        let absent: Vec<BalanceKey> = keys.iter().filter(|key| !found.contains(key)).cloned().collect();
        balance::open(db, tenant, &absent, snapshot.at).await?;
        locked = balance::lock(db, tenant, &keys).await?;
    }
    for balance::Locked {
        key,
        amount,
        updated_at,
    } in locked
    {
        snapshot.advance_past(updated_at);
        let scale = snapshot.assets.get(&key.1).map_or(0, |asset| asset.scale);
        snapshot.balances.insert(key, crate::money::round_down(amount, scale));
    }
    Ok(())
}

/// Writes the plans. A guard that does not hold contradicts what was read under lock, so nothing may be committed.
async fn write(db: &mut PgConnection, tenant: TenantId, decided: &[Decided<'_>], at: Instant) -> Result<(), Failure> {
    if decided.is_empty() {
        return Ok(());
    }
    let balances = merge_balances(decided.iter().flat_map(|decided| &decided.plan.balances));
    if balance::change(db, tenant, &balances, at).await? != balances.len() as u64 {
        return Err(Failure::Inconsistent);
    }
    if !payment::change(db, tenant, decided, at).await? {
        return Err(Failure::Inconsistent);
    }
    transaction::insert(db, tenant, decided, at).await?;
    payment::insert(db, tenant, decided, at).await?;
    payment::insert_events(db, tenant, decided, at).await?;
    payment::insert_refunds(db, tenant, decided, at).await?;
    top_up::insert(db, tenant, decided, at).await?;
    let metrics: Vec<&MetricChange> = decided.iter().flat_map(|decided| &decided.plan.metrics).collect();
    metric::add(db, tenant, metrics.into_iter(), at).await?;
    Ok(())
}

/// One answer per request, in order: the receipts are of those that are not in `refused`.
fn answers(
    fresh: &[&Request],
    mut receipts: impl Iterator<Item = Outcome>,
    mut refused: HashMap<usize, Refusal>,
    key_expires_at: Instant,
) -> Result<Vec<Result<Answer, Failure>>, Failure> {
    let mut answers = Vec::with_capacity(fresh.len());
    for index in 0..fresh.len() {
        let outcome = match refused.remove(&index) {
            None => receipts.next().ok_or(Failure::Inconsistent)?,
            Some(Refusal::Rejected(rejection)) => Outcome::Rejected(rejection),
            Some(Refusal::Failed(failure)) => {
                answers.push(Err(failure));
                continue;
            }
        };
        answers.push(Ok(Answer {
            body: outcome.body()?,
            outcome,
            replayed: false,
            key_expires_at,
        }));
    }
    Ok(answers)
}

/// Writes the markers of successes and rejections. A failure leaves none (A6), but looks for one that another server has
/// committed meanwhile.
async fn record(
    db: &mut PgConnection,
    tenant: TenantId,
    fresh: &[&Request],
    answers: &[Result<Answer, Failure>],
    at: Instant,
) -> Result<(), Interruption> {
    let mut settled = Vec::with_capacity(fresh.len());
    let mut failed = Vec::new();
    for (request, answer) in fresh.iter().copied().zip(answers) {
        match answer {
            Ok(answer) => settled.push((request, answer)),
            Err(_) => failed.push(request),
        }
    }
    if !settled.is_empty() && marker::insert(db, tenant, &settled, at).await? != settled.len() as u64 {
        return Err(Interruption::Overtaken);
    }
    if !failed.is_empty() && !marker::saved(db, tenant, failed.into_iter()).await?.is_empty() {
        return Err(Interruption::Overtaken);
    }
    Ok(())
}
