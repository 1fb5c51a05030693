//! The keys of open forms, and how a money form is answered.

use chrono::TimeDelta;
use ledger::idempotency::MARKER_TTL;
use ledger::postgres::key_stage::{self, Stage};
use ledger::postgres::{Counter, Operation};
use ledger::{Answer, Failure, IdempotencyKey, Outcome};
use uuid::Uuid;

use super::api::Progress;
use super::{OpenForm, Settled, result_path};
use crate::context::{self, AppState};
use crate::identity::{Caller, Role};
use crate::problem::{self, Problem};

/// How long a form whose operation was done says so instead of offering itself anew.
const DONE_SHOWN: TimeDelta = TimeDelta::minutes(30);
/// A key that nobody used for so long is replaced: the ledger refuses keys that are older than a marker lives.
const KEY_TTL: TimeDelta = TimeDelta::days(30);

/// The form of `purpose` that the caller has open, or a new one.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn open(state: &AppState, caller: &Caller, purpose: &str) -> Result<OpenForm, Failure> {
    let key = match current(state, caller, purpose).await? {
        Some(key) => key,
        None => replace(state, caller, purpose, None).await?,
    };
    match operation(state, caller, &key).await? {
        Operation::NeverSeen | Operation::InFlight => Ok(OpenForm { key, done: None }),
        Operation::Done(answer) | Operation::Compensating(answer) | Operation::Compensated(answer) => {
            after(state, caller, purpose, key, answer).await
        }
    }
}

/// The form after its key had an outcome.
async fn after(
    state: &AppState,
    caller: &Caller,
    purpose: &str,
    key: String,
    answer: Answer,
) -> Result<OpenForm, Failure> {
    let done_at = answer.key_expires_at - MARKER_TTL;
    match answer.outcome {
        Outcome::Applied(receipt) if state.ledger.now() - done_at < DONE_SHOWN => Ok(OpenForm {
            key,
            done: Some(result_path(caller.role, &receipt)),
        }),
        _ => Ok(OpenForm {
            key: replace(state, caller, purpose, Some(&key)).await?,
            done: None,
        }),
    }
}

/// Gives `purpose` a new key if `key` is the one that it has and had an outcome; a second press changes nothing.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn start_again(state: &AppState, caller: &Caller, purpose: &str, key: &str) -> Result<(), Failure> {
    if !matches!(
        operation(state, caller, key).await?,
        Operation::NeverSeen | Operation::InFlight
    ) {
        replace(state, caller, purpose, Some(key)).await?;
    }
    Ok(())
}

/// What became of `key`, in the caller's own words.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn progress(state: &AppState, caller: &Caller, key: &str) -> Result<Progress, Failure> {
    Ok(match operation(state, caller, key).await? {
        Operation::NeverSeen => Progress::NeverSeen,
        Operation::InFlight => Progress::InFlight,
        Operation::Done(answer) | Operation::Compensating(answer) | Operation::Compensated(answer) => {
            match answer.outcome {
                Outcome::Applied(receipt) => Progress::Applied {
                    path: result_path(caller.role, &receipt),
                },
                Outcome::Rejected(rejection) => Progress::Rejected(rejection.into()),
            }
        }
    })
}

/// The key that a form carried. A missing one is let through and counted, or refused, by the tenant's stage (MISSION A8).
///
/// # Errors
/// [`Problem`] `KEY_MISSING` or `KEY_MALFORMED`.
pub async fn key(state: &AppState, caller: &Caller, carried: &str) -> Result<IdempotencyKey, Problem> {
    if !carried.is_empty() {
        return IdempotencyKey::parse(carried).map_err(|_| Problem::new(problem::KEY_MALFORMED));
    }
    state.ledger.count(caller.tenant, Counter::KeyMissing);
    let surface = if caller.role == Role::Terminal {
        "terminal"
    } else {
        "form"
    };
    match key_stage::of_surface(state.ledger.pool(), caller.tenant, surface).await? {
        Stage::Required => Err(Problem::new(problem::KEY_MISSING)),
        Stage::Optional | Stage::Observed => {
            IdempotencyKey::parse(&fresh_key()).map_err(|_| Problem::new(problem::KEY_MALFORMED))
        }
    }
}

/// Answers a money form: the result's page for what was done (first or again, the same page), else back to the form at
/// `url` with what was typed.
///
/// # Errors
/// [`Problem`] of the rejection or failure.
pub fn settle(
    caller: &Caller,
    answer: Result<Answer, Problem>,
    url: &str,
    typed: &[(&str, &str)],
) -> Result<Settled, Problem> {
    let settled = answer.and_then(|answer| match answer.outcome {
        Outcome::Applied(receipt) => Ok(Settled {
            path: result_path(caller.role, &receipt),
        }),
        Outcome::Rejected(rejection) => Err(rejection.into()),
    });
    let path = settled.as_ref().map(|settled| settled.path.clone()).unwrap_or_default();
    context::finish(settled, &path, url, typed)
}

async fn operation(state: &AppState, caller: &Caller, key: &str) -> Result<Operation, Failure> {
    match IdempotencyKey::parse(key) {
        Ok(key) => state.ledger.operation(caller.tenant, caller.actor, &key).await,
        Err(_) => Ok(Operation::NeverSeen),
    }
}

async fn current(state: &AppState, caller: &Caller, purpose: &str) -> Result<Option<String>, Failure> {
    let key = sqlx::query_scalar!(
        r#"
        select key from identity.form_key
        where tenant_id = $1 and actor = $2 and purpose = $3 and created_at > $4
        "#,
        caller.tenant.0,
        caller.actor.to_string(),
        purpose,
        state.ledger.now() - KEY_TTL,
    )
    .fetch_optional(state.ledger.pool())
    .await?;
    Ok(key)
}

/// A new key in the place of `old`, of none, or of one that is too old; whoever came first decides, so two tabs get the
/// same key.
async fn replace(state: &AppState, caller: &Caller, purpose: &str, old: Option<&str>) -> Result<String, Failure> {
    let now = state.ledger.now();
    let key = sqlx::query_scalar!(
        r#"
        insert into identity.form_key as form (tenant_id, actor, purpose, key, created_at)
        values ($1, $2, $3, $4, $5)
        on conflict (tenant_id, actor, purpose) do update set
            key = case when form.key = $6 or form.created_at <= $7 then excluded.key else form.key end,
            created_at = case when form.key = $6 or form.created_at <= $7 then excluded.created_at else form.created_at end
        returning key
        "#,
        caller.tenant.0,
        caller.actor.to_string(),
        purpose,
        fresh_key(),
        now,
        old,
        now - KEY_TTL,
    )
    .fetch_one(state.ledger.pool())
    .await?;
    Ok(key)
}

fn fresh_key() -> String {
    Uuid::now_v7().to_string()
}
