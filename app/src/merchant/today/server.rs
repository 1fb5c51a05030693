//! Reads the day's sales: what the store's entries since the tenant's midnight say.

use ledger::postgres::payment::{self, Sales};
use ledger::postgres::tenant::Tenant;
use ledger::postgres::{account, asset};
use ledger::{Asset, AssetCode, Failure};
use rust_decimal::Decimal;

use super::api::{SalesLine, Today};
use crate::context::{self, AppState};
use crate::identity::Caller;
use crate::merchant::{payments, server};
use crate::money::{Money, in_order};
use crate::problem::Problem;

const LATEST: usize = 6;

pub(super) async fn today(state: &AppState, tenant: &Tenant, caller: &Caller) -> Result<Today, Problem> {
    let (store, pool) = (server::store(caller)?, state.ledger.pool());
    let (date, from, to) = context::local_day(tenant, state.ledger.now());
    let account = account::find(pool, caller.tenant, store)
        .await?
        .ok_or(Failure::NotFound("account"))?;
    let sales = payment::sales(pool, caller.tenant, store, from, to).await?;
    let assets = in_order(asset::of_tenant(pool, caller.tenant).await?);
    let latest = payments::server::page(state, tenant, caller, None, LATEST).await?.lines;
    let lines = assets.into_iter().filter_map(|asset| line(asset, &sales)).collect();
    Ok(Today {
        store: account.name,
        date: date.format("%Y/%m/%d").to_string(),
        sales: lines,
        latest,
    })
}

/// The sales in `asset`; none for an asset that nothing was paid in, unless it is the main one.
fn line(asset: Asset, sales: &[Sales]) -> Option<SalesLine> {
    let sales = sales.iter().find(|sales| sales.asset == asset.code);
    if sales.is_none() && asset.code != AssetCode::main() {
        return None;
    }
    let (count, captured, refunded) = sales.map_or((0, Decimal::ZERO, Decimal::ZERO), |sales| {
        (sales.count, sales.captured, sales.refunded)
    });
    let money = |amount| Money::new(asset.clone(), amount);
    Some(SalesLine {
        captured: money(captured),
        refunded: money(refunded),
        net: money(captured - refunded),
        count,
        average: (count > 0).then(|| money(captured / Decimal::from(count))),
    })
}
