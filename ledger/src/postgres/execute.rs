//! The database transaction of a batch.
//!
//! # Phases
//! 1. read the markers; those that are there answer with their saved outcome
//! 2. lock and read what the commands name (`read.rs`)
//! 3. plan one after another in memory, each seeing the effect of those before it
//! 4. write all plans, set-based and guarded (`write.rs`)
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
use std::collections::HashMap;

use super::{
    balance,
    marker::{self, marker_key},
    pool::Lease,
    read::read,
    write::write,
};
use crate::{
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey},
    money::Instant,
    outcome::{Answer, Outcome},
    plan::{self, Lock, Plan, Record, Refusal},
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
    /// It was not: these balances have no row yet.
    Unopened(Vec<Lock>),
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

/// What a batch is executed with.
#[derive(Clone, Copy)]
pub(super) struct Batch {
    pub(super) tenant: TenantId,
    /// The lane in which this server writes what accounts collect.
    pub(super) lane: i16,
    pub(super) at: Instant,
    /// Whether the balances that had no row were just opened; those that still have none can have none.
    pub(super) opened: bool,
}

/// Executes `requests`, which have distinct keys, in one database transaction. The answers are in their order.
///
/// The balances that have no row are opened first, each on its own: rows that are made while others are locked would be
/// locked out of order.
pub(super) async fn execute(
    lease: &mut Lease,
    batch: Batch,
    requests: &[Request],
) -> Result<Vec<Settled>, Interruption> {
    let mut connection = lease.take().await?;
    let mut tx = connection.begin_with(BEGIN).await?;
    let settled = match settle(&mut tx, batch, requests).await {
        Err(Interruption::Unopened(absent)) => {
            tx.rollback().await?;
            balance::open(&mut connection, batch.tenant, &absent, batch.at).await?;
            tx = connection.begin_with(BEGIN).await?;
            let batch = Batch { opened: true, ..batch };
            settle(&mut tx, batch, requests).await?
        }
        settled => settled?,
    };
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

async fn settle(db: &mut PgConnection, batch: Batch, requests: &[Request]) -> Result<Vec<Settled>, Interruption> {
    let mut saved = marker::saved(db, batch.tenant, requests.iter()).await?;
    let fresh: Vec<&Request> = requests
        .iter()
        .filter(|request| !saved.contains_key(&marker_key(request)))
        .collect();
    let mut answers = apply(db, batch, &fresh).await?.into_iter();
    let settled = requests.iter().map(|request| match saved.remove(&marker_key(request)) {
        Some(saved) => Some(Settled::Saved(saved)),
        None => answers.next().map(Settled::Fresh),
    });
    Ok(settled.collect::<Option<_>>().ok_or(Failure::Inconsistent)?)
}

/// Decides and writes the commands that have no marker yet; the answers are in their order.
async fn apply(
    db: &mut PgConnection,
    batch: Batch,
    fresh: &[&Request],
) -> Result<Vec<Result<Answer, Failure>>, Interruption> {
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    let Batch { tenant, at, .. } = batch;
    let mut snapshot = read(db, batch, fresh).await?;
    let mut decided = Vec::with_capacity(fresh.len());
    let mut refused = HashMap::new();
    for (index, request) in fresh.iter().enumerate() {
        let decision = match request.key.may_be_new(at) {
            Ok(()) => plan::plan(&request.command, &request.actor, &mut snapshot),
            Err(failure) => Err(Refusal::Failed(failure)),
        };
        match decision {
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
    let answers = answers(fresh, receipts, refused, at)?;
    record(db, tenant, fresh, &answers, at).await?;
    Ok(answers)
}

/// What the plans of a batch write of one kind, each with the actor who asked for it.
pub(super) fn records<'a, T>(
    decided: &'a [Decided<'_>],
    of: impl Fn(&'a Record) -> Option<&'a T>,
) -> Vec<(&'a str, &'a T)> {
    let mut rows = Vec::new();
    for decided in decided {
        let found = decided.plan.records.iter().filter_map(&of);
        rows.extend(found.map(|row| (decided.request.actor.as_str(), row)));
    }
    rows
}

/// One answer per request, in order: the receipts are of those that are not in `refused`.
fn answers(
    fresh: &[&Request],
    mut receipts: impl Iterator<Item = Outcome>,
    mut refused: HashMap<usize, Refusal>,
    at: Instant,
) -> Result<Vec<Result<Answer, Failure>>, Failure> {
    let mut answers = Vec::with_capacity(fresh.len());
    for (index, request) in fresh.iter().enumerate() {
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
            key_expires_at: request.key.expires_at(at),
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
