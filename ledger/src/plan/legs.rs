//! The legs of one operation: entries, and the guarded changes of balances and lots that follow from them.
//!
//! # Invariants
//! What one account gives another gets, so entries sum to zero. Value that has an expiry keeps it from customer to
//! customer, and loses it with a merchant.

use rust_decimal::Decimal;
use std::collections::BTreeMap;
use uuid::Uuid;

use super::{BalanceChange, Entry, Plan, Record, Transaction, UsageChange};
use crate::{
    account::{AccountKind, SystemAccount},
    asset::AssetCode,
    failure::Rejection,
    id::AccountId,
    limit::LimitKind,
    lot::{Lot, LotChange, LotKey, Part, spend},
    outcome::Receipt,
    snapshot::{BalanceKey, Snapshot},
};

/// Gathers what one operation writes; all of it is relative to the snapshot on which it is decided.
pub(super) struct Legs<'a> {
    snapshot: &'a Snapshot,
    entries: Vec<Entry>,
    balances: Vec<BalanceChange>,
    lots: Vec<LotChange>,
    usage: Vec<UsageChange>,
}

/// Which lots to take from first.
#[derive(Clone, Copy)]
enum Order<'a> {
    /// Those that last, soonest expiry first.
    Lasting,
    /// As `Lasting`, then those that have expired: they were promised while they lasted.
    Held,
    /// Those that have expired.
    Expired,
    /// These as far as they last, then as `Lasting`.
    Given(&'a [Part]),
}

impl<'a> Legs<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            entries: Vec::new(),
            balances: Vec::new(),
            lots: Vec::new(),
            usage: Vec::new(),
        }
    }

    /// Moves `amount` of `asset` from one account's available balance to another.
    ///
    /// # Errors
    /// [`Rejection::Insufficient`] if it is not available.
    pub(super) fn transfer(
        &mut self,
        from: AccountId,
        to: AccountId,
        asset: &AssetCode,
        amount: Decimal,
    ) -> Result<(), Rejection> {
        self.available(from, asset, amount)?;
        let parts = self.take(from, asset, amount, Order::Lasting);
        self.give(to, asset, amount, &parts);
        Ok(())
    }

    /// Moves `amount` of what `from` holds for `to`; the hold was judged when it was made.
    pub(super) fn capture(&mut self, from: AccountId, to: AccountId, asset: &AssetCode, amount: Decimal) {
        self.hold(from, asset, -amount);
        let parts = self.take(from, asset, amount, Order::Held);
        self.give(to, asset, amount, &parts);
    }

    /// Moves `amount` back to the customer who gave it to `from` in operations on `subject`: to the lots that were spent,
    /// what expires last first.
    ///
    /// # Errors
    /// [`Rejection::Insufficient`] if `from` has not as much.
    pub(super) fn give_back(
        &mut self,
        from: AccountId,
        to: AccountId,
        asset: &AssetCode,
        amount: Decimal,
        subject: Uuid,
    ) -> Result<(), Rejection> {
        self.available(from, asset, amount)?;
        let given = self.parts(subject, from, asset, Decimal::ONE);
        let mut parts = self.take(from, asset, amount, Order::Given(&given));
        if !self.snapshot.has_lots(from, asset) {
            let spent = self.parts(subject, to, asset, -Decimal::ONE);
            parts = spend(spent.into_iter().rev().map(Lot::from), amount);
        }
        self.give(to, asset, amount, &parts);
        Ok(())
    }

    /// Gives `amount` from a system account; nothing is written for zero. What money was paid for is told from what was
    /// given. Whoever is granted something has every lane locked that there is, and no other is made for it: this server's
    /// own may be missing.
    pub(super) fn grant(&mut self, from: SystemAccount, to: AccountId, asset: &AssetCode, amount: Decimal) {
        if amount.is_zero() {
            return;
        }
        self.enter_system(from, asset, -amount);
        let part = self.snapshot.expires_at.get(asset).map(|expires_at| Part {
            expires_at: *expires_at,
            paid: from == SystemAccount::Funding,
            amount,
        });
        let lanes = self.lanes_own_first(to, asset);
        let lane = lanes.first().map_or(0, |(lane, _)| *lane);
        self.give_in(lane, to, asset, amount, part.as_slice());
    }

    /// Takes `amount` into a system account, as far as it can from what operations on `subject` gave; nothing is written
    /// for zero. Whether it is available was judged.
    pub(super) fn take_back(
        &mut self,
        from: AccountId,
        to: SystemAccount,
        asset: &AssetCode,
        amount: Decimal,
        subject: Option<Uuid>,
    ) {
        if amount.is_zero() {
            return;
        }
        let given = subject.map_or(Vec::new(), |subject| self.parts(subject, from, asset, Decimal::ONE));
        self.take(from, asset, amount, Order::Given(&given));
        self.enter_system(to, asset, amount);
    }

    /// How much of what operations on `subject` gave to a holding is past its time by now, spent or not.
    pub(super) fn lapsed(&self, account: AccountId, asset: &AssetCode, subject: Uuid) -> Decimal {
        let given = self.parts(subject, account, asset, Decimal::ONE).into_iter();
        let lapsed = given.filter(|part| part.expires_at <= self.snapshot.at);
        lapsed.map(|part| part.amount).sum()
    }

    /// Takes `amount` of what has expired.
    pub(super) fn expire(&mut self, from: AccountId, asset: &AssetCode, amount: Decimal) {
        self.take(from, asset, amount, Order::Expired);
        self.enter_system(SystemAccount::Expired, asset, amount);
    }

    /// Holds `amount` of what is available; below zero, releases it.
    pub(super) fn hold(&mut self, account: AccountId, asset: &AssetCode, amount: Decimal) {
        self.alter(account, asset, 0, |change| change.held += amount);
    }

    /// Adds to what the account owes; below zero, pays it.
    pub(super) fn owe(&mut self, account: AccountId, asset: &AssetCode, amount: Decimal) {
        if !amount.is_zero() {
            self.alter(account, asset, 0, |change| change.owed += amount);
        }
    }

    /// Allows the change of this balance only while it is at most `at_most`.
    pub(super) fn bound(&mut self, account: AccountId, asset: &AssetCode, at_most: Option<Decimal>) {
        self.alter(account, asset, 0, |change| change.at_most = at_most);
    }

    /// Judges `amount` by the asset's limits and counts it, where there are any.
    ///
    /// # Errors
    /// [`Rejection::LimitExceeded`], [`Rejection::TooSoon`].
    pub(super) fn limit(
        &mut self,
        kind: LimitKind,
        account: AccountId,
        asset: &AssetCode,
        amount: Decimal,
    ) -> Result<(), Rejection> {
        let policy = self.snapshot.assets.get(asset);
        let Some(limit) = policy.and_then(|asset| asset.limits.get(&kind)) else {
            return Ok(());
        };
        let used = self.snapshot.usage.get(&(account, asset.clone(), kind));
        let after = limit.admit(used, amount, self.snapshot.at, self.snapshot.today)?;
        self.usage.push(UsageChange {
            account,
            asset: asset.clone(),
            kind,
            after,
        });
        Ok(())
    }

    /// Judges that the account can spend `amount`.
    ///
    /// # Errors
    /// [`Rejection::Insufficient`] if it can't.
    pub(super) fn available(&self, account: AccountId, asset: &AssetCode, amount: Decimal) -> Result<(), Rejection> {
        if self.snapshot.available(account, asset) < amount {
            return Err(Rejection::Insufficient);
        }
        Ok(())
    }

    /// What the account will hold after all that was gathered, all lanes together.
    pub(super) fn balance_after(&self, account: AccountId, asset: &AssetCode) -> Decimal {
        let changes = self.balances.iter();
        let changes = changes.filter(|change| change.key.account == account && change.key.asset == *asset);
        self.snapshot.balance(account, asset).amount + changes.map(|change| change.amount).sum::<Decimal>()
    }

    /// Everything that was gathered, with what else the operation writes.
    pub(super) fn plan(self, transaction: Transaction, records: Vec<Record>, receipt: Receipt) -> Plan {
        Plan {
            transaction,
            entries: self.entries,
            balances: self.balances,
            lots: self.lots,
            usage: self.usage,
            metrics: Vec::new(),
            records,
            receipt,
        }
    }

    /// What operations on `subject`, this one among them, gave to a holding (`sign` one) or took from it (minus one) and
    /// did not undo, by expiry.
    fn parts(&self, subject: Uuid, account: AccountId, asset: &AssetCode, sign: Decimal) -> Vec<Part> {
        let uses = self.snapshot.lot_uses.get(&subject).map_or(&[][..], Vec::as_slice);
        let mut sums = BTreeMap::new();
        for LotChange { key, amount } in uses.iter().chain(&self.lots) {
            if key.account == account && key.asset == *asset {
                *sums.entry((key.expires_at, key.paid)).or_insert(Decimal::ZERO) += sign * amount;
            }
        }
        let part = |((expires_at, paid), amount)| Part {
            expires_at,
            paid,
            amount,
        };
        sums.into_iter()
            .filter(|(_, amount)| *amount > Decimal::ZERO)
            .map(part)
            .collect()
    }

    /// Takes `amount` from a holding: from lanes, own first, and from lots.
    fn take(&mut self, account: AccountId, asset: &AssetCode, amount: Decimal, order: Order<'_>) -> Vec<Part> {
        let mut left = amount;
        for (lane, held) in self.lanes_own_first(account, asset) {
            let share = held.min(left);
            if share > Decimal::ZERO {
                left -= share;
                self.enter(account, asset, lane, -share);
            }
        }
        if !self.snapshot.has_lots(account, asset) {
            return Vec::new();
        }
        let parts = spend(self.lots_to_take_from(account, asset, order), amount);
        debug_assert_eq!(
            parts.iter().map(|part| part.amount).sum::<Decimal>(),
            amount,
            "lots make up the balance"
        );
        for part in &parts {
            self.change_lot(account, asset, part, -part.amount);
        }
        parts
    }

    /// Adds `amount` to a holding: to the server's lane where the account only collects, and to lots.
    fn give(&mut self, account: AccountId, asset: &AssetCode, amount: Decimal, parts: &[Part]) {
        self.give_in(self.snapshot.lane_of(account), account, asset, amount, parts);
    }

    fn give_in(&mut self, lane: i16, account: AccountId, asset: &AssetCode, amount: Decimal, parts: &[Part]) {
        self.enter(account, asset, lane, amount);
        if self.snapshot.has_lots(account, asset) {
            for part in parts {
                self.change_lot(account, asset, part, part.amount);
            }
        }
    }

    fn lanes_own_first(&self, account: AccountId, asset: &AssetCode) -> Vec<(i16, Decimal)> {
        let own = self.snapshot.lane_of(account);
        let mut lanes: Vec<(i16, Decimal)> = self
            .snapshot
            .lanes(account, asset)
            .map(|(lane, balance)| (lane, balance.amount + self.gathered(account, asset, lane)))
            .collect();
        lanes.sort_by_key(|(lane, _)| *lane != own);
        lanes
    }

    fn gathered(&self, account: AccountId, asset: &AssetCode, lane: i16) -> Decimal {
        let change = self.balances.iter().find(|change| change.key.is(account, asset, lane));
        change.map_or(Decimal::ZERO, |change| change.amount)
    }

    fn lots_to_take_from(&self, account: AccountId, asset: &AssetCode, order: Order<'_>) -> Vec<Lot> {
        let lots = || {
            let lots = self.snapshot.lots_of(account, asset).iter();
            lots.map(|lot| Lot {
                remaining: lot.remaining + self.gathered_in(account, asset, lot),
                ..*lot
            })
        };
        let lasts = |lot: &Lot| lot.expires_at > self.snapshot.at;
        match order {
            Order::Held => lots().filter(lasts).chain(lots().filter(|lot| !lasts(lot))).collect(),
            Order::Expired => lots().filter(|lot| !lasts(lot)).collect(),
            Order::Lasting => lots().filter(lasts).collect(),
            Order::Given(parts) => {
                let of = |lot: &Lot| {
                    let part = parts
                        .iter()
                        .find(|part| (part.expires_at, part.paid) == (lot.expires_at, lot.paid));
                    part.map_or(Decimal::ZERO, |part| part.amount.min(lot.remaining))
                };
                let given = lots().filter(lasts).map(|lot| Lot {
                    remaining: of(&lot),
                    ..lot
                });
                let rest = lots().filter(lasts).map(|lot| Lot {
                    remaining: lot.remaining - of(&lot),
                    ..lot
                });
                given.chain(rest).collect()
            }
        }
    }

    fn gathered_in(&self, account: AccountId, asset: &AssetCode, lot: &Lot) -> Decimal {
        let is_lot = |key: &LotKey| {
            key.account == account && key.asset == *asset && (key.expires_at, key.paid) == (lot.expires_at, lot.paid)
        };
        let changes = self.lots.iter().filter(|change| is_lot(&change.key));
        changes.map(|change| change.amount).sum()
    }

    fn change_lot(&mut self, account: AccountId, asset: &AssetCode, part: &Part, amount: Decimal) {
        let key = LotKey {
            account,
            asset: asset.clone(),
            expires_at: part.expires_at,
            paid: part.paid,
        };
        match self.lots.iter_mut().find(|change| change.key == key) {
            Some(change) => change.amount += amount,
            None => self.lots.push(LotChange { key, amount }),
        }
    }

    fn enter_system(&mut self, account: SystemAccount, asset: &AssetCode, amount: Decimal) {
        self.entries.push(Entry {
            account: account.id(),
            asset: asset.clone(),
            lane: 0,
            amount,
            balance_after: None,
        });
    }

    fn enter(&mut self, account: AccountId, asset: &AssetCode, lane: i16, amount: Decimal) {
        let key = BalanceKey {
            account,
            asset: asset.clone(),
            lane,
        };
        let before = self.snapshot.balances.get(&key).copied().unwrap_or_default().amount;
        let change = self.alter(account, asset, lane, |change| change.amount += amount);
        let balance_after = Some(before + change);
        self.entries.push(Entry {
            account,
            asset: asset.clone(),
            lane,
            amount,
            balance_after,
        });
    }

    /// Changes the change of a balance, and its guards with it; returns what is added to the amount in all.
    fn alter(
        &mut self,
        account: AccountId,
        asset: &AssetCode,
        lane: i16,
        alter: impl FnOnce(&mut BalanceChange),
    ) -> Decimal {
        let place = self
            .balances
            .iter()
            .position(|change| change.key.is(account, asset, lane));
        let place = place.unwrap_or_else(|| {
            let asset = asset.clone();
            self.balances
                .push(BalanceChange::none(BalanceKey { account, asset, lane }));
            self.balances.len() - 1
        });
        let change = &mut self.balances[place];
        alter(change);
        change.available_at_least = change.available_at_least.max(change.held - change.amount);
        change.held_at_least = change.held_at_least.max(-change.held);
        change.amount
    }
}

impl BalanceKey {
    fn is(&self, account: AccountId, asset: &AssetCode, lane: i16) -> bool {
        self.account == account && self.lane == lane && self.asset == *asset
    }
}

impl Snapshot {
    /// The lane in which the account is given something: the server's own for those that only collect.
    pub(super) fn lane_of(&self, account: AccountId) -> i16 {
        match self.accounts.get(&account) {
            Some(account) if account.kind == AccountKind::Merchant => self.lane,
            _ => 0,
        }
    }
}
