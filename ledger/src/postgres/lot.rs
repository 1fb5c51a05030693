//! Lots: read and changed under the lock of the balance that they make up.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided};
use crate::{
    failure::Failure,
    id::{AccountId, TenantId},
    lot::{Lot, LotChange, LotKey},
    money::Instant,
    plan::merge_lots,
    snapshot::Holding,
};

/// The lots of holdings that are not empty, by expiry.
pub(super) async fn of_holdings(
    db: &mut PgConnection,
    tenant: TenantId,
    holdings: &[Holding],
) -> Result<BTreeMap<Holding, Vec<Lot>>, Failure> {
    let (accounts, assets): (Vec<Uuid>, Vec<String>) = holdings
        .iter()
        .map(|(account, asset)| (account.0, asset.to_string()))
        .unzip();
    let rows = sqlx::query!(
        r#"
        select l.account_id as "account_id: AccountId", l.asset_code, l.expires_at, l.paid, l.remaining
        from unnest($2::uuid[], $3::text[]) as d (account_id, asset_code)
        join ledger.lot l
            on l.tenant_id = $1 and l.account_id = d.account_id and l.asset_code = d.asset_code and l.remaining > 0
        order by l.expires_at, l.paid
        "#,
        tenant.0,
        &accounts,
        &assets,
    )
    .fetch_all(db)
    .await?;
    let mut lots: BTreeMap<Holding, Vec<Lot>> = BTreeMap::new();
    for row in rows {
        let lot = Lot {
            expires_at: row.expires_at,
            paid: row.paid,
            remaining: row.remaining,
        };
        lots.entry((row.account_id, asset_code(row.asset_code)?))
            .or_default()
            .push(lot);
    }
    Ok(lots)
}

/// Who holds lots that are gone by `at`, in the order of accounts and assets, after the one given, `limit` at most.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn expired(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    at: Instant,
    after: Option<&Holding>,
    limit: i64,
) -> Result<Vec<Holding>, Failure> {
    let rows = sqlx::query!(
        r#"
        select distinct account_id as "account_id: AccountId", asset_code
        from ledger.lot
        where tenant_id = $1 and remaining > 0 and expires_at <= $2
            and (account_id, asset_code) > ($3, $4::text)
        order by account_id, asset_code
        limit $5
        "#,
        tenant.0,
        at,
        after.map_or(Uuid::nil(), |(account, _)| account.0),
        after.map_or("", |(_, asset)| asset.as_str()),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.account_id, asset_code(row.asset_code)?)))
        .collect()
}

/// The most lots that one [`sweep`] deletes.
const SWEEP_BATCH: i64 = 500;

/// Deletes empty lots that are past their time by `at`; returns how many. What is in use by a batch is left for later. An
/// operation that gives something back to such a lot makes it again.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn sweep(db: impl PgExecutor<'_>, tenant: TenantId, at: Instant) -> Result<u64, Failure> {
    let deleted = sqlx::query!(
        r#"
        with empty as (
            select account_id, asset_code, expires_at, paid
            from ledger.lot
            where tenant_id = $1 and expires_at <= $2 and remaining = 0
            limit $3
        ), locked as (
            select account_id, asset_code
            from ledger.balance
            where tenant_id = $1 and lane = 0 and (account_id, asset_code) in (select account_id, asset_code from empty)
            for update skip locked
        )
        delete from ledger.lot l
        using empty e join locked using (account_id, asset_code)
        where l.tenant_id = $1 and l.account_id = e.account_id and l.asset_code = e.asset_code
            and l.expires_at = e.expires_at and l.paid = e.paid and l.remaining = 0
        "#,
        tenant.0,
        at,
        SWEEP_BATCH,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected())
}

/// What operations on `subjects` did to lots.
pub(super) async fn uses(
    db: &mut PgConnection,
    tenant: TenantId,
    subjects: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<LotChange>>, Failure> {
    let rows = sqlx::query!(
        r#"
        select subject_id, account_id as "account_id: AccountId", asset_code, expires_at, paid, sum(amount) as "amount!"
        from ledger.lot_use
        where tenant_id = $1 and subject_id = any($2)
        group by subject_id, account_id, asset_code, expires_at, paid
        "#,
        tenant.0,
        subjects,
    )
    .fetch_all(db)
    .await?;
    let mut uses: BTreeMap<Uuid, Vec<LotChange>> = BTreeMap::new();
    for row in rows {
        let key = LotKey {
            account: row.account_id,
            asset: asset_code(row.asset_code)?,
            expires_at: row.expires_at,
            paid: row.paid,
        };
        uses.entry(row.subject_id).or_default().push(LotChange {
            key,
            amount: row.amount,
        });
    }
    Ok(uses)
}

/// Changes the lots of a batch and writes what each operation did to them; returns whether every lot was there. A lot
/// can't fall below zero: its constraint refuses.
pub(super) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
) -> Result<bool, sqlx::Error> {
    let changes = merge_lots(decided.iter().flat_map(|decided| &decided.plan.lots));
    if changes.is_empty() {
        return Ok(true);
    }
    let Columns {
        accounts,
        assets,
        ends,
        paid,
        amounts,
    } = Columns::of(changes.iter());
    sqlx::query!(
        r#"
        insert into ledger.lot (tenant_id, account_id, asset_code, expires_at, paid, remaining)
        select $1, d.account_id, d.asset_code, d.expires_at, d.paid, 0
        from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::boolean[])
            as d (account_id, asset_code, expires_at, paid)
        on conflict do nothing
        "#,
        tenant.0,
        &accounts,
        &assets,
        &ends,
        &paid,
    )
    .execute(&mut *db)
    .await?;
    let changed = sqlx::query!(
        r#"
        update ledger.lot l
        set remaining = l.remaining + d.amount
        from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::boolean[], $6::numeric[])
            as d (account_id, asset_code, expires_at, paid, amount)
        where l.tenant_id = $1 and l.account_id = d.account_id and l.asset_code = d.asset_code
            and l.expires_at = d.expires_at and l.paid = d.paid
        "#,
        tenant.0,
        &accounts,
        &assets,
        &ends,
        &paid,
        &amounts,
    )
    .execute(&mut *db)
    .await?;
    insert_uses(db, tenant, decided).await?;
    Ok(changed.rows_affected() == changes.len() as u64)
}

async fn insert_uses(db: &mut PgConnection, tenant: TenantId, decided: &[Decided<'_>]) -> Result<(), sqlx::Error> {
    let uses = || {
        decided.iter().flat_map(|decided| {
            let head = &decided.plan.transaction;
            let lots = decided.plan.lots.iter().filter(|change| !change.amount.is_zero());
            (0_i16..).zip(lots).map(move |(number, change)| (head, number, change))
        })
    };
    let transactions: Vec<Uuid> = uses().map(|(head, ..)| head.transaction_id.0).collect();
    let numbers: Vec<i16> = uses().map(|(_, number, _)| number).collect();
    let subjects: Vec<Uuid> = uses().map(|(head, ..)| head.subject_id).collect();
    let Columns {
        accounts,
        assets,
        ends,
        paid,
        amounts,
    } = Columns::of(uses().map(|(.., change)| change));
    sqlx::query!(
        r#"
        insert into ledger.lot_use
            (tenant_id, transaction_id, number, subject_id, account_id, asset_code, expires_at, paid, amount)
        select $1, d.transaction_id, d.number, d.subject_id, d.account_id, d.asset_code, d.expires_at, d.paid, d.amount
        from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[], $8::boolean[],
                $9::numeric[])
            as d (transaction_id, number, subject_id, account_id, asset_code, expires_at, paid, amount)
        "#,
        tenant.0,
        &transactions,
        &numbers,
        &subjects,
        &accounts,
        &assets,
        &ends,
        &paid,
        &amounts,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Changes of lots, column by column.
#[derive(Default)]
struct Columns {
    accounts: Vec<Uuid>,
    assets: Vec<String>,
    ends: Vec<Instant>,
    paid: Vec<bool>,
    amounts: Vec<Decimal>,
}

impl Columns {
    fn of<'a>(changes: impl Iterator<Item = &'a LotChange>) -> Self {
        let mut columns = Self::default();
        for LotChange { key, amount } in changes {
            columns.accounts.push(key.account.0);
            columns.assets.push(key.asset.to_string());
            columns.ends.push(key.expires_at);
            columns.paid.push(key.paid);
            columns.amounts.push(*amount);
        }
        columns
    }
}
