//! The limit: the same rows in set-based statements over one connection, with nothing read, planned or answered.

use sqlx::PgPool;
use std::time::{Duration, Instant};
use uuid::Uuid;

use crate::{report::Measured, town::Town};

/// A batch of `$2` payments from `$3` to `$4` under the keys `$5`, in seven statements.
const STATEMENTS: [&str; 7] = [
    "insert into ledger.marker (tenant_id, actor, key, kind, fingerprint, verdict, body, created_at, expires_at)
     select $1, 'system:bare', d.payment::text, 'pay', sha256(uuid_send(d.payment)), 'applied', $5, now(),
         now() + interval '90 days'
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant)",
    "update ledger.balance b set amount = b.amount + d.delta, updated_at = now()
     from (select account, sum(delta) as delta
           from (select unnest($3::uuid[]) as account, -10 as delta union all select unnest($4::uuid[]), 10) legs
           group by account) d
     where b.tenant_id = $1 and b.account_id = d.account and b.asset_code = 'ECOPAY' and b.lane = 0
         and b.amount + d.delta >= 0 and cardinality($2::uuid[]) > 0 and $5::text is not null",
    "insert into ledger.transaction (tenant_id, transaction_id, kind, subject_id, actor, marker_key, occurred_at)
     select $1, d.payment, 'pay', d.payment, 'system:bare', d.payment::text, now()
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant) where $5::text is not null",
    "insert into ledger.entry
         (tenant_id, transaction_id, leg, account_id, asset_code, amount, balance_after, occurred_at)
     select $1, d.payment, leg.number, case leg.number when 0 then d.payer else d.merchant end, 'ECOPAY', leg.amount,
         1000, now()
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant),
         (values (0, -10), (1, 10)) as leg (number, amount)
     where $5::text is not null",
    "insert into ledger.payment (tenant_id, payment_id, payer_account_id, merchant_account_id, asset_code, amount,
         captured, status, co2_saved_kg, actor, created_at, updated_at)
     select $1, d.payment, d.payer, d.merchant, 'ECOPAY', 10, 10, 'captured', 0.1, 'system:bare', now(), now()
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant) where $5::text is not null",
    "insert into ledger.payment_event (tenant_id, payment_id, event_id, to_status, actor, occurred_at)
     select $1, d.payment, d.payment, 'captured', 'system:bare', now()
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant) where $5::text is not null",
    "insert into ledger.metric as m (tenant_id, account_id, name, amount, updated_at)
     select $1, d.payer, 'co2_saved_kg', count(*) * 0.1, now()
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as d (payment, payer, merchant)
     where $5::text is not null
     group by d.payer
     on conflict (tenant_id, account_id, name)
         do update set amount = m.amount + excluded.amount, updated_at = excluded.updated_at",
];

pub async fn measure(
    pool: &PgPool,
    town: &Town,
    callers: usize,
    run: Duration,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let started = Instant::now();
    let mut latencies = Vec::new();
    let mut next = 0;
    while started.elapsed() < run {
        let asked = Instant::now();
        let payments: Vec<Uuid> = (0..callers).map(|_| Uuid::now_v7()).collect();
        let (payers, merchants): (Vec<Uuid>, Vec<Uuid>) = (next..next + callers)
            .map(|n| town.parties(n))
            .map(|(payer, merchant)| (payer.0, merchant.0))
            .unzip();
        next += callers;
        let mut tx = pool.begin().await?;
        for statement in STATEMENTS {
            sqlx::query(statement)
                .bind(town.tenant.0)
                .bind(&payments)
                .bind(&payers)
                .bind(&merchants)
                .bind(body(payments[0]))
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        latencies.extend(std::iter::repeat_n(asked.elapsed(), callers));
    }
    Ok(Measured::new(started, latencies))
}

/// A receipt as long as the ledger's.
pub fn body(payment: Uuid) -> String {
    format!(
        r#"{{"payment_id":"{payment}","status":"captured","asset":"ECOPAY","amount":"10","points_earned":"0","co2_saved_kg":"0.100","created_at":"2026-01-01T00:00:00.000000Z"}}"#
    )
}
