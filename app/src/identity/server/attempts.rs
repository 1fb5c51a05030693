//! Attempts at a secret, counted in one statement before the secret is looked at: fifty parallel guesses at a limit of
//! five are five guesses (SECURITY S22).

use chrono::TimeDelta;
use ledger::{Failure, TenantId};

use super::tokens;
use crate::context::AppState;
use crate::problem::{self, Problem};

/// How many attempts in which time.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub attempts: i32,
    pub window: TimeDelta,
}

/// The name under which attempts at `secret` are counted; it does not contain the secret's name in the clear.
#[must_use]
pub fn subject(kind: &str, name: &str) -> String {
    format!("{kind}:{}", tokens::hex(&tokens::hash(name)[..16]))
}

/// Counts an attempt.
///
/// # Errors
/// [`Problem`] `TOO_MANY_ATTEMPTS` if the limit of this window is used up.
pub async fn raise(state: &AppState, tenant: TenantId, subject: &str, limit: Limit) -> Result<(), Problem> {
    let now = state.ledger.now();
    let count = sqlx::query_scalar!(
        r#"
        insert into identity.attempt as attempt (tenant_id, subject, count, window_ends_at)
        values ($1, $2, 1, $4)
        on conflict (tenant_id, subject) do update set
            count = case when attempt.window_ends_at <= $3 then 1 else least(attempt.count + 1, 1000000) end,
            window_ends_at = case when attempt.window_ends_at <= $3 then $4 else attempt.window_ends_at end
        returning count
        "#,
        tenant.0,
        subject,
        now,
        now + limit.window,
    )
    .fetch_one(state.ledger.pool())
    .await
    .map_err(Failure::from)?;
    if count > limit.attempts {
        Err(Problem::new(problem::TOO_MANY_ATTEMPTS))
    } else {
        Ok(())
    }
}

/// Forgets the attempts after the secret was known.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn clear(state: &AppState, tenant: TenantId, subject: &str) -> Result<(), Failure> {
    sqlx::query!(
        "delete from identity.attempt where tenant_id = $1 and subject = $2",
        tenant.0,
        subject
    )
    .execute(state.ledger.pool())
    .await?;
    Ok(())
}
