//! Balances: locked in one order, changed by guarded additions (MISSION B2, B3).

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::{
    asset::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId},
    money::Instant,
    plan::{BalanceChange, Lock},
    snapshot::{Balance, BalanceKey, Holding},
};

/// A locked row of a balance.
pub(super) struct Locked {
    pub(super) key: BalanceKey,
    pub(super) balance: Balance,
    pub(super) updated_at: Instant,
}

/// Locks balances in the order of their keys, so that payments that cross can't deadlock. A statement that waits for a
/// lock reads only the locked rows afresh, so nothing else is read here.
pub(super) async fn lock(db: &mut PgConnection, tenant: TenantId, locks: &[Lock]) -> Result<Vec<Locked>, Failure> {
    let (accounts, assets) = columns(locks);
    let lanes: Vec<Option<i16>> = locks.iter().map(|lock| lock.lane).collect();
    let rows = sqlx::query!(
        r#"
        select b.account_id as "account_id: AccountId", b.asset_code, b.lane, b.amount, b.held, b.owed, b.updated_at
        from ledger.balance b
        join unnest($2::uuid[], $3::text[], $4::smallint[]) as d (account_id, asset_code, lane)
            on b.account_id = d.account_id and b.asset_code = d.asset_code and b.lane = coalesce(d.lane, b.lane)
        where b.tenant_id = $1
        order by b.account_id, b.asset_code, b.lane
        for update of b
        "#,
        tenant.0,
        &accounts,
        &assets,
        &lanes as &[Option<i16>],
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Locked {
                key: BalanceKey {
                    account: row.account_id,
                    asset: asset_code(row.asset_code)?,
                    lane: row.lane,
                },
                balance: Balance {
                    amount: row.amount,
                    held: row.held,
                    owed: row.owed,
                },
                updated_at: row.updated_at,
            })
        })
        .collect()
}

/// Makes the rows that are absent, where account and asset exist; only an account that collects has more than one lane.
pub(super) async fn open(
    db: &mut PgConnection,
    tenant: TenantId,
    locks: &[Lock],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let (accounts, assets) = columns(locks);
    let lanes: Vec<i16> = locks.iter().map(|lock| lock.lane.unwrap_or_default()).collect();
    sqlx::query!(
        r#"
        insert into ledger.balance (tenant_id, account_id, asset_code, lane, amount, updated_at)
        select $1, a.account_id, s.asset_code, d.lane, 0, $5
        from unnest($2::uuid[], $3::text[], $4::smallint[]) as d (account_id, asset_code, lane)
        join ledger.account a on a.tenant_id = $1 and a.account_id = d.account_id
            and (a.kind = 'merchant' or (a.kind = 'customer' and d.lane = 0))
        join ledger.asset s on s.tenant_id = $1 and s.asset_code = d.asset_code
        order by a.account_id, s.asset_code, d.lane
        on conflict do nothing
        "#,
        tenant.0,
        &accounts,
        &assets,
        &lanes,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Makes every change whose guard holds; returns how many did.
pub(super) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    changes: &[BalanceChange],
    at: Instant,
) -> Result<u64, sqlx::Error> {
    let accounts: Vec<Uuid> = changes.iter().map(|change| change.key.account.0).collect();
    let assets: Vec<String> = changes.iter().map(|change| change.key.asset.to_string()).collect();
    let lanes: Vec<i16> = changes.iter().map(|change| change.key.lane).collect();
    let column = |of: fn(&BalanceChange) -> Decimal| changes.iter().map(of).collect::<Vec<_>>();
    let at_most: Vec<Option<Decimal>> = changes.iter().map(|change| change.at_most).collect();
    let changed = sqlx::query!(
        r#"
        update ledger.balance b
        set amount = b.amount + d.amount, held = b.held + d.held, owed = b.owed + d.owed, updated_at = $11
        from unnest($2::uuid[], $3::text[], $4::smallint[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
                $9::numeric[], $10::numeric[])
            as d (account_id, asset_code, lane, amount, held, owed, available_at_least, held_at_least, at_most)
        where b.tenant_id = $1 and b.account_id = d.account_id and b.asset_code = d.asset_code and b.lane = d.lane
            and b.amount - b.held >= d.available_at_least
            and b.held >= d.held_at_least
            and (d.at_most is null or b.amount <= d.at_most)
        "#,
        tenant.0,
        &accounts,
        &assets,
        &lanes,
        &column(|change| change.amount),
        &column(|change| change.held),
        &column(|change| change.owed),
        &column(|change| change.available_at_least),
        &column(|change| change.held_at_least),
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
) -> Result<BTreeMap<Holding, Decimal>, Failure> {
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

fn columns(locks: &[Lock]) -> (Vec<Uuid>, Vec<String>) {
    locks
        .iter()
        .map(|lock| (lock.account.0, lock.asset.to_string()))
        .unzip()
}

/// A stored code; the table's constraint keeps its form.
pub(super) fn asset_code(text: String) -> Result<AssetCode, Failure> {
    AssetCode::try_from(text).map_err(|_| Failure::Inconsistent)
}
