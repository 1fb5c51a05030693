//! The ledger's statements on markers, payments and balances, with their values written out.

use ledger::{
    PaymentId, Plan,
    payment::PaymentChange,
    plan::{BalanceChange, Lock, Record, merge_balances, merge_payment_changes},
};
use std::fmt::Display;

use super::town::TENANT;
use crate::world::ASKER;

/// The lock of a payment, and the guard of its change.
pub const LOCK_OF_PAYMENT: &str = "order by payment_id
         for update";
pub const AND_PAYMENT_IS_AS_IT_WAS: &str = "and p.status = d.from_status
             and p.captured = d.captured_before and p.held = d.held_before and p.refunded = d.refunded_before";

/// An array of the database's.
pub fn array(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("'{{{}}}'", items.join(","))
}

fn or_null(item: Option<impl Display>) -> String {
    item.map_or("null".to_owned(), |item| item.to_string())
}

pub fn marker(key: &str) -> String {
    format!(
        "select m.key, m.verdict
         from unnest({}::text[], {}::text[]) as d (actor, key)
         cross join lateral (
             select * from ledger.marker m
             where m.tenant_id = '{TENANT}' and m.actor = d.actor and m.key = d.key
             limit 1
         ) m",
        array([ASKER]),
        array([key]),
    )
}

pub fn lock_payment(payment: PaymentId) -> String {
    format!(
        "select payment_id, amount, captured, held, refunded, status from ledger.payment
         where tenant_id = '{TENANT}' and payment_id = any({})
         {LOCK_OF_PAYMENT}",
        array([payment])
    )
}

pub fn lock(locks: &[Lock]) -> String {
    format!(
        "select b.account_id, b.asset_code, b.lane, b.amount, b.held, b.owed
         from ledger.balance b
         join unnest({}::uuid[], {}::text[], {}::smallint[]) as d (account_id, asset_code, lane)
             on b.account_id = d.account_id and b.asset_code = d.asset_code and b.lane = coalesce(d.lane, b.lane)
         where b.tenant_id = '{TENANT}'
         order by b.account_id, b.asset_code, b.lane
         for update of b",
        array(locks.iter().map(|lock| lock.account)),
        array(locks.iter().map(|lock| &lock.asset)),
        array(locks.iter().map(|lock| or_null(lock.lane))),
    )
}

/// Makes rows that are absent.
pub fn open(locks: &[Lock]) -> String {
    format!(
        "insert into ledger.balance (tenant_id, account_id, asset_code, lane, amount, updated_at)
         select '{TENANT}', a.account_id, s.asset_code, d.lane, 0, now()
         from unnest({}::uuid[], {}::text[], {}::smallint[]) as d (account_id, asset_code, lane)
         join ledger.account a on a.tenant_id = '{TENANT}' and a.account_id = d.account_id
             and (a.kind = 'merchant' or (a.kind = 'customer' and d.lane = 0))
         join ledger.asset s on s.tenant_id = '{TENANT}' and s.asset_code = d.asset_code
         order by a.account_id, s.asset_code, d.lane
         on conflict do nothing",
        array(locks.iter().map(|lock| lock.account)),
        array(locks.iter().map(|lock| &lock.asset)),
        array(locks.iter().map(|lock| lock.lane.unwrap_or_default())),
    )
}

/// The guarded writes of a plan to balances, and to the payment if there is one that changes.
pub fn change(plan: &Plan) -> String {
    let balances = change_balances(&merge_balances(&plan.balances));
    match payment_changes(plan).as_slice() {
        [] => balances,
        changes => format!("{balances}; {}", change_payments(changes)),
    }
}

/// How many rows the writes of a plan change if all of their guards hold.
pub fn changes(plan: &Plan) -> u64 {
    (merge_balances(&plan.balances).len() + payment_changes(plan).len()) as u64
}

fn payment_changes(plan: &Plan) -> Vec<PaymentChange> {
    let changes = plan.records.iter().filter_map(|record| match record {
        Record::PaymentChange(change) => Some(change),
        _ => None,
    });
    merge_payment_changes(changes)
}

fn change_balances(changes: &[BalanceChange]) -> String {
    format!(
        "update ledger.balance b
         set amount = b.amount + d.amount, held = b.held + d.held, owed = b.owed + d.owed, updated_at = now()
         from unnest({}::uuid[], {}::text[], {}::smallint[], {}::numeric[], {}::numeric[], {}::numeric[], {}::numeric[],
                 {}::numeric[], {}::numeric[])
             as d (account_id, asset_code, lane, amount, held, owed, available_at_least, held_at_least, at_most)
         where b.tenant_id = '{TENANT}' and b.account_id = d.account_id and b.asset_code = d.asset_code and b.lane = d.lane
             and b.amount - b.held >= d.available_at_least
             and b.held >= d.held_at_least
             and (d.at_most is null or b.amount <= d.at_most)",
        array(changes.iter().map(|change| change.key.account)),
        array(changes.iter().map(|change| &change.key.asset)),
        array(changes.iter().map(|change| change.key.lane)),
        array(changes.iter().map(|change| change.amount)),
        array(changes.iter().map(|change| change.held)),
        array(changes.iter().map(|change| change.owed)),
        array(changes.iter().map(|change| change.available_at_least)),
        array(changes.iter().map(|change| change.held_at_least)),
        array(changes.iter().map(|change| or_null(change.at_most))),
    )
}

/// Leaves points and CO2 as they are: no guard judges them.
fn change_payments(changes: &[PaymentChange]) -> String {
    let before = || changes.iter().map(PaymentChange::before);
    let after = || changes.iter().map(PaymentChange::after);
    format!(
        "update ledger.payment p
         set status = d.to_status, captured = d.captured, held = d.held, refunded = d.refunded, updated_at = now()
         from unnest({}::uuid[], {}::text[], {}::numeric[], {}::numeric[], {}::numeric[], {}::text[], {}::numeric[],
                 {}::numeric[], {}::numeric[])
             as d (payment_id, from_status, captured_before, held_before, refunded_before, to_status, captured, held,
                 refunded)
         where p.tenant_id = '{TENANT}' and p.payment_id = d.payment_id {AND_PAYMENT_IS_AS_IT_WAS}",
        array(before().map(|payment| payment.payment_id)),
        array(before().map(|payment| payment.status)),
        array(before().map(|payment| payment.captured)),
        array(before().map(|payment| payment.held)),
        array(before().map(|payment| payment.refunded)),
        array(after().map(|payment| payment.status)),
        array(after().map(|payment| payment.captured)),
        array(after().map(|payment| payment.held)),
        array(after().map(|payment| payment.refunded)),
    )
}

pub fn record(key: &str, kind: &str, verdict: &str) -> String {
    format!(
        "insert into ledger.marker (tenant_id, actor, key, kind, fingerprint, verdict, body, created_at, expires_at)
         select '{TENANT}', d.actor, d.key, '{kind}', sha256(d.key::bytea), d.verdict, '{{}}', now(), now() + interval '90 days'
         from unnest({}::text[], {}::text[], {}::text[]) as d (actor, key, verdict)
         on conflict do nothing",
        array([ASKER]),
        array([key]),
        array([verdict]),
    )
}
