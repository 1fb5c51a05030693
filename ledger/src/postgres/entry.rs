//! An account's history: its movements page by page, its balances as of any instant, and its statements.
//!
//! An account's rows of balances name its assets and lanes; of each the entries lie side by side in one index, so a page or
//! a balance is a look-up per row, however long the history is. Entries of a lane follow each other in time as they were
//! committed; an instant that lies so close to now that a batch dated before it may not have committed yet is not final.

use rust_decimal::Decimal;
use sqlx::PgExecutor;
use std::collections::BTreeMap;
use uuid::Uuid;

use super::balance::asset_code;
use crate::{
    asset::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId, TransactionId},
    money::Instant,
};

/// One entry of an account, with what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    pub transaction_id: TransactionId,
    pub leg: i16,
    /// The kind of the command, such as `pay`.
    pub kind: String,
    /// What it is about: the payment, the top-up; a transfer or grant is its own subject.
    pub subject_id: Uuid,
    /// Why, or the words that a payment or transfer carries.
    pub memo: Option<String>,
    pub asset: AssetCode,
    pub amount: Decimal,
    /// Of the lane, for an account that collects in several.
    pub balance_after: Decimal,
    pub occurred_at: Instant,
    /// The name of the other side; `None` for what the tenant gave or took.
    pub counterparty: Option<String>,
}

/// Where a page of movements ends: the next page begins before it.
pub type MovementCursor = (Instant, TransactionId, i16);

impl Movement {
    #[must_use]
    pub fn cursor(&self) -> MovementCursor {
        (self.occurred_at, self.transaction_id, self.leg)
    }
}

/// The movements of an account before `before`, `limit` at most. Several entries of one instant are told apart by
/// transaction and leg, so no page skips or repeats one (A30).
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_account(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
    before: Option<MovementCursor>,
    limit: i64,
) -> Result<Vec<Movement>, Failure> {
    // Always a bound, so that the plan of every page begins at it: as an option it would be a filter on all that is newer.
    let (instant, transaction, leg) = before.unwrap_or((Instant::MAX_UTC, TransactionId(Uuid::nil()), 0));
    let rows = sqlx::query!(
        r#"
        select e.transaction_id as "transaction_id!: TransactionId", e.leg as "leg!", t.kind, t.subject_id, t.memo,
            e.asset_code as "asset_code!", e.amount as "amount!", e.balance_after as "balance_after!",
            e.occurred_at as "occurred_at!", other.name as "counterparty?"
        from (
            select e.*
            from ledger.balance b
            cross join lateral (
                select *
                from ledger.entry e
                where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                    and e.lane = b.lane
                    and (e.occurred_at, e.transaction_id, e.leg)
                        < ($3::timestamptz, $4::uuid, $5::smallint)
                order by e.occurred_at desc, e.transaction_id desc, e.leg desc
                limit $6
            ) e
            where b.tenant_id = $1 and b.account_id = $2
            order by e.occurred_at desc, e.transaction_id desc, e.leg desc
            limit $6
        ) e
        join ledger.transaction t on t.tenant_id = e.tenant_id and t.transaction_id = e.transaction_id
        left join lateral (
            select a.name
            from ledger.entry o
            join ledger.account a on a.tenant_id = o.tenant_id and a.account_id = o.account_id and a.kind <> 'system'
            where o.tenant_id = e.tenant_id and o.transaction_id = e.transaction_id and o.account_id <> e.account_id
            limit 1
        ) other on true
        order by e.occurred_at desc, e.transaction_id desc, e.leg desc
        "#,
        tenant.0,
        account.0,
        instant,
        transaction.0,
        leg,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Movement {
                transaction_id: row.transaction_id,
                leg: row.leg,
                kind: row.kind,
                subject_id: row.subject_id,
                memo: row.memo,
                asset: asset_code(row.asset_code)?,
                amount: row.amount,
                balance_after: row.balance_after,
                occurred_at: row.occurred_at,
                counterparty: row.counterparty,
            })
        })
        .collect()
}

/// What an account held at `at`, per asset that it holds now or ever held.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn balances_as_of(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
    at: Instant,
) -> Result<BTreeMap<AssetCode, Decimal>, Failure> {
    let rows = sqlx::query!(
        r#"
        select b.asset_code, coalesce(sum(e.balance_after), 0) as "amount!"
        from ledger.balance b
        left join lateral (
            select balance_after
            from ledger.entry e
            where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                and e.lane = b.lane and e.occurred_at <= $3
            order by e.occurred_at desc, e.transaction_id desc, e.leg desc
            limit 1
        ) e on true
        where b.tenant_id = $1 and b.account_id = $2
        group by b.asset_code
        "#,
        tenant.0,
        account.0,
        at,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| Ok((asset_code(row.asset_code)?, row.amount)))
        .collect()
}

/// An account's period in one asset: what it held before, what came and went, and what it held at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub asset: AssetCode,
    pub opening: Decimal,
    /// The sum of what came.
    pub credited: Decimal,
    /// The sum of what went, above zero.
    pub debited: Decimal,
    /// Entries in the period.
    pub count: i64,
    pub closing: Decimal,
}

/// The statements of `from <= instant < to`, one per asset. Opening, entries and closing are read apart from each other
/// and by one statement, so `opening + credited - debited = closing` says something.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn statements(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
    from: Instant,
    to: Instant,
) -> Result<Vec<Statement>, Failure> {
    let rows = sqlx::query!(
        r#"
        select b.asset_code, coalesce(sum(opening.balance_after), 0) as "opening!",
            coalesce(sum(closing.balance_after), 0) as "closing!", sum(period.credited) as "credited!",
            sum(period.debited) as "debited!", sum(period.count)::bigint as "count!"
        from ledger.balance b
        left join lateral (
            select balance_after
            from ledger.entry e
            where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                and e.lane = b.lane and e.occurred_at < $3
            order by e.occurred_at desc, e.transaction_id desc, e.leg desc
            limit 1
        ) opening on true
        left join lateral (
            select balance_after
            from ledger.entry e
            where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                and e.lane = b.lane and e.occurred_at < $4
            order by e.occurred_at desc, e.transaction_id desc, e.leg desc
            limit 1
        ) closing on true
        cross join lateral (
            select coalesce(sum(e.amount) filter (where e.amount > 0), 0) as credited,
                coalesce(-sum(e.amount) filter (where e.amount < 0), 0) as debited, count(*) as count
            from ledger.entry e
            where e.tenant_id = b.tenant_id and e.account_id = b.account_id and e.asset_code = b.asset_code
                and e.lane = b.lane and e.occurred_at >= $3 and e.occurred_at < $4
        ) period
        where b.tenant_id = $1 and b.account_id = $2
        group by b.asset_code
        order by b.asset_code
        "#,
        tenant.0,
        account.0,
        from,
        to,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Statement {
                asset: asset_code(row.asset_code)?,
                opening: row.opening,
                credited: row.credited,
                debited: row.debited,
                count: row.count,
                closing: row.closing,
            })
        })
        .collect()
}
