//! Reads the store's payments; those of another store do not exist.

use chrono::DateTime;
use ledger::postgres::payment::{self, Event, PaymentCursor, RefundRow};
use ledger::postgres::tenant::Tenant;
use ledger::postgres::{account, asset};
use ledger::{AccountId, Asset, AssetCode, Failure, Payment, PaymentId};
use std::collections::BTreeMap;

use super::api::{EventLine, PaymentLine, PaymentList, PaymentView, RefundLine};
use crate::context::{self, AppState};
use crate::identity::Caller;
use crate::merchant::server::store;
use crate::money::Money;
use crate::money_form;
use crate::problem::Problem;
use crate::terminal::payments::server as till;

pub(super) const PAGE: usize = 30;

/// A page of the store's payments. A cursor that is none begins at the newest.
pub(in crate::merchant) async fn page(
    state: &AppState,
    tenant: &Tenant,
    caller: &Caller,
    before: Option<&str>,
    size: usize,
) -> Result<PaymentList, Problem> {
    let (store, pool) = (store(caller)?, state.ledger.pool());
    let limit = i64::try_from(size + 1).unwrap_or(i64::MAX);
    let before = before.and_then(read_cursor);
    let mut payments = payment::of_merchant(pool, caller.tenant, store, before, limit).await?;
    let has_more = payments.len() > size;
    payments.truncate(size);
    let payers: Vec<AccountId> = payments.iter().map(|payment| payment.payer).collect();
    let names = account::names(pool, caller.tenant, &payers).await?;
    let assets = asset::of_tenant(pool, caller.tenant).await?;
    let next = payments.last().filter(|_| has_more).map(write_cursor);
    let line = |payment: &Payment| Some(line(tenant, &names, assets.get(&payment.asset)?, payment));
    Ok(PaymentList {
        lines: payments.iter().filter_map(line).collect(),
        next,
    })
}

fn line(tenant: &Tenant, names: &BTreeMap<AccountId, String>, asset: &Asset, payment: &Payment) -> PaymentLine {
    PaymentLine {
        id: payment.payment_id.to_string(),
        customer: names.get(&payment.payer).cloned().unwrap_or_default(),
        money: Money::new(asset.clone(), payment.amount),
        status: payment.status,
        at: context::local_time(tenant, payment.created_at),
    }
}

/// A payment of the store with its history, and the form that refunds it.
pub(super) async fn detail(
    state: &AppState,
    tenant: &Tenant,
    caller: &Caller,
    id: &str,
) -> Result<PaymentView, Problem> {
    store(caller)?;
    let id: PaymentId = id.parse().map_err(|_| Failure::NotFound("payment"))?;
    let (payment, asset) = till::find(state, caller, id).await?;
    let pool = state.ledger.pool();
    let names = account::names(pool, caller.tenant, &[payment.payer]).await?;
    let points = asset::of_tenant(pool, caller.tenant).await?.remove(&AssetCode::point());
    let events = payment::events(pool, caller.tenant, id).await?;
    let refunds = payment::refunds(pool, caller.tenant, id).await?;
    let form = match payment.refundable().is_zero() {
        true => None,
        false => Some(money_form::server::open(state, caller, &format!("refund:{id}")).await?),
    };
    Ok(PaymentView {
        payment: line(tenant, &names, &asset, &payment),
        refunded: Money::new(asset.clone(), payment.refunded),
        refundable: Money::new(asset.clone(), payment.refundable()),
        points_earned: points
            .filter(|_| !payment.points_earned.is_zero())
            .map(|points| Money::new(points, payment.points_earned)),
        events: events.into_iter().map(|event| event_line(tenant, event)).collect(),
        refunds: refunds
            .into_iter()
            .map(|refund| refund_line(tenant, &asset, refund))
            .collect(),
        memo: payment.memo,
        form,
    })
}

fn event_line(tenant: &Tenant, event: Event) -> EventLine {
    let (by, at) = (kind(&event.actor), context::local_time(tenant, event.occurred_at));
    EventLine {
        to: event.to,
        reason: event.reason,
        by,
        at,
    }
}

fn refund_line(tenant: &Tenant, asset: &Asset, refund: RefundRow) -> RefundLine {
    RefundLine {
        id: refund.refund_id.to_string(),
        money: Money::new(asset.clone(), refund.amount),
        by: kind(&refund.actor),
        at: context::local_time(tenant, refund.created_at),
        reason: refund.reason,
    }
}

/// The kind of a stored actor, such as `terminal` of `terminal:0189..`.
fn kind(actor: &str) -> String {
    actor.split(':').next().unwrap_or_default().to_owned()
}

fn write_cursor(payment: &Payment) -> String {
    format!("{}_{}", payment.created_at.timestamp_micros(), payment.payment_id)
}

fn read_cursor(text: &str) -> Option<PaymentCursor> {
    let (at, id) = text.split_once('_')?;
    Some((DateTime::from_timestamp_micros(at.parse().ok()?)?, id.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{kind, read_cursor};

    #[test]
    fn a_cursor_names_one_payment() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let read = read_cursor(&format!("1777600980123456_{id}"));
        assert_eq!(
            read.map(|(at, id)| (at.timestamp_micros(), id.to_string())),
            Some((1_777_600_980_123_456, id.to_owned()))
        );
        for bad in ["", "1", "1_2", "x_y", id] {
            assert_eq!(read_cursor(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn an_actor_is_shown_by_its_kind() {
        assert_eq!(kind("api_key:01890a5d-ac96-774b-bcce-b302099a8057"), "api_key");
    }
}
