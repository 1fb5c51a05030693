//! Many plans as one set of writes: a hot balance is updated once a batch, under one guard that passes exactly when
//! the guards of its plans, judged one after another, would all pass.

use std::collections::BTreeMap;

use super::{BalanceChange, PaymentChange};
use crate::{
    id::PaymentId,
    lot::{LotChange, LotKey},
    snapshot::BalanceKey,
};

/// One change per row of a balance, in the order in which they are locked.
///
/// With `p` the sum of what is added before a change, its guard `at_least <= balance + p <= at_most` bounds the balance
/// before the batch by `at_least - p` and `at_most - p`; the merged guard is the tightest of those bounds.
#[must_use]
pub fn merge_balances<'a>(changes: impl IntoIterator<Item = &'a BalanceChange>) -> Vec<BalanceChange> {
    let mut merged: BTreeMap<BalanceKey, BalanceChange> = BTreeMap::new();
    for change in changes {
        merged
            .entry(change.key.clone())
            .and_modify(|sum| {
                let available_at_least = change.available_at_least - (sum.amount - sum.held);
                let at_most = change.at_most.map(|at_most| at_most - sum.amount);
                sum.available_at_least = sum.available_at_least.max(available_at_least);
                sum.held_at_least = sum.held_at_least.max(change.held_at_least - sum.held);
                sum.at_most = [sum.at_most, at_most].into_iter().flatten().min();
                sum.amount += change.amount;
                sum.held += change.held;
                sum.owed += change.owed;
            })
            .or_insert_with(|| change.clone());
    }
    merged.into_values().collect()
}

/// One change per lot, in the order of their keys.
#[must_use]
pub fn merge_lots<'a>(changes: impl IntoIterator<Item = &'a LotChange>) -> Vec<LotChange> {
    let mut merged: BTreeMap<LotKey, LotChange> = BTreeMap::new();
    for change in changes {
        merged
            .entry(change.key.clone())
            .and_modify(|sum| sum.amount += change.amount)
            .or_insert_with(|| change.clone());
    }
    merged.into_values().collect()
}

/// One change per payment: from what was read before the batch to what it is after.
#[must_use]
pub fn merge_payment_changes<'a>(changes: impl IntoIterator<Item = &'a PaymentChange>) -> Vec<PaymentChange> {
    let mut merged: BTreeMap<PaymentId, PaymentChange> = BTreeMap::new();
    for change in changes {
        merged
            .entry(change.before().payment_id)
            .and_modify(|first| first.then(change.clone()))
            .or_insert_with(|| change.clone());
    }
    merged.into_values().collect()
}
