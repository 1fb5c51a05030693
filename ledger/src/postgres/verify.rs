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

const INVARIANTS: [Invariant; 19] = [
    Invariant {
        name: "I1 all entries of an asset sum to zero",
        breaches: "select tenant_id || ' ' || asset_code from ledger.entry
                   group by tenant_id, asset_code having sum(amount) <> 0",
    },
    Invariant {
        name: "I2 every balance is the sum of its entries, lane by lane",
        breaches: "select coalesce(b.tenant_id, e.tenant_id) || ' ' || coalesce(b.account_id, e.account_id) || ' '
                       || coalesce(b.asset_code, e.asset_code) || ' ' || coalesce(b.lane, e.lane)
                   from ledger.balance b
                   full join (select e.tenant_id, e.account_id, e.asset_code, e.lane, sum(e.amount) as amount
                              from ledger.entry e where e.balance_after is not null group by 1, 2, 3, 4) e
                       using (tenant_id, account_id, asset_code, lane)
                   where coalesce(b.amount, 0) <> coalesce(e.amount, 0)",
    },
    Invariant {
        name: "I2 every entry's balance after follows from the entry before it",
        breaches: "select tenant_id || ' ' || transaction_id || ' ' || leg
                   from (select tenant_id, transaction_id, leg, amount, balance_after,
                             coalesce(lag(balance_after) over (partition by tenant_id, account_id, asset_code, lane
                                 order by occurred_at, transaction_id, leg), 0) as balance_before
                         from ledger.entry where balance_after is not null) e
                   where balance_before + amount <> balance_after",
    },
    Invariant {
        name: "I3 every transaction that moves something has two legs or more, and all sum to zero per asset",
        breaches: "select t.tenant_id || ' ' || t.transaction_id
                   from ledger.transaction t
                   left join (select tenant_id, transaction_id, sum(legs) as legs, bool_and(total = 0) as is_zero
                              from (select tenant_id, transaction_id, asset_code, count(*) as legs, sum(amount) as total
                                    from ledger.entry group by 1, 2, 3) asset_sum group by 1, 2) e
                       using (tenant_id, transaction_id)
                   where (e.legs is null) <> (t.kind in ('authorize', 'void', 'expire_hold', 'propose_adjustment',
                           'decline_adjustment', 'set_account_status', 'fence'))
                       or e.legs < 2 or not e.is_zero",
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
        name: "I4 no balance is negative, and none is held beyond it",
        breaches: "select tenant_id || ' ' || account_id || ' ' || asset_code from ledger.balance
                   where amount < 0 or held < 0 or held > amount or owed < 0",
    },
    Invariant {
        name: "I4 a closed account holds and owes nothing",
        breaches: "select b.tenant_id || ' ' || b.account_id || ' ' || b.asset_code
                   from ledger.balance b join ledger.account a using (tenant_id, account_id)
                   where a.status = 'closed' and (b.amount <> 0 or b.owed <> 0)",
    },
    Invariant {
        name: "I4 what balances hold is what payments hold",
        breaches: "select coalesce(b.tenant_id, p.tenant_id) || ' ' || coalesce(b.account_id, p.account_id)
                   from (select tenant_id, account_id, asset_code, sum(held) as held from ledger.balance
                         group by 1, 2, 3) b
                   full join (select tenant_id, payer_account_id as account_id, asset_code, sum(held) as held
                              from ledger.payment where held > 0 group by 1, 2, 3) p
                       using (tenant_id, account_id, asset_code)
                   where coalesce(b.held, 0) <> coalesce(p.held, 0)",
    },
    Invariant {
        name: "I4 what accounts owe of points is what refunds left owing and purchases did not pay yet",
        breaches: "select tenant_id || ' ' || account_id
                   from (select tenant_id, account_id, owed from ledger.balance where asset_code = 'POINT' and owed <> 0
                         union all
                         select p.tenant_id, p.payer_account_id, -r.points_owed
                         from ledger.refund r join ledger.payment p using (tenant_id, payment_id)
                         where r.points_owed <> 0
                         union all
                         select tenant_id, payer_account_id, points_withheld from ledger.payment where points_withheld <> 0
                        ) owed (tenant_id, account_id, amount)
                   group by tenant_id, account_id having sum(amount) <> 0",
    },
    Invariant {
        name: "F3 a customer's balance of what expires is the sum of its lots",
        breaches: "select coalesce(b.tenant_id, l.tenant_id) || ' ' || coalesce(b.account_id, l.account_id) || ' '
                       || coalesce(b.asset_code, l.asset_code)
                   from (select b.tenant_id, b.account_id, b.asset_code, b.amount
                         from ledger.balance b
                         join ledger.asset s using (tenant_id, asset_code)
                         join ledger.account a using (tenant_id, account_id)
                         where s.expiry is not null and a.kind = 'customer') b
                   full join (select tenant_id, account_id, asset_code, sum(remaining) as remaining from ledger.lot
                              group by 1, 2, 3) l
                       using (tenant_id, account_id, asset_code)
                   where coalesce(b.amount, 0) <> coalesce(l.remaining, 0)",
    },
    Invariant {
        name: "F3 every lot is the sum of its uses",
        breaches: "select coalesce(l.tenant_id, u.tenant_id) || ' ' || coalesce(l.account_id, u.account_id)
                   from ledger.lot l
                   full join (select tenant_id, account_id, asset_code, expires_at, paid, sum(amount) as amount
                              from ledger.lot_use group by 1, 2, 3, 4, 5) u
                       using (tenant_id, account_id, asset_code, expires_at, paid)
                   where coalesce(l.remaining, 0) <> coalesce(u.amount, 0)",
    },
    Invariant {
        name: "F2 nobody applied a correction that he proposed, and each is in the books once",
        breaches: "select a.tenant_id || ' ' || a.adjustment_id
                   from ledger.adjustment a
                   left join (select tenant_id, subject_id, count(*) as times from ledger.transaction
                              where kind = 'apply_adjustment' group by 1, 2) t
                       on t.tenant_id = a.tenant_id and t.subject_id = a.adjustment_id
                   where (a.status = 'applied') <> (coalesce(t.times, 0) = 1) or t.times > 1
                       or (a.status = 'applied' and a.decided_by = a.proposed_by)",
    },
    Invariant {
        name: "F3 a payout is in the books, and put back if it failed",
        breaches: "select p.tenant_id || ' ' || p.payout_id
                   from ledger.payout p
                   left join (select t.tenant_id, t.subject_id, sum(e.amount) as net
                              from ledger.transaction t
                              join ledger.entry e on e.tenant_id = t.tenant_id and e.transaction_id = t.transaction_id
                                  and e.balance_after is not null
                              where t.kind in ('settle', 'fail_payout') group by 1, 2) t
                       on t.tenant_id = p.tenant_id and t.subject_id = p.payout_id
                   where coalesce(t.net, 0) <> case p.status when 'paid' then -p.amount else 0 end",
    },
    Invariant {
        name: "I5 no charge lifted a balance over its cap",
        breaches: "select u.tenant_id || ' ' || u.top_up_id
                   from ledger.top_up u join ledger.asset a using (tenant_id, asset_code)
                   where a.cap is not null and u.balance_after - u.bonus > a.cap",
    },
    Invariant {
        name: "I6 every success has exactly one transaction, every rejection none",
        // A key that is no UUIDv7 can be used anew once its marker is gone: what happened before is not this marker's.
        breaches: "select m.tenant_id || ' ' || m.actor || ' ' || left(m.key, 8)
                   from ledger.marker m
                   left join ledger.transaction t
                       on t.tenant_id = m.tenant_id and t.actor = m.actor and t.marker_key = m.key
                       and t.occurred_at >= m.created_at
                   group by m.tenant_id, m.actor, m.key
                   having (m.verdict = 'applied') <> (count(t.transaction_id) = 1)",
    },
    Invariant {
        name: "I6 no transaction without its marker, no two of one key",
        // A marker lives ninety days or longer; a day less leaves room for the clocks of servers that disagree. Later a
        // second transaction of the key is no breach, unless the key is a UUIDv7, which is refused by its own time.
        breaches: "select t.tenant_id || ' ' || t.transaction_id
                   from (select tenant_id, transaction_id, actor, marker_key, occurred_at,
                             lag(occurred_at) over (partition by tenant_id, actor, marker_key
                                 order by occurred_at, transaction_id) as before_at
                         from ledger.transaction) t
                   left join ledger.marker m
                       on m.tenant_id = t.tenant_id and m.actor = t.actor and m.key = t.marker_key
                   where t.occurred_at < t.before_at + interval '89 days'
                       or (t.before_at is not null
                           and t.marker_key ~* '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$')
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
