//! Reads the tenant's sums and counters, for admins.

use ledger::AccountKind;
use ledger::postgres::tenant::Tenant;
use ledger::postgres::{Counter, account, asset, balance, counter};

use super::api::{Counts, Overview};
use crate::admin::server::only_admins;
use crate::context::{self, AppState};
use crate::identity::Caller;
use crate::money::{Money, in_order};
use crate::problem::Problem;

pub(super) async fn overview(state: &AppState, tenant: &Tenant, caller: &Caller) -> Result<Overview, Problem> {
    only_admins(caller)?;
    let pool = state.ledger.pool();
    let (date, from, _) = context::local_day(tenant, state.ledger.now());
    let sums = balance::in_circulation(pool, caller.tenant).await?;
    let assets = in_order(asset::of_tenant(pool, caller.tenant).await?);
    let money = |asset: ledger::Asset| Money::new(asset.clone(), sums.get(&asset.code).copied().unwrap_or_default());
    let totals = counter::totals(pool, caller.tenant, from).await?;
    let count = |counter: Counter| totals.get(counter.name()).copied().unwrap_or_default();
    Ok(Overview {
        tenant: tenant.name.clone(),
        date: date.format("%Y/%m/%d").to_string(),
        in_circulation: assets.into_iter().map(money).collect(),
        customers: account::count(pool, caller.tenant, AccountKind::Customer).await?,
        merchants: account::count(pool, caller.tenant, AccountKind::Merchant).await?,
        today: Counts {
            conflict: count(Counter::Conflict),
            replay: count(Counter::Replay),
            key_missing: count(Counter::KeyMissing),
            key_reused: count(Counter::KeyReused),
            in_flight: count(Counter::InFlight),
        },
    })
}
