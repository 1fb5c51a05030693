//! Transactions and their entries: written by one statement each, so that the database can judge that the entries of
//! a transaction sum to zero.

use rust_decimal::Decimal;
use sqlx::PgConnection;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

use super::{balance::asset_code, execute::Decided, records::Records};
use crate::{
    failure::Failure,
    id::{AccountId, TenantId, TransactionId},
    money::Instant,
    plan::Record,
    snapshot::MovementFact,
};

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
    let memos: Vec<Option<String>> = decided
        .iter()
        .map(|decided| decided.plan.transaction.memo.clone())
        .collect();
    sqlx::query!(
        r#"
        insert into ledger.transaction (tenant_id, transaction_id, kind, subject_id, actor, marker_key, memo, occurred_at)
        select $1, d.transaction_id, d.kind, d.subject_id, d.actor, d.marker_key, d.memo, $8
        from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[])
            as d (transaction_id, kind, subject_id, actor, marker_key, memo)
        "#,
        tenant.0,
        &ids,
        &kinds,
        &subjects,
        &actors,
        &keys,
        &memos as &[Option<String>],
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
    let lanes: Vec<i16> = legs().map(|(.., entry)| entry.lane).collect();
    let amounts: Vec<Decimal> = legs().map(|(.., entry)| entry.amount).collect();
    let balances_after: Vec<Option<Decimal>> = legs().map(|(.., entry)| entry.balance_after).collect();
    sqlx::query!(
        r#"
        insert into ledger.entry
            (tenant_id, transaction_id, leg, account_id, asset_code, lane, amount, balance_after, occurred_at)
        select $1, d.transaction_id, d.leg, d.account_id, d.asset_code, d.lane, d.amount, d.balance_after, $9
        from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::text[], $6::smallint[], $7::numeric[], $8::numeric[])
            as d (transaction_id, leg, account_id, asset_code, lane, amount, balance_after)
        "#,
        tenant.0,
        &transactions,
        &numbers,
        &accounts,
        &assets,
        &lanes,
        &amounts,
        &balances_after as &[Option<Decimal>],
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The transfers and grants that commands name; they never change, so they are read without a lock.
pub(super) async fn movements(
    db: &mut PgConnection,
    tenant: TenantId,
    transactions: &[Uuid],
) -> Result<BTreeMap<TransactionId, MovementFact>, Failure> {
    let rows = sqlx::query!(
        r#"
        select t.transaction_id as "transaction_id: TransactionId", giver.account_id as "from: AccountId",
            taker.account_id as "to: AccountId", taker.asset_code, taker.amount
        from ledger.transaction t
        join ledger.entry giver
            on giver.tenant_id = t.tenant_id and giver.transaction_id = t.transaction_id and giver.amount < 0
        join ledger.entry taker
            on taker.tenant_id = t.tenant_id and taker.transaction_id = t.transaction_id and taker.amount > 0
        where t.tenant_id = $1 and t.transaction_id = any($2) and t.kind in ('transfer', 'grant')
        "#,
        tenant.0,
        transactions,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let fact = MovementFact {
                from: row.from,
                to: row.to,
                asset: asset_code(row.asset_code)?,
                amount: row.amount,
            };
            Ok((row.transaction_id, fact))
        })
        .collect()
}

/// Which of `subjects` were undone. Read after the balances were locked that undoing them changes.
pub(super) async fn reversed(
    db: &mut PgConnection,
    tenant: TenantId,
    subjects: &[Uuid],
) -> Result<BTreeSet<Uuid>, sqlx::Error> {
    let undone = sqlx::query_scalar!(
        "select reversed_id from ledger.reversal where tenant_id = $1 and reversed_id = any($2)",
        tenant.0,
        subjects,
    )
    .fetch_all(db)
    .await?;
    Ok(undone.into_iter().collect())
}

pub(super) async fn insert_reversals(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::Reversal(reversal) => Some(reversal),
        _ => None,
    });
    if rows.is_empty() {
        return Ok(());
    }
    let reversed: Vec<Uuid> = rows.column(|row| row.reversed_id);
    let transactions: Vec<Uuid> = rows.column(|row| row.transaction_id.0);
    let reasons: Vec<String> = rows.column(|row| row.reason.clone());
    let actors: Vec<String> = rows.actors();
    sqlx::query!(
        r#"
        insert into ledger.reversal (tenant_id, reversed_id, transaction_id, reason, actor, created_at)
        select $1, d.reversed_id, d.transaction_id, d.reason, d.actor, $6
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) as d (reversed_id, transaction_id, reason, actor)
        "#,
        tenant.0,
        &reversed,
        &transactions,
        &reasons,
        &actors,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
