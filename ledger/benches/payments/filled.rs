//! A town with a long past: what its payments cost beside those of a town without one.

use sqlx::{Executor, PgPool};

use crate::town::Town;

/// Payments of the past; each has a marker, a transaction and two entries.
pub const PAYMENTS: i64 = 10_000_000;
const CHUNK: i64 = 500_000;

/// Payments `$2` to `$3` of the tenant `$1`, a second apart, by random keys, between its accounts by turns.
const STATEMENTS: [&str; 3] = [
    "insert into ledger.marker (tenant_id, actor, key, kind, fingerprint, verdict, body, created_at, expires_at)
     select $1, 'system:past', gen_random_uuid()::text, 'pay', sha256(n::text::bytea), 'applied', repeat('x', 200),
         timestamptz '2026-01-01' + n * interval '1 second', now() + interval '80 days'
     from generate_series($2::bigint, $3::bigint) n",
    "insert into ledger.transaction (tenant_id, transaction_id, kind, subject_id, actor, marker_key, occurred_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, 'pay', lpad(to_hex(n), 32, '0')::uuid, 'system:past', n::text,
         timestamptz '2016-01-01' + n * interval '1 second'
     from generate_series($2::bigint, $3::bigint) n",
    "insert into ledger.entry
         (tenant_id, transaction_id, leg, account_id, asset_code, amount, balance_after, occurred_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, leg.number,
         case leg.number when 0 then payer.ids[1 + n % cardinality(payer.ids)]
             else merchant.ids[1 + n % cardinality(merchant.ids)] end,
         'ECOPAY', leg.amount, 1000, timestamptz '2016-01-01' + n * interval '1 second'
     from generate_series($2::bigint, $3::bigint) n,
         (values (0, -10), (1, 10)) as leg (number, amount),
         (select array_agg(account_id) as ids from ledger.account where tenant_id = $1 and kind = 'customer') payer,
         (select array_agg(account_id) as ids from ledger.account where tenant_id = $1 and kind = 'merchant') merchant",
];

/// Gives the town its past. The balances keep what they are: this measures the size of tables, not the books.
pub async fn fill(pool: &PgPool, town: &Town) -> Result<(), sqlx::Error> {
    let mut session = pool.acquire().await?;
    session.execute("set statement_timeout = 0").await?;
    for first in (1..=PAYMENTS).step_by(usize::try_from(CHUNK).unwrap_or(usize::MAX)) {
        for statement in STATEMENTS {
            sqlx::query(statement)
                .bind(town.tenant.0)
                .bind(first)
                .bind(first + CHUNK - 1)
                .execute(&mut *session)
                .await?;
        }
        println!("{} of {PAYMENTS} payments of the past", first + CHUNK - 1);
    }
    for settle in ["vacuum analyze", "checkpoint"] {
        session.execute(settle).await?;
    }
    session.execute("reset statement_timeout").await?;
    Ok(())
}
