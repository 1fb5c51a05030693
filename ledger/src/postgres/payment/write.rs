//! What a batch writes of payments: new ones, changes of status, events, refunds; one statement each.

use rust_decimal::Decimal;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{id::TenantId, money::Instant, plan::merge_payment_changes, postgres::execute::Decided};

/// Writes the new payments of a batch.
pub(crate) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = || {
        decided
            .iter()
            .filter_map(|decided| Some((decided.request, decided.plan.payment.as_ref()?)))
    };
    if rows().next().is_none() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows().map(|(_, payment)| payment.payment_id.0).collect();
    let payers: Vec<Uuid> = rows().map(|(_, payment)| payment.payer.0).collect();
    let merchants: Vec<Uuid> = rows().map(|(_, payment)| payment.merchant.0).collect();
    let assets: Vec<String> = rows().map(|(_, payment)| payment.asset.to_string()).collect();
    let amounts: Vec<Decimal> = rows().map(|(_, payment)| payment.amount).collect();
    let captured: Vec<Decimal> = rows().map(|(_, payment)| payment.captured).collect();
    let statuses: Vec<String> = rows().map(|(_, payment)| payment.status.to_string()).collect();
    let memos: Vec<Option<String>> = rows().map(|(_, payment)| payment.memo.clone()).collect();
    let points: Vec<Decimal> = rows().map(|(_, payment)| payment.points_earned).collect();
    let co2: Vec<Decimal> = rows().map(|(_, payment)| payment.co2_saved_kg).collect();
    let actors: Vec<String> = rows().map(|(request, _)| request.actor.clone()).collect();
    sqlx::query!(
        r#"
        insert into ledger.payment (tenant_id, payment_id, payer_account_id, merchant_account_id, asset_code, amount,
            captured, status, memo, points_earned, co2_saved_kg, actor, created_at, updated_at)
        select $1, d.payment_id, d.payer, d.merchant, d.asset_code, d.amount, d.captured, d.status, d.memo, d.points,
            d.co2, d.actor, $13, $13
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::numeric[], $7::numeric[], $8::text[],
                $9::text[], $10::numeric[], $11::numeric[], $12::text[])
            as d (payment_id, payer, merchant, asset_code, amount, captured, status, memo, points, co2, actor)
        "#,
        tenant.0,
        &ids,
        &payers,
        &merchants,
        &assets,
        &amounts,
        &captured,
        &statuses,
        &memos as &[Option<String>],
        &points,
        &co2,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Changes the payments of a batch, each where its status and refunded amount are still those that were read; returns
/// whether all were.
pub(crate) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let changes = merge_payment_changes(
        decided
            .iter()
            .filter_map(|decided| decided.plan.payment_change.as_ref()),
    );
    if changes.is_empty() {
        return Ok(true);
    }
    let ids: Vec<Uuid> = changes.iter().map(|change| change.before.payment_id.0).collect();
    let from: Vec<String> = changes
        .iter()
        .map(|change| change.before.status.from().to_string())
        .collect();
    let to: Vec<String> = changes
        .iter()
        .map(|change| change.after.status.to().to_string())
        .collect();
    let refunded_before: Vec<Decimal> = changes.iter().map(|change| change.before.refunded_before).collect();
    let refunded_after: Vec<Decimal> = changes.iter().map(|change| change.after.refunded_after).collect();
    let points_returned: Vec<Decimal> = changes
        .iter()
        .map(|change| change.after.points_returned_after)
        .collect();
    let changed = sqlx::query!(
        r#"
        update ledger.payment p
        set status = d.to_status, refunded = d.refunded_after, points_returned = d.points_returned, updated_at = $8
        from unnest($2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[])
            as d (payment_id, from_status, to_status, refunded_before, refunded_after, points_returned)
        where p.tenant_id = $1 and p.payment_id = d.payment_id
            and p.status = d.from_status and p.refunded = d.refunded_before
        "#,
        tenant.0,
        &ids,
        &from,
        &to,
        &refunded_before,
        &refunded_after,
        &points_returned,
        at,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() == changes.len() as u64)
}

/// Writes the events of a batch: every change of a payment's status.
pub(crate) async fn insert_events(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = || {
        decided
            .iter()
            .filter_map(|decided| Some((decided.request, decided.plan.event.as_ref()?)))
    };
    if rows().next().is_none() {
        return Ok(());
    }
    let payments: Vec<Uuid> = rows().map(|(_, event)| event.payment_id.0).collect();
    let ids: Vec<Uuid> = rows().map(|(_, event)| event.event_id).collect();
    let from: Vec<Option<String>> = rows()
        .map(|(_, event)| event.from.map(|status| status.to_string()))
        .collect();
    let to: Vec<String> = rows().map(|(_, event)| event.to.to_string()).collect();
    let actors: Vec<String> = rows().map(|(request, _)| request.actor.clone()).collect();
    let reasons: Vec<Option<String>> = rows().map(|(_, event)| event.reason.clone()).collect();
    sqlx::query!(
        r#"
        insert into ledger.payment_event
            (tenant_id, payment_id, event_id, from_status, to_status, actor, reason, occurred_at)
        select $1, d.payment_id, d.event_id, d.from_status, d.to_status, d.actor, d.reason, $8
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
            as d (payment_id, event_id, from_status, to_status, actor, reason)
        "#,
        tenant.0,
        &payments,
        &ids,
        &from as &[Option<String>],
        &to,
        &actors,
        &reasons as &[Option<String>],
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Writes the refunds of a batch.
pub(crate) async fn insert_refunds(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = || {
        decided
            .iter()
            .filter_map(|decided| Some((decided.request, decided.plan.refund.as_ref()?)))
    };
    if rows().next().is_none() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows().map(|(_, refund)| refund.refund_id.0).collect();
    let payments: Vec<Uuid> = rows().map(|(_, refund)| refund.payment_id.0).collect();
    let amounts: Vec<Decimal> = rows().map(|(_, refund)| refund.amount).collect();
    let points: Vec<Decimal> = rows().map(|(_, refund)| refund.points_returned).collect();
    let reasons: Vec<String> = rows().map(|(_, refund)| refund.reason.clone()).collect();
    let actors: Vec<String> = rows().map(|(request, _)| request.actor.clone()).collect();
    sqlx::query!(
        r#"
        insert into ledger.refund
            (tenant_id, refund_id, payment_id, amount, points_returned, reason, actor, created_at)
        select $1, d.refund_id, d.payment_id, d.amount, d.points, d.reason, d.actor, $8
        from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::numeric[], $6::text[], $7::text[])
            as d (refund_id, payment_id, amount, points, reason, actor)
        "#,
        tenant.0,
        &ids,
        &payments,
        &amounts,
        &points,
        &reasons,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
