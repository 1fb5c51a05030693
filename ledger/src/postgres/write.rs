//! Writes the plans of a batch, one statement per table. A guard that does not hold contradicts what was read under lock,
//! so nothing may be committed.

use sqlx::PgConnection;

use super::{
    account, adjustment, balance, execute::Decided, lot, metric, payment, payout, records::Records, top_up,
    transaction, usage,
};
use crate::{
    failure::Failure,
    id::TenantId,
    money::Instant,
    plan::{MetricChange, Record, merge_balances},
};

/// Writes everything but the markers.
pub(super) async fn write(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), Failure> {
    if decided.is_empty() {
        return Ok(());
    }
    change_guarded(db, tenant, decided, at).await?;
    transaction::insert(db, tenant, decided, at).await?;
    payment::insert(db, tenant, decided, at).await?;
    payment::insert_events(db, tenant, decided, at).await?;
    payment::insert_refunds(db, tenant, decided, at).await?;
    top_up::insert(db, tenant, decided, at).await?;
    transaction::insert_reversals(db, tenant, decided, at).await?;
    adjustment::insert(db, tenant, decided, at).await?;
    payout::insert(db, tenant, decided, at).await?;
    usage::change(db, tenant, decided).await?;
    let metrics: Vec<&MetricChange> = decided.iter().flat_map(|decided| &decided.plan.metrics).collect();
    metric::add(db, tenant, metrics.into_iter(), at).await?;
    Ok(())
}

/// Changes what stood there before, each where it is still as it was read.
async fn change_guarded(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<(), Failure> {
    let held = change_balances(db, tenant, decided, at).await?
        && lot::change(db, tenant, decided).await?
        && payment::change(db, tenant, decided, at).await?
        && adjustment::decide(db, tenant, decided, at).await?
        && payout::fail(db, tenant, decided, at).await?
        && change_accounts(db, tenant, decided).await?;
    if held { Ok(()) } else { Err(Failure::Inconsistent) }
}

async fn change_balances(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let balances = merge_balances(decided.iter().flat_map(|decided| &decided.plan.balances));
    if balances.is_empty() {
        return Ok(true);
    }
    Ok(balance::change(db, tenant, &balances, at).await? == balances.len() as u64)
}

async fn change_accounts(
    db: &mut PgConnection,
    tenant: TenantId,
    decided: &[Decided<'_>],
) -> Result<bool, sqlx::Error> {
    let rows = Records::of(decided, |record| match record {
        Record::AccountStatus(change) => Some(change),
        _ => None,
    });
    for change in rows.iter() {
        if account::change(db, tenant, change).await? != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}
