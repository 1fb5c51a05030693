//! The invariants of the money, each as one question to the database that must find nothing.
//!
//! A check that finds rows says how many and shows one. All checks read one snapshot, so they hold while payments run.

use sqlx::PgPool;

use crate::failure::Failure;

/// What became of one invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    /// Rows that break it; zero is good.
    pub broken: i64,
    /// One of them.
    pub sample: Option<String>,
}

/// An invariant and the query of what breaks it: one text column, a row per breach.
struct Invariant {
    name: &'static str,
    breaches: &'static str,
}

const INVARIANTS: [Invariant; 12] = [
    Invariant {
        name: "I1 all entries of an asset sum to zero",
        breaches: "select tenant_id || ' ' || asset_code from ledger.entry
                   group by tenant_id, asset_code having sum(amount) <> 0",
    },
    Invariant {
        name: "I2 every balance is the sum of its entries",
        breaches: "select coalesce(b.tenant_id, e.tenant_id) || ' ' || coalesce(b.account_id, e.account_id) || ' '
                       || coalesce(b.asset_code, e.asset_code)
                   from (select tenant_id, account_id, asset_code, sum(amount) as amount from ledger.balance
                         group by 1, 2, 3) b
                   full join (select e.tenant_id, e.account_id, e.asset_code, sum(e.amount) as amount
                              from ledger.entry e where e.balance_after is not null group by 1, 2, 3) e
                       using (tenant_id, account_id, asset_code)
                   where coalesce(b.amount, 0) <> coalesce(e.amount, 0)",
    },
    Invariant {
        name: "I2 every entry's balance after follows from the entry before it",
        breaches: "select tenant_id || ' ' || transaction_id || ' ' || leg
                   from (select tenant_id, transaction_id, leg, amount, balance_after,
                             coalesce(lag(balance_after) over (partition by tenant_id, account_id, asset_code
                                 order by occurred_at, transaction_id, leg), 0) as balance_before
                         from ledger.entry where balance_after is not null) e
                   where balance_before + amount <> balance_after",
    },
    Invariant {
        name: "I3 every transaction has two legs or more that sum to zero per asset",
        breaches: "select t.tenant_id || ' ' || t.transaction_id
                   from ledger.transaction t
                   left join (select tenant_id, transaction_id, sum(legs) as legs, bool_and(total = 0) as is_zero
                              from (select tenant_id, transaction_id, asset_code, count(*) as legs, sum(amount) as total
                                    from ledger.entry group by 1, 2, 3) asset_sum group by 1, 2) e
                       using (tenant_id, transaction_id)
                   where e.legs is null or e.legs < 2 or not e.is_zero",
    },
    Invariant {
        name: "I3 every entry belongs to a transaction and an account of its tenant",
        breaches: "select e.tenant_id || ' ' || e.transaction_id || ' ' || e.leg
                   from ledger.entry e
                   left join ledger.transaction t using (tenant_id, transaction_id)
                   left join ledger.account a using (tenant_id, account_id)
                   where t.transaction_id is null or a.account_id is null",
    },
    Invariant {
        name: "I4 no balance is negative",
        breaches: "select tenant_id || ' ' || account_id || ' ' || asset_code from ledger.balance where amount < 0",
    },
    Invariant {
        name: "I5 no charge lifted a balance over its cap",
        breaches: "select u.tenant_id || ' ' || u.top_up_id
                   from ledger.top_up u join ledger.asset a using (tenant_id, asset_code)
                   where a.cap is not null and u.balance_after - u.bonus > a.cap",
    },
    Invariant {
        name: "I6 every success has exactly one transaction, every rejection none",
        breaches: "select m.tenant_id || ' ' || m.actor || ' ' || left(m.key, 8)
                   from ledger.marker m
                   left join (select tenant_id, actor, marker_key as key, kind, count(*) as effects
                              from ledger.transaction group by 1, 2, 3, 4) t
                       using (tenant_id, actor, key, kind)
                   where (m.verdict = 'applied') <> (coalesce(t.effects, 0) = 1)",
    },
    Invariant {
        name: "I6 no transaction without its marker, no two of one key",
        breaches: "select t.tenant_id || ' ' || t.transaction_id
                   from (select tenant_id, transaction_id, actor, marker_key, occurred_at,
                             count(*) over (partition by tenant_id, actor, marker_key) as effects
                         from ledger.transaction) t
                   left join ledger.marker m
                       on m.tenant_id = t.tenant_id and m.actor = t.actor and m.key = t.marker_key
                   where t.effects > 1
                       or ((m.key is null or m.verdict <> 'applied') and t.occurred_at > now() - interval '89 days')",
    },
    Invariant {
        name: "I9 a payment's events are a chain of allowed moves that ends at its status",
        breaches: "select p.tenant_id || ' ' || p.payment_id
                   from ledger.payment p
                   left join (select tenant_id, payment_id,
                                  bool_and(from_status is not distinct from status_before) as is_chain,
                                  (array_agg(to_status order by occurred_at desc, event_id desc))[1] as status
                              from (select *, lag(to_status) over (partition by tenant_id, payment_id
                                        order by occurred_at, event_id) as status_before
                                    from ledger.payment_event) link
                              group by 1, 2) e using (tenant_id, payment_id)
                   where e.status is distinct from p.status or not e.is_chain",
    },
    Invariant {
        name: "I10 captured and refunded agree with the entries and the refunds",
        breaches: "select p.tenant_id || ' ' || p.payment_id
                   from ledger.payment p
                   left join (select tenant_id, payment_id, sum(amount) as refunded from ledger.refund group by 1, 2) r
                       using (tenant_id, payment_id)
                   left join (select t.tenant_id, t.subject_id as payment_id, sum(e.amount) as net
                              from ledger.transaction t
                              join ledger.payment q on q.tenant_id = t.tenant_id and q.payment_id = t.subject_id
                              join ledger.entry e
                                  on e.tenant_id = t.tenant_id and e.transaction_id = t.transaction_id
                                  and e.account_id = q.merchant_account_id and e.asset_code = q.asset_code
                              group by 1, 2) j using (tenant_id, payment_id)
                   where p.captured > p.amount or p.refunded > p.captured
                       or p.refunded <> coalesce(r.refunded, 0)
                       or p.captured - p.refunded <> coalesce(j.net, 0)",
    },
    Invariant {
        name: "I16 no session is left idle inside a database transaction",
        breaches: "select pid || ' since ' || state_change from pg_stat_activity
                   where datname = current_database() and application_name = 'koban'
                       and state like 'idle in transaction%' and state_change < now() - interval '1 second'",
    },
];

/// Runs every check.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn run(pool: &PgPool) -> Result<Vec<Check>, Failure> {
    let mut tx = pool.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *tx)
        .await?;
    sqlx::query("set local statement_timeout = '10min'")
        .execute(&mut *tx)
        .await?;
    let mut checks = Vec::with_capacity(INVARIANTS.len());
    for Invariant { name, breaches } in INVARIANTS {
        let count = format!("select count(*), min(breach) from ({breaches}) as found (breach)");
        let (broken, sample) = sqlx::query_as(sqlx::AssertSqlSafe(count)).fetch_one(&mut *tx).await?;
        checks.push(Check { name, broken, sample });
    }
    tx.rollback().await?;
    Ok(checks)
}
