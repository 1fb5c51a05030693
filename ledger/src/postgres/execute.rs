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

use sqlx::{
    Connection, PgConnection,
    postgres::{PgDatabaseError, PgSeverity},
};
use std::{borrow::Cow, collections::HashMap};

use super::{
    balance,
    marker::{self, MarkerKey, Saved, fenced_key, marker_key},
    pool::Lease,
    read::read,
    write::write,
};
use crate::{
    command::{Command, Reason},
    failure::{Failure, Rejection},
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey},
    money::Instant,
    outcome::{Answer, FenceState, Outcome},
    plan::{self, Fencing, Lock, Plan, Record, Refusal},
    snapshot::Snapshot,
};

/// A batch finds rows by their keys, and is planned so, whatever is known of the tables: a plan is kept until the next
/// `analyze`, and one made while a table was nearly empty would read all of it until then.
const BEGIN: &str = "begin; set local enable_seqscan = off";

/// Why a fence undoes something.
const TAKEN_BACK: &str = "cancelled by its key";

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
    /// The lane in which it writes what accounts collect.
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
        Err(error) if is_rolled_back(&error) => Err(error.into()),
        Err(error) => {
            tracing::warn!(%error, "the connection was lost while a batch was being committed");
            connection.close_on_drop();
            Err(Interruption::CommitUnknown(settled))
        }
    }
}

/// Whether a commit that ended in `error` is known to have done nothing: PostgreSQL answers it with an error only before it
/// is recorded. One that ends its process as well (FATAL, PANIC) can come after that.
fn is_rolled_back(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    let severity = error.and_then(|error| Some(error.try_downcast_ref::<PgDatabaseError>()?.severity()));
    severity == Some(PgSeverity::Error)
}

async fn settle(db: &mut PgConnection, batch: Batch, requests: &[Request]) -> Result<Vec<Settled>, Interruption> {
    let markers = requests
        .iter()
        .flat_map(|request| fenced_key(request).into_iter().chain([marker_key(request)]));
    let mut saved = marker::saved(db, batch.tenant, markers).await?;
    let fresh: Vec<Asked<'_>> = requests
        .iter()
        .filter(|request| !saved.contains_key(&marker_key(request)))
        .map(|request| Asked::of(request, &saved))
        .collect::<Result<_, _>>()?;
    let mut answers = apply(db, batch, &fresh).await?.into_iter();
    let settled = requests.iter().map(|request| match saved.remove(&marker_key(request)) {
        Some(saved) => Some(Settled::Saved(saved)),
        None => answers.next().map(Settled::Fresh),
    });
    Ok(settled.collect::<Option<_>>().ok_or(Failure::Inconsistent)?)
}

/// A request that has no marker yet, and what is to be decided for it: of a fence, what its key's marker calls for.
pub(super) struct Asked<'a> {
    pub(super) request: &'a Request,
    pub(super) command: Cow<'a, Command>,
    /// What a fence already knows without deciding anything.
    known: Option<Result<FenceState, Rejection>>,
}

impl<'a> Asked<'a> {
    fn of(request: &'a Request, saved: &HashMap<MarkerKey, Saved>) -> Result<Self, Failure> {
        let mut asked = Self {
            request,
            command: Cow::Borrowed(&request.command),
            known: None,
        };
        let Some(original) = fenced_key(request).and_then(|key| saved.get(&key)) else {
            return Ok(asked);
        };
        let reason = Reason::parse(TAKEN_BACK).map_err(|_| Failure::Inconsistent)?;
        match plan::fencing(&original.kind, &original.answer(true)?.outcome, &reason) {
            Ok(Fencing::Undo(command)) => asked.command = Cow::Owned(command),
            Ok(Fencing::Over(state)) => asked.known = Some(Ok(state)),
            Err(rejection) => asked.known = Some(Err(rejection)),
        }
        Ok(asked)
    }

    /// A fence has no other key than that of what it is about, and one that could not undo did nothing: it leaves no marker,
    /// and is decided anew when it comes again.
    fn may_be_tried_again(&self, answer: &Answer) -> bool {
        fenced_key(self.request).is_some() && matches!(answer.outcome, Outcome::Rejected(_))
    }

    fn decide(&self, snapshot: &mut Snapshot, at: Instant) -> Result<Plan, Refusal> {
        self.request.key.may_be_new(at)?;
        match &self.known {
            Some(Ok(state)) => return Ok(plan::over(*state, snapshot)),
            Some(Err(rejection)) => return Err(rejection.clone().into()),
            None => {}
        }
        let actor = &self.request.actor;
        Ok(match &self.command {
            Cow::Borrowed(asked) => plan::plan(asked, actor, snapshot)?,
            // Not what was asked for: a fence undoes.
            Cow::Owned(undo) => plan::plan(&plan::of_rest(undo, snapshot), actor, snapshot)?.of_fence()?,
        })
    }
}

/// Decides and writes the commands that have no marker yet; the answers are in their order.
async fn apply(
    db: &mut PgConnection,
    batch: Batch,
    fresh: &[Asked<'_>],
) -> Result<Vec<Result<Answer, Failure>>, Interruption> {
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    let Batch { tenant, at, .. } = batch;
    let mut snapshot = read(db, batch, fresh).await?;
    let mut decided = Vec::with_capacity(fresh.len());
    let mut refused = HashMap::new();
    for (index, asked) in fresh.iter().enumerate() {
        match asked.decide(&mut snapshot, at) {
            Ok(plan) => {
                snapshot.apply(&plan);
                let request = asked.request;
                decided.push(Decided { request, plan });
            }
            Err(refusal) => {
                refused.insert(index, refusal);
            }
        }
    }
    write(db, tenant, &decided, snapshot.at).await?;
    let fences = fences(&decided, at);
    let receipts = decided
        .into_iter()
        .map(|decided| Outcome::Applied(decided.plan.receipt));
    let answers = answers(fresh, receipts, refused, at)?;
    record(db, tenant, fresh, &answers, fences, at).await?;
    Ok(answers)
}

/// The markers of keys that are fenced before anything came under them.
fn fences(decided: &[Decided<'_>], at: Instant) -> Vec<marker::Row> {
    let fencing = decided
        .iter()
        .filter(|decided| decided.plan.records.contains(&Record::Fence));
    let row = |decided: &Decided<'_>| {
        Some(marker::Row {
            of: fenced_key(decided.request)?,
            kind: "fence",
            fingerprint: decided.request.fingerprint,
            verdict: "fenced",
            body: Rejection::Fenced.body(),
            expires_at: decided.request.key.expires_at(at),
        })
    };
    fencing.filter_map(row).collect()
}

/// One answer per request, in order: the receipts are of those that are not in `refused`.
fn answers(
    fresh: &[Asked<'_>],
    mut receipts: impl Iterator<Item = Outcome>,
    mut refused: HashMap<usize, Refusal>,
    at: Instant,
) -> Result<Vec<Result<Answer, Failure>>, Failure> {
    let mut answers = Vec::with_capacity(fresh.len());
    for (index, asked) in fresh.iter().enumerate() {
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
            key_expires_at: asked.request.key.expires_at(at),
        }));
    }
    Ok(answers)
}

/// Writes the markers of successes and rejections. A failure leaves none (A6), nor does a fence that was refused; for these
/// it looks for one that another server has committed meanwhile.
async fn record(
    db: &mut PgConnection,
    tenant: TenantId,
    fresh: &[Asked<'_>],
    answers: &[Result<Answer, Failure>],
    fences: Vec<marker::Row>,
    at: Instant,
) -> Result<(), Interruption> {
    let mut rows = fences;
    let mut failed = Vec::new();
    for (asked, answer) in fresh.iter().zip(answers) {
        let request = asked.request;
        match answer {
            Ok(answer) if !asked.may_be_tried_again(answer) => rows.push(marker::Row {
                of: marker_key(request),
                kind: request.command.kind(),
                fingerprint: request.fingerprint,
                verdict: answer.outcome.verdict(),
                body: answer.body.clone(),
                expires_at: answer.key_expires_at,
            }),
            Ok(_) | Err(_) => failed.push(marker_key(request)),
        }
    }
    rows.sort_by(|a, b| a.of.cmp(&b.of));
    if !rows.is_empty() && !marker::insert(db, tenant, &rows, at).await? {
        return Err(Interruption::Overtaken);
    }
    if !failed.is_empty() && !marker::saved(db, tenant, failed.into_iter()).await?.is_empty() {
        return Err(Interruption::Overtaken);
    }
    Ok(())
}
