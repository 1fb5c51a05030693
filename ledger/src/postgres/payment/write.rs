//! What a batch writes of payments: new ones, changes of status, events, refunds; one statement each.

use rust_decimal::Decimal;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    id::TenantId,
    money::Instant,
    payment::PaymentChange,
    plan::{Record, merge_payment_changes},
    postgres::{execute::Decided, records::Records},
};

/// Writes the new payments of a batch.
pub(crate) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::Payment(payment) => Some(payment),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows.column(|payment| payment.payment_id.0);
    let payers: Vec<Uuid> = rows.column(|payment| payment.payer.0);
    let merchants: Vec<Uuid> = rows.column(|payment| payment.merchant.0);
    let assets: Vec<String> = rows.column(|payment| payment.asset.to_string());
    let amounts: Vec<Decimal> = rows.column(|payment| payment.amount);
    let captured: Vec<Decimal> = rows.column(|payment| payment.captured);
    let held: Vec<Decimal> = rows.column(|payment| payment.held);
    let statuses: Vec<String> = rows.column(|payment| payment.status.to_string());
    let memos: Vec<Option<String>> = rows.column(|payment| payment.memo.clone());
    let points: Vec<Decimal> = rows.column(|payment| payment.points_earned);
    let withheld: Vec<Decimal> = rows.column(|payment| payment.points_withheld);
    let co2: Vec<Decimal> = rows.column(|payment| payment.co2_saved_kg);
    let ends: Vec<Option<Instant>> = rows.column(|payment| payment.hold_expires_at);
    let actors: Vec<String> = rows.actors();
    sqlx::query!(
        r#"
        insert into ledger.payment (tenant_id, payment_id, payer_account_id, merchant_account_id, asset_code, amount,
            captured, held, status, memo, points_earned, points_withheld, co2_saved_kg, hold_expires_at, actor, created_at,
            updated_at)
        select $1, d.payment_id, d.payer, d.merchant, d.asset_code, d.amount, d.captured, d.held, d.status, d.memo,
            d.points, d.withheld, d.co2, d.hold_expires_at, d.actor, $16, $16
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::numeric[], $7::numeric[], $8::numeric[],
                $9::text[], $10::text[], $11::numeric[], $12::numeric[], $13::numeric[], $14::timestamptz[], $15::text[])
            as d (payment_id, payer, merchant, asset_code, amount, captured, held, status, memo, points, withheld, co2,
                hold_expires_at, actor)
        "#,
        tenant.0,
        &ids,
        &payers,
        &merchants,
        &assets,
        &amounts,
        &captured,
        &held,
        &statuses,
        &memos as &[Option<String>],
        &points,
        &withheld,
        &co2,
        &ends as &[Option<Instant>],
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Changes the payments of a batch, each where its status and amounts are still those that were read; returns whether
/// all were.
pub(crate) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let changes = Records::of(decided, |record| match record {
        Record::PaymentChange(change) => Some(change),
        _ => None,
    });
    if changes.is_empty() {
        return Ok(true);
    }
    let changes = merge_payment_changes(changes.iter());
    let before = || changes.iter().map(PaymentChange::before);
    let after = || changes.iter().map(PaymentChange::after);
    let ids: Vec<Uuid> = before().map(|payment| payment.payment_id.0).collect();
    let from: Vec<String> = before().map(|payment| payment.status.to_string()).collect();
    let captured_before: Vec<Decimal> = before().map(|payment| payment.captured).collect();
    let held_before: Vec<Decimal> = before().map(|payment| payment.held).collect();
    let refunded_before: Vec<Decimal> = before().map(|payment| payment.refunded).collect();
    let to: Vec<String> = after().map(|payment| payment.status.to_string()).collect();
    let captured: Vec<Decimal> = after().map(|payment| payment.captured).collect();
    let held: Vec<Decimal> = after().map(|payment| payment.held).collect();
    let refunded: Vec<Decimal> = after().map(|payment| payment.refunded).collect();
    let points: Vec<Decimal> = after().map(|payment| payment.points_earned).collect();
    let withheld: Vec<Decimal> = after().map(|payment| payment.points_withheld).collect();
    let returned: Vec<Decimal> = after().map(|payment| payment.points_returned).collect();
    let co2: Vec<Decimal> = after().map(|payment| payment.co2_saved_kg).collect();
    let changed = sqlx::query!(
        r#"
        update ledger.payment p
        set status = d.to_status, captured = d.captured, held = d.held, refunded = d.refunded, points_earned = d.points,
            points_withheld = d.withheld, points_returned = d.returned, co2_saved_kg = d.co2, updated_at = $15
        from unnest($2::uuid[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::text[], $8::numeric[],
                $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[])
            as d (payment_id, from_status, captured_before, held_before, refunded_before, to_status, captured, held,
                refunded, points, withheld, returned, co2)
        where p.tenant_id = $1 and p.payment_id = d.payment_id and p.status = d.from_status
            and p.captured = d.captured_before and p.held = d.held_before and p.refunded = d.refunded_before
        "#,
        tenant.0,
        &ids,
        &from,
        &captured_before,
        &held_before,
        &refunded_before,
        &to,
        &captured,
        &held,
        &refunded,
        &points,
        &withheld,
        &returned,
        &co2,
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
    let rows = Records::of(decided, |record| match record {
        Record::PaymentEvent(event) => Some(event),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let payments: Vec<Uuid> = rows.column(|event| event.payment_id.0);
    let ids: Vec<Uuid> = rows.column(|event| event.event_id);
    let from: Vec<Option<String>> = rows.column(|event| event.from.map(|status| status.to_string()));
    let to: Vec<String> = rows.column(|event| event.to.to_string());
    let actors: Vec<String> = rows.actors();
    let reasons: Vec<Option<String>> = rows.column(|event| event.reason.clone());
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
    let rows = Records::of(decided, |record| match record {
        Record::Refund(refund) => Some(refund),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows.column(|refund| refund.refund_id.0);
    let payments: Vec<Uuid> = rows.column(|refund| refund.payment_id.0);
    let amounts: Vec<Decimal> = rows.column(|refund| refund.amount);
    let points: Vec<Decimal> = rows.column(|refund| refund.points_returned);
    let owed: Vec<Decimal> = rows.column(|refund| refund.points_owed);
    let reasons: Vec<String> = rows.column(|refund| refund.reason.clone());
    let actors: Vec<String> = rows.actors();
    sqlx::query!(
        r#"
        insert into ledger.refund
            (tenant_id, refund_id, payment_id, amount, points_returned, points_owed, reason, actor, created_at)
        select $1, d.refund_id, d.payment_id, d.amount, d.points, d.owed, d.reason, d.actor, $9
        from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::numeric[], $6::numeric[], $7::text[], $8::text[])
            as d (refund_id, payment_id, amount, points, owed, reason, actor)
        "#,
        tenant.0,
        &ids,
        &payments,
        &amounts,
        &points,
        &owed,
        &reasons,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
