//! Transactions and their entries: written by one statement each, so that the database can judge that the entries of
//! a transaction sum to zero.

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
    let ids: Vec<Uuid> = decided
        .iter()
        .map(|decided| decided.plan.transaction.transaction_id.0)
        .collect();
    let kinds: Vec<String> = decided
        .iter()
        .map(|decided| decided.plan.transaction.kind.to_owned())
        .collect();
    let subjects: Vec<Uuid> = decided
        .iter()
        .map(|decided| decided.plan.transaction.subject_id)
        .collect();
    let actors: Vec<String> = decided.iter().map(|decided| decided.request.actor.clone()).collect();
    let keys: Vec<String> = decided.iter().map(|decided| decided.request.key.to_string()).collect();
    sqlx::query!(
        r#"
        insert into ledger.transaction (tenant_id, transaction_id, kind, subject_id, actor, marker_key, occurred_at)
        select $1, d.transaction_id, d.kind, d.subject_id, d.actor, d.marker_key, $7
        from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[])
            as d (transaction_id, kind, subject_id, actor, marker_key)
        "#,
        tenant.0,
        &ids,
        &kinds,
        &subjects,
        &actors,
        &keys,
        at,
    )
    .execute(&mut *db)
    .await?;
    insert_entries(db, tenant, decided, at).await
}

async fn insert_entries(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let legs = || {
        decided.iter().flat_map(|decided| {
            let transaction = decided.plan.transaction.transaction_id;
            (0_i16..)
                .zip(&decided.plan.entries)
                .map(move |(leg, entry)| (transaction, leg, entry))
        })
    };
    let transactions: Vec<Uuid> = legs().map(|(transaction, ..)| transaction.0).collect();
    let numbers: Vec<i16> = legs().map(|(_, leg, _)| leg).collect();
    let accounts: Vec<Uuid> = legs().map(|(.., entry)| entry.account.0).collect();
    let assets: Vec<String> = legs().map(|(.., entry)| entry.asset.to_string()).collect();
    let amounts: Vec<Decimal> = legs().map(|(.., entry)| entry.amount).collect();
    let balances_after: Vec<Option<Decimal>> = legs().map(|(.., entry)| entry.balance_after).collect();
    sqlx::query!(
        r#"
        insert into ledger.entry
            (tenant_id, transaction_id, leg, account_id, asset_code, amount, balance_after, occurred_at)
        select $1, d.transaction_id, d.leg, d.account_id, d.asset_code, d.amount, d.balance_after, $8
        from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::text[], $6::numeric[], $7::numeric[])
            as d (transaction_id, leg, account_id, asset_code, amount, balance_after)
        "#,
        tenant.0,
        &transactions,
        &numbers,
        &accounts,
        &assets,
        &amounts,
        &balances_after as &[Option<Decimal>],
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
