//! What accounts have used of their limits: read and written under the lock of the balance that is limited.

use rust_decimal::Decimal;
use sqlx::PgConnection;
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided};
use crate::{
    asset::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId},
    limit::{LimitKind, Usage},
    money::Instant,
    plan::UsageChange,
};

type UsageKey = (AccountId, AssetCode, LimitKind);

/// The usage of accounts, of every asset and kind.
pub(super) async fn of_accounts(
    db: &mut PgConnection,
    tenant: TenantId,
    accounts: &[Uuid],
) -> Result<BTreeMap<UsageKey, Usage>, Failure> {
    let rows = sqlx::query!(
        r#"
        select account_id as "account_id: AccountId", asset_code, kind as "kind: LimitKind", day_on, day_total,
            month_total, last_at
        from ledger.usage
        where tenant_id = $1 and account_id = any($2)
        "#,
        tenant.0,
        accounts,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let usage = Usage {
                day_on: row.day_on,
                day_total: row.day_total,
                month_total: row.month_total,
                last_at: row.last_at,
            };
            Ok(((row.account_id, asset_code(row.asset_code)?, row.kind), usage))
        })
        .collect()
}

/// Writes the usage after a batch: of each account, asset and kind the last.
pub(super) async fn change(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
) -> Result<(), sqlx::Error> {
    let changes = decided.iter().flat_map(|decided| &decided.plan.usage);
    let last: BTreeMap<UsageKey, &UsageChange> = changes
        .map(|change| ((change.account, change.asset.clone(), change.kind), change))
        .collect();
    if last.is_empty() {
        return Ok(());
    }
    let accounts: Vec<Uuid> = last.keys().map(|(account, ..)| account.0).collect();
    let assets: Vec<String> = last.keys().map(|(_, asset, _)| asset.to_string()).collect();
    let kinds: Vec<String> = last.keys().map(|(.., kind)| kind.to_string()).collect();
    let days: Vec<chrono::NaiveDate> = last.values().map(|change| change.after.day_on).collect();
    let day_totals: Vec<Decimal> = last.values().map(|change| change.after.day_total).collect();
    let month_totals: Vec<Decimal> = last.values().map(|change| change.after.month_total).collect();
    let instants: Vec<Instant> = last.values().map(|change| change.after.last_at).collect();
    sqlx::query!(
        r#"
        insert into ledger.usage as u
            (tenant_id, account_id, asset_code, kind, day_on, day_total, month_total, last_at)
        select $1, d.account_id, d.asset_code, d.kind, d.day_on, d.day_total, d.month_total, d.last_at
        from unnest($2::uuid[], $3::text[], $4::text[], $5::date[], $6::numeric[], $7::numeric[], $8::timestamptz[])
            as d (account_id, asset_code, kind, day_on, day_total, month_total, last_at)
        on conflict (tenant_id, account_id, asset_code, kind)
            do update set day_on = excluded.day_on, day_total = excluded.day_total, month_total = excluded.month_total,
                last_at = excluded.last_at
        "#,
        tenant.0,
        &accounts,
        &assets,
        &kinds,
        &days,
        &day_totals,
        &month_totals,
        &instants,
    )
    .execute(db)
    .await?;
    Ok(())
}
