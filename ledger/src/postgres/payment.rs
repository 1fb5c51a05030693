//! Payments, their events and refunds: locked and written by batches, read by the faces.

mod write;

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::balance::asset_code;
use crate::{
    asset::{Asset, AssetCode},
    failure::Failure,
    id::{AccountId, PaymentId, RefundId, TenantId},
    money::Instant,
    payment::{Payment, PaymentStatus},
};

pub(super) use write::{change, insert, insert_events, insert_refunds};

/// A row as it is stored; amounts have the column's scale until [`Row::payment`] gives them their asset's.
struct Row {
    payment_id: PaymentId,
    payer_account_id: AccountId,
    merchant_account_id: AccountId,
    asset_code: String,
    amount: Decimal,
    captured: Decimal,
    held: Decimal,
    refunded: Decimal,
    status: PaymentStatus,
    memo: Option<String>,
    points_earned: Decimal,
    points_withheld: Decimal,
    points_returned: Decimal,
    co2_saved_kg: Decimal,
    hold_expires_at: Option<Instant>,
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
            held: self.held.normalize(),
            refunded: self.refunded.normalize(),
            status: self.status,
            memo: self.memo,
            points_earned: self.points_earned.normalize(),
            points_withheld: self.points_withheld.normalize(),
            points_returned: self.points_returned.normalize(),
            co2_saved_kg: self.co2_saved_kg.normalize(),
            hold_expires_at: self.hold_expires_at,
            created_at: self.created_at,
        })
    }
}

/// The payment with its amounts in the scale of its asset, as plans expect them.
fn scaled(mut payment: Payment, assets: &BTreeMap<AssetCode, Asset>) -> Payment {
    if let Some(asset) = assets.get(&payment.asset) {
        for amount in [
            &mut payment.amount,
            &mut payment.captured,
            &mut payment.held,
            &mut payment.refunded,
        ] {
            *amount = asset.round_down(*amount);
        }
    }
    if let Some(point) = assets.get(&AssetCode::point()) {
        for points in [
            &mut payment.points_earned,
            &mut payment.points_withheld,
            &mut payment.points_returned,
        ] {
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
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, held,
            refunded, status as "status: PaymentStatus", memo, points_earned, points_withheld, points_returned,
            co2_saved_kg, hold_expires_at, created_at
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

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find(db: impl PgExecutor<'_>, tenant: TenantId, payment: PaymentId) -> Result<Option<Payment>, Failure> {
    let row = sqlx::query_as!(
        Row,
        r#"
        select payment_id as "payment_id: PaymentId", payer_account_id as "payer_account_id: AccountId",
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, held,
            refunded, status as "status: PaymentStatus", memo, points_earned, points_withheld, points_returned,
            co2_saved_kg, hold_expires_at, created_at
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

/// Payments whose hold ended by `at` and is not released yet, the oldest first, after the one given, `limit` at most; each
/// with its hold's end.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn with_expired_hold(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    at: Instant,
    after: Option<(Instant, PaymentId)>,
    limit: i64,
) -> Result<Vec<(Instant, PaymentId)>, Failure> {
    let (ended_at, payment) = after.unwrap_or((Instant::UNIX_EPOCH, PaymentId(Uuid::nil())));
    let rows = sqlx::query!(
        r#"
        select payment_id as "payment_id: PaymentId", hold_expires_at as "hold_expires_at!"
        from ledger.payment
        where tenant_id = $1 and held > 0 and hold_expires_at <= $2
            and (hold_expires_at, payment_id) > ($3::timestamptz, $4::uuid)
        order by hold_expires_at, payment_id
        limit $5
        "#,
        tenant.0,
        at,
        ended_at,
        payment.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.hold_expires_at, row.payment_id))
        .collect())
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
    // Always a bound, so that the plan of every page begins at it.
    let (instant, payment) = before.unwrap_or((Instant::MAX_UTC, PaymentId(Uuid::nil())));
    let rows = sqlx::query_as!(
        Row,
        r#"
        select payment_id as "payment_id: PaymentId", payer_account_id as "payer_account_id: AccountId",
            merchant_account_id as "merchant_account_id: AccountId", asset_code, amount, captured, held,
            refunded, status as "status: PaymentStatus", memo, points_earned, points_withheld, points_returned,
            co2_saved_kg, hold_expires_at, created_at
        from ledger.payment
        where tenant_id = $1 and merchant_account_id = $2
            and (created_at, payment_id) < ($3::timestamptz, $4::uuid)
        order by created_at desc, payment_id desc
        limit $5
        "#,
        tenant.0,
        merchant.0,
        instant,
        payment.0,
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
        select b.asset_code, sum(e.count)::bigint as "count!", sum(e.captured) as "captured!",
            sum(e.refunded) as "refunded!"
        from ledger.balance b
        cross join lateral (
            select count(*) filter (where e.amount > 0) as count,
                coalesce(sum(e.amount) filter (where e.amount > 0), 0) as captured,
                coalesce(-sum(e.amount) filter (where e.amount < 0), 0) as refunded
            from ledger.entry e
            join ledger.transaction t on t.tenant_id = e.tenant_id and t.transaction_id = e.transaction_id
                and t.kind in ('pay', 'capture', 'refund')
            where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                and e.lane = b.lane and e.occurred_at >= $3 and e.occurred_at < $4
        ) e
        where b.tenant_id = $1 and b.account_id = $2
        group by b.asset_code
        having sum(e.count) > 0 or sum(e.refunded) > 0
        order by b.asset_code
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
