//! Corrections of balances, from their proposal to their end.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided, records::Records};
use crate::{
    adjustment::{Adjustment, AdjustmentStatus},
    failure::Failure,
    id::{AccountId, AdjustmentId, TenantId},
    money::Instant,
    plan::Record,
};

struct Row {
    adjustment_id: AdjustmentId,
    account_id: AccountId,
    asset_code: String,
    amount: Decimal,
    reason: String,
    status: AdjustmentStatus,
    proposed_by: String,
}

impl Row {
    fn adjustment(self) -> Result<Adjustment, Failure> {
        Ok(Adjustment {
            adjustment_id: self.adjustment_id,
            account: self.account_id,
            asset: asset_code(self.asset_code)?,
            amount: self.amount.normalize(),
            reason: self.reason,
            status: self.status,
            proposed_by: self.proposed_by,
        })
    }
}

/// Locks adjustments in the order of their ids.
pub(super) async fn lock(
    db: &mut PgConnection,
    tenant: TenantId,
    adjustments: &[Uuid],
) -> Result<BTreeMap<AdjustmentId, Adjustment>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select adjustment_id as "adjustment_id: AdjustmentId", account_id as "account_id: AccountId", asset_code, amount,
            reason, status as "status: AdjustmentStatus", proposed_by
        from ledger.adjustment
        where tenant_id = $1 and adjustment_id = any($2)
        order by adjustment_id
        for update
        "#,
        tenant.0,
        adjustments,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.adjustment_id, row.adjustment()?)))
        .collect()
}

/// The adjustments that wait for a decision, oldest first.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn proposed(db: impl PgExecutor<'_>, tenant: TenantId) -> Result<Vec<Adjustment>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select adjustment_id as "adjustment_id: AdjustmentId", account_id as "account_id: AccountId", asset_code, amount,
            reason, status as "status: AdjustmentStatus", proposed_by
        from ledger.adjustment
        where tenant_id = $1 and status = 'proposed'
        order by adjustment_id
        "#,
        tenant.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Row::adjustment).collect()
}

pub(super) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::Adjustment(adjustment) => Some(adjustment),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows.column(|row| row.adjustment_id.0);
    let accounts: Vec<Uuid> = rows.column(|row| row.account.0);
    let assets: Vec<String> = rows.column(|row| row.asset.to_string());
    let amounts: Vec<Decimal> = rows.column(|row| row.amount);
    let reasons: Vec<String> = rows.column(|row| row.reason.clone());
    let actors: Vec<String> = rows.actors();
    sqlx::query!(
        r#"
        insert into ledger.adjustment
            (tenant_id, adjustment_id, account_id, asset_code, amount, reason, status, proposed_by, proposed_at)
        select $1, d.adjustment_id, d.account_id, d.asset_code, d.amount, d.reason, 'proposed', d.actor, $8
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::numeric[], $6::text[], $7::text[])
            as d (adjustment_id, account_id, asset_code, amount, reason, actor)
        "#,
        tenant.0,
        &ids,
        &accounts,
        &assets,
        &amounts,
        &reasons,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends adjustments that still wait for it; returns whether all did.
pub(super) async fn decide(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::AdjustmentDecision(decision) => Some(decision),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(true);
    }
    let ids: Vec<Uuid> = rows.column(|row| row.adjustment_id.0);
    let statuses: Vec<String> = rows.column(|row| row.status.as_str().to_owned());
    let actors: Vec<String> = rows.actors();
    let changed = sqlx::query!(
        r#"
        update ledger.adjustment a
        set status = d.status, decided_by = d.actor, decided_at = $5
        from unnest($2::uuid[], $3::text[], $4::text[]) as d (adjustment_id, status, actor)
        where a.tenant_id = $1 and a.adjustment_id = d.adjustment_id and a.status = 'proposed'
        "#,
        tenant.0,
        &ids,
        &statuses,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() == rows.count())
}
