//! Top-ups.

use rust_decimal::Decimal;
use sqlx::PgConnection;
use uuid::Uuid;

use super::execute::Decided;
use crate::{id::TenantId, money::Instant};

pub(super) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = || decided.iter().filter_map(|decided| Some((decided.request, decided.plan.top_up.as_ref()?)));
    if rows().next().is_none() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows().map(|(_, top_up)| top_up.top_up_id.0).collect();
    let accounts: Vec<Uuid> = rows().map(|(_, top_up)| top_up.account.0).collect();
    let assets: Vec<String> = rows().map(|(_, top_up)| top_up.asset.to_string()).collect();
    let amounts: Vec<Decimal> = rows().map(|(_, top_up)| top_up.amount).collect();
    let bonuses: Vec<Decimal> = rows().map(|(_, top_up)| top_up.bonus).collect();
    let balances_after: Vec<Decimal> = rows().map(|(_, top_up)| top_up.balance_after).collect();
    let actors: Vec<String> = rows().map(|(request, _)| request.actor.clone()).collect();
    sqlx::query!(
        r#"
        insert into ledger.top_up
            (tenant_id, top_up_id, account_id, asset_code, amount, bonus, balance_after, actor, created_at)
        select $1, d.top_up_id, d.account_id, d.asset_code, d.amount, d.bonus, d.balance_after, d.actor, $9
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::text[])
            as d (top_up_id, account_id, asset_code, amount, bonus, balance_after, actor)
        "#,
        tenant.0,
        &ids,
        &accounts,
        &assets,
        &amounts,
        &bonuses,
        &balances_after,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
