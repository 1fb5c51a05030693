//! The ordinary way: each payment in its own database transaction of seven statements, over the same pool.

use ledger::{AccountId, TenantId};
use rust_decimal::Decimal;
use sqlx::{PgPool, Postgres, Transaction};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

use crate::{callers, report::Measured, town::Town};

pub async fn measure(pool: &PgPool, town: &Arc<Town>, callers: usize, run: Duration) -> Measured {
    let (pool, tenant) = (pool.clone(), town.tenant);
    callers::measure(town, callers, run, move |payer, merchant| {
        let pool = pool.clone();
        async move { pay(&pool, tenant, payer, merchant).await.expect("a payment") }
    })
    .await
}

async fn pay(pool: &PgPool, tenant: TenantId, payer: AccountId, merchant: AccountId) -> Result<(), sqlx::Error> {
    let (tenant, payer, merchant) = (tenant.0, payer.0, merchant.0);
    let (payment, transaction, key) = (Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7().to_string());
    let amount = Decimal::TEN;
    let mut tx = pool.begin().await?;
    claim(&mut tx, tenant, &key, payment).await?;
    let payer_after = add(&mut tx, tenant, payer, -amount).await?;
    let merchant_after = add(&mut tx, tenant, merchant, amount).await?;
    sqlx::query(
        "insert into ledger.transaction (tenant_id, transaction_id, kind, subject_id, actor, marker_key, occurred_at)
         values ($1, $2, 'pay', $3, 'system:ordinary', $4, now())",
    )
    .bind(tenant)
    .bind(transaction)
    .bind(payment)
    .bind(&key)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "insert into ledger.entry
             (tenant_id, transaction_id, leg, account_id, asset_code, amount, balance_after, occurred_at)
         values ($1, $2, 0, $3, 'ECOPAY', -$5, $6, now()), ($1, $2, 1, $4, 'ECOPAY', $5, $7, now())",
    )
    .bind(tenant)
    .bind(transaction)
    .bind(payer)
    .bind(merchant)
    .bind(amount)
    .bind(payer_after)
    .bind(merchant_after)
    .execute(&mut *tx)
    .await?;
    write_payment(&mut tx, tenant, payment, payer, merchant, amount).await?;
    sqlx::query(
        "insert into ledger.metric as m (tenant_id, account_id, name, amount, updated_at)
         values ($1, $2, 'co2_saved_kg', 0.1, now())
         on conflict (tenant_id, account_id, name) do update set amount = m.amount + 0.1, updated_at = now()",
    )
    .bind(tenant)
    .bind(payer)
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

async fn claim(tx: &mut Transaction<'_, Postgres>, tenant: Uuid, key: &str, payment: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into ledger.marker
             (tenant_id, actor, key, kind, fingerprint, verdict, body, created_at, expires_at)
         values ($1, 'system:ordinary', $2, 'pay', sha256($2::bytea), 'applied', $3, now(), now() + interval '90 days')",
    )
    .bind(tenant)
    .bind(key)
    .bind(crate::bare::body(payment))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn add(
    tx: &mut Transaction<'_, Postgres>,
    tenant: Uuid,
    account: Uuid,
    delta: Decimal,
) -> Result<Decimal, sqlx::Error> {
    sqlx::query_scalar(
        "update ledger.balance set amount = amount + $3, updated_at = now()
         where tenant_id = $1 and account_id = $2 and asset_code = 'ECOPAY' and lane = 0 and amount + $3 >= 0
         returning amount",
    )
    .bind(tenant)
    .bind(account)
    .bind(delta)
    .fetch_one(&mut **tx)
    .await
}

async fn write_payment(
    tx: &mut Transaction<'_, Postgres>,
    tenant: Uuid,
    payment: Uuid,
    payer: Uuid,
    merchant: Uuid,
    amount: Decimal,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "with event as (
             insert into ledger.payment_event (tenant_id, payment_id, event_id, to_status, actor, occurred_at)
             values ($1, $2, $6, 'captured', 'system:ordinary', now()))
         insert into ledger.payment (tenant_id, payment_id, payer_account_id, merchant_account_id, asset_code, amount,
             captured, status, co2_saved_kg, actor, created_at, updated_at)
         values ($1, $2, $3, $4, 'ECOPAY', $5, $5, 'captured', 0.1, 'system:ordinary', now(), now())",
    )
    .bind(tenant)
    .bind(payment)
    .bind(payer)
    .bind(merchant)
    .bind(amount)
    .bind(Uuid::now_v7())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
