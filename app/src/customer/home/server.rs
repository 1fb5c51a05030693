//! Reads the wallet.

use ledger::plan::CO2_SAVED_KG;
use ledger::postgres::metric;
use ledger::postgres::tenant::Tenant;

use super::api::Home;
use crate::context::AppState;
use crate::customer::{movements, server};
use crate::identity::Caller;
use crate::problem::Problem;

const RECENT: usize = 5;

pub(super) async fn home(state: &AppState, tenant: &Tenant, caller: &Caller) -> Result<Home, Problem> {
    let wallet = server::wallet(caller)?;
    Ok(Home {
        name: caller.name.clone(),
        balances: server::balances(state, caller, wallet).await?,
        co2_saved_kg: metric::of_account(state.ledger.pool(), caller.tenant, wallet, CO2_SAVED_KG).await?,
        recent: movements::server::page(state, tenant, caller, None, RECENT)
            .await?
            .lines,
    })
}
