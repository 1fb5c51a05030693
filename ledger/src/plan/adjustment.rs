//! Corrections under four eyes: one proposes, another applies; the books move only then.

use rust_decimal::Decimal;
use std::collections::BTreeMap;

use super::{AdjustmentDecision, Legs, Plan, Record, Refusal, in_asset, transaction};
use crate::{
    account::{Account, AccountKind, AccountStatus, SystemAccount},
    adjustment::{Adjustment, AdjustmentStatus},
    command::{ApplyAdjustment, DeclineAdjustment, Direction, ProposeAdjustment},
    failure::{Failure, Rejection},
    id::{AccountId, AdjustmentId},
    outcome::{AdjustmentReceipt, Receipt},
    snapshot::Snapshot,
};

pub(super) fn propose(propose: &ProposeAdjustment, actor: &str, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    correctable(&snapshot.accounts, propose.account)?;
    let amount = in_asset(snapshot, propose.amount, &propose.asset)?;
    let adjustment = Adjustment {
        adjustment_id: snapshot.ids.draw(),
        account: propose.account,
        asset: propose.asset.clone(),
        amount: match propose.direction {
            Direction::Add => amount,
            Direction::Take => -amount,
        },
        reason: propose.reason.as_str().to_owned(),
        status: AdjustmentStatus::Proposed,
        proposed_by: actor.to_owned(),
    };
    let (subject, reason) = (adjustment.adjustment_id.0, adjustment.reason.clone());
    let head = transaction(snapshot, "propose_adjustment", Some(subject), Some(reason));
    let receipt = receipt(&adjustment, AdjustmentStatus::Proposed);
    Ok(Legs::new(snapshot).plan(head, vec![Record::Adjustment(adjustment)], receipt))
}

pub(super) fn apply(apply: &ApplyAdjustment, actor: &str, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let adjustment = found(snapshot, apply.adjustment)?;
    adjustment.applicable_by(actor)?;
    correctable(&snapshot.accounts, adjustment.account)?;
    let subject = adjustment.adjustment_id.0;
    let head = transaction(
        snapshot,
        "apply_adjustment",
        Some(subject),
        Some(adjustment.reason.clone()),
    );
    let (account, asset, amount) = (adjustment.account, &adjustment.asset, adjustment.amount);
    let mut legs = Legs::new(snapshot);
    if amount > Decimal::ZERO {
        legs.grant(SystemAccount::Adjustment, account, asset, amount);
    } else {
        legs.available(account, asset, -amount)?;
        legs.take_back(account, SystemAccount::Adjustment, asset, -amount, None);
    }
    let receipt = receipt(&adjustment, AdjustmentStatus::Applied);
    let decision = decision(&adjustment, AdjustmentStatus::Applied);
    Ok(legs.plan(head, vec![decision], receipt))
}

pub(super) fn decline(decline: &DeclineAdjustment, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let adjustment = found(snapshot, decline.adjustment)?;
    adjustment.undecided()?;
    let reason = decline.reason.as_str().to_owned();
    let subject = adjustment.adjustment_id.0;
    let head = transaction(snapshot, "decline_adjustment", Some(subject), Some(reason));
    let receipt = receipt(&adjustment, AdjustmentStatus::Declined);
    let decision = decision(&adjustment, AdjustmentStatus::Declined);
    Ok(Legs::new(snapshot).plan(head, vec![decision], receipt))
}

fn found(snapshot: &Snapshot, adjustment: AdjustmentId) -> Result<Adjustment, Failure> {
    let found = snapshot.adjustments.get(&adjustment).cloned();
    found.ok_or(Failure::NotFound("adjustment"))
}

/// A frozen account can be corrected; a closed one holds nothing, and a system account has no balance.
fn correctable(accounts: &BTreeMap<AccountId, Account>, account: AccountId) -> Result<(), Refusal> {
    match accounts.get(&account) {
        None => Err(Failure::NotFound("account").into()),
        Some(found) if found.kind == AccountKind::System => Err(Failure::NotFound("account").into()),
        Some(found) if found.status == AccountStatus::Closed => Err(Rejection::AccountFrozen.into()),
        Some(_) => Ok(()),
    }
}

fn decision(adjustment: &Adjustment, status: AdjustmentStatus) -> Record {
    Record::AdjustmentDecision(AdjustmentDecision {
        adjustment_id: adjustment.adjustment_id,
        status,
    })
}

fn receipt(adjustment: &Adjustment, status: AdjustmentStatus) -> Receipt {
    Receipt::Adjustment(AdjustmentReceipt {
        adjustment_id: adjustment.adjustment_id,
        status,
        account_id: adjustment.account,
        asset: adjustment.asset.clone(),
        amount: adjustment.amount,
    })
}
