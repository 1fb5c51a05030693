//! An account's movements, read newest first.

use rust_decimal::Decimal;
use sqlx::PgExecutor;
use uuid::Uuid;

use super::balance::asset_code;
use crate::{
    account::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId, TransactionId},
    money::Instant,
};

/// One entry of an account, with what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    pub transaction_id: TransactionId,
    pub leg: i16,
    /// `pay`, `top_up` or `refund`.
    pub kind: String,
    /// The payment or top-up.
    pub subject_id: Uuid,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub balance_after: Decimal,
    pub occurred_at: Instant,
    /// The name of the other side of a payment; `None` for what the tenant gave or took.
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
    let (instant, transaction, leg) = match before {
        Some((instant, transaction, leg)) => (Some(instant), Some(transaction.0), Some(leg)),
        None => (None, None, None),
    };
    let rows = sqlx::query!(
        r#"
        select e.transaction_id as "transaction_id: TransactionId", e.leg, t.kind, t.subject_id, e.asset_code, e.amount,
            e.balance_after as "balance_after!", e.occurred_at, other.name as "counterparty?"
        from ledger.entry e
        join ledger.transaction t on t.tenant_id = e.tenant_id and t.transaction_id = e.transaction_id
        left join ledger.payment p on t.kind <> 'top_up' and p.tenant_id = t.tenant_id and p.payment_id = t.subject_id
        left join ledger.account other
            on other.tenant_id = p.tenant_id
            and other.account_id
                = case when p.payer_account_id = e.account_id then p.merchant_account_id else p.payer_account_id end
        where e.tenant_id = $1 and e.account_id = $2
            and ($3::timestamptz is null or (e.occurred_at, e.transaction_id, e.leg) < ($3, $4::uuid, $5::smallint))
        order by e.occurred_at desc, e.transaction_id desc, e.leg desc
        limit $6
        "#,
        tenant.0,
        account.0,
        instant,
        transaction,
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
                asset: asset_code(row.asset_code)?,
                amount: row.amount,
                balance_after: row.balance_after,
                occurred_at: row.occurred_at,
                counterparty: row.counterparty,
            })
        })
        .collect()
}
