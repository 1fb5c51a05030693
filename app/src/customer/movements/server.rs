//! Reads the wallet's entries, a page at a time.

use chrono::DateTime;
use ledger::postgres::entry::{self, Movement, MovementCursor};
use ledger::postgres::tenant::Tenant;
use ledger::{Asset, AssetCode};
use std::collections::BTreeMap;

use super::api::{MovementLine, MovementPage};
use crate::context::{self, AppState};
use crate::customer::server::{assets, wallet};
use crate::identity::Caller;
use crate::money::Money;
use crate::problem::Problem;

pub(super) const PAGE: usize = 30;

/// A page of the caller's own entries. A cursor that is none begins at the newest: it reaches only the caller's entries
/// whatever it says.
pub(in crate::customer) async fn page(
    state: &AppState,
    tenant: &Tenant,
    caller: &Caller,
    before: Option<&str>,
    size: usize,
) -> Result<MovementPage, Problem> {
    let wallet = wallet(caller)?;
    let assets = assets(state, caller).await?;
    let limit = i64::try_from(size + 1).unwrap_or(i64::MAX);
    let before = before.and_then(read_cursor);
    let mut movements = entry::of_account(state.ledger.pool(), caller.tenant, wallet, before, limit).await?;
    let has_more = movements.len() > size;
    movements.truncate(size);
    let next = movements
        .last()
        .filter(|_| has_more)
        .map(|last| write_cursor(last.cursor()));
    Ok(MovementPage {
        lines: movements
            .into_iter()
            .filter_map(|movement| line(tenant, &assets, movement))
            .collect(),
        next,
    })
}

fn line(tenant: &Tenant, assets: &BTreeMap<AssetCode, Asset>, movement: Movement) -> Option<MovementLine> {
    let asset = assets.get(&movement.asset)?.clone();
    let is_payment = matches!(movement.kind.as_str(), "pay" | "capture" | "refund");
    let path = is_payment.then(|| format!("/customer/payments/{}", movement.subject_id));
    Some(MovementLine {
        kind: movement.kind,
        counterparty: movement.counterparty,
        is_points: asset.code == AssetCode::point() && path.is_some() && movement.amount.is_sign_positive(),
        money: Money::new(asset, movement.amount),
        at: context::local_time(tenant, movement.occurred_at),
        path,
    })
}

fn write_cursor((at, transaction, leg): MovementCursor) -> String {
    format!("{}_{transaction}_{leg}", at.timestamp_micros())
}

fn read_cursor(text: &str) -> Option<MovementCursor> {
    let mut parts = text.splitn(3, '_');
    let at = DateTime::from_timestamp_micros(parts.next()?.parse().ok()?)?;
    Some((at, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{read_cursor, write_cursor};

    #[test]
    fn a_cursor_names_one_entry() {
        let text = "1777600980123456_01890a5d-ac96-774b-bcce-b302099a8057_2";
        assert_eq!(read_cursor(text).map(write_cursor).as_deref(), Some(text));
        for bad in [
            "",
            "1",
            "1_2",
            "x_y_z",
            "1777600980123456_01890a5d-ac96-774b-bcce-b302099a8057",
        ] {
            assert_eq!(read_cursor(bad), None, "{bad:?}");
        }
    }
}
