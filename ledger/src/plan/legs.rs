//! The legs of one operation: entries, and the guarded changes of balances that follow from them.

use rust_decimal::Decimal;

use super::{BalanceChange, Entry};
use crate::{
    account::{AssetCode, SystemAccount},
    id::AccountId,
    snapshot::Snapshot,
};

/// Gathers the legs of one operation: each moves a balance of the snapshot, and what is written follows from that.
pub(super) struct Legs<'a> {
    snapshot: &'a Snapshot,
    pub(super) entries: Vec<Entry>,
    pub(super) balances: Vec<BalanceChange>,
}

impl<'a> Legs<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            entries: Vec::new(),
            balances: Vec::new(),
        }
    }

    /// Moves `amount` of `asset` from one account to the other.
    pub(super) fn transfer(&mut self, from: AccountId, to: AccountId, asset: &AssetCode, amount: Decimal) {
        self.add(from, asset, -amount);
        self.add(to, asset, amount);
    }

    /// Gives `amount` from a system account; nothing is written for zero.
    pub(super) fn grant(&mut self, from: SystemAccount, to: AccountId, asset: &AssetCode, amount: Decimal) {
        if amount.is_zero() {
            return;
        }
        self.entries.push(Entry {
            account: from.id(),
            asset: asset.clone(),
            amount: -amount,
            balance_after: None,
        });
        self.add(to, asset, amount);
    }

    /// Takes `amount` back into a system account; nothing is written for zero.
    pub(super) fn take_back(&mut self, from: AccountId, to: SystemAccount, asset: &AssetCode, amount: Decimal) {
        if amount.is_zero() {
            return;
        }
        self.add(from, asset, -amount);
        self.entries.push(Entry {
            account: to.id(),
            asset: asset.clone(),
            amount,
            balance_after: None,
        });
    }

    /// Allows the change of this balance only while it is at most `at_most`.
    pub(super) fn bound(&mut self, account: AccountId, asset: &AssetCode, at_most: Option<Decimal>) {
        if let Some(change) = self
            .balances
            .iter_mut()
            .find(|change| change.account == account && change.asset == *asset)
        {
            change.at_most = at_most;
        }
    }

    fn add(&mut self, account: AccountId, asset: &AssetCode, amount: Decimal) {
        let position = self
            .balances
            .iter()
            .position(|change| change.account == account && change.asset == *asset);
        let position = position.unwrap_or_else(|| {
            let unchanged = BalanceChange {
                account,
                asset: asset.clone(),
                delta: Decimal::ZERO,
                at_least: Decimal::ZERO,
                at_most: None,
            };
            self.balances.push(unchanged);
            self.balances.len() - 1
        });
        let change = &mut self.balances[position];
        change.delta += amount;
        change.at_least = change.at_least.max(-change.delta);
        let balance_after = Some(self.snapshot.balance(account, asset) + change.delta);
        self.entries.push(Entry {
            account,
            asset: asset.clone(),
            amount,
            balance_after,
        });
    }
}
