//! Value that changes hands without a purchase: between customers, from the tenant to a customer, and back once.

use super::{Legs, Plan, Record, Refusal, Reversal, active, existing, in_asset, transaction};
use crate::{
    account::{AccountKind, AccountStatus, SystemAccount},
    asset::AssetCode,
    command::{Grant, Reverse, Transfer},
    failure::{Failure, Rejection},
    id::AccountId,
    limit::LimitKind,
    outcome::{MovementReceipt, Receipt},
    snapshot::Snapshot,
};
use rust_decimal::Decimal;

pub(super) fn plan(transfer: &Transfer, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let Transfer { from, to, asset, .. } = transfer;
    active(snapshot, *from, AccountKind::Customer, "from")?;
    active(snapshot, *to, AccountKind::Customer, "to")?;
    if from == to {
        let (field, code) = ("to", "SAME_ACCOUNT");
        let detail = "a transfer needs two different accounts".to_owned();
        return Err(Failure::Invalid { field, code, detail }.into());
    }
    let amount = in_asset(snapshot, transfer.amount, asset)?;
    let policy = snapshot.asset(asset)?;
    if !policy.transferable {
        return Err(Rejection::NotTransferable.into());
    }
    let at_most = policy.cap.map(|cap| cap - amount);
    if let Some(cap) = policy
        .cap
        .filter(|cap| snapshot.balance(*to, asset).amount > cap - amount)
    {
        let cap = policy.round_down(cap);
        return Err(Rejection::CapExceeded { cap }.into());
    }
    let memo = transfer.memo.clone().map(String::from);
    let head = transaction(snapshot, "transfer", None, memo);
    let mut legs = Legs::new(snapshot);
    legs.limit(LimitKind::Transfer, *from, asset, amount)?;
    legs.transfer(*from, *to, asset, amount)?;
    legs.bound(*to, asset, at_most);
    let receipt = moved(&legs, &head, *from, asset, -amount);
    Ok(legs.plan(head, Vec::new(), receipt))
}

pub(super) fn grant(grant: &Grant, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let Grant { account, asset, .. } = grant;
    active(snapshot, *account, AccountKind::Customer, "account")?;
    let amount = in_asset(snapshot, grant.amount, asset)?;
    let head = transaction(snapshot, "grant", None, Some(grant.reason.as_str().to_owned()));
    let mut legs = Legs::new(snapshot);
    legs.grant(SystemAccount::Campaign, *account, asset, amount);
    let receipt = moved(&legs, &head, *account, asset, amount);
    Ok(legs.plan(head, Vec::new(), receipt))
}

pub(super) fn reverse(reverse: &Reverse, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let movement = snapshot.movements.get(&reverse.transaction).cloned();
    let movement = movement.ok_or(Failure::NotFound("transaction"))?;
    let subject = reverse.transaction.0;
    if snapshot.reversed.contains(&subject) {
        return Err(Rejection::AlreadyReversed.into());
    }
    existing(snapshot, movement.to, AccountKind::Customer, "account")?;
    let (from, to, asset, amount) = (movement.from, movement.to, &movement.asset, movement.amount);
    let is_gift = from == SystemAccount::Campaign.id();
    // A closed account holds nothing: what came back to it could never leave it again.
    if !is_gift && existing(snapshot, from, AccountKind::Customer, "account")? == AccountStatus::Closed {
        return Err(Rejection::AccountFrozen.into());
    }
    let reason = reverse.reason.as_str().to_owned();
    let head = transaction(snapshot, "reverse", Some(subject), Some(reason.clone()));
    let mut legs = Legs::new(snapshot);
    if is_gift {
        legs.available(to, asset, amount)?;
        legs.take_back(to, SystemAccount::Campaign, asset, amount, Some(subject));
    } else {
        legs.give_back(to, from, asset, amount, subject)?;
    }
    let receipt = moved(&legs, &head, to, asset, -amount);
    let undone = Record::Reversal(Reversal {
        reversed_id: subject,
        transaction_id: head.transaction_id,
        reason,
    });
    Ok(legs.plan(head, vec![undone], receipt))
}

/// What came to `account`, or left it.
pub(super) fn moved(
    legs: &Legs<'_>,
    head: &super::Transaction,
    account: AccountId,
    asset: &AssetCode,
    amount: Decimal,
) -> Receipt {
    Receipt::Movement(MovementReceipt {
        transaction_id: head.transaction_id,
        account_id: account,
        asset: asset.clone(),
        amount,
        balance_after: legs.balance_after(account, asset),
        created_at: head.occurred_at,
    })
}
