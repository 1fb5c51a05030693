//! A charge of a balance, with its bonus. The cap is judged on the charge; the bonus may lift the balance over it
//! (MISSION B3). A charge can be taken back once, with its bonus, while it is there.

use super::{Legs, Plan, Record, Refusal, Reversal, TopUpRow, active, existing, in_asset, transaction};
use crate::{
    account::{AccountKind, SystemAccount},
    command::{CancelTopUp, TopUp},
    failure::{Failure, Rejection},
    id::TopUpId,
    limit::LimitKind,
    outcome::{MovementReceipt, Receipt, TopUpReceipt},
    snapshot::Snapshot,
};

pub(super) fn plan(top_up: &TopUp, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let TopUp {
        account, asset: code, ..
    } = top_up;
    active(snapshot, *account, AccountKind::Customer, "account")?;
    let charge = in_asset(snapshot, top_up.amount, code)?;
    let asset = snapshot.asset(code)?;
    let bonus = asset.round_down(charge * asset.bonus_rate);
    let before = snapshot.balance(*account, code).amount;
    let at_most = asset.cap.map(|cap| cap - charge);
    if let Some(cap) = asset.cap.filter(|cap| before > cap - charge) {
        let cap = asset.round_down(cap);
        return Err(Rejection::CapExceeded { cap }.into());
    }
    let balance_after = asset.round_down(before + charge + bonus);
    let top_up_id: TopUpId = snapshot.ids.draw();
    let head = transaction(snapshot, "top_up", Some(top_up_id.0), None);
    let mut legs = Legs::new(snapshot);
    legs.limit(LimitKind::TopUp, *account, code, charge)?;
    legs.grant(SystemAccount::Funding, *account, code, charge);
    legs.grant(SystemAccount::Bonus, *account, code, bonus);
    legs.bound(*account, code, at_most);
    let row = Record::TopUp(TopUpRow {
        top_up_id,
        account: *account,
        asset: code.clone(),
        amount: charge,
        bonus,
        balance_after,
    });
    let receipt = Receipt::TopUp(TopUpReceipt {
        top_up_id,
        amount: charge,
        bonus,
        balance_after,
    });
    Ok(legs.plan(head, vec![row], receipt))
}

pub(super) fn cancel(cancel: &CancelTopUp, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let top_up = snapshot.top_ups.get(&cancel.top_up).cloned();
    let top_up = top_up.ok_or(Failure::NotFound("top_up"))?;
    existing(snapshot, top_up.account, AccountKind::Customer, "account")?;
    let subject = cancel.top_up.0;
    if snapshot.reversed.contains(&subject) {
        return Err(Rejection::AlreadyReversed.into());
    }
    let (account, asset, amount) = (top_up.account, &top_up.asset, top_up.amount + top_up.bonus);
    let reason = cancel.reason.as_str().to_owned();
    let head = transaction(snapshot, "cancel_top_up", Some(subject), Some(reason.clone()));
    let mut legs = Legs::new(snapshot);
    legs.available(account, asset, amount)?;
    for (system, amount) in [
        (SystemAccount::Funding, top_up.amount),
        (SystemAccount::Bonus, top_up.bonus),
    ] {
        legs.take_back(account, system, asset, amount, Some(subject));
    }
    let receipt = Receipt::Movement(MovementReceipt {
        transaction_id: head.transaction_id,
        account_id: account,
        asset: asset.clone(),
        amount: -amount,
        balance_after: legs.balance_after(account, asset),
        created_at: head.occurred_at,
    });
    let undone = Record::Reversal(Reversal {
        reversed_id: subject,
        transaction_id: head.transaction_id,
        reason,
    });
    Ok(legs.plan(head, vec![undone], receipt))
}
