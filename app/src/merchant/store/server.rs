//! Draws the code of the caller's own store.

use ledger::postgres::{account, asset};
use ledger::{Amount, Asset, Failure};

use super::api::StoreCode;
use crate::context::AppState;
use crate::identity::{Caller, code};
use crate::merchant::server::store;
use crate::money::{Money, in_order};
use crate::problem::Problem;
use crate::qr;

/// What the code is to ask for, as it was typed.
pub(super) struct Wanted<'a> {
    pub(super) amount: Option<&'a str>,
    pub(super) asset: Option<&'a str>,
}

pub(super) async fn store_code(
    state: &AppState,
    caller: &Caller,
    origin: &str,
    wanted: Wanted<'_>,
) -> Result<StoreCode, Problem> {
    let pool = state.ledger.pool();
    let account = account::find(pool, caller.tenant, store(caller)?)
        .await?
        .ok_or(Failure::NotFound("account"))?;
    let code = account.code.ok_or(Failure::NotFound("code"))?;
    let assets = in_order(asset::of_tenant(pool, caller.tenant).await?);
    let (money, problem) = match money(&assets, &wanted) {
        Ok(money) => (money, None),
        Err(problem) => (None, Some(problem)),
    };
    let link = link(origin, &code, money.as_ref());
    let (svg, code) = (qr::svg(&link)?, code::grouped(&code));
    Ok(StoreCode {
        name: account.name,
        code,
        link,
        svg,
        money,
        problem,
        assets,
    })
}

/// The amount that was typed, in the asset that was chosen or the main one.
fn money(assets: &[Asset], wanted: &Wanted<'_>) -> Result<Option<Money>, Problem> {
    let chosen = assets
        .iter()
        .find(|asset| Some(asset.code.as_str()) == wanted.asset)
        .or(assets.first());
    let (Some(typed), Some(asset)) = (wanted.amount.filter(|typed| !typed.trim().is_empty()), chosen) else {
        return Ok(None);
    };
    let amount = Amount::parse_typed(typed).and_then(|amount| asset.checked(amount));
    let amount = amount.map_err(|error| Problem::at("amount", error.code()))?;
    Ok(Some(Money::new(asset.clone(), amount)))
}

fn link(origin: &str, code: &str, money: Option<&Money>) -> String {
    let Some(money) = money else {
        return format!("{origin}/pay/{code}");
    };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("amount", &money.amount.normalize().to_string())
        .append_pair("asset", money.asset.code.as_str())
        .finish();
    format!("{origin}/pay/{code}?{query}")
}
