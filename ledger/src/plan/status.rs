//! An account is frozen, acts again, or is closed. Only one that holds and owes nothing can be closed, and for good.

use super::{AccountStatusChange, Legs, Plan, Record, Refusal, transaction};
use crate::{
    account::{AccountKind, AccountStatus},
    command::SetAccountStatus,
    failure::{Failure, Rejection},
    id::AccountId,
    outcome::{AccountReceipt, Receipt},
    snapshot::{Balance, Snapshot},
};

pub(super) fn plan(change: &SetAccountStatus, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let found = snapshot.accounts.get(&change.account).copied();
    let found = found.filter(|account| account.kind != AccountKind::System);
    let found = found.ok_or(Failure::NotFound("account"))?;
    let to = found.status.to(change.status)?;
    if to == AccountStatus::Closed && !is_empty(change.account, snapshot) {
        return Err(Rejection::AccountNotEmpty.into());
    }
    let reason = change.reason.as_str().to_owned();
    let head = transaction(snapshot, "set_account_status", Some(change.account.0), Some(reason));
    let record = Record::AccountStatus(AccountStatusChange {
        account: change.account,
        from: found.status,
        to,
    });
    let receipt = Receipt::Account(AccountReceipt {
        account_id: change.account,
        status: to,
    });
    Ok(Legs::new(snapshot).plan(head, vec![record], receipt))
}

/// What is held is part of the amount.
fn is_empty(account: AccountId, snapshot: &Snapshot) -> bool {
    let is_empty = |balance: Balance| balance.amount.is_zero() && balance.owed.is_zero();
    snapshot
        .assets
        .keys()
        .all(|asset| is_empty(snapshot.balance(account, asset)))
}
