//! Totals that are not money, such as the CO2 that an account's payments saved.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::{
    failure::Failure,
    id::{AccountId, TenantId},
    money::Instant,
    plan::MetricChange,
};

/// Adds the changes, summed per account and name, in the order of their keys.
pub(super) async fn add(
    db: &mut PgConnection,
    tenant: TenantId,
    changes: impl Iterator<Item = &MetricChange>,
    at: Instant,
) -> Result<(), sqlx::Error> {
    let mut sums: BTreeMap<(AccountId, &str), Decimal> = BTreeMap::new();
    for change in changes {
        *sums.entry((change.account, change.name)).or_default() += change.delta;
    }
    sums.retain(|_, sum| !sum.is_zero());
    if sums.is_empty() {
        return Ok(());
    }
    let accounts: Vec<Uuid> = sums.keys().map(|(account, _)| account.0).collect();
    let names: Vec<String> = sums.keys().map(|(_, name)| (*name).to_owned()).collect();
    let amounts: Vec<Decimal> = sums.values().copied().collect();
    sqlx::query!(
        r#"
        insert into ledger.metric as m (tenant_id, account_id, name, amount, updated_at)
        select $1, d.account_id, d.name, d.amount, $5
        from unnest($2::uuid[], $3::text[], $4::numeric[]) as d (account_id, name, amount)
        on conflict (tenant_id, account_id, name)
            do update set amount = m.amount + excluded.amount, updated_at = excluded.updated_at
        "#,
        tenant.0,
        &accounts,
        &names,
        &amounts,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An account's total, in the metric's unit; zero if nothing was ever added.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_account(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
    name: &str,
) -> Result<Decimal, Failure> {
    let amount = sqlx::query_scalar!(
        "select amount from ledger.metric where tenant_id = $1 and account_id = $2 and name = $3",
        tenant.0,
        account.0,
        name,
    )
    .fetch_optional(db)
    .await?;
    Ok(amount.unwrap_or_default())
}
