//! Bearer keys of the JSON API.

use ledger::money::Instant;
use ledger::{AccountId, Actor, ActorKind, Failure, TenantId};
use sqlx::PgExecutor;
use uuid::Uuid;

use super::tokens;
use crate::identity::{Caller, Role};

/// Makes a key and returns its token, which is stored nowhere. `merchant` is the store of a terminal's or merchant's key.
///
/// # Errors
/// [`Failure`] if the database can't be asked, or refuses the combination of role and store.
pub async fn issue(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    role: Role,
    name: &str,
    merchant: Option<AccountId>,
    at: Instant,
) -> Result<String, Failure> {
    let (token, token_hash) = tokens::token("koban");
    sqlx::query!(
        r#"
        insert into identity.api_key (tenant_id, api_key_id, name, role, merchant_account_id, token_hash, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        "#,
        tenant.0,
        Uuid::now_v7(),
        name,
        role.as_str(),
        merchant.map(|merchant| merchant.0),
        token_hash,
        at,
    )
    .execute(db)
    .await?;
    Ok(token)
}

/// Who bears `token`; the key names its tenant.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn authenticate(db: impl PgExecutor<'_>, token: &str) -> Result<Option<Caller>, Failure> {
    let row = sqlx::query!(
        r#"
        select tenant_id, api_key_id, name, role, merchant_account_id
        from identity.api_key
        where token_hash = $1 and revoked_at is null
        "#,
        tokens::hash(token),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.and_then(|row| {
        Some(Caller {
            tenant: TenantId(row.tenant_id),
            actor: Actor {
                kind: ActorKind::ApiKey,
                id: row.api_key_id,
            },
            role: Role::parse(&row.role)?,
            account: row.merchant_account_id.map(AccountId),
            name: row.name,
        })
    }))
}
