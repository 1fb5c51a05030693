//! Payments, their events and refunds.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided};
use crate::{
    account::{Asset, AssetCode},
    failure::Failure,
    id::{AccountId, PaymentId, RefundId, TenantId},
    money::Instant,
    payment::{Payment, PaymentStatus},
    plan::merge_payment_changes,
};

/// A row as it is stored; amounts have the column's scale until [`Row::payment`] gives them their asset's.
struct Row {
    payment_id: PaymentId,
    payer_account_id: AccountId,
    merchant_account_id: AccountId,
    asset_code: String,
    amount: Decimal,
    captured: Decimal,
    refunded: Decimal,
    status: PaymentStatus,
    memo: Option<String>,
    points_earned: Decimal,
    points_returned: Decimal,
    co2_saved_kg: Decimal,
    created_at: Instant,
}

impl Row {
    fn payment(self) -> Result<Payment, Failure> {
        Ok(Payment {
            payment_id: self.payment_id,
            payer: self.payer_account_id,
            merchant: self.merchant_account_id,
            asset: asset_code(self.asset_code)?,
            amount: self.amount.normalize(),
            captured: self.captured.normalize(),
            refunded: self.refunded.normalize(),
            status: self.status,
            memo: self.memo,
            points_earned: self.points_earned.normalize(),
            points_returned: self.points_returned.normalize(),
            co2_saved_kg: self.co2_saved_kg.normalize(),
            created_at: self.created_at,
        })
    }
}

/// The payment with its amounts in the scale of its asset, as plans expect them.
fn scaled(mut payment: Payment, assets: &BTreeMap<AssetCode, Asset>) -> Payment {
    if let Some(asset) = assets.get(&payment.asset) {
        for amount in [&mut payment.amount, &mut payment.captured, &mut payment.refunded] {
            *amount = asset.round_down(*amount);
        }
    }
    if let Some(point) = assets.get(&AssetCode::point()) {
        for points in [&mut payment.points_earned, &mut payment.points_returned] {
            *points = point.round_down(*points);
        }
    }
    payment
}

/// Locks the payments in the order of their ids.
pub(super) async fn lock(
    db: &mut PgConnection,
    tenant: TenantId,
    payments: &[Uuid],
    assets: &BTreeMap<AssetCode, Asset>,
) -> Result<BTreeMap<PaymentId, Payment>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select payment_id as "payment_id: PaymentId", payer_account_id as "payer_account_id: AccountId",
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, refunded,
            status as "status: PaymentStatus", memo, points_earned, points_returned, co2_saved_kg, created_at
        from ledger.payment
        where tenant_id = $1 and payment_id = any($2)
        order by payment_id
        for update
        "#,
        tenant.0,
        payments,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.payment_id, scaled(row.payment()?, assets))))
        .collect()
}

/// Writes the new payments of a batch.
pub(super) async fn insert(
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
pub(super) async fn change(
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
pub(super) async fn insert_events(
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
pub(super) async fn insert_refunds(
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

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find(db: impl PgExecutor<'_>, tenant: TenantId, payment: PaymentId) -> Result<Option<Payment>, Failure> {
    let row = sqlx::query_as!(
        Row,
        r#"
        select payment_id as "payment_id: PaymentId", payer_account_id as "payer_account_id: AccountId",
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, refunded,
            status as "status: PaymentStatus", memo, points_earned, points_returned, co2_saved_kg, created_at
        from ledger.payment
        where tenant_id = $1 and payment_id = $2
        "#,
        tenant.0,
        payment.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(Row::payment).transpose()
}

/// Where a page of payments ends: the next page begins before it.
pub type PaymentCursor = (Instant, PaymentId);

/// A merchant's payments before `before`, newest first, `limit` at most.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_merchant(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    before: Option<PaymentCursor>,
    limit: i64,
) -> Result<Vec<Payment>, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        select payment_id as "payment_id: PaymentId", payer_account_id as "payer_account_id: AccountId",
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, refunded,
            status as "status: PaymentStatus", memo, points_earned, points_returned, co2_saved_kg, created_at
        from ledger.payment
        where tenant_id = $1 and merchant_account_id = $2
            and ($3::timestamptz is null or (created_at, payment_id) < ($3, $4::uuid))
        order by created_at desc, payment_id desc
        limit $5
        "#,
        tenant.0,
        merchant.0,
        before.map(|(instant, _)| instant),
        before.map(|(_, payment)| payment.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Row::payment).collect()
}

/// What a merchant took in an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sales {
    pub asset: AssetCode,
    /// Payments captured.
    pub count: i64,
    pub captured: Decimal,
    /// Refunded in the same time, of payments of any time.
    pub refunded: Decimal,
}

/// A merchant's sales and refunds of `from <= instant < to`, per asset: what its entries of that time say.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn sales(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    merchant: AccountId,
    from: Instant,
    to: Instant,
) -> Result<Vec<Sales>, Failure> {
    let rows = sqlx::query!(
        r#"
        select asset_code,
            count(*) filter (where amount > 0) as "count!",
            coalesce(sum(amount) filter (where amount > 0), 0) as "captured!",
            coalesce(-sum(amount) filter (where amount < 0), 0) as "refunded!"
        from ledger.entry
        where tenant_id = $1 and account_id = $2 and occurred_at >= $3 and occurred_at < $4
        group by asset_code
        order by asset_code
        "#,
        tenant.0,
        merchant.0,
        from,
        to,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let asset = asset_code(row.asset_code)?;
            Ok(Sales {
                asset,
                count: row.count,
                captured: row.captured,
                refunded: row.refunded,
            })
        })
        .collect()
}

/// A change of a payment's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub from: Option<PaymentStatus>,
    pub to: PaymentStatus,
    pub reason: Option<String>,
    pub actor: String,
    pub occurred_at: Instant,
}

/// A payment's history, oldest first.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn events(db: impl PgExecutor<'_>, tenant: TenantId, payment: PaymentId) -> Result<Vec<Event>, Failure> {
    let rows = sqlx::query_as!(
        Event,
        r#"
        select from_status as "from: PaymentStatus", to_status as "to: PaymentStatus", reason, actor, occurred_at
        from ledger.payment_event
        where tenant_id = $1 and payment_id = $2
        order by occurred_at, event_id
        "#,
        tenant.0,
        payment.0,
    )
    .fetch_all(db)
    .await?;
    Ok(rows)
}

/// A refund of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRow {
    pub refund_id: RefundId,
    pub amount: Decimal,
    pub points_returned: Decimal,
    pub reason: String,
    pub actor: String,
    pub created_at: Instant,
}

/// A payment's refunds, oldest first.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn refunds(db: impl PgExecutor<'_>, tenant: TenantId, payment: PaymentId) -> Result<Vec<RefundRow>, Failure> {
    let rows = sqlx::query_as!(
        RefundRow,
        r#"
        select refund_id as "refund_id: RefundId", amount, points_returned, reason, actor, created_at
        from ledger.refund
        where tenant_id = $1 and payment_id = $2
        order by created_at, refund_id
        "#,
        tenant.0,
        payment.0,
    )
    .fetch_all(db)
    .await?;
    Ok(rows)
}
