//! Balances: locked in one order, changed by guarded additions (MISSION B2, B3).

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::{
    account::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId},
    money::Instant,
    plan::BalanceChange,
    snapshot::BalanceKey,
};

/// A locked balance.
pub(super) struct Locked {
    pub(super) key: BalanceKey,
    pub(super) amount: Decimal,
    pub(super) updated_at: Instant,
}

/// Locks the balances in the order of their keys, so that payments that cross can't deadlock. A statement that waits
/// for a lock reads only the locked rows afresh, so nothing else is read here.
pub(super) async fn lock(db: &mut PgConnection, tenant: TenantId, keys: &[BalanceKey]) -> Result<Vec<Locked>, Failure> {
    let (accounts, assets) = columns(keys);
    let rows = sqlx::query!(
        r#"
        select b.account_id as "account_id: AccountId", b.asset_code, b.amount, b.updated_at
        from ledger.balance b
        join unnest($2::uuid[], $3::text[]) as d (account_id, asset_code)
            on b.account_id = d.account_id and b.asset_code = d.asset_code
        where b.tenant_id = $1 and b.lane = 0
        order by b.account_id, b.asset_code
        for update of b
        "#,
        tenant.0,
        &accounts,
        &assets,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let key = (row.account_id, asset_code(row.asset_code)?);
            Ok(Locked {
                key,
                amount: row.amount,
                updated_at: row.updated_at,
            })
        })
        .collect()
}

/// Makes the rows that are absent, where account and asset exist.
pub(super) async fn open(
    db: &mut PgConnection,
    tenant: TenantId,
    keys: &[BalanceKey],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let (accounts, assets) = columns(keys);
    sqlx::query!(
        r#"
        insert into ledger.balance (tenant_id, account_id, asset_code, lane, amount, updated_at)
        select $1, a.account_id, s.asset_code, 0, 0, $4
        from unnest($2::uuid[], $3::text[]) as d (account_id, asset_code)
        join ledger.account a on a.tenant_id = $1 and a.account_id = d.account_id and a.kind <> 'system'
        join ledger.asset s on s.tenant_id = $1 and s.asset_code = d.asset_code
        order by a.account_id, s.asset_code
        on conflict do nothing
        "#,
        tenant.0,
        &accounts,
        &assets,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Adds every delta whose guard holds; returns how many did.
pub(super) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    changes: &[BalanceChange],
    at: Instant,
) -> Result<u64, sqlx::Error> {
    let accounts: Vec<Uuid> = changes.iter().map(|change| change.account.0).collect();
    let assets: Vec<String> = changes.iter().map(|change| change.asset.to_string()).collect();
    let deltas: Vec<Decimal> = changes.iter().map(|change| change.delta).collect();
    let at_least: Vec<Decimal> = changes.iter().map(|change| change.at_least).collect();
    let at_most: Vec<Option<Decimal>> = changes.iter().map(|change| change.at_most).collect();
    let changed = sqlx::query!(
        r#"
        update ledger.balance b
        set amount = b.amount + d.delta, updated_at = $7
        from unnest($2::uuid[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[])
            as d (account_id, asset_code, delta, at_least, at_most)
        where b.tenant_id = $1 and b.account_id = d.account_id and b.asset_code = d.asset_code and b.lane = 0
            and b.amount >= d.at_least
            and (d.at_most is null or b.amount <= d.at_most)
        "#,
        tenant.0,
        &accounts,
        &assets,
        &deltas,
        &at_least,
        &at_most as &[Option<Decimal>],
        at,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected())
}

/// What an account holds, per asset that it ever held.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_account(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
) -> Result<BTreeMap<AssetCode, Decimal>, Failure> {
    let rows = sqlx::query!(
        r#"
        select asset_code, sum(amount) as "amount!"
        from ledger.balance
        where tenant_id = $1 and account_id = $2
        group by asset_code
        "#,
        tenant.0,
        account.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((asset_code(row.asset_code)?, row.amount)))
        .collect()
}

/// What accounts hold, per asset that they ever held.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_accounts(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    accounts: &[AccountId],
) -> Result<BTreeMap<BalanceKey, Decimal>, Failure> {
    let accounts: Vec<Uuid> = accounts.iter().map(|account| account.0).collect();
    let rows = sqlx::query!(
        r#"
        select account_id as "account_id: AccountId", asset_code, sum(amount) as "amount!"
        from ledger.balance
        where tenant_id = $1 and account_id = any($2)
        group by account_id, asset_code
        "#,
        tenant.0,
        &accounts,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok(((row.account_id, asset_code(row.asset_code)?), row.amount)))
        .collect()
}

/// The money in circulation, per asset: what all customers and merchants hold together. `verify` proves that it equals
/// what the system accounts have given out.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn in_circulation(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
) -> Result<BTreeMap<AssetCode, Decimal>, Failure> {
    let rows = sqlx::query!(
        r#"
        select a.asset_code, coalesce(sum(b.amount), 0) as "amount!"
        from ledger.asset a
        left join ledger.balance b on b.tenant_id = a.tenant_id and b.asset_code = a.asset_code
        where a.tenant_id = $1
        group by a.asset_code
        "#,
        tenant.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((asset_code(row.asset_code)?, row.amount)))
        .collect()
}

fn columns(keys: &[BalanceKey]) -> (Vec<Uuid>, Vec<String>) {
    keys.iter()
        .map(|(account, asset)| (account.0, asset.to_string()))
        .unzip()
}

/// A stored code; the table's constraint keeps its form.
pub(super) fn asset_code(text: String) -> Result<AssetCode, Failure> {
    AssetCode::try_from(text).map_err(|_| Failure::Inconsistent)
}
