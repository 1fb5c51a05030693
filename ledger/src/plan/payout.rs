//! A merchant's balance goes to its bank account, and comes back if the bank sends it back.

use rust_decimal::Decimal;

use super::{Legs, PayoutFailure, Plan, Record, Refusal, active, existing, in_asset, transaction};
use crate::{
    account::{AccountKind, AccountStatus, SystemAccount},
    command::{FailPayout, Settle},
    failure::{Failure, Rejection},
    outcome::{PayoutReceipt, Receipt},
    payout::{Payout, PayoutStatus},
    snapshot::Snapshot,
};

pub(super) fn settle(settle: &Settle, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let Settle { merchant, asset, .. } = settle;
    active(snapshot, *merchant, AccountKind::Merchant, "merchant")?;
    let amount = in_asset(snapshot, settle.amount, asset)?;
    let payout = Payout {
        payout_id: snapshot.ids.draw(),
        merchant: *merchant,
        asset: asset.clone(),
        amount,
        status: PayoutStatus::Paid,
    };
    let head = transaction(snapshot, "settle", Some(payout.payout_id.0), None);
    let mut legs = Legs::new(snapshot);
    legs.available(*merchant, asset, amount)?;
    legs.take_back(*merchant, SystemAccount::Settlement, asset, amount, None);
    let receipt = receipt(&payout, PayoutStatus::Paid, legs.balance_after(*merchant, asset));
    Ok(legs.plan(head, vec![Record::Payout(payout)], receipt))
}

pub(super) fn fail(fail: &FailPayout, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payout = snapshot.payouts.get(&fail.payout).cloned();
    let payout = payout.ok_or(Failure::NotFound("payout"))?;
    payout.paid()?;
    if existing(snapshot, payout.merchant, AccountKind::Merchant, "merchant")? == AccountStatus::Closed {
        return Err(Rejection::AccountFrozen.into());
    }
    let reason = fail.reason.as_str().to_owned();
    let head = transaction(snapshot, "fail_payout", Some(payout.payout_id.0), Some(reason.clone()));
    let mut legs = Legs::new(snapshot);
    legs.grant(SystemAccount::Settlement, payout.merchant, &payout.asset, payout.amount);
    let balance_after = legs.balance_after(payout.merchant, &payout.asset);
    let receipt = receipt(&payout, PayoutStatus::Failed, balance_after);
    let failure = Record::PayoutFailure(PayoutFailure {
        payout_id: payout.payout_id,
        reason,
    });
    Ok(legs.plan(head, vec![failure], receipt))
}

fn receipt(payout: &Payout, status: PayoutStatus, balance_after: Decimal) -> Receipt {
    Receipt::Payout(PayoutReceipt {
        payout_id: payout.payout_id,
        status,
        merchant: payout.merchant,
        asset: payout.asset.clone(),
        amount: payout.amount,
        balance_after,
    })
}
