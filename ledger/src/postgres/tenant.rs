//! Tenants.

use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{account::SystemAccount, failure::Failure, id::TenantId, money::Instant};

/// A town, co-op or shop street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    pub tenant_id: TenantId,
    pub slug: String,
    pub name: String,
    /// The host name under which its pages are served; `None` for the only tenant of a server.
    pub host: Option<String>,
    /// An IANA name, such as `Asia/Tokyo`.
    pub time_zone: String,
}

/// Every tenant of the server.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn all(db: impl PgExecutor<'_>) -> Result<Vec<Tenant>, Failure> {
    let tenants = sqlx::query_as!(
        Tenant,
        r#"
        select tenant_id as "tenant_id: TenantId", slug, name, host, time_zone
        from ledger.tenant
        order by created_at, tenant_id
        "#
    )
    .fetch_all(db)
    .await?;
    Ok(tenants)
}

/// Founds a tenant, with its own accounts.
///
/// # Errors
/// [`Failure`]; [`Failure::Inconsistent`] if its id, slug or host is taken.
pub async fn create(db: impl PgExecutor<'_>, tenant: &Tenant, at: Instant) -> Result<(), Failure> {
    let system: Vec<Uuid> = SystemAccount::ALL.iter().map(|account| account.id().0).collect();
    let names: Vec<String> = SystemAccount::ALL
        .iter()
        .map(|account| account.name().to_owned())
        .collect();
    sqlx::query!(
        r#"
        with founded as (
            insert into ledger.tenant (tenant_id, slug, name, host, time_zone, created_at)
            values ($1, $2, $3, $4, $5, $6)
        )
        insert into ledger.account (tenant_id, account_id, kind, name, created_at)
        select $1, d.account_id, 'system', d.name, $6
        from unnest($7::uuid[], $8::text[]) as d (account_id, name)
        "#,
        tenant.tenant_id.0,
        tenant.slug,
        tenant.name,
        tenant.host,
        tenant.time_zone,
        at,
        &system,
        &names,
    )
    .execute(db)
    .await?;
    Ok(())
}
