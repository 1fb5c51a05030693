//! Payouts of merchants' balances.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided, records::Records};
use crate::{
    failure::Failure,
    id::{AccountId, PayoutId, TenantId},
    money::Instant,
    payout::{Payout, PayoutStatus},
    plan::Record,
};

struct Row {
    payout_id: PayoutId,
    account_id: AccountId,
    asset_code: String,
    amount: Decimal,
    status: PayoutStatus,
}

impl Row {
    fn payout(self) -> Result<Payout, Failure> {
        Ok(Payout {
            payout_id: self.payout_id,
            merchant: self.account_id,
            asset: asset_code(self.asset_code)?,
            amount: self.amount.normalize(),
            status: self.status,
        })
    }
}

/// Locks payouts in the order of their ids.
pub(super) async fn lock(
    db: &mut PgConnection,
    tenant: TenantId,
    payouts: &[Uuid],
) -> Result<BTreeMap<PayoutId, Payout>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select payout_id as "payout_id: PayoutId", account_id as "account_id: AccountId", asset_code, amount,
            status as "status: PayoutStatus"
        from ledger.payout
        where tenant_id = $1 and payout_id = any($2)
        order by payout_id
        for update
        "#,
        tenant.0,
        payouts,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|row| Ok((row.payout_id, row.payout()?))).collect()
}

/// A merchant's payouts, newest first, `limit` at most.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_merchant(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    limit: i64,
) -> Result<Vec<Payout>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select payout_id as "payout_id: PayoutId", account_id as "account_id: AccountId", asset_code, amount,
            status as "status: PayoutStatus"
        from ledger.payout
        where tenant_id = $1 and account_id = $2
        order by payout_id desc
        limit $3
        "#,
        tenant.0,
        merchant.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Row::payout).collect()
}

pub(super) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::Payout(payout) => Some(payout),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows.column(|row| row.payout_id.0);
    let accounts: Vec<Uuid> = rows.column(|row| row.merchant.0);
    let assets: Vec<String> = rows.column(|row| row.asset.to_string());
    let amounts: Vec<Decimal> = rows.column(|row| row.amount);
    let actors: Vec<String> = rows.actors();
    sqlx::query!(
        r#"
        insert into ledger.payout
            (tenant_id, payout_id, account_id, asset_code, amount, status, actor, created_at, updated_at)
        select $1, d.payout_id, d.account_id, d.asset_code, d.amount, 'paid', d.actor, $7, $7
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::numeric[], $6::text[])
            as d (payout_id, account_id, asset_code, amount, actor)
        "#,
        tenant.0,
        &ids,
        &accounts,
        &assets,
        &amounts,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Marks payouts as failed that are not; returns whether all were.
pub(super) async fn fail(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::PayoutFailure(failure) => Some(failure),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(true);
    }
    let ids: Vec<Uuid> = rows.column(|row| row.payout_id.0);
    let reasons: Vec<String> = rows.column(|row| row.reason.clone());
    let changed = sqlx::query!(
        r#"
        update ledger.payout p
        set status = 'failed', reason = d.reason, updated_at = $4
        from unnest($2::uuid[], $3::text[]) as d (payout_id, reason)
        where p.tenant_id = $1 and p.payout_id = d.payout_id and p.status = 'paid'
        "#,
        tenant.0,
        &ids,
        &reasons,
        at,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() == rows.count())
}
