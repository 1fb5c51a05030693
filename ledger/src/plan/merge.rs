//! Many plans as one set of writes: a hot balance is updated once a batch, under one guard that passes exactly when
//! the guards of its plans, judged one after another, would all pass.

use std::collections::BTreeMap;

use super::{BalanceChange, PaymentChange};
use crate::{id::PaymentId, snapshot::BalanceKey};

/// One change per balance, in the order in which balances are locked.
///
/// With `p` the sum of the deltas before a change, its guard `at_least <= balance + p <= at_most` bounds the balance
/// before the batch by `at_least - p` and `at_most - p`; the merged guard is the tightest of those bounds.
#[must_use]
pub fn merge_balances<'a>(changes: impl IntoIterator<Item = &'a BalanceChange>) -> Vec<BalanceChange> {
    let mut merged: BTreeMap<BalanceKey, BalanceChange> = BTreeMap::new();
    for change in changes {
        merged
            .entry((change.account, change.asset.clone()))
            .and_modify(|sum| {
                let at_most = change.at_most.map(|at_most| at_most - sum.delta);
                sum.at_least = sum.at_least.max(change.at_least - sum.delta);
                sum.at_most = [sum.at_most, at_most].into_iter().flatten().min();
                sum.delta += change.delta;
            })
            .or_insert_with(|| change.clone());
    }
    merged.into_values().collect()
}

/// One change per payment: from what was read before the batch to what it is after.
#[must_use]
pub fn merge_payment_changes<'a>(changes: impl IntoIterator<Item = &'a PaymentChange>) -> Vec<MergedPaymentChange> {
    let mut merged: BTreeMap<PaymentId, MergedPaymentChange> = BTreeMap::new();
    for change in changes {
        merged
            .entry(change.payment_id)
            .and_modify(|first| first.after = change.clone())
            .or_insert_with(|| MergedPaymentChange {
                before: change.clone(),
                after: change.clone(),
            });
    }
    merged.into_values().collect()
}

/// The first and the last change of a payment in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedPaymentChange {
    pub before: PaymentChange,
    pub after: PaymentChange,
}
