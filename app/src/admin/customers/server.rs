//! Reads the tenant's customers, a page at a time, for admins.

use ledger::postgres::account::{self, AccountRow};
use ledger::postgres::{asset, balance};
use ledger::{AccountId, AccountKind};

use super::api::{CustomerLine, CustomerList};
use crate::admin::server::only_admins;
use crate::context::AppState;
use crate::identity::Caller;
use crate::money::{Money, in_order};
use crate::problem::Problem;

const PAGE: usize = 50;
/// How much of a code is shown.
const CODE_END: usize = 4;

/// A page of customers. A place that is none begins at the first.
pub(super) async fn customers(state: &AppState, caller: &Caller, after: Option<&str>) -> Result<CustomerList, Problem> {
    only_admins(caller)?;
    let pool = state.ledger.pool();
    let after = after.and_then(|after| after.parse::<AccountId>().ok());
    let limit = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
    let mut accounts = account::list(pool, caller.tenant, AccountKind::Customer, after, limit).await?;
    let has_more = accounts.len() > PAGE;
    accounts.truncate(PAGE);
    let ids: Vec<AccountId> = accounts.iter().map(|account| account.account_id).collect();
    let held = balance::of_accounts(pool, caller.tenant, &ids).await?;
    let assets = in_order(asset::of_tenant(pool, caller.tenant).await?);
    let line = |account: AccountRow| {
        let amount = |code| held.get(&(account.account_id, code)).copied().unwrap_or_default();
        let balances = assets
            .iter()
            .map(|asset| Money::new(asset.clone(), amount(asset.code.clone())))
            .collect();
        CustomerLine {
            name: account.name,
            code: masked(account.code.as_deref()),
            status: account.status,
            balances,
        }
    };
    let next = ids.last().filter(|_| has_more).map(AccountId::to_string);
    Ok(CustomerList {
        lines: accounts.into_iter().map(line).collect(),
        assets: assets.clone(),
        next,
    })
}

/// The last characters of a code: whoever has the whole of it may be charged.
fn masked(code: Option<&str>) -> String {
    let code = code.unwrap_or_default();
    let end: String = code
        .chars()
        .skip(code.chars().count().saturating_sub(CODE_END))
        .collect();
    format!("••••{end}")
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn a_code_is_never_shown_whole() {
        assert_eq!(masked(Some("K7M24Q9XAB")), "••••9XAB");
        assert_eq!(masked(None), "••••");
    }
}
