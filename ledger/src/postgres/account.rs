//! Accounts: opened with their first actor, named by id or by a code that people type and terminals scan.

use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::{
    account::{Account, AccountKind, AccountStatus},
    failure::Failure,
    id::{AccountId, TenantId},
    money::Instant,
    plan::AccountStatusChange,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    pub account_id: AccountId,
    pub kind: AccountKind,
    pub status: AccountStatus,
    pub name: String,
    pub code: Option<String>,
    pub created_at: Instant,
}

/// What plans need to know of the accounts that exist. Read after their balances were locked: whoever freezes an
/// account locks its balances first.
pub(super) async fn for_plan(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    accounts: &[Uuid],
) -> Result<BTreeMap<AccountId, Account>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"
        select account_id as "account_id: AccountId", kind as "kind: AccountKind", status as "status: AccountStatus"
        from ledger.account
        where tenant_id = $1 and account_id = any($2)
        "#,
        tenant.0,
        accounts,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            (
                row.account_id,
                Account {
                    kind: row.kind,
                    status: row.status,
                },
            )
        })
        .collect())
}

/// Opens an account.
///
/// # Errors
/// [`Failure`]; [`Failure::Inconsistent`] if its id or code is taken.
pub async fn open(db: impl PgExecutor<'_>, tenant: TenantId, account: &AccountRow) -> Result<(), Failure> {
    sqlx::query!(
        r#"
        insert into ledger.account (tenant_id, account_id, kind, status, name, code, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        "#,
        tenant.0,
        account.account_id.0,
        account.kind as AccountKind,
        account.status as AccountStatus,
        account.name,
        account.code,
        account.created_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
) -> Result<Option<AccountRow>, Failure> {
    let row = sqlx::query_as!(
        AccountRow,
        r#"
        select account_id as "account_id: AccountId", kind as "kind: AccountKind", status as "status: AccountStatus",
            name, code, created_at
        from ledger.account
        where tenant_id = $1 and account_id = $2
        "#,
        tenant.0,
        account.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row)
}

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find_by_code(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    code: &str,
) -> Result<Option<AccountRow>, Failure> {
    let row = sqlx::query_as!(
        AccountRow,
        r#"
        select account_id as "account_id: AccountId", kind as "kind: AccountKind", status as "status: AccountStatus",
            name, code, created_at
        from ledger.account
        where tenant_id = $1 and code = $2
        "#,
        tenant.0,
        code,
    )
    .fetch_optional(db)
    .await?;
    Ok(row)
}

/// Accounts of a kind in the order in which they were opened, `limit` at most, after the one given.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn list(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    kind: AccountKind,
    after: Option<AccountId>,
    limit: i64,
) -> Result<Vec<AccountRow>, Failure> {
    let rows = sqlx::query_as!(
        AccountRow,
        r#"
        select account_id as "account_id: AccountId", kind as "kind: AccountKind", status as "status: AccountStatus",
            name, code, created_at
        from ledger.account
        where tenant_id = $1 and kind = $2 and account_id > $3
        order by account_id
        limit $4
        "#,
        tenant.0,
        kind as AccountKind,
        after.map_or(Uuid::nil(), |account| account.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows)
}

/// How many accounts of a kind there are.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn count(db: impl PgExecutor<'_>, tenant: TenantId, kind: AccountKind) -> Result<i64, Failure> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from ledger.account where tenant_id = $1 and kind = $2"#,
        tenant.0,
        kind as AccountKind,
    )
    .fetch_one(db)
    .await?;
    Ok(count)
}

/// The names of accounts, for lists that name the other side.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn names(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    accounts: &[AccountId],
) -> Result<BTreeMap<AccountId, String>, Failure> {
    let accounts: Vec<Uuid> = accounts.iter().map(|account| account.0).collect();
    let rows = sqlx::query!(
        r#"
        select account_id as "account_id: AccountId", name
        from ledger.account
        where tenant_id = $1 and account_id = any($2)
        "#,
        tenant.0,
        &accounts,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.account_id, row.name)).collect())
}

/// Locks accounts whose status may change, before their balances: opening a lane reads the account's key, so no lane
/// appears while an account is judged as a whole.
pub(super) async fn lock(db: &mut PgConnection, tenant: TenantId, accounts: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"
        select account_id
        from ledger.account
        where tenant_id = $1 and account_id = any($2)
        order by account_id
        for update
        "#,
        tenant.0,
        accounts,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// Changes an account's status where it is still the one that was read; returns how many did.
pub(super) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    change: &AccountStatusChange,
) -> Result<u64, sqlx::Error> {
    let changed = sqlx::query!(
        "update ledger.account set status = $4 where tenant_id = $1 and account_id = $2 and status = $3",
        tenant.0,
        change.account.0,
        change.from.as_str(),
        change.to.as_str(),
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected())
}
