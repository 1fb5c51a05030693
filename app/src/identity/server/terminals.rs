//! Terminals: paired once by a code that the shop's owner reads out, then known by a token that only the device holds.

use chrono::TimeDelta;
use ledger::money::Instant;
use ledger::{AccountId, Actor, ActorKind, Failure, TenantId};
use sqlx::PgExecutor;
use tower_sessions::cookie::{Cookie, SameSite, time::Duration};
use uuid::Uuid;

use super::attempts::{self, Limit};
use super::tokens;
use crate::context::AppState;
use crate::identity::{Caller, Role, code};
use crate::problem::{self, Problem};

const CODE_LENGTH: usize = 8;
const CODE_TTL: TimeDelta = TimeDelta::minutes(10);
/// Guesses in a tenant while codes live: 30 of a hundred million.
const PAIRING_LIMIT: Limit = Limit {
    attempts: 30,
    window: CODE_TTL,
};
const COOKIE_DAYS: i64 = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    pub terminal_id: Uuid,
    pub name: String,
    pub paired_at: Instant,
    pub last_seen_at: Instant,
    pub revoked_at: Option<Instant>,
}

/// A code of eight digits that pairs one device with the store within ten minutes.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn issue_code(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    terminal_name: &str,
    at: Instant,
) -> Result<String, Failure> {
    let code = tokens::digits(CODE_LENGTH);
    sqlx::query!(
        r#"
        insert into identity.pairing_code (tenant_id, code_hash, merchant_account_id, terminal_name, expires_at)
        values ($1, $2, $3, $4, $5)
        "#,
        tenant.0,
        tokens::hash(&code),
        merchant.0,
        terminal_name,
        at + CODE_TTL,
    )
    .execute(db)
    .await?;
    Ok(code)
}

/// Until when `code` pairs a device with the store; `None` once it was used, is too old, or is none of the store's.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn code_expires_at(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    code: &str,
    at: Instant,
) -> Result<Option<Instant>, Failure> {
    let expires_at = sqlx::query_scalar!(
        r#"
        select expires_at from identity.pairing_code
        where tenant_id = $1 and merchant_account_id = $2 and code_hash = $3 and used_at is null and expires_at > $4
        "#,
        tenant.0,
        merchant.0,
        tokens::hash(code),
        at,
    )
    .fetch_optional(db)
    .await?;
    Ok(expires_at)
}

/// Uses up a code and pairs the device; returns its token.
///
/// # Errors
/// [`Problem`] `WRONG_PAIRING_CODE` if the code is unknown, used or too old, `TOO_MANY_ATTEMPTS` after too many guesses.
pub async fn pair(state: &AppState, tenant: TenantId, typed: &str) -> Result<String, Problem> {
    attempts::raise(state, tenant, "pair", PAIRING_LIMIT).await?;
    let (token, token_hash) = tokens::token("device");
    let paired = sqlx::query!(
        r#"
        with used as (
            update identity.pairing_code set used_at = $3
            where tenant_id = $1 and code_hash = $2 and used_at is null and expires_at > $3
            returning tenant_id, merchant_account_id, terminal_name
        )
        insert into identity.terminal (tenant_id, terminal_id, merchant_account_id, name, token_hash, paired_at, last_seen_at)
        select tenant_id, $4, merchant_account_id, terminal_name, $5, $3, $3 from used
        "#,
        tenant.0,
        tokens::hash(&code::normalized(typed)),
        state.ledger.now(),
        Uuid::now_v7(),
        token_hash,
    )
    .execute(state.ledger.pool())
    .await
    .map_err(Failure::from)?;
    if paired.rows_affected() == 0 {
        return Err(Problem::at("code", problem::WRONG_PAIRING_CODE));
    }
    Ok(token)
}

#[must_use]
pub fn cookie_name(https: bool) -> &'static str {
    if https {
        "__Host-koban-terminal"
    } else {
        "koban-terminal"
    }
}

/// The cookie in which the device keeps its token.
#[must_use]
pub fn cookie(token: String, https: bool) -> Cookie<'static> {
    Cookie::build((cookie_name(https), token))
        .path("/")
        .http_only(true)
        .secure(https)
        .same_site(SameSite::Strict)
        .max_age(Duration::days(COOKIE_DAYS))
        .build()
}

/// The terminal whose device holds `token`. Revoking counts from the next request on.
///
/// # Errors
/// [`Problem`] `SIGN_IN_REQUIRED` if there is none in this tenant.
pub async fn of_device(state: &AppState, tenant: TenantId, token: Option<String>) -> Result<Caller, Problem> {
    let nobody = || Problem::new(problem::SIGN_IN_REQUIRED);
    let token = token.ok_or_else(nobody)?;
    let row = sqlx::query!(
        r#"
        select terminal_id, merchant_account_id, name, last_seen_at
        from identity.terminal
        where tenant_id = $1 and token_hash = $2 and revoked_at is null
        "#,
        tenant.0,
        tokens::hash(&token),
    )
    .fetch_optional(state.ledger.pool())
    .await
    .map_err(Failure::from)?
    .ok_or_else(nobody)?;
    let now = state.ledger.now();
    if now - row.last_seen_at > TimeDelta::minutes(1) {
        touch(state, tenant, row.terminal_id, now).await?;
    }
    let actor = Actor {
        kind: ActorKind::Terminal,
        id: row.terminal_id,
    };
    Ok(Caller {
        tenant,
        actor,
        role: Role::Terminal,
        account: Some(AccountId(row.merchant_account_id)),
        name: row.name,
    })
}

async fn touch(state: &AppState, tenant: TenantId, terminal: Uuid, at: Instant) -> Result<(), Failure> {
    sqlx::query!(
        "update identity.terminal set last_seen_at = $3 where tenant_id = $1 and terminal_id = $2",
        tenant.0,
        terminal,
        at,
    )
    .execute(state.ledger.pool())
    .await?;
    Ok(())
}

/// The store's terminals, those in use first.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_merchant(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
) -> Result<Vec<Terminal>, Failure> {
    let terminals = sqlx::query_as!(
        Terminal,
        r#"
        select terminal_id, name, paired_at, last_seen_at, revoked_at
        from identity.terminal
        where tenant_id = $1 and merchant_account_id = $2
        order by revoked_at is not null, paired_at desc
        "#,
        tenant.0,
        merchant.0,
    )
    .fetch_all(db)
    .await?;
    Ok(terminals)
}

/// Ends a terminal of the store.
///
/// # Errors
/// [`Failure::NotFound`] if the store has no such terminal in use.
pub async fn revoke(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    terminal: Uuid,
    at: Instant,
) -> Result<(), Failure> {
    let revoked = sqlx::query!(
        r#"
        update identity.terminal set revoked_at = $4
        where tenant_id = $1 and merchant_account_id = $2 and terminal_id = $3 and revoked_at is null
        "#,
        tenant.0,
        merchant.0,
        terminal,
        at,
    )
    .execute(db)
    .await?;
    if revoked.rows_affected() == 0 {
        Err(Failure::NotFound("terminal"))
    } else {
        Ok(())
    }
}
