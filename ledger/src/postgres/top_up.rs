//! Top-ups.

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgExecutor};
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided, records::Records};
use crate::{
    asset::AssetCode,
    failure::Failure,
    id::{AccountId, TenantId, TopUpId},
    money::Instant,
    plan::Record,
    snapshot::TopUpFact,
};

pub(super) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::TopUp(top_up) => Some(top_up),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = rows.column(|top_up| top_up.top_up_id.0);
    let accounts: Vec<Uuid> = rows.column(|top_up| top_up.account.0);
    let assets: Vec<String> = rows.column(|top_up| top_up.asset.to_string());
    let amounts: Vec<Decimal> = rows.column(|top_up| top_up.amount);
    let bonuses: Vec<Decimal> = rows.column(|top_up| top_up.bonus);
    let balances_after: Vec<Decimal> = rows.column(|top_up| top_up.balance_after);
    let actors: Vec<String> = rows.actors();
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

/// The top-ups that commands name; they never change, so they are read without a lock.
pub(super) async fn for_plan(
    db: &mut PgConnection,
    tenant: TenantId,
    top_ups: &[Uuid],
) -> Result<BTreeMap<TopUpId, TopUpFact>, Failure> {
    let rows = sqlx::query!(
        r#"
        select top_up_id as "top_up_id: TopUpId", account_id as "account_id: AccountId", asset_code, amount, bonus
        from ledger.top_up
        where tenant_id = $1 and top_up_id = any($2)
        "#,
        tenant.0,
        top_ups,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let fact = TopUpFact {
                account: row.account_id,
                asset: asset_code(row.asset_code)?,
                amount: row.amount,
                bonus: row.bonus,
            };
            Ok((row.top_up_id, fact))
        })
        .collect()
}

/// A charge of a balance as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopUpDone {
    pub asset: AssetCode,
    pub amount: Decimal,
    pub bonus: Decimal,
    pub balance_after: Decimal,
    /// Who took the money.
    pub actor: String,
    pub created_at: Instant,
}

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find(db: impl PgExecutor<'_>, tenant: TenantId, top_up: TopUpId) -> Result<Option<TopUpDone>, Failure> {
    let row = sqlx::query!(
        r#"
        select asset_code, amount, bonus, balance_after, actor, created_at
        from ledger.top_up
        where tenant_id = $1 and top_up_id = $2
        "#,
        tenant.0,
        top_up.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(TopUpDone {
            asset: asset_code(row.asset_code)?,
            amount: row.amount,
            bonus: row.bonus,
            balance_after: row.balance_after,
            actor: row.actor,
            created_at: row.created_at,
        })
    })
    .transpose()
}
